"""The rules of World in Flames with impulse reorganization.

A game pins the digest of this package, because nothing else decides results
(docs/decisions/0043-a-game-pins-its-rules.md).
"""

from __future__ import annotations

from pbem.rules import System

from .set_up import set_up
from .world import build_world

RULES = System(
    name="wif",
    package=__name__.rpartition(".")[0],
    edition="11.18",
    revision=2,
    modules=(".decisions", ".events", ".procedures"),
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
)
