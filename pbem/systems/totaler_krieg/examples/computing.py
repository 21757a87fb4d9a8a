"""Computations of worked examples without play: supply, odds, moves, retreats (their `compute:`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kit.computed import computed, entry
from pbem.rules import Game, from_json

from ..rules.advancing import going_faults
from ..rules.cards import digest, disclosed
from ..rules.decisions.defence import DefenderHq, Exchange, HqOrder, Losses, nearest_by_default
from ..rules.dropping import airdrop_faults
from ..rules.ground import Ground
from ..rules.guards import holds
from ..rules.losing import Force
from ..rules.orders import Airdrop, Attack, Breakdown, Combine, Eliminate, Going, Guard, Move, Placement
from ..rules.organizing import breakdown_faults, combine_faults, eliminate_faults
from ..rules.pieces import piece, world_of
from ..rules.placing import Placer
from ..rules.reading import condition_at
from ..rules.retreating import Retreat, can_retreat
from ..rules.stacks import excess, first_to_go
from ..rules.strength import Assault, clamp, entered, heads
from ..rules.supply import Supply
from ..rules.victory import counted
from ..rules.walk import Walker, points

Case = Mapping[str, Any]


def _supplied(game: Game, case: Case) -> bool:
    return Supply(game).supplied(piece(game, case["unit"]))


def _attack(game: Game, case: Case) -> dict[str, Any]:
    """Return the calculation of an attack: strengths, columns, modifiers by their rule."""
    order: Attack = from_json(Attack, {"id": "A", **case["order"]})
    attacker = piece(game, order.units[0]).owner
    assault = Assault(game, attacker, order, case.get("segment", "regular"))
    if hq := case.get("defender_hq"):
        assault.defender_hq = piece(game, hq)
    listed = heads(assault.world)
    modifiers: dict[str, int] = {}
    for modifier in assault.modifiers():
        modifiers[modifier.rule] = modifiers.get(modifier.rule, 0) + modifier.value
    every = {
        "attack": assault.attack,
        "defence": assault.defence,
        "entered": listed[assault.entered()],
        "column": listed[assault.final()],
        "modifiers": modifiers,
        "faults": [fault.code for fault in assault.faults()],
        "hqs": [unit.id for unit in assault.eligible_hqs()],
        "default_hq": assault.default_hq(),
    }
    return {key: every[key] for key in case["is"]}


def _table(game: Game, case: Case) -> list[str]:
    """Return a row of the combat table: column entered, column read, result."""
    world = world_of(game)
    listed = heads(world)
    first = entered(world, case["attack"], case["defence"])
    last = clamp(world, first + case.get("net", 0))
    result = world.combat["results"][str(case["die"])][last] if "die" in case else ""
    return [listed[first], listed[last], result]


def _move(game: Game, case: Case) -> dict[str, Any]:
    """Return the cost of each hex, why the move stops, what it overruns, and its faults."""
    move: Move = from_json(Move, {"unit": case["unit"], "path": case["path"], "by": case.get("by", "hex")})
    judge = Walker(game, piece(game, case["unit"]).owner, case.get("phase", "op")).judge(move)
    every = {
        "mp": [points(cost) for cost in judge.costs],
        "spent": points(judge.spent),
        "overrun": judge.overrun,
        "stopped": judge.stopped,
        "faults": [fault.code for fault in judge.faults],
    }
    return {key: every[key] for key in case["is"]}


def _retreat(game: Game, case: Case) -> list[str]:
    """Return the legal next hexes of a force, by id."""
    retreat = Retreat(game, case["units"], case["of"], case.get("far", 0))
    return retreat.legal()


def _ranked(game: Game, case: Case) -> list[str]:
    """Return some hexes in the order in which a force retreats to them by default."""
    return Retreat(game, case["units"], case["of"], 0).ranked(case["legal"])


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
    """Return the name of the turn that is `n` turns after another."""
    rows = world_of(game).tables["year"]["turns"]
    names = [row["name"] for row in rows]
    return str(names[(names.index(case["from"]) + case["ahead"]) % len(names)])


def _zone(game: Game, case: Case) -> bool:
    return case["hex"] in Ground(game).ezoc(case["faction"])


def _at_war(game: Game, case: Case) -> bool:
    return Ground(game).at_war(case["one"], case["other"])


def _loss_order(game: Game, case: Case) -> list[str]:
    """Return who may take the next step, by default first."""
    return [unit.id for unit in Force(game, case["units"]).able()]


def _overstack(game: Game, case: Case) -> str | None:
    """Return who goes first of a stack by default, or loses a step; None if nothing is wrong with it."""
    units = excess(game, case["hex"], [piece(game, id) for id in case["units"]])
    return None if units is None else first_to_go(game, units).id


def _going(game: Game, case: Case) -> list[str]:
    going: Going = from_json(Going, {"unit": case["unit"], "path": case["path"]})
    owner, further = piece(game, case["unit"]).owner, case.get("further", 0)
    return [f.code for f in going_faults(game, owner, going, [case["unit"]], case["path"][0], further)]


def _organize(game: Game, case: Case) -> list[str]:
    """Return what is wrong with an elimination, a combination or a breakdown."""
    faction, given = case["faction"], case["order"]
    if case["do"] == "eliminate":
        faults = eliminate_faults(game, faction, from_json(Eliminate, given))
    elif case["do"] == "combine":
        faults = combine_faults(game, faction, from_json(Combine, given))
    else:
        faults = breakdown_faults(game, faction, from_json(Breakdown, given))
    return [fault.code for fault in faults]


def _airdrop(game: Game, case: Case) -> list[str]:
    given = Airdrop(case["unit"], case["hex"])
    return [f.code for f in airdrop_faults(Supply(game), piece(game, given.unit).owner, given)]


def _guard(game: Game, case: Case) -> bool:
    return holds(game, case["faction"], from_json(Guard, case["guard"]))


def _waits(game: Game, case: Case) -> bool:
    """Return True if a fight waits for its owner to name who takes the steps."""
    owner = piece(game, case["units"][0]).owner
    return Losses(owner, owner, case["hex"], case["steps"], tuple(case["units"])).waits(game)


def _exchange(game: Game, case: Case) -> str:
    owner = piece(game, case["units"][0]).owner
    return Exchange(owner, owner, case["hex"], tuple(case["units"]), case["can"]).default(game)


def _hq_order(game: Game, case: Case) -> str | None:
    """Return the HQ that a standing order involves in a defence."""
    orders = tuple(from_json(HqOrder, order) for order in case["orders"])
    able = tuple(order.hq for order in orders)
    asked = DefenderHq(case["player"], case["player"], case["hex"], able, case["column"], able[0])
    return asked.from_standing(game, [orders])


def _toward(game: Game, case: Case) -> str:
    return nearest_by_default(game, case["legal"], case["goal"])


def _placement(game: Game, case: Case) -> list[str]:
    given: Placement = from_json(Placement, case["order"])
    return [fault.code for fault in Placer(game, case["faction"]).faults(given)]


def _blitz_hexes(game: Game, case: Case) -> list[str]:
    """Return those of some hexes in which a Blitz marker may be placed."""
    able = Placer(game, case["faction"]).blitz_hexes()
    return [hex for hex in case["of"] if hex in able]


def _contesters(game: Game, case: Case) -> list[str]:
    return [contester.id for contester in Placer(game, case["faction"]).contesters(case["at"])]


def _when(game: Game, case: Case) -> bool:
    """5.14: Return True if a predicate of cards and events holds now."""
    return condition_at(world_of(game), case["when"], (), []).holds(game)


KINDS = {
    "when": _when,
    "entry": entry,
    "supplied": _supplied,
    "attack": _attack,
    "table": _table,
    "move": _move,
    "retreat": _retreat,
    "can_retreat": _can_retreat,
    "ranked": _ranked,
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
    "loss_order": _loss_order,
    "overstack": _overstack,
    "going": _going,
    "organize": _organize,
    "airdrop": _airdrop,
    "guard": _guard,
    "waits": _waits,
    "exchange": _exchange,
    "hq_order": _hq_order,
    "toward": _toward,
    "placement": _placement,
    "blitz_hexes": _blitz_hexes,
    "contesters": _contesters,
}


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Return faults of an example's computations."""
    return computed(game, what, KINDS)
