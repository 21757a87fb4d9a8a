"""Answers that grow, such as the orders of a whole turn: what one of them has more than a shorter one, and
the whole of it in words, element by element.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.engine.decisions import Decision
from pbem.model.codec import from_json
from pbem.text.canonical import Json
from pbem.text.diagnostics import Refused
from pbem.text.flow import flow

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_LOOKED_AT = 10_000
"""Options that are compared with one answer before the rest of it is told without their words."""


@dataclass(frozen=True)
class Element:
    """What an answer has more than a shorter one.

    `value` is an item of the list at the entry `under` (None: the answer is that list), or, if not `listed`,
    the value of that entry. `instead` is the item whose place it takes: the same before it grew.
    """

    under: str | None
    value: Json
    listed: bool = True
    instead: Json = None

    def __str__(self) -> str:
        return flow(self.value) if self.under is None else f"{self.under}: {flow(self.value)}"


def element(before: Json, after: Json) -> Element | None:
    """The one element by which `after` is longer; None if it is not just that."""
    if isinstance(before, list) and isinstance(after, list):
        return _item(None, before, after)
    if not isinstance(before, dict) or not isinstance(after, dict) or set(before) - set(after):
        return None
    differing = [key for key in after if key not in before or before[key] != after[key]]
    if len(differing) != 1:
        return None
    (key,) = differing
    old, new = before.get(key), after[key]
    if isinstance(new, list) and isinstance(old, list | None):
        return _item(key, old or [], new)
    return Element(key, new, listed=False)


def _item(under: str | None, before: list[Json], after: list[Json]) -> Element | None:
    if len(after) == len(before) + 1 and after[:-1] == before:
        return Element(under, after[-1])
    differing = [n for n, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
    if len(after) == len(before) and len(differing) == 1:
        return Element(under, after[differing[0]], instead=before[differing[0]])
    return None


# --- in words -------------------------------------------------------------------------------------------


def words(decision: Decision[Any], game: Game, answer: Json) -> list[str]:
    """A legal answer in the words of its options: one line where it is one option, else one an element.

    An element that no option offers (a way round that the options leave out) is shown as it is written.
    """
    return list(_Telling(decision, game, answer).lines())


def elements(answer: Json) -> list[str]:
    """An answer as it is written, a line an element."""
    ends = [state for state, whole in _states(answer) if whole]
    pairs = zip([None, *ends], ends, strict=False)
    return [_written(before, after) for before, after in pairs] or [flow(answer)]


def _written(before: Json, after: Json) -> str:
    nothing: Json = [] if isinstance(after, list) else {}
    added = element(nothing if before is None else before, after)
    return str(added) if added is not None else flow(after)


class _Telling:
    """Grows an answer again from nothing, each time by the option that leads to it."""

    def __init__(self, decision: Decision[Any], game: Game, answer: Json) -> None:
        self.decision = decision
        self.game = game
        self.left = MOST_LOOKED_AT
        self.answer = answer
        self.states = list(_states(answer))
        self.place = {_key(state): n for n, (state, _) in enumerate(self.states)}

    def lines(self) -> Iterator[str]:
        for option in islice(self.decision.options(self.game), self.left):
            if option.complete and _key(option.answer) == _key(self.answer):
                yield option.text
                return
        at, before = -1, None
        while at < len(self.states) - 1:
            end = next(n for n in range(at + 1, len(self.states)) if self.states[n][1])
            after = self.states[end][0]
            yield from self._texts(at, end) or [_written(before, after)]
            at, before = end, after
        if not self.states:
            yield flow(self.answer)

    def _texts(self, at: int, end: int) -> list[str]:
        """The options that lead from one state to a later one, in words; empty if none do."""
        texts: list[str] = []
        while at < end:
            step = self._step(at, end)
            if step is None:
                return []
            at, text = step
            texts.append(text)
        return texts

    def _step(self, at: int, end: int) -> tuple[int, str] | None:
        """The option that leads furthest on from a state, but not beyond `end`: the state then, its text."""
        try:
            start = from_json(self.decision.answer, self.states[at][0]) if at >= 0 else None
        except Refused:
            return None
        best: tuple[int, str] | None = None
        for option in islice(self.decision.options(self.game, start), self.left):
            self.left -= 1
            found = self.place.get(_key(option.answer), -1)
            if (best[0] if best else at) < found <= end:
                best = found, option.text
            if found == end:
                break
        return best


def _key(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def _states(answer: Json) -> Iterator[tuple[Json, bool]]:
    """The stages in which an answer may have grown, with: does this one end with a whole element?

    First the entries that are no lists, then each list item by item, an item with lists in it likewise.
    """
    if isinstance(answer, list):
        yield from _items(answer)
    if not isinstance(answer, dict):
        return
    base: dict[str, Json] = {}
    base.update((key, value) for key, value in answer.items() if not isinstance(value, list | dict))
    if base:
        yield dict(base), True
    for key, value in answer.items():
        if isinstance(value, list):
            for part, whole in _items(value):
                yield {**base, key: part}, whole
        elif isinstance(value, dict):
            yield {**base, key: value}, True
        base[key] = value


def _items(items: list[Json]) -> Iterator[tuple[list[Json], bool]]:
    if not items:
        yield [], True
    for number, item in enumerate(items):
        for part in _parts(item):
            yield [*items[:number], part], part is item


def _parts(item: Json) -> Iterator[Json]:
    """An item of a list as it grows, at last itself."""
    if isinstance(item, dict):
        base: dict[str, Json] = {key: value for key, value in item.items() if not isinstance(value, list)}
        for key, value in item.items():
            if isinstance(value, list):
                for count in range(len(value)):
                    yield {**base, key: value[:count]} if count else dict(base)
                base[key] = value
    yield item
