"""The Operational Combat Series, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from pbem.rules import System, deferred

from .set_up import set_up
from .views import facts, view
from .world import build_world

SYSTEM = System(
    name="ocs",
    package=__name__,
    title="Operational Combat Series",
    edition="4.3",
    revision=1,
    modules=(".decisions", ".events", ".procedures"),
    hidden="fow=gm",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=facts,
    view_hook=view,
    play_well_hook=deferred(__name__, "play_well.play_well"),
    standing_well_hook=deferred(__name__, "play_well.standing_well"),
    odds_hook=deferred(__name__, "forecast.forecasts"),
    outlook_hook=deferred(__name__, "forecast.outlook"),
    overlays_hook=deferred(__name__, "areas.areas"),
    printed_hook=deferred(__name__, "faces.faces"),
    sealed_hook=deferred(__name__, "sealing.sealed_as"),
    laid_open_hook=deferred(__name__, "sealing.laid_open"),
    points_hook=deferred(__name__, "victory.points"),
    invariants_hook=deferred(__name__, "invariants.invariants"),
    example_hook=deferred(__name__, "computing.compute"),
)
