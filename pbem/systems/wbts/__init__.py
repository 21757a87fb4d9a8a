"""War Between the States, expanded weekly turn, as a rules system.

This file only registers; see README.md.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import deferred

from .rules import RULES

SYSTEM = replace(
    RULES,
    title="War Between the States, weekly turn",
    absent_hook=deferred(__name__, "look.absent.absent"),
    play_well_hook=deferred(__name__, "bot.play_well.play_well"),
    standing_well_hook=deferred(__name__, "bot.play_well.standing_well"),
    overlays_hook=deferred(__name__, "look.areas.areas"),
    printed_hook=deferred(__name__, "look.faces.faces"),
    odds_hook=deferred(__name__, "look.forecast.forecasts"),
    reach_hook=deferred(__name__, "look.reach.reach"),
    outlook_hook=deferred(__name__, "look.account.outlook"),
    fought_hook=deferred(__name__, "look.account.fought"),
    points_hook=deferred(__name__, "look.ending.points"),
    ending_hook=deferred(__name__, "look.ending.ending"),
    invariants_hook=deferred(__name__, "examples.invariants.invariants"),
    example_hook=deferred(__name__, "examples.computing.computed"),
)
