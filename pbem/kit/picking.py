"""Answers that name some of what there is, each once, in the order that the player wants.

    class Losses(Growing[LossOrder]):
        def draft(self, game):
            return Picks(game, self.player, {"land": self.land, "ships": self.ships}, rule="4.8.10")

    class Sources(Growing[tuple[str, ...]]):
        def draft(self, game):
            return Picks(game, self.player, self.sources, rule="4.8.7", words="then {id}")

Names come from one list, or from a list for each section of the answer. Nothing of it changes the board.
Rule of thumb: what may be named is worked out before and is in the question, so that every tool lists it
the same way; a subclass adds what is wrong with a name besides (`faults`) or with the whole (`lacking`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from pbem.engine.game import Game
from pbem.engine.growing import Draft, Next
from pbem.engine.points import Points
from pbem.kit.faults import illegal, unknown
from pbem.model.elements import NOTHING, Entry, Part
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message

V = TypeVar("V")
Lists = Sequence[str] | Mapping[str, Sequence[str]]
Words = str | Callable[[str], str]
"""The meaning of naming somebody: a sentence with `{id}` in it, or what makes one (a message) of the id."""


class Picks(Draft[Any]):
    """Names out of a list (`able`), or out of one for each section.

    Elements are names, or parts with a name.

    `words` says what naming one means, for all or by section; `place` is where those named end up.
    """

    def __init__(
        self,
        game: Game,
        player: str,
        able: Lists,
        *,
        rule: str,
        words: Words | Mapping[str, Words] = "{id}",
        code: str = "illegal-answer",
        place: str | None = None,
        nothing: str = "nobody",
    ) -> None:
        super().__init__(game, player)
        self.able: dict[str | None, Sequence[str]] = {}
        if isinstance(able, Mapping):
            self.able |= {section: able[section] for section in able}
        else:
            self.able[None] = able
        self._words, self._code, self._rule = words, code, rule
        self._place, self._nothing = place, nothing

    def picked(self, section: str | None = None) -> list[str]:
        """Return the names so far, of one section."""
        return [id for part, id in map(_apart, self.elements) if part == section and id is not NOTHING]

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        for section, able in self.able.items():
            for id in able:
                element = id if section is None else Part(section, id)
                if self.concerns(of, id) and not self.faults(element):
                    yield Next(element, self._label(section, id), Points((id,), end=self._place))

    def _label(self, section: str | None, id: str) -> str:
        words = self._words[section or ""] if isinstance(self._words, Mapping) else self._words
        return words.format(id=id) if isinstance(words, str) else words(id)

    def faults(self, element: Any) -> list[Diagnostic]:
        section, id = _apart(element)
        able = self.able[section]
        if id is NOTHING or (id in able and id not in self.picked(section)):
            return []
        again = id in able
        message = (
            Message("kit.picking.named-twice", id=id)
            if again
            else Message("kit.picking.cannot-named-here", key=id)
        )
        wanted = Message("kit.picking.wanted-of", message=message, able=", ".join(able) or "none")
        return [illegal(self._code, self._rule, wanted)]

    def do(self, element: Any) -> None:
        pass

    def nothing(self) -> str:
        return self._nothing


def _apart(element: Any) -> tuple[str | None, Any]:
    return (element.section, element.value) if isinstance(element, Part) else (None, element)


class Entries(Draft[Entry[V]]):
    """A value for some of the keys that there are, each once; nothing of it changes the board.

    A subclass says which values a key is offered (`values`), what is wrong with one (`wrong`), and what an
    entry means (`words`); `no_key` is said of a key that there is not.
    """

    code: ClassVar[str]
    rule: ClassVar[str]

    def __init__(self, game: Game, player: str, keys: Iterable[str]) -> None:
        super().__init__(game, player)
        self.keys = tuple(keys)

    def values(self, key: str) -> Iterable[V]:
        """Return the values offered for a key, in a stated order."""
        raise NotImplementedError

    def wrong(self, key: str, value: V) -> list[Diagnostic]:
        """Return faults of a value of a known key."""
        return []

    def no_key(self, key: str) -> str:
        """Return why this is no key here."""
        return Message("kit.picking.cannot-named-here", key=key)

    def points(self, key: str, value: V) -> Points:
        """Return the counters and places of an entry.

        The base: the counter that is its key.
        """
        return Points((key,))

    def next(self, of: str | None = None) -> Iterator[Next[Entry[V]]]:
        for key in self.keys:
            for value in self.values(key):
                entry, points = Entry(key, value), self.points(key, value)
                if of in (None, key, value, points.end) and not self.faults(entry):
                    yield Next(entry, self.words(entry), points)

    def faults(self, element: Entry[V]) -> list[Diagnostic]:
        key = element.key
        if key not in self.keys:
            return [unknown(self.code, self.rule, self.no_key(key), name=key, names=self.keys)]
        if any(chosen.key == key for chosen in self.elements):
            return [illegal(self.code, self.rule, Message("kit.picking.named-twice", id=key))]
        return self.wrong(key, element.value)

    def do(self, element: Entry[V]) -> None:
        pass
