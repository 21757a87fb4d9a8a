"""Axis Empires: Totaler Krieg, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import deferred

from .rules import RULES

SYSTEM = replace(
    RULES,
    title="Axis Empires: Totaler Krieg",
    play_well_hook=deferred(__name__, "bot.play_well.play_well"),
    standing_well_hook=deferred(__name__, "bot.play_well.standing_well"),
    overlays_hook=deferred(__name__, "look.areas.areas"),
    outlook_hook=deferred(__name__, "look.forecast.outlook"),
    fought_hook=deferred(__name__, "look.forecast.fought"),
    odds_hook=deferred(__name__, "look.forecast.forecasts"),
    reach_hook=deferred(__name__, "look.reach.reach"),
    printed_hook=deferred(__name__, "look.faces.faces"),
    titles_hook=deferred(__name__, "look.titles.titles"),
    background_hook=deferred(__name__, "look.background.background"),
    holders_hook=deferred(__name__, "look.holding.holders"),
    points_hook=deferred(__name__, "look.ending.points"),
    captures_hook=deferred(__name__, "look.holding.captures"),
    ending_hook=deferred(__name__, "look.ending.ending"),
    invariants_hook=deferred(__name__, "examples.invariants.invariants"),
    example_hook=deferred(__name__, "examples.computing.compute"),
)
