"""The figures of a game as text of 78 columns, and as data for programs (schema `stats`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.report.losses import Losses, in_words
from pbem.report.plain import WIDTH, columns, cut, heading, padded, safe, width, wrapped
from pbem.report.reader import View
from pbem.report.whole.ledger import Sums, success_name
from pbem.report.whole.stats import Holding, Luck, Stats, Stop, Turn
from pbem.report.wording import Wording

FORMAT = "pbem-stats/1"
Row = Sequence[str]


def render(stats: Stats, view: View, title: str, reader: str) -> str:
    """Return the figures as text, with one final line break; `view` is that of the newest stage."""
    words = view.wording
    top = [
        columns(safe(title, 40), length(stats, words)),
        *wrapped(reader),
        "=" * WIDTH,
    ]
    parts = [
        _mails(stats, words),
        _stops(stats, words),
        _waits(stats, words),
        _losses(stats, view),
        _territory(stats, words),
        _luck(stats, words),
    ]
    return "\n".join(line.rstrip() for part in (top, *parts) for line in part) + "\n"


def length(stats: Stats, words: Wording) -> str:
    """Return how long the game is: `68 stages, 4 game turns`."""
    turns = sum(1 for turn in stats.turns if turn.counted)
    counted = words.say("stages-count", count=stats.stages), words.say("turns-count", count=turns)
    return words.say("stats-of", stages=counted[0], turns=counted[1])


def _name(turn: Turn, words: Wording) -> str:
    return safe(turn.name) or words.say("before-first")


def _mails(stats: Stats, words: Wording) -> list[str]:
    """Return a line per game turn, and the sums."""
    known = any(turn.standing is not None for turn in stats.turns)
    dated = any(turn.days is not None for turn in stats.turns)
    heads = [words.say("game-turn"), words.say("stages"), *(words.text(p) for p in stats.parties)]
    heads += [words.say("by-standing")] * known + [words.say("days")] * dated
    rows: list[Row] = [heads]
    for turn in stats.turns:
        row = [_name(turn, words), str(turn.count), *(str(turn.mails[p]) for p in stats.parties)]
        row += [str(sum((turn.standing or {}).values()))] * known
        rows.append(row + ["–" if turn.days is None else str(turn.days)] * dated)
    sums = [words.say("whole-game"), str(stats.stages), *(str(stats.mails[p]) for p in stats.parties)]
    saved = sum(sum((turn.standing or {}).values()) for turn in stats.turns)
    rows.append(sums + [str(saved)] * known + [str(sum(turn.days or 0 for turn in stats.turns))] * dated)
    named = [turn.count for turn in stats.turns if turn.name]
    lines = [*heading(words.say("mails")), *table(rows), ""]
    if named:
        mean = words.number(Fraction(sum(named) * 10 // len(named), 10))
        lines += wrapped(words.say("stages-a-turn", each=mean, most=max(named)), "  ")
    lines += wrapped(words.say("mails-help"), "  ")
    lines += wrapped(words.say("by-standing-help"), "  ") if known else []
    return lines + (wrapped(words.say("days-help"), "  ") if dated else [])


def _stops(stats: Stats, words: Wording) -> list[str]:
    lines = heading(words.say("stops"))
    if not stats.stops:
        return [*lines, "  " + words.say("nothing")]
    for stop in stats.stops:
        who, kind = safe(words.text(stop.party)), safe(stop.kind)
        key = "stopped" if stop.alone else "stopped-with-others"
        lines += wrapped(words.say(key, who=who, kind=kind, count=stop.times, alone=stop.alone), "  - ")
        for name, count in stop.why.items():
            lines += wrapped(words.say(f"why-{name}", count=count), "      ")
        if stop.again:
            lines += wrapped(words.say("asked-again", count=stop.again), "      ")
        if stop.usual is not None:
            answer, count = stop.usual
            told = words.say("usual", count=count, answer=answer)
            form = f"- {{decision: {stop.kind}, answer: {answer}}}"
            lines += wrapped(f"{told} {words.say('to-file', form=form)}", "      ")
    shown: set[str] = set()
    lines += ["", *wrapped(words.say("stops-help"), "  ")]
    for stop in stats.stops:
        for form in stop.forms if stop.kind not in shown else ():
            lines += wrapped(words.say("to-file", form=form), f"  {safe(stop.kind)}: ", "      ")
        shown.add(stop.kind)
    return lines


def _waits(stats: Stats, words: Wording) -> list[str]:
    lines = heading(words.say("waiting"))
    for wait in stats.waits:
        who, whom = (safe(words.text(party)) for party in (wait.player, wait.whom))
        lines += wrapped(words.say("waited", who=who, whom=whom, count=wait.stages), "  ")
    return lines if stats.waits else [*lines, "  " + words.say("nobody-waited")]


def _losses(stats: Stats, view: View) -> list[str]:
    """Return losses with game turns as lines and players as columns."""
    words = view.wording
    if not stats.losses:
        return [*heading(words.say("losses")), "  " + words.say("none")]
    rows: list[Row] = [[words.say("game-turn"), *(words.text(p) for p in stats.players)]]
    for turn in stats.turns:
        if turn.losses:
            rows.append([_name(turn, words), *_lost(turn.losses, stats, view)])
    rows.append([words.say("whole-game"), *_lost(stats.losses, stats, view)])
    return [*heading(words.say("losses")), *table(rows)]


def _lost(listed: Sequence[Losses], stats: Stats, view: View) -> list[str]:
    by_player = {losses.player: ", ".join(in_words(losses, view)) for losses in listed}
    return [by_player.get(player, "–") for player in stats.players]


def _territory(stats: Stats, words: Wording) -> list[str]:
    lines = heading(words.say("territory"))
    known = [turn for turn in stats.turns if turn.holdings]
    if not known:
        return [*lines, *wrapped(words.say("not-known"), "  ")]
    rows: list[Row] = [[words.say("game-turn"), *(words.text(p) for p in stats.players)]]
    for turn in known:
        rows.append([_name(turn, words), *(_held(holding, words) for holding in turn.holdings)])
    return [*lines, *table(rows), "", *wrapped(words.say("territory-help"), "  ")]


def _held(holding: Holding, words: Wording) -> str:
    places = str(holding.places)
    if holding.worth is not None:
        places = words.say("held-worth", places=holding.places, worth=holding.worth)
    return f"{places}; {holding.counters}"


def _luck(stats: Stats, words: Wording) -> list[str]:
    lines = heading(words.say("luck"))
    if not stats.luck:
        return [*lines, "  " + words.say("no-dice")]
    for luck in stats.luck:
        lines += wrapped(luck_words(luck, words), "  ", "    ")
    lines += wrapped(nobody_words(stats, words), "  ", "    ") if stats.nobody is not None else []
    rows: list[Row] = [[words.say("game-turn"), *(words.text(p) for p in stats.judged)]]
    for turn in stats.turns:
        if turn.luck:
            shown = [turn.luck.get(player) for player in stats.judged]
            rows.append([_name(turn, words), *("–" if luck is None else place_of(luck) for luck in shown)])
    if len(rows) > 1:
        lines += ["", *wrapped(words.say("luck-places"), "  "), *table(rows)]
    return lines


def luck_words(luck: Luck, words: Wording) -> str:
    """Return a sentence on a player's dice: ranked dice with their sums, the rank, other dice."""
    who = safe(words.text(luck.player))
    ways = (("luck-tried", luck.tried), ("luck-high", luck.high), ("luck-low", luck.low))
    parts = [words.say(name, **_figures(part, words)) for name, part in ways if part is not None]
    parts = parts or [words.say("luck-dice", **_figures(luck.sums, words))]
    sentences = [words.say("luck-of", who=who, what="; ".join(parts))]
    if luck.chance is not None:
        sentences.append(words.say("luck-sums", chance=words.percent(luck.chance)))
    if luck.others is not None:
        sentences.append(words.say("luck-others", **_figures(luck.others, words)))
    return " ".join(sentences)


