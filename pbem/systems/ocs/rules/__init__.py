"""The rules of the Operational Combat Series.

This package alone decides results, and its digest is what a game pins
(docs/decisions/0043-a-game-pins-its-rules.md).
"""

from __future__ import annotations

from pbem.rules import System, deferred

from .set_up import set_up
from .views import HIDDEN
from .world import build_world

RULES = System(
    name="ocs",
    package=__name__.rpartition(".")[0],
    edition="4.3",
    revision=3,
    modules=(".decisions", ".events", ".procedures", ".sealing"),
    hidden="fow=gm",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    sealed_hook=deferred(__name__, "sealing.sealed_as"),
    laid_open_hook=deferred(__name__, "sealing.laid_open"),
    view_hook=HIDDEN.view,
)
