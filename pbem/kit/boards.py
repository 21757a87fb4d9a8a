"""What functions of the rules need of a game, and a copy of it to try moves on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pbem.board.position import Position


class Board(Protocol):
    """A position with its world: a game is one, and so is a copy to try things on (`Sim`)."""

    @property
    def position(self) -> Position: ...
    @property
    def world(self) -> Any: ...


@dataclass
class Sim:
    """A copy of a board to try things on: nothing done to it is seen by the game."""

    position: Position
    world: Any

    @classmethod
    def of(cls, board: Board) -> Sim:
        """A copy of the position; the world is shared, it never changes."""
        return cls(board.position.copy(), board.world)
