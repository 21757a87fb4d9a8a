"""The news since a reader's last orders as a story of steps, one event or one fight each.

Every step is a headline, what to frame or which way to draw on the map, and a sentence. The steps come from
the reports of the stages, and `worth.py` ranks them, as it does everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from pbem.report.fights.cards import Fight
from pbem.report.forecasts import fought_words
from pbem.report.headlines import moves_made
from pbem.report.reader import hexes_named
from pbem.report.structure import Item, Report
from pbem.report.text import roll_words
from pbem.report.whole.ledger import roll_name
from pbem.report.worth import RANKS, Rank, is_news, rank
from pbem.text.dataclass import dataclass

Part = Literal["own", "weight", "rest"]
"""The end, the reader's fights and losses; a change of score, power, capital or front; all else."""
PARTS: tuple[Part, ...] = ("own", "weight", "rest")
_END, _HEAVY, _FOUGHT = (RANKS.index(rank) for rank in ("end", "front", "battle"))
_MOST_TOLD = 8
"""Moves of one player in a row that are told one by one."""


@dataclass(frozen=True)
class Step:
    """One step of the story.

    `at` are the places to frame, `ways` those to draw as arrows, `events` the numbers of the items in the
    report of its stage. `weight` orders the steps of one part, the smallest first.
    """

    stage: int
    part: Part
    weight: Rank
    headline: str
    sentence: str
    rule: str = ""
    at: tuple[str, ...] = ()
    ways: tuple[tuple[str, ...], ...] = ()
    units: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    fight: bool = False
    events: tuple[int, ...] = ()


def steps(reports: Sequence[Report]) -> list[Step]:
    """Return the steps of some stages in a row, as they happened."""
    shown: list[Step] = []
    for number, report in enumerate(reports):
        later = [fight for other in reports[number + 1 :] for fight in other.fights]
        cards = [
            fight for fight in report.fights if fight.stage is None and not _goes_on(fight, report, later)
        ]
        shown += _of_stage(report, cards)
    return shown


def ranked(steps: Sequence[Step]) -> list[int]:
    """Return the numbers of the steps by what matters to the reader; equal ones as they happened."""
    return sorted(range(len(steps)), key=lambda n: (PARTS.index(steps[n].part), _order(steps[n]), n))


def _order(step: Step) -> tuple[int, ...]:
    """Return where a step is in its part: the end before own fights, the rest as it happened."""
    own = (step.weight[0] != _END, not step.fight)
    return step.weight if step.part == "weight" else own if step.part == "own" else ()


def _goes_on(fight: Fight, report: Report, later: Sequence[Fight]) -> bool:
    """Return True if the card of a later stage tells this fight whole."""
    return any(
        card.place == fight.place and card.since is not None and card.since <= report.stage for card in later
    )


def _of_stage(report: Report, cards: Sequence[Fight]) -> Iterator[Step]:
    of_fight = {number: card for card in cards for number in card.numbers}
    shown: list[Fight] = []
    for moves, row in groupby(report.items, key=lambda item: _mover(item, report)):
        items = list(row)
        if moves is not None and not any(item.number in of_fight for item in items):
            yield from _moves(items, report)
            continue
        for item in items:
            card = of_fight.get(item.number)
            if card is not None:
                if card not in shown:
                    shown.append(card)
                    yield _fight(card, report)
            elif item.headline is not None and is_news(item.event, report.view, _side(report)):
                yield _event(item, report)


def _side(report: Report) -> set[str | None]:
    return set() if report.reader is None or report.umpire else {report.reader.id, *report.friends}


def _mover(item: Item, report: Report) -> str | None:
    """Return who moves in an event that is a move and nothing more, and not the reader's own."""
    view, meaning = report.view, report.view.means(item.event)
    if "move" not in meaning.tells or {"battle", "loss", "capture"} & set(meaning.tells) or not meaning.units:
        return None
    power = meaning.players[0] if meaning.players else view.whose(meaning.units[0])  # it may have died since
    return None if not power or view.seat(power) in _side(report) else view.seat(power)


def _moves(items: Sequence[Item], report: Report) -> Iterator[Step]:
    """Yield moves of one player in a row, as one step with all their ways."""
    view = report.view
    ways = tuple(_way(item, report) for item in items)
    texts = [item.text for item in items[:_MOST_TOLD]]
    yield Step(
        report.stage,
        "rest",
        min(rank(item.event, view) for item in items),
        items[0].text if len(items) == 1 else moves_made((item.event for item in items), view),
        "" if len(items) == 1 else " ".join(texts),
        items[0].rule,
        tuple(dict.fromkeys(way[-1] for way in ways if way)),
        tuple(way for way in ways if len(way) > 1),
        tuple(unit for item in items for unit in view.means(item.event).units),
        events=tuple(item.number for item in items),
    )


def _way(item: Item, report: Report) -> tuple[str, ...]:
    meaning, chart = report.view.means(item.event), report.view.chart
    places = dict.fromkeys((*meaning.origins[:1], *meaning.way, *meaning.goals[-1:])) or dict.fromkeys(
        meaning.places
    )
    return tuple(place for place in places if chart is not None and place in chart)


def _event(item: Item, report: Report) -> Step:
    view = report.view
    weight = rank(item.event, view, _side(report))
    meaning = view.means(item.event)
    lost = item.mine and bool({"loss", "retreat"} & set(meaning.tells))
    over = weight[0] == _END
    fought = weight[0] == _FOUGHT and bool(_side(report) & {view.seat(power) for power in meaning.players})
    way = _way(item, report)
    return Step(
        report.stage,
        "own" if over or lost or fought else "weight" if weight[0] <= _HEAVY else "rest",
        weight,
        item.headline or item.text,
        item.text if item.text != item.headline else "",
        item.rule,
        item.hexes,
        (way,) if {"move", "retreat"} & set(meaning.tells) and len(way) > 1 else (),
        meaning.units,
        _dice([item], report),
        events=(item.number,),
    )


def _fight(card: Fight, report: Report) -> Step:
    view, side = report.view, _side(report)
    numbers = set(card.numbers)
    items = [item for item in report.items if item.number in numbers]
    units = [unit for item in items for unit in view.means(item.event).units]
    mine = bool(side & {view.seat(power) for power in (*card.attackers, *card.defenders)})
    weight = min(rank(item.event, view, side) for item in items)
    ended = fought_words(card.fought, view) if card.fought is not None else ""
    text = ended or " ".join((*card.outcome, *card.follows)) or " ".join(card.results)
    came = {place for item in items for place in view.means(item.event).origins} - {card.place}
    chart = view.chart
    return Step(
        report.stage,
        "own" if mine else "weight" if weight[0] <= _HEAVY else "rest",
        weight,
        card.where,
        text or " ".join(item.text for item in items[:2]),
        items[0].rule,
        (card.place,) if chart is not None and card.place in chart else tuple(_hexes(items, report)),
        tuple((place, card.place) for place in sorted(came) if chart is not None and place in chart),
        tuple(dict.fromkeys(units)),
        _dice(items, report),
        fight=True,
        events=card.numbers,
    )


def _hexes(items: Sequence[Item], report: Report) -> list[str]:
    return list(dict.fromkeys(place for item in items for place in hexes_named(item.event, report.view)))


def _dice(items: Sequence[Item], report: Report) -> tuple[str, ...]:
    rolls = dict.fromkeys(entry for item in items for entry in item.rolls)
    return tuple(f"{roll_name(roll, report.words)}: {roll_words(roll, report.words)}" for roll in rolls)
