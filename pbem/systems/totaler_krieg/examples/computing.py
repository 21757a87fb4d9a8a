"""What worked examples compute without playing: supply, odds, moves, retreats (their `compute:`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kit.computed import computed
from pbem.rules import Game, from_json

from ..rules.cards import digest, disclosed
from ..rules.ground import Ground
from ..rules.orders import Attack, Move
from ..rules.pieces import piece, world_of
from ..rules.retreating import Retreat, can_retreat
from ..rules.strength import Assault, clamp, entered, heads
from ..rules.supply import Supply
from ..rules.victory import counted
from ..rules.walk import Walker, points

Case = Mapping[str, Any]


def _supplied(game: Game, case: Case) -> bool:
    return Supply(game).supplied(piece(game, case["unit"]))


def _attack(game: Game, case: Case) -> dict[str, Any]:
    """The ladder of an attack: strengths, columns, modifiers by their rule."""
    order: Attack = from_json(Attack, {"id": "A", **case["order"]})
    attacker = piece(game, order.units[0]).owner
    found = Assault(game, attacker, order, case.get("segment", "regular"))
    if hq := case.get("defender_hq"):
        found.defender_hq = piece(game, hq)
    listed = heads(found.world)
    modifiers: dict[str, int] = {}
    for one in found.modifiers():
        modifiers[one.rule] = modifiers.get(one.rule, 0) + one.value
    every = {
        "attack": found.attack,
        "defence": found.defence,
        "entered": listed[found.entered()],
        "column": listed[found.final()],
        "modifiers": modifiers,
        "faults": [fault.code for fault in found.faults()],
        "hqs": [one.id for one in found.eligible_hqs()],
        "default_hq": found.default_hq(),
    }
    return {key: every[key] for key in case["is"]}


def _table(game: Game, case: Case) -> list[str]:
    """The combat table by itself: column entered, column read, result."""
    world = world_of(game)
    listed = heads(world)
    first = entered(world, case["attack"], case["defence"])
    last = clamp(world, first + case.get("net", 0))
    result = world.combat["results"][str(case["die"])][last] if "die" in case else ""
    return [listed[first], listed[last], result]


def _move(game: Game, case: Case) -> dict[str, Any]:
    """Cost of each hex, why it stops, whom it overruns, what is wrong."""
    move: Move = from_json(Move, {"unit": case["unit"], "path": case["path"], "by": case.get("by", "hex")})
    found = Walker(game, piece(game, case["unit"]).owner, case.get("phase", "op")).judge(move)
    every = {
        "mp": [points(cost) for cost in found.costs],
        "spent": points(found.spent),
        "overrun": found.overrun,
        "stopped": found.stopped,
        "faults": [fault.code for fault in found.faults],
    }
    return {key: every[key] for key in case["is"]}


def _retreat(game: Game, case: Case) -> list[str]:
    """The legal next hexes of a force, by id."""
    found = Retreat(game, case["units"], case["of"], case.get("far", 0))
    return found.legal()


def _can_retreat(game: Game, case: Case) -> bool:
    return can_retreat(game, case["units"], case["of"], case.get("far", 0))


def _digest(game: Game, case: Case) -> str:
    return digest(case["game"], case["faction"], case["turn"], case["cards"], case["nonce"])


def _disclosed(game: Game, case: Case) -> list[str]:
    given = (case["game"], case["faction"], case["turn"], case["cards"], case["nonce"])
    return [fault.code for fault in disclosed(case["sealed"], *given)]


def _csv(game: Game, case: Case) -> list[list[str]]:
    return [list(part) for part in counted(game)]


def _control(game: Game, case: Case) -> str | None:
    return Ground(game).control(case["hex"])


def _base(game: Game, case: Case) -> bool:
    supply = Supply(game)
    find = supply.air_base if case["kind"] == "air" else supply.naval_base
    return find(case["hex"], case["faction"])


def _port(game: Game, case: Case) -> bool:
    return Supply(game).open_port(case["hex"], case["faction"], case["zone"])


def _blitz_enabled(game: Game, case: Case) -> bool:
    return Ground(game).blitz_enabled(piece(game, case["unit"]))


def _weather(game: Game, case: Case) -> str | None:
    return Ground(game).weather(case["hex"])


def _turn(game: Game, case: Case) -> str:
    """The name of the turn so many after one."""
    rows = world_of(game).tables["year"]["turns"]
    names = [row["name"] for row in rows]
    return str(names[(names.index(case["from"]) + case["ahead"]) % len(names)])


def _zone(game: Game, case: Case) -> bool:
    return case["hex"] in Ground(game).ezoc(case["faction"])


def _at_war(game: Game, case: Case) -> bool:
    return Ground(game).at_war(case["one"], case["other"])


KINDS = {
    "supplied": _supplied,
    "attack": _attack,
    "table": _table,
    "move": _move,
    "retreat": _retreat,
    "can_retreat": _can_retreat,
    "digest": _digest,
    "disclosed": _disclosed,
    "csv": _csv,
    "control": _control,
    "base": _base,
    "port": _port,
    "blitz_enabled": _blitz_enabled,
    "weather": _weather,
    "turn": _turn,
    "zone": _zone,
    "at_war": _at_war,
}


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Faults of an example's computations."""
    return computed(game, what, KINDS)
