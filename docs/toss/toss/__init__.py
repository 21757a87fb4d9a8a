"""Toss, a game of three dice: the smallest system there is."""

from pbem.rules import System

SYSTEM = System("toss", __name__, "1", 1, modules=["toss.rules"], title="Toss")
