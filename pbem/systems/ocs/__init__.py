"""The Operational Combat Series, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import deferred

from .rules import RULES

SYSTEM = replace(
    RULES,
    title="Operational Combat Series",
    play_well_hook=deferred(__name__, "bot.play_well.play_well"),
    standing_well_hook=deferred(__name__, "bot.play_well.standing_well"),
    fought_hook=deferred(__name__, "look.account.fought"),
    odds_hook=deferred(__name__, "look.forecast.forecasts"),
    reach_hook=deferred(__name__, "look.reach.reach"),
    outlook_hook=deferred(__name__, "look.account.outlook"),
    overlays_hook=deferred(__name__, "look.areas.areas"),
    printed_hook=deferred(__name__, "look.faces.faces"),
    absent_hook=deferred(__name__, "look.absent.absent"),
    facilities_hook=deferred(__name__, "look.facilities.facilities"),
    shorthand_hook=deferred(__name__, "look.shorthand.shorthand"),
    points_hook=deferred(__name__, "rules.victory.points"),
    ending_hook=deferred(__name__, "look.ending.ending"),
    invariants_hook=deferred(__name__, "examples.invariants.invariants"),
    example_hook=deferred(__name__, "examples.computing.compute"),
)
