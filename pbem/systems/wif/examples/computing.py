"""Computations of worked examples without play: costs, supply, paths, tables (`compute:`)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pbem.kit.computed import computed, entry
from pbem.rules import Game

from ..rules.battle import column, modifiers, outcome
from ..rules.flying import result_of
from ..rules.occasions import ensure
from ..rules.paths import Path
from ..rules.pieces import T, Unit, limit, operating, round_half_up
from ..rules.production import income, rate
from ..rules.reorganize import Reorganizer
from ..rules.sources import Supply, goal_of, who_of
from ..rules.turning import move_marker
from ..rules.world import world_of


def _cost(game: Game, case: Mapping[str, Any]) -> int:
    return world_of(game).print(case["type"], case.get("printed", "")).cost


def _path(game: Game, case: Mapping[str, Any]) -> Any:
    """Return the path of an order: cost, ports, or the code of the refusal."""
    u = Unit(game, case["unit"])
    supply = Supply(game, case.get("side", world_of(game).side_of[u.owner]))
    limit = None if case.get("limit") == "any" else supply.length(u.hex)
    way = supply.paths.find(
        case.get("payer", u.owner), case["from"], goal_of(u), limit, rail=case.get("rail", False)
    )
    if not isinstance(way, Path):
        return way.code
    return {
        "cost": way.cost,
        "way": "-".join(way.way),
        **({"ports": list(way.ports)} if way.ports else {}),
    }


def _kind(game: Game, case: Mapping[str, Any]) -> str | None:
    u = Unit(game, case["unit"])
    return Supply(game, world_of(game).side_of[u.owner]).kind(case["hex"], who_of(u))


def _in_supply(game: Game, case: Mapping[str, Any]) -> bool:
    u = Unit(game, case["unit"])
    return Supply(game, world_of(game).side_of[u.owner]).in_supply(u)


def _isolated(game: Game, case: Mapping[str, Any]) -> bool:
    u = Unit(game, case["unit"])
    return Supply(game, world_of(game).side_of[u.owner]).isolated(case["hex"], who_of(u))


def _deliveries(game: Game, case: Mapping[str, Any]) -> int:
    u = Unit(game, case["atr"])
    if "from" in case:
        u.hex = case["from"]
    return Reorganizer(game, ensure(game)).deliveries(u, case["hex"])


def _round(game: Game, case: Mapping[str, Any]) -> int:
    return round_half_up(Fraction(case["x"]))


def _rate(game: Game, case: Mapping[str, Any]) -> int:
    return rate(world_of(game), case["other"], case["rp"])


def _weather(game: Game, case: Mapping[str, Any]) -> str:
    return world_of(game).weather.at(case["zone"], case["season"], case["die"])


def _advance(game: Game, case: Mapping[str, Any]) -> int:
    return int(world_of(game).weather_chart["advance"][case["weather"]])


def _length(game: Game, case: Mapping[str, Any]) -> int:
    return Supply(game, next(iter(world_of(game).sides))).length(case["hex"])


def _income(game: Game, case: Mapping[str, Any]) -> int:
    return income(game, case["power"]).bp


def _operating(game: Game, case: Mapping[str, Any]) -> int:
    return operating(game, case["hex"])


def _air_result(game: Game, case: Mapping[str, Any]) -> str:
    return str(result_of(world_of(game).combat["air_to_air"]["results"], case["total"]))


def _flak_result(game: Game, case: Mapping[str, Any]) -> str:
    return str(result_of(world_of(game).combat["anti_aircraft"]["results"], case["total"]))


def _bombed(game: Game, case: Mapping[str, Any]) -> int:
    return int(result_of(world_of(game).combat["bombardment"], case["total"], "out"))


def _land_result(game: Game, case: Mapping[str, Any]) -> str:
    """Return a cell of the land combat chart, by odds and the die with its changes."""
    world = world_of(game)
    at = world.combat["land"]["columns"].index(case["odds"])
    return outcome(world, at, case["total"])[1]


def _limit(game: Game, case: Mapping[str, Any]) -> int | str:
    """5.5: Return the limit of an activity of a power with an action."""
    T.of(game).action[case["power"]] = case["action"]
    most = limit(game, case["power"], case["activity"])
    return "any" if most is None else most


def _printed(game: Game, case: Mapping[str, Any]) -> Any:
    """Return a figure of a counter, its own or that of the chart (5.1 to 5.4)."""
    value = getattr(world_of(game).print(case["type"], case.get("printed", "")), case["what"])
    return str(value) if isinstance(value, Fraction) else value


def _odds(game: Game, case: Mapping[str, Any]) -> str:
    world = world_of(game)
    return str(
        world.combat["land"]["columns"][column(world, Fraction(case["attack"]), Fraction(case["defence"]))]
    )


def _modifiers(game: Game, case: Mapping[str, Any]) -> dict[str, int]:
    """4.7.7: Return the changes of the die for an attack on a hex, as if it had the terrain of the case."""
    T.of(game).phasing = case["side"]
    terrain, hex = world_of(game).terrain, case["hex"]
    printed = terrain[hex]
    terrain[hex] = case.get("terrain", printed)
    try:
        return modifiers(game, hex)
    finally:
        terrain[hex] = printed


def _marker(game: Game, case: Mapping[str, Any]) -> int:
    """4.4: Return where the initiative marker is after a reroll that the loser demands."""
    T.of(game).initiative = case["initiative"]
    move_marker(game, case["loser"])
    return T.of(game).initiative


KINDS = {
    "entry": entry,
    "cost": _cost,
    "path": _path,
    "kind": _kind,
    "in_supply": _in_supply,
    "isolated": _isolated,
    "deliveries": _deliveries,
    "round": _round,
    "rate": _rate,
    "weather": _weather,
    "advance": _advance,
    "length": _length,
    "income": _income,
    "operating": _operating,
    "air_result": _air_result,
    "flak_result": _flak_result,
    "bombed": _bombed,
    "land_result": _land_result,
    "limit": _limit,
    "printed": _printed,
    "odds": _odds,
    "modifiers": _modifiers,
    "marker": _marker,
}


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Return faults of an example's computations."""
    return computed(game, what, KINDS)
