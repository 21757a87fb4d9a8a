"""World in Flames with impulse reorganization, a rules system. This file only registers; see README.md."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from pbem.rules import Decision, Forecast, Game, Json, Overlay, System, deferred

from .set_up import set_up
from .world import build_world

DECISIONS = ("impulse_letter", "turn_letter", "replies")
EVENTS = ("moving", "reorganizing", "turn")
PROCEDURES = ("impulse", "missions", "steps", "reorganization", "turn")
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


def _forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterable[Forecast]:
    from .forecast import forecasts  # only reports and calculators need it

    return forecasts(game, place, attackers)


def _invariants(game: Game) -> list[str]:
    from .invariants import invariants

    return invariants(game)


SYSTEM = System(
    name="wif",
    package=__name__,
    title="World in Flames, impulse reorganization",
    edition="11.18",
    revision=1,
    modules=MODULES,
    world_hook=build_world,
    map_hook=lambda world: world.map,
    set_up_hook=set_up,
    play_well_hook=_play_well,
    standing_well_hook=_standing_well,
    overlays_hook=_areas,
    absent_hook=deferred(__name__, "absent.absent"),
    outlook_hook=deferred(__name__, "forecast.outlook"),
    odds_hook=_forecasts,
    holders_hook=deferred(__name__, "holding.holders"),
    printed_hook=deferred(__name__, "faces.faces"),
    invariants_hook=_invariants,
    example_hook=_compute,
)
