"""A league as text, as data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pbem.cli.league.organizer import League
from pbem.cli.league.pairing import Round
from pbem.cli.league.results import Result
from pbem.cli.league.standings import Names, Standing, Table
from pbem.cli.shell.language import code, spoken
from pbem.text.messages import Message

_WIDTH = 24


def points(value: Fraction) -> str:
    """Return points as they are written: 3, 2½, 1⅓."""
    units, rest = divmod(value, 1)
    part = {
        Fraction(1, 2): "½",
        Fraction(1, 3): "⅓",
        Fraction(2, 3): "⅔",
        Fraction(1, 4): "¼",
        Fraction(3, 4): "¾",
        Fraction(1, 6): "⅙",
        Fraction(5, 6): "⅚",
    }
    if not rest:
        return str(int(units))
    return f"{int(units) or ''}{part[rest]}" if rest in part else f"{float(value):.2f}"


def rating(standing: Standing) -> str:
    """Return a rating with its uncertainty: the mean, and two standard deviations to either side."""
    return f"{standing.rating:.1f} ± {2 * standing.spread:.1f}"


def as_text(table: Table, others: Sequence[Result], league: League | None) -> list[str]:
    """Return the lines of the standings, the meetings, the games, and what does not count."""
    lines: list[str] = [*_order(league), *_words_of_others([*table.results, *others])]
    rows = [tuple(_head())]
    for place, standing in enumerate(table.standings, 1):
        figures = (
            standing.played,
            standing.won,
            standing.drawn,
            standing.lost,
            points(standing.points),
            rating(standing),
        )
        rows.append((str(place), _cut(standing.name), *map(str, figures)))
    lines += _columns(rows, left=(1,))
    if len(table.standings) > 1:
        lines += ["", Message("cli.league.meetings"), *_meetings(table)]
    lines += ["", Message("cli.league.games-that-count", count=len(table.results))]
    lines += [_game(n, result, table.names) for n, result in enumerate(table.results, 1)]
    if others:
        lines += ["", Message("cli.league.games-that-do-not", count=len(others))]
        lines += [
            Message(
                "cli.league.does-not-count",
                what=other.title or other.archive or other.game[:16],
                why=other.why,
            )
            for other in others
        ]
    return lines


def _head() -> list[str]:
    """Return the heads of the table's columns."""
    heads = (
        Message("cli.league.place"),
        Message("cli.league.player"),
        Message("cli.league.games"),
        Message("cli.league.won"),
        Message("cli.league.drawn"),
        Message("cli.league.lost"),
        Message("cli.league.points"),
        Message("cli.league.rating"),
    )
    return [spoken(head) for head in heads]


def _order(league: League | None) -> list[Message]:
    if league is None:
        return [Message("cli.league.order-is-yours")]
    if not league.signed_by:
        return [Message("cli.league.list-unsigned", title=league.title)]
    return [Message("cli.league.list-signed", title=league.title, key=league.signed_by)]


def _words_of_others(judged: Sequence[Result]) -> list[Message]:
    """Return a line for each other machine on whose word results rest."""
    counted = Counter(result.by for result in judged if result.by)
    return [
        Message("cli.league.word-of-a-machine", host=host, count=count)
        for host, count in sorted(counted.items())
    ]


def _meetings(table: Table) -> list[str]:
    """Return a line for two players who met: how often the first was ahead, level and behind."""
    names = [standing.name for standing in table.standings]
    lines: list[str] = []
    for n, name in enumerate(names):
        for other in names[n + 1 :]:
            met = table.meetings.get((name, other))
            if met is not None:
                lines.append(
                    Message(
                        "cli.league.meeting",
                        one=name,
                        other=other,
                        ahead=met.ahead,
                        level=met.level,
                        behind=met.behind,
                    )
                )
    return lines


def _game(number: int, result: Result, names: Names) -> Message:
    first = tuple(names[seat.key] for seat in result.seats if seat.id in result.best)
    drawn = len(first) == len(result.seats)
    return Message(
        "cli.league.game",
        number=number,
        title=result.title,
        system=result.system,
        first=first,
        drawn=drawn,
    )


def rounds_as_text(rounds: Sequence[Round], first: int = 1) -> list[str]:
    """Return the lines of pairings."""
    lines: list[str] = []
    for number, pairing in enumerate(rounds, first):
        lines.append(Message("cli.league.round", number=number))
        for game in pairing.games:
            seats_taken = tuple(f"{seat}: {name}" for seat, name in game.seats.items())
            lines.append(Message("cli.league.pairing", seats=seats_taken))
        if pairing.free:
            lines.append(Message("cli.league.free", names=pairing.free))
    return lines


def as_data(
    table: Table, others: Sequence[Result], league: League | None, rounds: Sequence[Round]
) -> dict[str, Any]:
    """Return the league for programs: exact points as text, ratings with six decimals."""
    return {
        "league": league.title if league else None,
        "signed_by": league.signed_by or None if league else None,
        "standings": [
            {
                "place": place,
                "name": standing.name,
                "played": standing.played,
                "won": standing.won,
                "drawn": standing.drawn,
                "lost": standing.lost,
                "points": str(standing.points),
                "rating": round(standing.rating, 6),
                "deviation": round(standing.spread, 6),
                "seats": standing.seats,
            }
            for place, standing in enumerate(table.standings, 1)
        ],
        "meetings": [
            {"one": name, "other": other, "ahead": met.ahead, "level": met.level, "behind": met.behind}
            for (name, other), met in sorted(table.meetings.items())
        ],
        "games": [_result(result) for result in table.results],
        "not_counted": [{**_result(other), "why": str(other.why)} for other in others],
        "pairings": [
            {"games": [dict(game.seats) for game in pairing.games], "free": list(pairing.free)}
            for pairing in rounds
        ],
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "archive": result.archive,
        "game": result.game,
        "head": result.head,
        "stage": result.stage,
        "title": result.title,
        "system": result.system,
        "scenario": result.scenario,
        "seats": [{"id": seat.id, "name": seat.name, "key": seat.key} for seat in result.seats],
        "best": list(result.best),
        "result": [str(text) for text in result.words],
        "verified_by": result.by or None,
    }


def as_page(table: Table, others: Sequence[Result], league: League | None, rounds: Sequence[Round]) -> str:
    """Return the league as one HTML page without scripts."""
    from importlib.resources import files

    from jinja2 import Environment, StrictUndefined

    source = files("pbem.cli.league").joinpath("page.html.j2").read_text("utf-8")
    pages = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)

    title = league.title if league else spoken(Message("cli.league.standings"))
    return pages.from_string(source).render(
        lang=code(),
        head=_head(),
        met=spoken(Message("cli.league.meetings")),
        counting=spoken(Message("cli.league.games-that-count", count=len(table.results))),
        not_counting=spoken(Message("cli.league.games-that-do-not", count=len(others))),
        title=title,
        order=[spoken(line) for line in (*_order(league), *_words_of_others([*table.results, *others]))],
        standings=table.standings,
        points=points,
        rating=rating,
        meetings=[spoken(line) for line in _meetings(table)],
        games=[(spoken(_game(n, result, table.names)), result) for n, result in enumerate(table.results, 1)],
        others=[(other.title or other.archive or other.game[:16], spoken(other.why)) for other in others],
        rounds=[
            [spoken(line) for line in rounds_as_text([pairing], n)] for n, pairing in enumerate(rounds, 1)
        ],
    )


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _columns(rows: Sequence[tuple[str, ...]], left: tuple[int, ...]) -> list[str]:
    wide = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(wide[n]) if n in left else cell.rjust(wide[n]) for n, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]
