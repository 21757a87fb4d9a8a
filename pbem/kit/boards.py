"""What functions of the rules need of a game, and a copy of it to try moves on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.board.position import Position
from pbem.model.typed import Board as Board


@dataclass
class Sim:
    """A copy of a board to try things on: nothing done to it is seen by the game."""

    position: Position
    world: Any

    @classmethod
    def of(cls, board: Board) -> Sim:
        """A copy of the position; the world is shared, it never changes."""
        return cls(board.position.copy(), board.world)
