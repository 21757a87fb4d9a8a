"""The orders that players write (section 6): one file for a whole Player Turn, and the moves in it."""

from __future__ import annotations

from typing import Literal

from pbem.rules import HexNumber, Message, Name, dataclass

from .doctrine import BattleDoctrine

MoveKind = Literal[
    "march", "road_strat", "sea_strat", "assault", "drop", "mission", "rebase", "sail", "sail_strat"
]
#: Moves that a supply unit may make in step 2.T.5 (4.7.2).
MOVES: dict[MoveKind, str] = {
    "march": "victory.orders.march",
    "road_strat": "victory.orders.road-strat",
    "sea_strat": "victory.orders.sea-strat",
    "assault": "victory.orders.assault",
    "drop": "victory.orders.drop",
    "mission": "victory.orders.mission",
    "rebase": "victory.orders.rebase",
    "sail": "victory.orders.sail",
    "sail_strat": "victory.orders.sail-strat",
}
"""How each kind of move is told: ids of messages."""
LOGISTIC_KINDS: tuple[MoveKind, ...] = ("march", "road_strat", "sea_strat")


@dataclass(frozen=True)
class Move:
    """One move of one unit: along `path` (from where it stands), or by air to the hex `to`.

    `carrier` names the deck a rebasing aircraft lands on where there is a choice (4.4.12).
    """

    unit: Name
    kind: MoveKind
    path: tuple[HexNumber, ...] = ()
    to: HexNumber | None = None
    carrier: Name | None = None

    @property
    def end(self) -> str:
        """Return the hex where it ends; only for a well-formed move."""
        return self.to if self.to is not None else self.path[-1]

    @property
    def text(self) -> str:
        """Return the move in words for its owner."""
        way = "-".join(self.path) if self.path else Message("victory.orders.to", hex=self.to)
        return Message(MOVES[self.kind], unit=self.unit, way=way, carrier=self.carrier)


@dataclass(frozen=True)
class Reveal:
    """One supply unit turned face up, and what for: everything near it, or the units named (4.3.1)."""

    su: Name
    mode: str
    targets: tuple[Name, ...] = ()


@dataclass(frozen=True)
class SuMove:
    """The move of a supply unit after its reduction (4.7.2)."""

    su: Name
    kind: MoveKind
    path: tuple[HexNumber, ...]

    @property
    def move(self) -> Move:
        """Return it as a move of step 2.T.2."""
        return Move(self.su, self.kind, self.path)


@dataclass(frozen=True)
class TurnOrder:
    """Pass, or a Player Turn: reveals, moves in order, battles in order, moves of supply units, doctrine.

    What is not given holds by default: battles in ascending order, no moves of supply units, the doctrine
    of the standing orders.
    """

    choice: str
    reveal: tuple[Reveal, ...] = ()
    moves: tuple[Move, ...] = ()
    battle_order: tuple[HexNumber, ...] | None = None
    su_moves: tuple[SuMove, ...] | None = None
    doctrine: BattleDoctrine | None = None
