"""Axis Empires: Totaler Krieg, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from pbem.rules import System, deferred

from .set_up import set_up
from .views import facts, view
from .world import build_world

SYSTEM = System(
    name="totaler-krieg",
    package=__name__,
    title="Axis Empires: Totaler Krieg",
    edition="2014",
    revision=1,
    modules=(".decisions", ".events", ".procedures"),
    hidden="redacted",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=facts,
    view_hook=view,
    play_well_hook=deferred(__name__, "play_well.play_well"),
    standing_well_hook=deferred(__name__, "play_well.standing_well"),
    overlays_hook=deferred(__name__, "areas.areas"),
    outlook_hook=deferred(__name__, "forecast.outlook"),
    odds_hook=deferred(__name__, "forecast.forecasts"),
    printed_hook=deferred(__name__, "faces.faces"),
    titles_hook=deferred(__name__, "titles.titles"),
    background_hook=deferred(__name__, "background.background"),
    holders_hook=deferred(__name__, "holding.holders"),
    invariants_hook=deferred(__name__, "invariants.invariants"),
    example_hook=deferred(__name__, "computing.compute"),
)
