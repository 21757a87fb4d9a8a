"""4.0.9 Loops of actions: one way to check, to try and to carry out an action, in a draft and in play.

`carry_out` is the one function that does an action; it raises `Refused` where it is illegal. A draft
drives it until it wants dice or an answer (`dry`): what comes after nobody knows yet.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Refused

from . import air, barrage, hauling, works
from .actions import Action, Conditions
from .pieces import T, maybe_unit, units, world_of
from .walk import Walk, own_units, release, stand

MOVEMENT = (
    "move",
    "stand",
    "fuel",
    "haul",
    "rail",
    "ship_cargo",
    "naval",
    "air",
    "build",
    "blow",
    "breakdown",
)
ALLOWED = {
    "movement": MOVEMENT,
    "reaction": ("move", "fuel", "naval", "air", "blow", "release"),
    "exploitation": ("move", "fuel", "naval", "air", "blow", "release"),
    "air_naval": ("air", "fire"),
    "artillery": ("fire",),
    "all_barrage": ("air", "fire", "release"),
    "combat": ("attack", "release"),
}
OFFENSIVE = ("fire", "attack")


async def carry_out(game: Game, side: str, segment: str, action: Action, others: frozenset[str]) -> None:
    """Do one action. Raises `Refused`."""
    kinds = action.kinds
    if len(kinds) != 1:
        raise Refused([illegal("E-ACTION", "4.0.9", "an action is exactly one thing")])
    kind, what = kinds[0], action.what
    if kind not in ALLOWED[segment]:
        code = {"fire": "E-BRG-PHASE", "move": "E-MOVE-ELIGIBLE", "air": "E-WEATHER"}.get(kind, "E-MODE")
        raise Refused([illegal(code, "4.4.2", f"{kind} has no place in this segment", kind)])
    if T.of(game).simulcast and kind in OFFENSIVE:
        raise Refused([illegal("E-SIMUL", "4.15", f"no {kind} in a simulcast turn", kind)])
    match kind:
        case "move":
            await Walk(game, side, what, others).run()
        case "stand":
            stand(game, side, what)
        case "release":
            for u in own_units(game, side, what.units):
                release(game, u)
        case "fuel":
            works.buy_fuel(game, side, what)
        case "build":
            works.build(game, side, what)
        case "blow":
            await works.blow(game, side, what)
        case "breakdown":
            works.detach(game, side, what)
        case "haul":
            await hauling.haul(game, side, what, others)
        case "rail":
            hauling.rail(game, side, what)
        case "ship_cargo":
            hauling.ship(game, side, what)
        case "naval":
            hauling.sail(game, side, what)
        case "fire":
            await barrage.fire(game, side, segment, what)
        case "attack":
            await works.attack(game, side, what)
        case "air":
            await air.fly(game, side, segment, what)


def dry(work: Coroutine[Any, Any, None]) -> None:
    """Drive a coroutine until it is done or waits for dice or an answer. Raises what it raises."""
    try:
        work.send(None)
    except StopIteration:
        return
    finally:
        work.close()


def faults_of(
    game: Game, side: str, segment: str, action: Action, others: frozenset[str]
) -> list[Diagnostic]:
    """Everything wrong with an action as the board stands; `game` is a board of its own and is changed."""
    try:
        dry(carry_out(game, side, segment, action, others))
    except Refused as refused:
        kind = action.kinds[0] if action.kinds else ""
        return [
            Diagnostic(
                f.code,
                f.message,
                family="illegal",
                rule=f.rule,
                path=(kind, *f.path) if kind and f.path[:1] != (kind,) else f.path,
                help=f.help,
            )
            for f in refused.diagnostics
        ]
    return []


def holds(game: Game, tests: Conditions | None) -> bool:
    """4.0.9 Do the conditions of an action hold now?"""
    if tests is None:
        return True
    checks = []
    if tests.hex_vacant is not None:
        checks.append(not units(game, at=tests.hex_vacant))
    if tests.hex_held is not None:
        checks.append(bool(units(game, at=tests.hex_held)))
    if tests.unit_alive is not None:
        checks.append(maybe_unit(game, tests.unit_alive) is not None)
    if tests.unit_not_dg is not None:
        u = maybe_unit(game, tests.unit_not_dg)
        checks.append(u is not None and u.marker != "dg")
    for hex, t in sorted((tests.supply_at_least or {}).items()):
        dump = T.of(game).dumps.get(hex)
        checks.append(dump is not None and dump.t >= t)
    return all(checks)


def anything_to_do(game: Game, side: str, segment: str) -> bool:
    """R-130 Could this side do anything in this segment?"""
    mine = units(game, side)
    if segment == "movement":
        return bool(mine)
    if segment in ("reaction", "exploitation"):
        ready = any(
            u.marker == "reserve" or (segment == "exploitation" and u.marker == "exploit") for u in mine
        )
        return ready or air.may_fly(game, side) or hauling.has_ships(game, side)
    if segment == "combat":
        world, t = world_of(game), T.of(game)
        able = [u for u in mine if u.attack_capable or u.marker == "reserve"]
        if t.phase == "G":
            able = [u for u in able if u.marker in ("exploit", "reserve") or u.released]
        foes = {u.hex for u in units(game, world.enemy(side))}
        return any(to in foes for u in able for to in world.beside(u.hex or ""))
    return barrage.may_fire(game, side, segment)
