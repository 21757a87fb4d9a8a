"""The earlier stages as a reader was told them, and the fights that began in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from pbem.report.fights.cards import Fight, fights
from pbem.report.fights.grouping import Happened, Words
from pbem.report.reader import Meta, View
from pbem.report.structure import Item
from pbem.report.throwers import Throwers

Fields = Mapping[str, Any]

MOST_STAGES_BACK = 8
"""The number of stages back in which the beginning of a battle is looked for."""


class Past:
    """The events that the reader saw in earlier stages, the newest first; read only on demand."""

    def __init__(self, reader: str | None, view: View, meta: Meta) -> None:
        self._reader, self._view, self._meta = reader, view, meta
        self._kept: dict[int, list[Happened]] = {}

    def __iter__(self) -> Iterator[list[Happened]]:
        first = max(1, self._meta.stage - MOST_STAGES_BACK)
        for stage in range(self._meta.stage - 1, first - 1, -1) if self._meta.before else ():
            yield self._events_of(stage)

    def around(self, stage: int) -> tuple[list[Happened], Iterator[list[Happened]]]:
        """Return what was told of a stage as if it were the newest, and what of those before it."""
        events = self._events_of(stage)
        before = (self._events_of(n) for n in range(stage - 1, max(0, stage - MOST_STAGES_BACK) - 1, -1))
        return [replace(happening, stage=None) for happening in events], before

    def _events_of(self, stage: int) -> list[Happened]:
        if stage not in self._kept:
            assert self._meta.before is not None
            events = list(self._meta.before(stage))
            words = cache(partial(self._words, stage, events))  # of most stages nobody wants them
            self._kept[stage] = [
                Happened(0, event, partial(_one_of, words, n), stage) for n, event in enumerate(events)
            ]
        return self._kept[stage]

    def _words(self, stage: int, events: Iterable[Fields]) -> list[Words]:
        """Return the words of a stage's events: those of all, because who throws depends on earlier
        ones.
        """
        view, worded, throwers = self._view, list[Words](), Throwers()
        for event in events:
            named, rolls = view.named(event), throwers.entries(event, stage, view)
            worded.append(Words(view.wording.event(named), view.wording.headline(named), rolls))
        return worded

    def events(self) -> Iterator[list[Fields]]:
        """Yield the events of each stage."""
        for stage in self:
            yield [happening.event for happening in stage]


def _one_of(words: Callable[[], Sequence[Words]], number: int) -> Words:
    return words()[number]


def cards(items: Iterable[Item], view: View, past: Past, meta: Meta) -> Iterator[Fight]:
    """Yield the cards of the stages since the reader's last orders, in order.

    A fight that continues in a later stage appears there.
    """
    now = fights((Happened(item.number, item.event, item.words) for item in items), view, past)
    older: list[Fight] = []
    for earlier in reversed(meta.earlier) if meta.before else ():
        later = [*older, *now]
        happened, before = past.around(earlier.stage)
        cards = [replace(fight, numbers=(), stage=earlier.stage) for fight in fights(happened, view, before)]
        older = [
            *(fight for fight in cards if not any(_goes_on(fight, earlier.stage, other) for other in later)),
            *older,
        ]
    yield from (*older, *now)


def _goes_on(fight: Fight, stage: int, later: Fight) -> bool:
    """Return True if a later card tells this fight, which began by that stage."""
    return later.place == fight.place and later.since is not None and later.since <= stage
