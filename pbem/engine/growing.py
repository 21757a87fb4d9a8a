"""Decisions whose answer is a list of actions: a turn's moves, a command, purchases.

Their author says three things once, in a `Draft`: which elements may come next on this board, what is wrong
with an element, what an element does to the board. Options, check, repair and the answer in words follow
from that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pbem.engine.decisions import Decision, Explained, NoDefault, Option
from pbem.engine.drafting import Drafting
from pbem.engine.points import NOWHERE, Points
from pbem.model.elements import E, spelled
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.game import Game

A = TypeVar("A")


@dataclass(frozen=True)
class Next(Generic[E]):
    """An element that may come next, and its meaning.

    `instead`: it replaces the last element, of which it is a longer form. `complete` is False where more must
    be added before the answer may be sent.
    """

    element: E
    text: str
    points: Points = NOWHERE
    instead: bool = False
    complete: bool = True


class Draft(Generic[E]):
    """One answer being written, on a board of its own.

    `game` is a copy that the engine made: a draft changes it freely, and rules never copy a game or a
    position to try an order out. `elements` are those that are in the answer, in order; the engine adds to
    them after `do`. `coming` are those that stand after the one that is judged where a whole answer is
    checked, for rules by which an action depends on the rest of the order; none while an answer
    grows. What a draft works out for all elements (a mover, zones of control) is made in
    `__init__` and kept true by `do`, so that `next` costs the same however long the answer is. `speaks`: the
    answer is wanted in words, so that `do` may note what it says of an element by the way. `free`: the
    sections that change nothing on the board (a vote): they come before or after others, as a player likes.
    """

    speaks = False
    free: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, game: Game, player: str) -> None:
        self.game = game
        self.player = player
        self.elements: list[E] = []
        self.coming: Sequence[E] = ()

    def next(self, of: str | None = None) -> Iterator[Next[E]]:
        """Yield the elements that may come next on this board, in a stated order, lazily.

        `of` names a counter or a location: only what begins there is wanted. Look at that alone
        (`self.concerns(of, id)`); what does not point there is left out by the engine as well. From each
        element there must be a way to an answer that may be sent.
        """
        raise NotImplementedError

    def faults(self, element: E) -> list[Diagnostic]:
        """Return everything wrong with this element on this board; paths lead into the element."""
        raise NotImplementedError

    def do(self, element: E) -> None:
        """Apply the element to the board; it must have no faults."""
        raise NotImplementedError

    def lengthen(self, last: E, longer: E) -> bool:
        """Apply what `longer` does beyond `last`, which it replaces and which is already applied.

        Return False (the base) to make the engine begin with a board without `last`, at the price of applying
        all others once more.
        """
        return False

    def suppose(self, element: E) -> None:
        """Assume what is needed to check the rest of an answer without a faulty element.

        Later elements then do not repeat the fault.
        """

    def mend(self, element: E) -> E | None:
        """Return the remainder of a faulty element in a repaired answer, or None (the base) to drop it."""
        return None

    def lacking(self) -> list[Diagnostic]:
        """Return why the answer cannot be sent as it is; paths lead into the answer."""
        return []

    def doubts(self) -> list[Diagnostic]:
        """Return warnings for the owner before the answer is sent (severity "warning").

        Paths lead into the answer.
        """
        return []

    def purse(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield what the answer spends: whose, unit of measure, how much is left, of how much.

        `whose` is a place or a power. Nothing (the base) where nothing is spent.
        """
        return iter(())

    def words(self, element: E) -> str:
        """Return the element in words, on the board before it is applied."""
        return spelled(element)

    def pointing(self, element: E) -> Points:
        """Return where an element of the answer points on the map, whatever else is in the answer.

        Needed only where its values do not name counters and locations. NOWHERE (the base): as they say.
        """
        return NOWHERE

    def told(self, element: E) -> str | None:
        """Return the words for an element whose result shows only once it is applied.

        This is asked for after `do`, if the draft `speaks`. None (the base): use `words`.
        """
        return None

    def nothing(self) -> str:
        """Return the words for an answer without elements."""
        return "nothing"

    def aside(self, board: Game | None = None) -> Game:
        """Return a temporary copy of this board (or of another).

        An element that is a list of actions judges its later actions on it, after the earlier ones.
        """
        return (board or self.game).copy()

    def concerns(self, of: str | None, id: str) -> bool:
        """Return True if this counter or location belongs to what `next` is asked for.

        That is `of` itself, or a counter that is there.
        """
        if of is None or of == id:
            return True
        position = self.game.position
        return id in position.counters and position.hex(id) == of


