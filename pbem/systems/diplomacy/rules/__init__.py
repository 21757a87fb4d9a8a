"""The rules of Diplomacy: the standard rules of 2000, fourth printing.

This package alone decides results, and its digest is what a game pins
(docs/decisions/0043-a-game-pins-its-rules.md).
"""

from __future__ import annotations

from pbem.rules import System

from .world import build_world

RULES = System(
    name="diplomacy",
    package=__name__.rpartition(".")[0],
    edition="2000",
    revision=3,
    modules=(".decisions", ".events", ".procedures"),
    world_hook=build_world,
    map_hook=lambda world: world.map,
    hidden="ballot=secret",
)
