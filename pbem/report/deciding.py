"""What decided a game: since which stage its result was as it is, and the moments that moved the score most.

The last report knows the events alone, the book also every position. A system names the field of an event
that tells points: `scores: {scored: points}` in its wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.model.endings import Ending
from pbem.report.acts import Act, Battle
from pbem.report.headlines import Line, in_few_words
from pbem.report.reader import View
from pbem.report.stats import holdings
from pbem.report.structure import Report
from pbem.report.worth import RANKS, is_great, rank
from pbem.text.dataclass import dataclass

Fields = Mapping[str, Any]
Told = tuple[int, Fields]
"""An event and the stage that tells it."""
CHANGES = RANKS.index("front")
"""The least that can decide a game: the front."""
MOST_MOMENTS = 5


# ---- the last report ---------------------------------------------------------------------------------


def decided(ending: Ending | None, told: Sequence[Told], view: View) -> Line | None:
    """Return the stage that decided a game, with what happened in it: what the winners gained most, between
    the two counts of points that made the difference if there are such, else in the whole game."""
    won = _winners(ending, told, view)
    gains = [one for one in told if _changes(one[1], view) and _is_for(won, one[1], view)]
    first, last = _window(ending, told, view) or (0, max((stage for stage, _ in told), default=0))
    within = [one for one in gains if first < one[0] <= last and rank(one[1], view)[0] < CHANGES] or gains
    if not within:
        return None
    best = min(within, key=lambda one: (rank(one[1], view)[:2], -one[0]))
    texts = in_few_words([event for stage, event in within if stage == best[0]], view)
    return Line((best[0],), texts[0]) if texts else None


def _winners(ending: Ending | None, told: Sequence[Told], view: View) -> set[str]:
    """Return the sides that have won; none of a draw, or where nobody says."""
    ends = [said for _, event in told if "end" in (said := view.means(event)).tells]
    seats = {who for said in ends for who in said.players}
    if ending is not None and ending.points is not None and ending.counted and ending.levels:
        number = _level(ending, ending.points)
        level = ending.levels[number]
        if level.winner or number in (0, len(ending.levels) - 1):
            others = {seat for seat in view.players if seat not in ending.who}
            seats = {level.winner} if level.winner else {*ending.who} if number == 0 else others
    return {view.side(seat) for seat in seats if seat in view.rollers} if seats else set()


def _is_for(won: set[str], event: Fields, view: View) -> bool:
    """Return True if an event is a gain of the winners, or if nobody has won."""
    said = view.means(event)
    gained = [*(each.after for each in said.captures), *said.holders]
    return not won or not gained or any(view.side(who) in won for who in gained if who)


def _changes(event: Fields, view: View) -> bool:
    """Return True if an event moved the front or more, and is not the count of it."""
    return rank(event, view)[0] <= CHANGES and not {"end", "score"} & set(view.means(event).tells)


def _window(ending: Ending | None, told: Sequence[Told], view: View) -> tuple[int, int] | None:
    """Return the two counts between which the result became what it is at the end; None where no points were
    counted, or where they always gave it."""
    counts = _counts(ending, told, view)
    if ending is None or not counts:
        return None
    levels = [_level(ending, points) for _, points in counts]
    for number in range(len(counts) - 1, 0, -1):
        if levels[number - 1] != levels[-1]:
            return counts[number - 1][0], counts[number][0]
    return None


def _level(ending: Ending, points: int) -> int:
    """Return the number of the level that these points give, the highest first; -1 for none."""
    return next((number for number, one in enumerate(ending.levels) if one.holds(points)), -1)


def _counts(ending: Ending | None, told: Iterable[Told], view: View) -> list[tuple[int, int]]:
    """Return the points that the levels of an ending count, stage by stage, as events told them."""
    fields, now = view.wording.of("scores"), dict[str, int]()
    found: dict[int, int] = {}
    for stage, event in told:
        value = event.get(fields.get(str(event.get("event", "")), ""))
        if isinstance(value, int):
            who = next(iter(view.means(event).players), "")
            now[who] = value
            counted = [now.get(one, 0) for one in (ending.who if ending else ()) if one in view.players]
            found[stage] = sum(counted) if who in view.players else value
    return sorted(found.items())


# ---- the book ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """A stage that moved the score: by how much, whether another result was ahead after it, what happened,
    and the battle of it that cost most, if there was one."""

    stage: int
    swing: int
    turned: bool
    texts: tuple[str, ...]
    battle: Battle | None


def moments(reports: Sequence[Report], acts: Iterable[Act]) -> list[Moment]:
    """Return the stages that moved the score most, the greatest first; none where no score is known."""
    values = [advantage(report.view) for report in reports]
    ending = reports[-1].view.ending_from() if reports[-1].finished else None
    fought = [battle for act in acts for battle in act.battles]
    found: list[Moment] = []
    for before, now, report in zip(values, values[1:], reports[1:], strict=False):
        swing = _swing(before, now)
        if swing:
            there = [one for one in fought if one.stage == report.stage]
            worst = max(there, key=_lost, default=None)
            turned = _ahead(before, ending) != _ahead(now, ending)
            found.append(Moment(report.stage, swing, turned, _texts(report), worst))
    return sorted(found, key=lambda one: (-one.swing, one.stage))[:MOST_MOMENTS]


def advantage(view: View) -> dict[str, int]:
    """Return what each player's position is worth now: the points as the system counts them, else the worth
    of the places held, which is what the score grows by."""
    if view.points:
        return dict(view.points)
    held = {one.player: one.worth for one in holdings(view) if one.worth is not None}
    if held:
        return held
    track = view.position.tracks.get(view.wording.of("map").get("score", ""))
    if isinstance(track, int) and not isinstance(track, bool):
        return {"": track}
    return {who: n for who, n in track.items() if isinstance(n, int)} if isinstance(track, Mapping) else {}


def _swing(before: Mapping[str, int], now: Mapping[str, int]) -> int:
    """Return how far players moved from each other; of a single number by how much it changed."""
    moved = [now[who] - before.get(who, 0) for who in now] if before and now else [0]
    return abs(moved[0]) if len(moved) == 1 else max(moved) - min(moved)


def _ahead(values: Mapping[str, int], ending: Ending | None) -> object:
    """Return who is ahead; of a single number which result it gives."""
    if len(values) == 1 and ending is not None:
        (points,) = values.values()
        return _level(ending, points)
    most = max(values.values(), default=0)
    return sorted(who for who, value in values.items() if value == most)


def _lost(battle: Battle) -> int:
    return sum(amount for one in battle.fight.losses for _, amount in one.lost)


def _texts(report: Report) -> tuple[str, ...]:
    """Return what moved the score in a stage, the most first."""
    view, events = report.view, [item.event for item in report.items]
    moving = [one for one in events if _changes(one, view)]
    counted = [one for one in events if {"end", "score"} & set(view.means(one).tells)]
    others = [one for one in events if is_great(one, view) and one not in counted]
    return tuple(in_few_words(moving or others, view)[:2])
