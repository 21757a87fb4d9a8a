"""The rules of Axis Empires: Totaler Krieg.

A game pins the digest of this package, because nothing else decides results
(docs/decisions/0043-a-game-pins-its-rules.md).
"""

from __future__ import annotations

from pbem.rules import System

from .reading import build_world
from .set_up import set_up
from .views import HIDDEN

RULES = System(
    name="totaler-krieg",
    package=__name__.rpartition(".")[0],
    edition="2014",
    revision=2,
    modules=(".decisions", ".events", ".procedures"),
    hidden="redacted",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
)
