"""A turn order as players write it (section 6): one file for a whole Player Turn."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.rules import HexNumber, Name

from .doctrine import BattleDoctrine
from .moves import Move, MoveKind


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
        """The same as a move of step 2.T.2."""
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
