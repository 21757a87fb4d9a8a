"""The stage that decided a game, from its events alone.

A system names the field of an event that tells points: `scores: {scored: points}` in its wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.model.endings import Ending
from pbem.report.fights.cards import accounts
from pbem.report.headlines import Line, in_few_words
from pbem.report.reader import View
from pbem.report.worth import RANKS, rank

Fields = Mapping[str, Any]
Told = tuple[int, Fields]
"""An event and the stage that tells it."""
CHANGES = RANKS.index("front")
"""The least that can decide a game: the front."""


def decided(ending: Ending | None, pairs: Sequence[Told], view: View) -> Line | None:
    """Return the stage that decided a game, with what happened in it.

    It is the greatest gain of the winners: between the two counts of points that made the difference if there
    are such, else in the whole game.
    """
    won = _winners(ending, pairs, view)
    gains = [pair for pair in pairs if changes(pair[1], view) and _is_for(won, pair[1], view)]
    first, last = _window(ending, pairs, view) or (0, max((stage for stage, _ in pairs), default=0))
    scoring = [gain for gain in gains if rank(gain[1], view)[0] < CHANGES]
    # where points are counted, ground that counts nothing decided nothing
    within = [gain for gain in scoring if first < gain[0] <= last] or scoring or ([] if ending else gains)
    if not within:
        return None
    best = min(within, key=lambda pair: (rank(pair[1], view)[:2], -pair[0]))
    ended = accounts((event for _, event in pairs), view)
    texts = in_few_words([event for stage, event in within if stage == best[0]], view, (), ended)
    return Line((best[0],), texts[0]) if texts else None


def _winners(ending: Ending | None, pairs: Sequence[Told], view: View) -> set[str]:
    """Return the sides that have won; none of a draw, or where nobody says."""
    if ending is not None and ending.best is not None:
        seats = set(ending.best) if set(ending.best) < set(view.players) else set()
    else:
        ends = [meaning for _, event in pairs if "end" in (meaning := view.means(event)).tells]
        seats = {who for said in ends for who in said.players}
    return {view.side(seat) for seat in seats if seat in view.rollers}


def _is_for(won: set[str], event: Fields, view: View) -> bool:
    """Return True if an event is a gain of the winners, or if nobody has won."""
    said = view.means(event)
    gained = [*(each.after for each in said.captures), *said.holders]
    return not won or not gained or any(view.side(who) in won for who in gained if who)


def changes(event: Fields, view: View) -> bool:
    """Return True if an event moved the front or more, and is not the count of it."""
    return rank(event, view)[0] <= CHANGES and not {"end", "score"} & set(view.means(event).tells)


def _window(ending: Ending | None, told: Sequence[Told], view: View) -> tuple[int, int] | None:
    """Return the two counts between which the result became what it is at the end.

    None if no points were counted, or where they always gave it.
    """
    counts = _counts(ending, told, view)
    if ending is None or not counts:
        return None
    levels = [level_at(ending, points) for _, points in counts]
    for number in range(len(counts) - 1, 0, -1):
        if levels[number - 1] != levels[-1]:
            return counts[number - 1][0], counts[number][0]
    return None


def level_at(ending: Ending, points: int) -> int:
    """Return the number of the level that these points give, the highest first; -1 for none."""
    return next((number for number, level in enumerate(ending.levels) if level.holds(points)), -1)


def _counts(ending: Ending | None, told: Iterable[Told], view: View) -> list[tuple[int, int]]:
    """Return the points that the levels of an ending count, stage by stage, as events told them."""
    fields, now = view.wording.of("scores"), dict[str, int]()
    counts: dict[int, int] = {}
    for stage, event in told:
        value = event.get(fields.get(str(event.get("event", "")), ""))
        if isinstance(value, int):
            who = next(iter(view.means(event).players), "")
            now[who] = value
            counted = [
                now.get(player, 0) for player in (ending.who if ending else ()) if player in view.players
            ]
            counts[stage] = sum(counted) if who in view.players else value
    return sorted(counts.items())
