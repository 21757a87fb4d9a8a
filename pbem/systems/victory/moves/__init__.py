"""The ways a block may move (rule 4.4): `Mover` checks, makes and lists moves."""

from .model import LOGISTIC_KINDS, Move, MoveKind, illegal
from .mover import Made, Mover

__all__ = ["LOGISTIC_KINDS", "Made", "Move", "MoveKind", "Mover", "illegal"]
