"""Decisions whose answer is a list of actions: a turn's moves, a command, purchases.

Their author says three things once, in a `Draft`: which elements may come next on this board, what is wrong
with an element, what an element does to the board. Options, check, repair and the answer in words follow
from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """An element that may come next, and what it means. `instead`: it takes the place of the last element,
    of which it is a longer form. `complete` is False where more must be added before the answer may be
    sent."""

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
    checked, for rules by which an action hangs on what the rest of the order names; none while an answer
    grows. What a draft works out for all elements (a mover, zones of control) is made in
    `__init__` and kept true by `do`, so that `next` costs the same however long the answer is. `speaks`: the
    answer is wanted in words, so that `do` may note what it says of an element by the way.
    """

    speaks = False

    def __init__(self, game: Game, player: str) -> None:
        self.game = game
        self.player = player
        self.elements: list[E] = []
        self.coming: Sequence[E] = ()

    def next(self, of: str | None = None) -> Iterator[Next[E]]:
        """Which elements may come next on this board, in a stated order, lazily.

        `of` names a counter or a location: only what begins there is wanted. Look at that alone
        (`self.concerns(of, id)`); what does not point there is left out by the engine as well. From each
        element there must be a way to an answer that may be sent.
        """
        raise NotImplementedError

    def faults(self, element: E) -> list[Diagnostic]:
        """Everything wrong with this element on this board; paths lead into the element."""
        raise NotImplementedError

    def do(self, element: E) -> None:
        """What the element does to the board; only for one without faults."""
        raise NotImplementedError

    def lengthen(self, last: E, longer: E) -> bool:
        """What `longer` does beyond `last`, whose place it takes and which is done already. False (the base):
        then the engine begins with a board without `last`, at the price of doing all others once more."""
        return False

    def suppose(self, element: E) -> None:
        """A faulty element is left out while the rest of an answer is checked. What must be taken for granted
        all the same, so that one fault is not told twice, is done here."""

    def mend(self, element: E) -> E | None:
        """What is left of a faulty element where an answer is repaired; None (the base): it is dropped."""
        return None

    def lacking(self) -> list[Diagnostic]:
        """Why the answer cannot be sent as it is; paths lead into the answer."""
        return []

    def doubts(self) -> list[Diagnostic]:
        """What the owner should think about again before he sends the answer as it is (severity "warning");
        paths lead into the answer."""
        return []

    def words(self, element: E) -> str:
        """The element in words, on the board before it is done."""
        return spelled(element)

    def told(self, element: E) -> str | None:
        """The element in words where only doing it shows what it comes to: asked for after `do`, where the
        draft `speaks`. None (the base): `words` say it."""
        return None

    def nothing(self) -> str:
        """An answer without elements in words."""
        return "nothing"

    def aside(self, board: Game | None = None) -> Game:
        """A board beside this one (or another), as it is now: for an element that is a list of actions
        itself, whose later ones are judged on what the earlier ones leave. Gone when it is forgotten."""
        return (board or self.game).copy()

    def concerns(self, of: str | None, id: str) -> bool:
        """Is this counter (or location) one that `next` is asked for: `of` itself, or a counter that stands
        there?"""
        if of is None or of == id:
            return True
        position = self.game.position
        return id in position.counters and position.hex(id) == of


class Growing(Decision[A]):
    """A decision whose answer is a list of actions: `tuple[X, ...]`, `dict[str, X]` (elements are `Entry`) or
    a frozen dataclass with such fields (elements are `Part`). A subclass gives `drafts` (or `draft`) and
    nothing of what follows from it."""

    drafts: ClassVar[type[Draft[Any]]]
    """The class of its drafts, where they are made of game and player alone."""
    skips: ClassVar[bool] = False
    """The rules carry out what is legal of an answer when its turn comes, and tell what they skip."""

    def draft(self, game: Game) -> Draft[Any]:
        """A new draft on this game, which is the draft's own. To override where a draft needs more of the
        question than who is asked."""
        return self.drafts(game, self.player)

    def default(self, game: Game) -> A:
        """What counts when the deadline has passed. The base: an answer without elements, so that nothing is
        done. Raises `NoDefault` where that may not be sent."""
        drafting = Drafting(self, game)
        if lacking := drafting.lacking:
            raise NoDefault(Message("engine.growing.no-default", kind=self.kind, message=lacking[0].message))
        return drafting.answer()

    def options(self, game: Game, so_far: A | None = None) -> Iterator[Option]:
        """Legal answers with one element more than `so_far`. Whoever adds one element after another keeps a
        `Drafting`, which does not do the earlier ones again."""
        drafting = Drafting(self, game, so_far)
        if so_far is None and drafting.complete:
            yield Option(drafting.json(), drafting.draft.nothing())
        for one in drafting.next():
            yield Option(drafting.json_with(one), one.text, one.complete, one.points)

    def check(self, game: Game, answer: A) -> list[Diagnostic]:
        """Everything wrong with each element on the board that the legal ones before it leave; then what the
        answer lacks."""
        return self._judged(Drafting(self, game), answer)

    def _judged(self, drafting: Drafting[A], answer: A) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for _, element, faults in drafting.judged(answer):
            found += faults
            if faults and not drafting.strayed:
                drafting.draft.suppose(element)
        return [*found, *drafting.draft.lacking()]

    def repair(self, game: Game, answer: A) -> A:
        """Faulty elements are dropped, or mended; the others stay, in order. What cannot be sent then gives
        the default. Where the rules skip what is illegal when its turn comes (`skips`), all stays."""
        if self.skips:
            return answer
        drafting = Drafting(self, game)
        for _, element, faults in drafting.judged(answer):
            left = drafting.draft.mend(element) if faults and not drafting.strayed else None
            if left is not None:
                drafting.offer(left)
        return drafting.answer() if drafting.complete else self.default(game)

    def warnings(self, game: Game, answer: A) -> list[Diagnostic]:
        """What the owner of a legal answer should think about again."""
        return Drafting(self, game, answer).draft.doubts()

    def words(self, game: Game, answer: A) -> list[str]:
        """A legal answer in words, a line an element, or as many as its words have."""
        drafting = Drafting(self, game, speaks=True)
        self._judged(drafting, answer)
        return drafting.words()

    def explained(self, game: Game, answer: A) -> Explained:
        """Faults, doubts and words of one drafting: the answer is done once."""
        drafting = Drafting(self, game, speaks=True)
        faults = self._judged(drafting, answer)
        if faults:
            return Explained(tuple(faults))
        return Explained((), tuple(drafting.draft.doubts()), tuple(drafting.words()))
