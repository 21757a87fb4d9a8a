"""War Between the States, expanded weekly turn, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from typing import Any

from pbem.rules import Decision, Game, Json, Overlay, System

from .computing import computed
from .invariants import invariants
from .set_up import set_up
from .views import HIDDEN
from .world import build_world

EVENTS = ("activation", "battle", "battle_after", "cleanup", "command", "first_player", "movement", "week")
RULES = (
    "first_player", "turn", "command.segment", "moves.free", "moves.initiative", "cleanup",
    "battle.battle", "battle.advance", "battle.defence", "battle.fight", "battle.losses", "battle.retreats",
    "battle.secrets", "battle.selection",
)  # fmt: skip
MODULES = [f"{__name__}.{name}" for name in (*(f"events.{name}" for name in EVENTS), *RULES)]


def _areas(game: Game) -> list[Overlay]:
    from .areas import areas  # only maps need it

    return areas(game)


def _play_well(game: Game, decision: Decision[Any], pick: Any) -> Json:
    from .play_well import play_well  # only demonstrations need it

    return play_well(game, decision, pick)


def _standing_well(player: str) -> list[Json]:
    from .play_well_battle import standing_well  # likewise

    return standing_well(player)


SYSTEM = System(
    name="wbts",
    package=__name__,
    title="War Between the States, weekly turn",
    edition="weekly-1",
    revision=1,
    modules=MODULES,
    hidden="limited_intelligence",
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
    play_well_hook=_play_well,
    standing_well_hook=_standing_well,
    invariants_hook=invariants,
    overlays_hook=_areas,
    example_hook=computed,
)
