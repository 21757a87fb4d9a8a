"""World in Flames with impulse reorganization, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from pbem.rules import System, deferred

from .set_up import set_up
from .world import build_world

SYSTEM = System(
    name="wif",
    package=__name__,
    title="World in Flames, impulse reorganization",
    edition="11.18",
    revision=1,
    modules=(".decisions", ".events", ".procedures"),
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    play_well_hook=deferred(__name__, "play_well.play_well"),
    standing_well_hook=deferred(__name__, "play_well.standing_well"),
    overlays_hook=deferred(__name__, "areas.areas"),
    absent_hook=deferred(__name__, "absent.absent"),
    outlook_hook=deferred(__name__, "forecast.outlook"),
    odds_hook=deferred(__name__, "forecast.forecasts"),
    holders_hook=deferred(__name__, "holding.holders"),
    sides_hook=deferred(__name__, "holding.sides"),
    printed_hook=deferred(__name__, "faces.faces"),
    invariants_hook=deferred(__name__, "invariants.invariants"),
    example_hook=deferred(__name__, "computing.compute"),
)
