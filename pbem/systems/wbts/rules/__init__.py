"""The rules of War Between the States, expanded weekly turn.

A game pins the digest of this package, because nothing else decides results
(docs/decisions/0043-a-game-pins-its-rules.md).
"""

from __future__ import annotations

from pbem.rules import System

from .set_up import set_up
from .views import HIDDEN
from .world import build_world

RULES = System(
    name="wbts",
    package=__name__.rpartition(".")[0],
    edition="weekly-1",
    revision=2,
    modules=(".events", ".first_player", ".turn", ".command", ".moves", ".cleanup", ".battle"),
    hidden="limited_intelligence",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
)
