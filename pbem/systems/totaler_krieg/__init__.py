"""Axis Empires: Totaler Krieg, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from typing import Any

from pbem.rules import Decision, Game, Json, Overlay, System, deferred

from .set_up import set_up
from .views import facts, view
from .world import build_world

DECISIONS = ("administration", "combat", "defence", "moving", "politics", "season")
EVENTS = ("fighting", "moving", "politics", "turn")
PROCEDURES = ("administration", "combat", "movement", "season", "turn")
MODULES = [
    *(f"{__name__}.decisions.{name}" for name in DECISIONS),
    *(f"{__name__}.events.{name}" for name in EVENTS),
    *(f"{__name__}.procedures.{name}" for name in PROCEDURES),
]


def _play_well(game: Game, decision: Decision[Any], pick: Any) -> Json:
    from .play_well import play_well  # only demonstrations need it

    return play_well(game, decision, pick)


def _standing_well(player: str) -> list[Json]:
    from .play_well import standing_well  # only demonstrations need it

    return standing_well(player)


def _compute(game: Game, what: Any) -> list[str]:
    from .computing import compute  # only examples need it

    return compute(game, what)


def _areas(game: Game) -> list[Overlay]:
    from .areas import areas  # only maps need it

    return areas(game)


def _invariants(game: Game) -> list[str]:
    from .invariants import invariants

    return invariants(game)


SYSTEM = System(
    name="totaler-krieg",
    package=__name__,
    title="Axis Empires: Totaler Krieg",
    edition="2014",
    revision=1,
    modules=MODULES,
    hidden="redacted",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=facts,
    view_hook=view,
    play_well_hook=_play_well,
    standing_well_hook=_standing_well,
    overlays_hook=_areas,
    outlook_hook=deferred(__name__, "forecast.outlook"),
    odds_hook=deferred(__name__, "forecast.forecasts"),
    printed_hook=deferred(__name__, "faces.faces"),
    titles_hook=deferred(__name__, "titles.titles"),
    holders_hook=deferred(__name__, "holding.holders"),
    invariants_hook=_invariants,
    example_hook=_compute,
)
