"""The computations of worked examples (`compute:`): costs, supply, strengths."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pbem.kit.computed import computed
from pbem.rules import Game

from ..rules.actions import Mission
from ..rules.afloat.transport import weight
from ..rules.allowances import allowed
from ..rules.breakout import candidates
from ..rules.decisions.fight import AttackerOption, AttackStance, DefenderOption
from ..rules.decisions.flying import Intercept
from ..rules.fighting.air import flak_sum
from ..rules.fighting.barrage import Shot, density, shifts
from ..rules.fighting.losses import Retreat, by_combat_rule
from ..rules.fighting.strength import column, fight, read_result, shifted, surprise
from ..rules.moving import step_cost
from ..rules.pieces import Plane, T, Unit, units, world_of
from ..rules.refit import most_refitted
from ..rules.supply.reach import Net, available
from ..rules.supply.trace import Tracing, rail_heads
from ..rules.victory import count
from ..rules.world import ALL


def _text(value: Fraction | int | None) -> str | None:
    return None if value is None else str(value)


def _step(game: Game, case: Mapping[str, Any]) -> str | None:
    u = Unit(game, case["unit"])
    return _text(step_cost(game, u, case["from"], case["to"], road_ok=case.get("road_ok", True)))


def _allowance(game: Game, case: Mapping[str, Any]) -> str:
    return str(allowed(Unit(game, case["unit"]), case.get("phase", "C"), case.get("acting", True)))


def _way(game: Game, case: Mapping[str, Any]) -> str | None:
    """Return the cost of a supply path from one hex to another."""
    net = Net(game, case["side"])
    costs = net.reach(case["from"], case["limit"], case["mobility"]).costs.get(case["to"])
    return None if costs is None else str(Fraction(costs[1], world_of(game).scale))


def _trace(game: Game, case: Mapping[str, Any]) -> Any:
    u = Unit(game, case["unit"])
    return [link.hq or link.source for link in Tracing(game, u.owner).links(u)]


def _provider(game: Game, case: Mapping[str, Any]) -> Any:
    u = Unit(game, case["unit"])
    link = Tracing(game, u.owner).whole(case.get("wanted")).get(u.id)
    return None if link is None else link.hq or link.source


def _usable(game: Game, case: Mapping[str, Any]) -> list[str]:
    u = Unit(game, case["unit"])
    return [s.hex for s in Net(game, u.owner).usable(u.hex or "", u)]


def _in_reach(game: Game, case: Mapping[str, Any]) -> int:
    u = Unit(game, case["unit"])
    net = Net(game, u.owner)
    return available(net, net.usable(u.hex or "", u))


def _fight(game: Game, case: Mapping[str, Any]) -> dict[str, str]:
    attackers = [Unit(game, id) for id in case["attackers"]]
    defenders = units(game, world_of(game).enemy(attackers[0].owner), case["hex"])
    s = fight(game, case["hex"], attackers, defenders, case.get("supplied", {}), case.get("terrain"))
    return {
        "attack": str(s.a),
        "defence": str(s.d),
        "odds": s.odds,
        "column": world_of(game).combat["odds"][s.row][s.column],
    }


def _crt(game: Game, case: Mapping[str, Any]) -> str:
    world = world_of(game)
    left, right = case["odds"].split(":")
    at, _ = column(world, case["row"], Fraction(int(left)), Fraction(int(right)))
    return read_result(world, shifted(world, at, case.get("shift", 0)), case["total"]).code


def _weight(game: Game, case: Mapping[str, Any]) -> str:
    return str(weight(game, [Unit(game, id) for id in case.get("units", ())], (), case.get("tokens", 0)))


def _retreat(game: Game, case: Mapping[str, Any]) -> Any:
    group = [Unit(game, id) for id in case["units"]]
    foes = frozenset(u.hex or "" for u in units(game, world_of(game).enemy(group[0].owner)))
    paths = Retreat(game, group, case["hexes"], foes)
    if "path" in case:
        return paths.judged(tuple(case["path"]), group).lost
    way = paths.default()
    return None if way is None else list(way.path)


def _shifts(game: Game, case: Mapping[str, Any]) -> int:
    return sum(m.value for m in shifts(game, Shot(case["side"], (), case["by"], 1), case["hex"]))


def _density(game: Game, case: Mapping[str, Any]) -> str:
    return str(density(game, case["hex"], case["side"]))


def _refits(game: Game, case: Mapping[str, Any]) -> int:
    return most_refitted(game, case["side"], case["base"]) or 0


def _heads(game: Game, case: Mapping[str, Any]) -> list[str]:
    return rail_heads(game, case["side"], cargo=True)


def _flak(game: Game, case: Mapping[str, Any]) -> int | None:
    mission = Mission(case["kind"], tuple(case["aircraft"]), case["hex"])
    return flak_sum(game, case["side"], mission, [Plane(game, id) for id in case["aircraft"]])


def _capacity(game: Game, case: Mapping[str, Any]) -> int:
    from ..rules.fighting.air import capacity

    return capacity(game, [Plane(game, id) for id in case["aircraft"]], case["hex"])


def _count(game: Game, case: Mapping[str, Any]) -> dict[str, int]:
    """Return those items of the victory count that the case names."""
    items = count(game)
    return {key: items.get(key, 0) for key in case["is"]}


def _candidates(game: Game, case: Mapping[str, Any]) -> dict[str, bool]:
    return candidates(game, case["side"])


def _intercepts(game: Game, case: Mapping[str, Any]) -> str | None:
    """Return the fighter that goes up where nobody says anything."""
    return Intercept(case["side"], case["hex"], "barrage", case["best"]).default(game)


def _surprise(game: Game, case: Mapping[str, Any]) -> int:
    return surprise(world_of(game), case["kind"], case["total"])


def _combat_losses(game: Game, case: Mapping[str, Any]) -> list[str]:
    """Return who loses a step, step by step, by the combat rule."""
    pool = [Unit(game, id) for id in case["units"]]
    return by_combat_rule(pool, case["n"], case.get("ar"), case.get("taken", {}), case.get("wanted", ()))


def _legal_retreat(game: Game, case: Mapping[str, Any]) -> bool:
    group = [Unit(game, id) for id in case["units"]]
    foes = frozenset(u.hex or "" for u in units(game, world_of(game).enemy(group[0].owner)))
    return Retreat(game, group, case["hexes"], foes).is_legal(case["path"], group)


def _defender_option(game: Game, case: Mapping[str, Any]) -> list[Any]:
    """Return what a defender does by default with an option, and whether the question is asked anyway."""
    enemy = world_of(game).enemy(Unit(game, case["units"][0]).owner)
    barred = tuple(sorted({u.hex or "" for u in units(game, enemy)}))
    asked = DefenderOption(
        world_of(game).enemy(enemy), case["hex"], case["option"], tuple(case["units"]), barred, False,
        case.get("stance", ""), case.get("until", -1),
    )  # fmt: skip
    return [asked.default(game), asked.waits(game)]


def _attacker_option(game: Game, case: Mapping[str, Any]) -> int | None:
    """Return what an attacker with a standing order does with an option."""
    side = Unit(game, case["units"][0]).owner
    barred = tuple(sorted({u.hex or "" for u in units(game, world_of(game).enemy(side))}))
    asked = AttackerOption(side, case["hex"], case["option"], tuple(case["units"]), barred)
    return asked.from_order(game, AttackStance(losses_up_to=case["losses_up_to"]))


def _table(game: Game, case: Mapping[str, Any]) -> Any:
    """Return an entry of a table, by its path."""
    table: Any = world_of(game).tables
    for key in case["of"]:
        table = table[key]
    return table


def _terrain(game: Game, case: Mapping[str, Any]) -> str | None:
    world, ground = world_of(game), case.get("ground", T.of(game).ground)
    cost = world.step(case["from"], case["to"], case["mobility"], ground=ground)
    return "ALL" if cost == ALL else None if cost is None else str(Fraction(cost, world.scale))


KINDS = {
    "step": _step,
    "allowance": _allowance,
    "way": _way,
    "trace": _trace,
    "provider": _provider,
    "usable": _usable,
    "in_reach": _in_reach,
    "fight": _fight,
    "crt": _crt,
    "weight": _weight,
    "retreat": _retreat,
    "shifts": _shifts,
    "density": _density,
    "refits": _refits,
    "heads": _heads,
    "flak": _flak,
    "capacity": _capacity,
    "terrain": _terrain,
    "table": _table,
    "count": _count,
    "candidates": _candidates,
    "intercepts": _intercepts,
    "surprise": _surprise,
    "combat_losses": _combat_losses,
    "legal_retreat": _legal_retreat,
    "defender_option": _defender_option,
    "attacker_option": _attacker_option,
}


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Return faults of an example's computations."""
    return computed(game, what, KINDS)
