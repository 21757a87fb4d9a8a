"""Victory with a supply-based turn sequence, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from typing import Any

from pbem.rules import Decision, Game, Json, Overlay, System

from .invariants import census, invariants
from .set_up import set_up
from .views import HIDDEN, friends
from .world import build_world

DECISIONS = ("air_response", "battle", "bid", "feeding", "player_turn", "production", "turn_order")
EVENTS = ("activation", "attrition", "battle", "initiative", "movement", "production", "victory_check")
PROCEDURES = (
    "activation", "air_response", "attrition", "battle", "initiative", "movement",
    "production", "su_step", "victory_check",
)  # fmt: skip
MODULES = [
    *(f"{__name__}.decisions.{name}" for name in DECISIONS),
    *(f"{__name__}.events.{name}" for name in EVENTS),
    *(f"{__name__}.procedures.{name}" for name in PROCEDURES),
]


def _areas(game: Game) -> list[Overlay]:
    from .supply import supply_areas  # only maps need it

    return [Overlay("supply", player, hexes) for player, hexes in supply_areas(game).items()]


def _play_well(game: Game, decision: Decision[Any], pick: Any) -> Json:
    from .play_well import play_well  # only demonstrations need it

    return play_well(game, decision, pick)


SYSTEM = System(
    name="victory",
    package=__name__,
    title="Victory, supply-based turn sequence",
    edition="supply-1",
    revision=1,
    modules=MODULES,
    hidden=True,
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
    friends_hook=friends,
    play_well_hook=_play_well,
    overlays_hook=_areas,
    invariants_hook=invariants,
    census_hook=census,
)
