"""Questions that a standing order answers, and those for which nobody waits.

    @decision("first-player", rule="4.1.2", answer=FirstSecond, standing=("first_player", FirstSecond))
    class FirstPlayer(OneOf):
        choices = {"first": "first", "second": "second"}

    @decision("retreat", rule="4.9.9", answer=Course, standing=("retreat", Course), secrecy="sealed")
    class RetreatCourse(Wish[Course]):
        wish = Course(), "the way that costs least"

    @decision("refit", rule="4.2.1", answer=tuple[Refit, ...], standing=("refit", RefitStanding))
    class Refitting(Unasked[tuple[Refit, ...]], Growing[tuple[Refit, ...]]):
        def from_order(self, game, order): ...

The order filed first that says something about the question answers it (`ByOrder`); else the question is
asked, or, where nobody is waited for (`Unasked`), the default counts. `OneOf` chooses among named things, the
first of which is the default; a `Wish` is obeyed as far as it goes: every answer of its type is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pbem.engine.decisions import Decision, Option
from pbem.engine.game import Game
from pbem.model.codec import to_json
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message

A = TypeVar("A")


class ByOrder(Decision[A]):
    """A decision answered by a standing order of its form; without one its player is asked."""

    def from_order(self, game: Game, order: Any) -> A | None:
        """Return the answer that one order gives here, or None.

        The base: the order is the answer.
        """
        return order  # type: ignore[no-any-return]

    def from_standing(self, game: Game, orders: list[Any]) -> A | None:
        """Return the answer of the first order that has one."""
        answers = (self.from_order(game, order) for order in orders)
        return next((answer for answer in answers if answer is not None), None)


class Unasked(ByOrder[A]):
    """A decision that waits for nobody: an early answer counts, then a standing order, else the default."""

    def waits(self, game: Game) -> bool:
        return False


class OneOf(ByOrder[str]):
    """A choice of one named option, in words or as ids of messages; the first is the default."""

    choices: ClassVar[Mapping[str, str]]

    def options(self, game: Game) -> Iterator[Option]:
        for name, words in self.choices.items():
            yield Option(name, _worded(words))

    def default(self, game: Game) -> str:
        return next(iter(self.choices))


class Wish(Unasked[A]):
    """A wish of the player, obeyed as far as possible.

    `wish` is the answer that wishes for nothing, and its effect in words or as a message id.
    """

    wish: ClassVar[tuple[Any, str]]

    def options(self, game: Game) -> Iterator[Option]:
        nothing, words = self.wish
        yield Option(to_json(nothing), _worded(words))

    def check(self, game: Game, answer: A) -> list[Diagnostic]:
        return []

    def default(self, game: Game) -> A:
        return self.wish[0]  # type: ignore[no-any-return]


def _worded(words: str) -> str:
    """Return the message with this id; words that are no id as they are."""
    return Message(words) if words.count(".") > 1 and " " not in words else words
