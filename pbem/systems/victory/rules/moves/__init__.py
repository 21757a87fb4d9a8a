"""The ways a block may move (rule 4.4): `Mover` checks, makes and lists moves."""

from .mover import Made, Mover

__all__ = ["Made", "Mover"]
