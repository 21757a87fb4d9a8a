"""One answer being written: a draft on a board of its own, and the elements that are in it so far."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pbem.model.elements import Entry, Part, Written, form_of
from pbem.model.located import strays
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.engine.growing import Draft, Growing, Next

A = TypeVar("A")


class Drafting(Generic[A]):
    """An answer to a `Growing` decision that is written element by element.

    The board is copied once, when the drafting is made: what may come next is listed on the board as the
    elements so far leave it, whether there are none of them or 400. Keep one drafting and add to it; do not
    make one for each element.

        drafting = Drafting(decision, game)
        drafting.add(next(drafting.next("R-AR1")))      # an element that is offered: legal as it is
        faults = drafting.offer(Move("R-AR1", "0405"))  # one of your own: added if nothing is wrong with it
        drafting.answer()
    """

    def __init__(
        self, decision: Growing[A], game: Game, so_far: A | None = None, *, speaks: bool = False
    ) -> None:
        """Begin with the legal elements of `so_far`; the faults of the others are in `faults`.

        With `speaks`, `words` describes what `judged` goes through.
        """
        self.decision = decision
        self.form = form_of(decision.answer)
        self.faults: list[Diagnostic] = []
        self.strayed = False  # True if the last element names a place that is not on the map
        self._before, self._speaks = game, speaks
        self._written: list[Written] = []
        self._json: Json = None  # the answer so far, built on demand
        self.said: list[str] = []  # legal elements in words, where the draft tells them
        self.draft: Draft[Any] = self._drafted()
        if so_far is not None:
            for _, _, faults in self.judged(so_far):
                self.faults += faults

    def _drafted(self) -> Draft[Any]:
        draft = self.decision.draft(self._before.copy())
        draft.speaks = self._speaks
        return draft

    # What there is

    @property
    def elements(self) -> tuple[Any, ...]:
        """Return the elements so far, in order."""
        return tuple(self.draft.elements)

    @property
    def board(self) -> Game:
        """Return the board on which the answer begins."""
        return self._before

    @property
    def lacking(self) -> list[Diagnostic]:
        """Return why the answer cannot be sent as it is."""
        missing = [
            Diagnostic("missing-key", Message("engine.drafting.missing-key", name=name))
            for name in self.form.missing(self.draft.elements)
        ]
        return [*missing, *self.draft.lacking()]

    @property
    def complete(self) -> bool:
        """Return True if the answer may be sent as it is."""
        return not self.lacking

    def answer(self) -> A:
        """Return the typed answer; it must not lack a section."""
        answer: A = self.form.whole(self.draft.elements)
        return answer

    def json(self) -> Json:
        """Return the answer so far as in an order file.

        Its parts are shared, not copied.
        """
        if self._json is None:
            self._json = self.form.together(self._written)
        return self._json

    # What may come next

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        """Yield the elements that may come next, lazily.

        With `of`, only those that begin with this counter or location. Use up what you need of it before you
        add an element.
        """
        for option in self.draft.next(of):
            if self._follows(option) and (of is None or self._begins(option, of)):
                yield option

    def _follows(self, option: Next[Any]) -> bool:
        """Return True if the element keeps the order of sections.

        An answer grows in their order: nothing precedes an element that it already has. Sections that the
        draft calls free come at any time.
        """
        if not self.form.sections or option.element.section in self.draft.free:
            return True
        bound = (
            element for element in reversed(self.draft.elements) if element.section not in self.draft.free
        )
        before = next(bound, None)
        if before is None:
            return True
        last, new = self.form.number(before.section), self.form.number(option.element.section)
        if option.instead:
            return new == last
        return new > last or (new == last and self.form.sections[new].form != "value")

    def _begins(self, option: Next[Any], of: str) -> bool:
        points = option.points
        if of in points.counters or of == points.start:
            return True
        on_map = self.draft.game.position
        return any(id in on_map.counters and on_map.hex(id) == of for id in points.counters)

    def written(self, element: Any) -> Written:
        """Return an element as in an order file."""
        return self.form.written(element)

    def json_with(self, option: Next[Any]) -> Json:
        """Return the whole answer as it would be with that element."""
        return self.form.add(self.json(), self.written(option.element), instead=option.instead)

    # Adding

    def add(self, option: Next[Any]) -> None:
        """Add an element that `next` gave: it is not looked at again."""
        self.put(option.element, instead=option.instead)

    def offer(self, element: Any) -> list[Diagnostic]:
        """Add an element if nothing is wrong with it; else everything that is, with paths in the element."""
        value = element
        while isinstance(value, Part | Entry):
            value = value.value
        faults = self._off_map(type(value), value) or self.draft.faults(element)
        if not faults:
            self.put(element)
        return faults

    def put(self, element: Any, *, instead: bool = False) -> None:
        """Add an element that is known to be legal; `instead`: it takes the place of the last one."""
        self._json, draft = None, self.draft
        self._written[len(self._written) - instead :] = [self.written(element)]
        if not instead:
            draft.do(element)
            draft.elements.append(element)
        elif draft.lengthen(draft.elements[-1], element):
            draft.elements[-1] = element
        else:
            self._begin_again([*draft.elements[:-1], element])

    def back(self, count: int = 1) -> None:
        """Take the last elements away again. The others are done once more from the start."""
        kept = max(0, len(self.draft.elements) - count)
        self._json = None
        del self._written[kept:]
        self._begin_again(self.draft.elements[:kept])

    def fork(self) -> Drafting[A]:
        """Return the same answer on a copy of its board: what is added to one is not added to the other."""
        twin = copy(self)
        twin.draft = deepcopy(self.draft)
        twin.faults, twin.said = [*self.faults], [*self.said]
        twin._written = [*self._written]
        return twin

    def _begin_again(self, elements: list[Any]) -> None:
        self.draft = self._drafted()
        for element in elements:
            self.draft.do(element)
            self.draft.elements.append(element)

    def _off_map(self, kind: Any, value: Any) -> list[Diagnostic]:
        """Return the locations in an element or an answer that are not on the map."""
        chart = self._before.system.map_of(self._before.world)
        return list(strays(kind, value, chart)) if chart is not None else []

    # Whole answers

    def judged(self, answer: A) -> Iterator[tuple[DataPath, Any, list[Diagnostic]]]:
        """Yield the elements of an answer one by one: path, element, everything wrong with it there.

        What is legal is added before the next one is looked at; what is not is left out.
        """
        off_map = self._off_map(self.decision.answer, answer)
        elements = list(self.form.elements(answer))
        listed = [element for _, element in elements]
        for n, (path, element) in enumerate(elements, 1):
            self.draft.coming = listed[n:]
            faults = [fault for fault in off_map if fault.path[: len(path)] == path]
            self.strayed = bool(faults)
            faults = faults or [
                replace(fault, path=(*path, *fault.path)) for fault in self.draft.faults(element)
            ]
            yield path, element, faults
            if not faults:
                before = self.draft.words(element) if self.draft.speaks else ""
                self.put(element)
                if self.draft.speaks:
                    self.said.append(self.draft.told(element) or before)
        self.draft.coming = ()

    def words(self) -> list[str]:
        """Return what was judged, in words, where the draft speaks.

        A line an element, or as many as its words have.
        """
        lines = (words.splitlines() if "\n" in words else [words] for words in self.said if words)
        return [line for listed in lines for line in listed] or [self.draft.nothing()]
