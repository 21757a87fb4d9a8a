"""Orders that players write (section 6): a whole player turn in one file, and the moves in it."""

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
"""Ids of the messages that describe each kind of move."""
LOGISTIC_KINDS: tuple[MoveKind, ...] = ("march", "road_strat", "sea_strat")


@dataclass(frozen=True)
class Move:
    """One move of a unit, along `path` (which begins in its hex) or by air to the hex `to`.

    `carrier` names the carrier on which an aircraft lands, if there is a choice (4.4.12).
    """

    unit: Name
    kind: MoveKind
    path: tuple[HexNumber, ...] = ()
    to: HexNumber | None = None
    carrier: Name | None = None

    @property
    def end(self) -> str:
        """Return the hex where a well-formed move ends."""
        return self.to if self.to is not None else self.path[-1]

    @property
    def text(self) -> str:
        """Return the move in words, for its owner."""
        way = "-".join(self.path) if self.path else Message("victory.orders.to", hex=self.to)
        return Message(MOVES[self.kind], unit=self.unit, way=way, carrier=self.carrier)


@dataclass(frozen=True)
class Reveal:
    """A supply unit to turn face up, and the units it activates: all near it, or those named (4.3.1)."""

    su: Name
    mode: str
    targets: tuple[Name, ...] = ()


@dataclass(frozen=True)
class SuMove:
    """The move of a supply unit after it lost a step (4.7.2)."""

    su: Name
    kind: MoveKind
    path: tuple[HexNumber, ...]

    @property
    def move(self) -> Move:
        """Return the same move in the form of step 2.T.2."""
        return Move(self.su, self.kind, self.path)


@dataclass(frozen=True)
class TurnOrder:
    """A pass, or a player turn: reveals, moves and battles in order, moves of supply units, doctrine.

    Defaults are battles in ascending order, no moves of supply units, and the doctrine of the standing
    orders.
    """

    choice: str
    reveal: tuple[Reveal, ...] = ()
    moves: tuple[Move, ...] = ()
    battle_order: tuple[HexNumber, ...] | None = None
    su_moves: tuple[SuMove, ...] | None = None
    doctrine: BattleDoctrine | None = None
