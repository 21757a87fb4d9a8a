"""The player turns of a game, titled by what happened in them: what a book and its map step through.

Stages end where the game waits for email, but readers think in turns. Consecutive stages that were
played in the same part of the sequence of play are one act, and acts in which nothing moved or
fought are told in passing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from pbem.model.events import Tells
from pbem.report.fights.cards import Fight
from pbem.report.headlines import in_few_words
from pbem.report.structure import Item, Report
from pbem.report.worth import is_great, is_news
from pbem.text.dataclass import dataclass

STIRS: frozenset[Tells] = frozenset(
    ("move", "retreat", "battle", "result", "outcome", "loss", "capture", "arrival", "score", "end")
)
"""Marks of events that are more than a pass."""
MOST_IN_TITLE = 2


@dataclass(frozen=True)
class Battle:
    """A fight of an act: the stage that tells it, the number of its card there, and the card."""

    stage: int
    number: int
    fight: Fight


@dataclass(frozen=True)
class Act:
    """A player turn.

    `turn` is its game turn, `place` the rest of its place. `headlines` are those of all its stages that
    matter, the most important first, `minor` the others; `quiet`: nobody moved, fought, won or lost.
    """

    turn: str
    place: str
    reports: tuple[Report, ...]
    headlines: tuple[str, ...]
    battles: tuple[Battle, ...]
    minor: tuple[str, ...]
    moves: int
    quiet: bool

    @property
    def first(self) -> int:
        """Return the stage that it begins with."""
        return self.reports[0].stage

    @property
    def last(self) -> Report:
        """Return the report at its end."""
        return self.reports[-1]

    @property
    def title(self) -> str:
        """Return its events in one line."""
        say = self.last.words.say
        if self.headlines:
            return "; ".join(self.headlines[:MOST_IN_TITLE])
        counted = [say("map-battle", count=len(self.battles))] if self.battles else []
        counted += [say("act-moves", count=self.moves)] if self.moves else []
        return ", ".join(counted) or "; ".join(self.minor[:MOST_IN_TITLE]) or say("act-quiet")

    @property
    def stages(self) -> tuple[int, ...]:
        """Return its stages."""
        return tuple(report.stage for report in self.reports)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Return everything that happened in it, in order."""
        return [dict(item.event) for report in self.reports for item in report.items]


def acts(reports: Sequence[Report]) -> tuple[Act, ...]:
    """Return the player turns in order; every stage belongs to one."""
    deep = _depth(reports)
    groups: list[tuple[tuple[str, ...], list[Report]]] = []
    for report in reports:
        where = _where(report, deep) or (groups[-1][0] if groups else ())
        if groups and (where == groups[-1][0] or (not _stirs(report) and where[:1] == groups[-1][0][:1])):
            groups[-1][1].append(report)
        else:
            groups.append((where, [report]))
    return tuple(_act(where, group) for where, group in groups)


def _depth(reports: Iterable[Report]) -> int:
    """Return how many parts of a place distinguish player turns.

    Up to the one that names a player, else three (game turn, phase, round).
    """
    for report in reports:
        names = {word.casefold() for party in report.players for word in (party.id, party.seat)}
        for item in report.items:
            for number, part in enumerate(item.place, 1):
                if number > 1 and names & set(part.casefold().replace(",", " ").split()):
                    return number
    return 3


def _where(report: Report, deep: int) -> tuple[str, ...]:
    """Return the part of the sequence of play in which most of a stage happened.

    Active events count first.
    """
    stirring = [item for item in report.items if _item_stirs(item, report)]
    counts = Counter(item.place[:deep] for item in stirring or report.items if item.place)
    return max(counts, key=lambda place: counts[place], default=())


def _item_stirs(item: Item, report: Report) -> bool:
    return bool(STIRS & set(report.view.means(item.event).tells))


def _stirs(report: Report) -> bool:
    return any(_item_stirs(item, report) for item in report.items)


def _act(where: tuple[str, ...], group: Sequence[Report]) -> Act:
    view = group[-1].view
    events = [item.event for report in group for item in report.items if item.headline is not None]
    great = [event for event in events if is_great(event, view)]
    small = [event for event in events if not is_great(event, view) and is_news(event, view)]
    tells = [report.view.means(item.event).tells for report in group for item in report.items]
    ended = {key: text for report in group for key, text in report.ended.items()}
    story = [item.event for report in group for item in report.items]
    return Act(
        turn=where[0] if where else "",
        place=", ".join(where[1:]),
        reports=tuple(group),
        headlines=tuple(in_few_words(great, view, (), ended, story)),
        minor=tuple(in_few_words(small, view, (), ended, story)),
        battles=tuple(_battles(group)),
        moves=sum("move" in kinds for kinds in tells),
        quiet=not any(map(_stirs, group)),
    )


def _battles(group: Iterable[Report]) -> list[Battle]:
    """Return the fights of several stages; one over several stages has its last card."""
    fought: list[Battle] = []
    for report in group:
        for number, fight in enumerate(report.fights, 1):
            if fight.since is not None:
                fought = [
                    battle for battle in fought if battle.fight.outcome or battle.fight.place != fight.place
                ]
            fought.append(Battle(report.stage, number, fight))
    return fought
