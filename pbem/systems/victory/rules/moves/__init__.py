"""Moves of blocks (rule 4.4): `Mover` checks, makes and lists them."""

from .mover import Made, Mover

__all__ = ["Made", "Mover"]
