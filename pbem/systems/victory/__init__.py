"""Victory with a supply-based turn sequence, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import deferred

from .rules import RULES

SYSTEM = replace(
    RULES,
    title="Victory, supply-based turn sequence",
    play_well_hook=deferred(__name__, "bot.play_well.play_well"),
    standing_well_hook=deferred(__name__, "bot.play_well.standing_well"),
    overlays_hook=deferred(__name__, "look.areas.areas"),
    printed_hook=deferred(__name__, "look.faces.faces"),
    outlook_hook=deferred(__name__, "look.forecast.outlook"),
    fought_hook=deferred(__name__, "look.forecast.fought"),
    odds_hook=deferred(__name__, "look.forecast.forecasts"),
    reach_hook=deferred(__name__, "look.reach.reach"),
    ending_hook=deferred(__name__, "look.ending.ending"),
    invariants_hook=deferred(__name__, "examples.invariants.invariants"),
    census_hook=deferred(__name__, "examples.invariants.census"),
    example_hook=deferred(__name__, "examples.computing.compute"),
)
