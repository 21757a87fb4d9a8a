"""D-6 and D-10: Questions about battle order and supply units, in interactive games (4.6.1, 4.7.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Draft, Game, Growing, HexNumber, Message, Next, Points, decision

from ..blocks import Block, units
from ..moves import Mover
from ..orders import LOGISTIC_KINDS, SuMove


def su_faults(
    mover: Mover, order: SuMove, revealed: Collection[str], moved: Collection[str]
) -> list[Diagnostic]:
    """4.7.2: Return all faults of a supply unit's move in step 2.T.5."""
    if order.su not in revealed:
        message = Message("victory.player-turn.not-revealed-in-player-turn", su=order.su)
        return [illegal("E-MOV-01", "4.7.2", message, "su")]
    if order.su in moved:
        return [illegal("E-MOV-02", "4.4.1", Message("victory.mover.has-moved-already", unit=order.su), "su")]
    if order.su in mover.gone:
        message = Message("victory.player-turn.eliminated-by-reduction-and-cannot-move", su=order.su)
        return [illegal("E-MOV-01", "4.7.2", message, "su")]
    if order.kind not in LOGISTIC_KINDS:
        message = Message(
            "victory.player-turn.supply-unit-cannot-move",
            kind=order.kind,
            logistic_kinds=", ".join(LOGISTIC_KINDS),
        )
        return [illegal("E-MOV-12", "4.7.2", message, "kind")]
    return mover.way_faults(Block(mover.board, order.su), order.move)


def su_options(mover: Mover, ids: Iterable[str]) -> Iterator[SuMove]:
    """4.7.2: Yield every legal move in step 2.T.5 of the supply units that survive."""
    for id in ids:
        for move in mover.ways(Block(mover.board, id)) if id not in mover.gone else ():
            if move.kind in LOGISTIC_KINDS:
                yield SuMove(id, move.kind, move.path)


class Leaving(Draft[SuMove]):
    """Moves of supply units that survived their reduction and are still face up."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.mover = Mover(game, player)
        self.left = [u.id for u in units(game, player) if u.revealed]
        self.moved: list[str] = []

    def next(self, of: str | None = None) -> Iterator[Next[SuMove]]:
        able = [id for id in self.left if id not in self.moved and self.concerns(of, id)]
        for order in su_options(self.mover, able):
            yield Next(order, self.words(order), self.mover.points(order.move))

    def faults(self, element: SuMove) -> list[Diagnostic]:
        return su_faults(self.mover, element, self.left, self.moved)

    def do(self, element: SuMove) -> None:
        self.mover.make(element.move)
        self.moved.append(element.su)

    def words(self, element: SuMove) -> str:
        return element.move.text

    def nothing(self) -> str:
        return Message("victory.player-turn.no-supply-unit-moves")


@decision("su-moves", rule="4.7.2", answer=tuple[SuMove, ...], secrecy="sealed")
class SuMoves(Growing[tuple[SuMove, ...]]):
    """Where do the revealed supply units move now?"""

    player: str
    drafts = Leaving


class Ordering(Draft[str]):
    """Battle hexes, one after another, until all are named."""

    hexes: tuple[str, ...]
    faulty = False

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        for hex in self.hexes:
            if hex not in self.elements and of in (None, hex):
                complete = len(self.elements) + 1 == len(self.hexes)
                yield Next(hex, self.words(hex), Points(start=hex), complete=complete)

    def faults(self, element: str) -> list[Diagnostic]:
        if element in self.hexes and element not in self.elements:
            return []
        message = Message("victory.player-turn.each-of-once", hexes=tuple(self.hexes), element=element)
        return [illegal("bad-battle-order", "4.6.1", message)]

    def do(self, element: str) -> None:
        """Leave the board unchanged."""

    def suppose(self, element: str) -> None:
        self.faulty = True

    def lacking(self) -> list[Diagnostic]:
        left = [hex for hex in self.hexes if hex not in self.elements] if not self.faulty else []
        return (
            [
                illegal(
                    "bad-battle-order",
                    "4.6.1",
                    Message("victory.player-turn.not-named-yet", left=tuple(left)),
                )
            ]
            if left
            else []
        )

    def words(self, element: str) -> str:
        return Message(
            "victory.player-turn.battle", count=len(self.elements) + 1, place=self.game.world.place(element)
        )


@decision("battle-order", rule="4.6.1", answer=tuple[HexNumber, ...])
class BattleOrder(Growing[tuple[str, ...]]):
    """In which order are the battles fought?"""

    player: str
    hexes: tuple[HexNumber, ...]

    def draft(self, game: Game) -> Ordering:
        draft = Ordering(game, self.player)
        draft.hexes = self.hexes
        return draft

    def default(self, game: Game) -> tuple[str, ...]:
        return tuple(sorted(self.hexes))