class Growing(Decision[A]):
    """A decision whose answer is a list of actions.

    Its type is `tuple[X, ...]`, `dict[str, X]` (elements are `Entry`) or a frozen dataclass with such fields
    (elements are `Part`). A subclass gives only `drafts` (or `draft`).
    """

    drafts: ClassVar[type[Draft[Any]]]
    """The class of its drafts, where they are made of game and player alone."""
    skips: ClassVar[bool] = False
    """The rules carry out what is legal of an answer when its turn comes, and tell what they skip."""

    def draft(self, game: Game) -> Draft[Any]:
        """Return a new draft on this game, which the draft may change.

        Override it if a draft needs more of the question than the player.
        """
        return self.drafts(game, self.player)

    def default(self, game: Game) -> A:
        """Return the answer that counts when the deadline has passed.

        The base gives an answer without elements, so nothing is done. Raises `NoDefault` if that may not be
        sent.
        """
        drafting = Drafting(self, game)
        if lacking := drafting.lacking:
            raise NoDefault(Message("engine.growing.no-default", kind=self.kind, message=lacking[0].message))
        return drafting.answer()

    def options(self, game: Game, so_far: A | None = None) -> Iterator[Option]:
        """Yield legal answers with one element more than `so_far`.

        To add one element after another, keep a `Drafting`, which does not redo the earlier ones.
        """
        drafting = Drafting(self, game, so_far)
        if so_far is None and drafting.complete:
            yield Option(drafting.json(), drafting.draft.nothing())
        for option in drafting.next():
            yield Option(drafting.json_with(option), option.text, option.complete, option.points)

    def check(self, game: Game, answer: A) -> list[Diagnostic]:
        """Return all faults of each element on the board after the legal ones before it, then what is
        lacking."""
        return self._judged(Drafting(self, game), answer)

    def _judged(self, drafting: Drafting[A], answer: A) -> list[Diagnostic]:
        element_faults: list[Diagnostic] = []
        for _, element, faults in drafting.judged(answer):
            element_faults += faults
            if faults and not drafting.strayed:
                drafting.draft.suppose(element)
        return [*element_faults, *drafting.draft.lacking()]

    def repair(self, game: Game, answer: A) -> A:
        """Return the answer without its faulty elements, or with these mended; the others keep their order.

        If the result cannot be sent, the default counts. If the rules skip what is illegal when its turn
        comes (`skips`), nothing is dropped.
        """
        if self.skips:
            return answer
        drafting = Drafting(self, game)
        for _, element, faults in drafting.judged(answer):
            mended = drafting.draft.mend(element) if faults and not drafting.strayed else None
            if mended is not None:
                drafting.offer(mended)
        return drafting.answer() if drafting.complete else self.default(game)

    def warnings(self, game: Game, answer: A) -> list[Diagnostic]:
        """Return the warnings about a legal answer for its owner."""
        return _warned(Drafting(self, game, answer).draft.doubts())

    def words(self, game: Game, answer: A) -> list[str]:
        """Return a legal answer in words, at least a line for each element."""
        drafting = Drafting(self, game, speaks=True)
        self._judged(drafting, answer)
        return drafting.words()

    def explained(self, game: Game, answer: A, *, speaks: bool = True) -> Explained:
        """Return faults, warnings and words from one drafting, so that the answer is applied once."""
        drafting = Drafting(self, game, speaks=speaks)
        faults = self._judged(drafting, answer)
        if faults:
            return Explained(tuple(faults))
        return Explained((), tuple(_warned(drafting.draft.doubts())), tuple(drafting.words()))


def _warned(doubts: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return doubts as warnings: one that was made like a fault must not stop a stage."""
    return [replace(doubt, severity="warning") if doubt.severity == "error" else doubt for doubt in doubts]