def nobody_words(stats: Stats, words: Wording) -> str:
    """Return the dice that no player threw in a sentence; empty where there are none."""
    return words.say("luck-nobody", **_figures(stats.nobody, words)) if stats.nobody is not None else ""


def _figures(sums: Sums, words: Wording) -> dict[str, Any]:
    figures = {"count": sums.dice, "sum": sums.total, "expected": words.number(sums.expected)}
    if sums.hits is None or sums.expected_hits is None:
        return figures
    name = success_name(sums.hits, words)
    return {**figures, "hits": sums.hits, "name": name, "mean": words.number(sums.expected_hits)}


def place_of(chance: Fraction) -> str:
    """Return the rank of these dice among those of a hundred games, the best first."""
    return str(max(1, -(-100 * chance.numerator // chance.denominator)))


def table(rows: Sequence[Row]) -> list[str]:
    """Return lines with columns as wide as needed, the first left-aligned, the others right."""
    widths = [max(width(safe(row[n])) for row in rows) for n in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        first, *rest = (safe(word) for word in row)
        cells = [" " * (wide - width(word)) + word for word, wide in zip(rest, widths[1:], strict=True)]
        lines.append(cut("  " + "  ".join([padded(first, widths[0]), *cells]), WIDTH).rstrip())
    return lines


# ---- for programs ------------------------------------------------------------------------------------


def as_json(stats: Stats, reader: str | None) -> dict[str, Any]:
    """Return the figures as plain data; fractions as texts ("21/2")."""
    return {
        "format": FORMAT,
        "reader": reader,
        "players": list(stats.players),
        "stages": stats.stages,
        "turns": [_turn_json(turn) for turn in stats.turns],
        "mails": stats.mails,
        "stops": [_stop_json(stop) for stop in stats.stops],
        "waits": [{"player": w.player, "for": w.whom, "stages": w.stages} for w in stats.waits],
        "losses": _losses_json(stats.losses),
        "luck": [
            {
                "player": luck.player,
                **_sums_json(luck.sums),
                **({} if luck.chance is None else {"chance": str(luck.chance)}),
                **{
                    name: _sums_json(part)
                    for name in ("tried", "high", "low", "others")
                    if (part := getattr(luck, name)) is not None
                },
            }
            for luck in stats.luck
        ],
        **({} if stats.nobody is None else {"nobody": _sums_json(stats.nobody)}),
    }


def _turn_json(turn: Turn) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": turn.name,
        "stages": list(turn.stages),
        "mails": dict(turn.mails),
        "losses": _losses_json(turn.losses),
        "holdings": [
            {"player": holding.player, "places": holding.places, "counters": holding.counters}
            | ({} if holding.worth is None else {"worth": holding.worth})
            for holding in turn.holdings
        ],
        "dice": _sums_json(turn.dice),
        "luck": {player: str(chance) for player, chance in turn.luck.items()},
    }
    data |= {} if turn.standing is None else {"standing": dict(turn.standing)}
    return data | ({} if turn.days is None else {"days": turn.days})


def _stop_json(stop: Stop) -> dict[str, Any]:
    data: dict[str, Any] = {
        "party": stop.party,
        "decision": stop.kind,
        "times": stop.times,
        "alone": stop.alone,
        "again": stop.again,
        "forms": list(stop.forms),
    }
    data |= {"why": dict(stop.why)} if stop.why else {}
    return data | ({"usual": {"answer": stop.usual[0], "times": stop.usual[1]}} if stop.usual else {})


def _losses_json(listed: Sequence[Losses]) -> dict[str, Mapping[str, int]]:
    return {losses.player: dict(losses.lost) for losses in listed}


def _sums_json(sums: Sums) -> dict[str, Any]:
    data: dict[str, Any] = {
        "rolls": sums.rolls,
        "dice": sums.dice,
        "sum": sums.total,
        "expected": str(sums.expected),
    }
    if sums.hits is not None:
        data |= {"hits": sums.hits, "expected_hits": str(sums.expected_hits)}
    return data
