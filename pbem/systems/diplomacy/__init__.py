"""Diplomacy, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import deferred

from .rules import RULES

SYSTEM = replace(
    RULES,
    title="Diplomacy",
    play_well_hook=deferred(__name__, "bot.play_well.play_well"),
    holders_hook=deferred(__name__, "look.holding.holders"),
    line_hook=deferred(__name__, "look.line.line"),
    points_hook=deferred(__name__, "rules.state.counts"),
    ending_hook=deferred(__name__, "look.ending.ending"),
    invariants_hook=deferred(__name__, "examples.invariants.invariants"),
    example_hook=deferred(__name__, "examples.computing.compute"),
)
