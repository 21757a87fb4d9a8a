"""The moments of a game that moved the score most, for the book, which knows every position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.model.endings import Ending
from pbem.report.headlines import in_few_words
from pbem.report.reader import View
from pbem.report.structure import Report
from pbem.report.whole.acts import Act, Battle
from pbem.report.whole.deciding import changes, level_at
from pbem.report.whole.stats import holdings
from pbem.report.worth import is_great
from pbem.text.dataclass import dataclass

MOST_MOMENTS = 5


@dataclass(frozen=True)
class Moment:
    """A stage that moved the score.

    `swing` says by how much, `turned` whether another result was ahead after it, `texts` what happened, and
    `battle` is the battle in it that cost most, if there was one.
    """

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
    great: list[Moment] = []
    for before, now, report in zip(values, values[1:], reports[1:], strict=False):
        swing = _swing(before, now)
        if swing:
            there = [battle for battle in fought if battle.stage == report.stage]
            worst = max(there, key=_lost, default=None)
            turned = _ahead(before, ending) != _ahead(now, ending)
            great.append(Moment(report.stage, swing, turned, _texts(report), worst))
    return sorted(great, key=lambda moment: (-moment.swing, moment.stage))[:MOST_MOMENTS]


def advantage(view: View) -> dict[str, int]:
    """Return what each player's position is worth now.

    That is the points as the system counts them, else the worth of the places held, which the score grows by.
    """
    if view.points:
        return dict(view.points)
    held = {holding.player: holding.worth for holding in holdings(view) if holding.worth is not None}
    if held:
        return held
    track = view.position.tracks.get(view.wording.of("map").get("score", ""))
    if isinstance(track, int) and not isinstance(track, bool):
        return {"": track}
    return (
        {player: n for player, n in track.items() if isinstance(n, int)} if isinstance(track, Mapping) else {}
    )


def _swing(before: Mapping[str, int], now: Mapping[str, int]) -> int:
    """Return how far players moved from each other; of a single number by how much it changed."""
    moved = [now[player] - before.get(player, 0) for player in now] if before and now else [0]
    return abs(moved[0]) if len(moved) == 1 else max(moved) - min(moved)


def _ahead(values: Mapping[str, int], ending: Ending | None) -> object:
    """Return who is ahead; of a single number which result it gives."""
    if len(values) == 1 and ending is not None:
        (points,) = values.values()
        return level_at(ending, points)
    most = max(values.values(), default=0)
    return sorted(player for player, value in values.items() if value == most)


def _lost(battle: Battle) -> int:
    return sum(amount for loss in battle.fight.losses for _, amount in loss.lost)


def _texts(report: Report) -> tuple[str, ...]:
    """Return what moved the score in a stage, the most first."""
    view, events = report.view, [item.event for item in report.items]
    moving = [event for event in events if changes(event, view)]
    counted = [event for event in events if {"end", "score"} & set(view.means(event).tells)]
    others = [event for event in events if is_great(event, view) and event not in counted]
    return tuple(in_few_words(moving or others, view)[:2])
