"""War Between the States, expanded weekly turn, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from pbem.rules import System, deferred

from .invariants import invariants
from .set_up import set_up
from .views import HIDDEN
from .world import build_world

SYSTEM = System(
    name="wbts",
    package=__name__,
    title="War Between the States, weekly turn",
    edition="weekly-1",
    revision=1,
    modules=(".events", ".first_player", ".turn", ".command", ".moves", ".cleanup", ".battle"),
    hidden="limited_intelligence",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
    play_well_hook=deferred(__name__, "play_well.play_well"),
    standing_well_hook=deferred(__name__, "play_well_battle.standing_well"),
    invariants_hook=invariants,
    overlays_hook=deferred(__name__, "areas.areas"),
    odds_hook=deferred(__name__, "battle.forecast.forecasts"),
    outlook_hook=deferred(__name__, "battle.forecast.outlook"),
    example_hook=deferred(__name__, "computing.computed"),
)
