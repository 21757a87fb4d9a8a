"""World in Flames with impulse reorganization, a rules system.

This file only registers; see README.md.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import deferred

from .rules import RULES

SYSTEM = replace(
    RULES,
    title="World in Flames, impulse reorganization",
    play_well_hook=deferred(__name__, "bot.play_well.play_well"),
    standing_well_hook=deferred(__name__, "bot.play_well.standing_well"),
    overlays_hook=deferred(__name__, "look.areas.areas"),
    absent_hook=deferred(__name__, "look.absent.absent"),
    outlook_hook=deferred(__name__, "look.forecast.outlook"),
    fought_hook=deferred(__name__, "look.account.fought"),
    odds_hook=deferred(__name__, "look.forecast.forecasts"),
    reach_hook=deferred(__name__, "look.reach.reach"),
    holders_hook=deferred(__name__, "look.holding.holders"),
    sides_hook=deferred(__name__, "look.holding.sides"),
    printed_hook=deferred(__name__, "look.faces.faces"),
    facilities_hook=deferred(__name__, "look.facilities.facilities"),
    points_hook=deferred(__name__, "look.ending.points"),
    ending_hook=deferred(__name__, "look.ending.ending"),
    invariants_hook=deferred(__name__, "examples.invariants.invariants"),
    example_hook=deferred(__name__, "examples.computing.compute"),
)
