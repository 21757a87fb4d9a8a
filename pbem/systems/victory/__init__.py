"""Victory with a supply-based turn sequence, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from pbem.rules import System, deferred

from .invariants import census, invariants
from .set_up import set_up
from .views import HIDDEN, friends
from .world import build_world

SYSTEM = System(
    name="victory",
    package=__name__,
    title="Victory, supply-based turn sequence",
    edition="supply-1",
    revision=1,
    modules=(".decisions", ".events", ".procedures"),
    hidden=True,
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
    friends_hook=friends,
    play_well_hook=deferred(__name__, "play_well.play_well"),
    standing_well_hook=deferred(__name__, "play_well.standing_well"),
    overlays_hook=deferred(__name__, "supply.supply_overlays"),
    odds_hook=deferred(__name__, "forecast.forecasts"),
    invariants_hook=invariants,
    census_hook=census,
)
