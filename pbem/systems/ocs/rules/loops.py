"""4.0.9: Loops of actions: check, try and carry out an action, in a draft as in play.

`carry_out` alone does actions, and raises `Refused` if one is illegal. A draft runs it (`dry`) until it needs
dice or an answer: what follows is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Message, Refused

from . import works
from .actions import Action, Conditions
from .afloat import amphib, beaches, extenders, hauling, landings, transport
from .breakdowns import detach
from .consolidation import combine
from .fighting import air, barrage
from .fighting.targets import may_fire
from .pieces import Plane, T, Unit, craft, maybe_plane, maybe_unit, points, ships, units, world_of
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
    "regroup",
    "extender",
    "embark",
    "land",
)
ALLOWED = {
    "movement": MOVEMENT,
    "reaction": ("move", "fuel", "haul", "naval", "air", "blow", "release", "breakdown"),
    "exploitation": ("move", "fuel", "haul", "naval", "air", "blow", "release", "breakdown"),
    "air_naval": ("air", "fire"),
    "artillery": ("fire",),
    "all_barrage": ("air", "fire", "release"),
    "combat": ("attack", "assault", "release"),
}
ALWAYS = ("combine",)
"""4.3.5: Actions allowed in any phase."""
OFFENSIVE = ("fire", "attack", "assault")


async def carry_out(game: Game, side: str, segment: str, action: Action, others: frozenset[str]) -> Happened:
    """Carry out one action; return its results that may stop the loop (`StopIf`). Raises `Refused`."""
    kinds = action.kinds
    if len(kinds) != 1:
        raise Refused([illegal("E-ACTION", "4.0.9", Message("ocs.loops.action-exactly-one-thing"))])
    kind, order = kinds[0], action.order
    if kind not in (*ALLOWED[segment], *ALWAYS):
        code = {"fire": "E-BRG-PHASE", "air": "E-AIR-TYPE"}.get(kind, "E-MOVE-ELIGIBLE")
        raise Refused([illegal(code, "4.4.2", Message("ocs.air.has-no-place-in-segment", kind=kind), kind)])
    if T.of(game).simulcast and kind in OFFENSIVE:
        raise Refused(
            [illegal("E-SIMUL", "4.15", Message("ocs.loops.no-in-simulcast-turn", kind=kind), kind)]
        )
    return await DOERS[kind](game, side, segment, order, others)


Happened = frozenset[str]
NOTHING: Happened = frozenset()


async def _move(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    walk = Walk(game, side, order, others)
    await walk.run()
    results = {"overrun_failed"} if walk.failed else set()
    return frozenset(results | ({"loss_taken"} if walk.lost else set()))


async def _attack(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    fight = await works.attack(game, side, order)
    lost = fight is not None and any(
        maybe_unit(game, id) is None or fight.lost.get(id) for id in fight.attackers
    )
    return frozenset({"loss_taken"}) if lost else NOTHING


async def _air(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    steps = {id: Plane(game, id).lost for id in order.aircraft if maybe_plane(game, id) is not None}
    flown = await air.fly(game, side, segment, order)
    hurt = any((p := maybe_plane(game, id)) is None or p.lost > lost for id, lost in steps.items())
    results = set() if flown else {"mission_aborted"}
    return frozenset(results | ({"loss_taken"} if hurt else set()))


async def _release(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    for u in own_units(game, side, order.units):
        release(game, u)
    return NOTHING


async def _haul(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    await hauling.haul(game, side, order, others)
    return NOTHING


async def _fire(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    await barrage.fire(game, side, segment, order)
    return NOTHING


async def _blow(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    await works.blow(game, side, order)
    return NOTHING


def _sail(game: Game, side: str, order: Any) -> None:
    """4.12.1: Sail ships or Landing Craft."""
    named = {c.id for c in craft(game, side)}
    if named & set(order.ships):
        amphib.sail_craft(game, side, order)
    else:
        hauling.sail(game, side, order)


def _plain(do: Callable[..., None], *, named: bool = False) -> Doer:
    """Return an action without dice. `named`: it needs the counters that later actions name."""

    async def act(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
        if named:
            do(game, side, order, others)
        else:
            do(game, side, order)
        return NOTHING

    return act


async def _land(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    await landings.land(game, side, order)
    return NOTHING


async def _assault(game: Game, side: str, segment: str, order: Any, others: frozenset[str]) -> Happened:
    f = await beaches.assault(game, side, order)
    return frozenset({"loss_taken"}) if f is not None and f.lost else NOTHING


Doer = Callable[[Game, str, str, Any, frozenset[str]], Coroutine[Any, Any, Happened]]
DOERS: dict[str, Doer] = {
    "move": _move,
    "attack": _attack,
    "air": _air,
    "release": _release,
    "haul": _haul,
    "fire": _fire,
    "blow": _blow,
    "stand": _plain(stand),
    "fuel": _plain(works.buy_fuel, named=True),
    "build": _plain(works.build, named=True),
    "breakdown": _plain(detach),
    "combine": _plain(combine),
    "regroup": _plain(hauling.regroup),
    "extender": _plain(extenders.extend),
    "rail": _plain(transport.rail),
    "ship_cargo": _plain(transport.ship),
    "naval": _plain(_sail),
    "embark": _plain(amphib.embark),
    "land": _land,
    "assault": _assault,
}


def dry(work: Coroutine[Any, Any, Any]) -> bool:
    """Run a coroutine until it ends or waits for dice or an answer; return True if it ended."""
    try:
        work.send(None)
        return False
    except StopIteration:
        return True
    finally:
        work.close()


def faults_of(
    game: Game, side: str, segment: str, action: Action, others: frozenset[str]
) -> list[Diagnostic]:
    """Return all faults of an action on the present board; `game` must be a copy, which this changes."""
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


def holds(game: Game, side: str, tests: Conditions | None) -> bool:
    """4.0.9: Return True if the conditions of an action hold now."""
    if tests is None:
        return True
    checks = []
    if tests.hex_vacant is not None:
        checks.append(not units(game, at=tests.hex_vacant))
    if tests.hex_held is not None:
        checks.append(bool(units(game, at=tests.hex_held)))
    if tests.hex_mine is not None:
        checks.append(T.of(game).control.get(tests.hex_mine) == side)
    if tests.no_enemy is not None:
        checks.append(not units(game, world_of(game).enemy(side), tests.no_enemy))
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
    """R-130: Return True if a side can do anything in a segment."""
    if segment == "movement":
        own = units(game, side) or points(game, side) or ships(game, side) or craft(game, side)
        return bool(own) or air.may_fly(game, side)
    if segment in ("reaction", "exploitation"):
        return bool(ready(game, side, segment)) or air.may_fly(game, side) or bool(ships(game, side))
    if segment == "combat":
        return bool(ready(game, side, segment)) or beaches.can_assault(game, side)
    return may_fire(game, side, segment)


def ready(game: Game, side: str, segment: str) -> list[Unit]:
    """R-130: Return the units that may still move, or attack an adjacent hex, in this segment."""
    mine, late = units(game, side), T.of(game).phase == "G"
    if segment in ("reaction", "exploitation"):
        marks = ("reserve", "exploit") if segment == "exploitation" else ("reserve",)
        return [u for u in mine if not u.done and not u.committed and (u.marker in marks or u.released)]
    if segment != "combat":
        return [u for u in mine if not u.done]
    world, attacked = world_of(game), T.of(game).attacked
    able = [u for u in mine if not u.attacked and (u.attack_capable or (late and u.marker == "reserve"))]
    if late:
        able = [u for u in able if u.marker in ("exploit", "reserve") or u.released]
    foes = {u.hex for u in units(game, world.enemy(side)) if u.hex not in attacked}
    return [u for u in able if any(to in foes for to in world.beside(u.hex or ""))]
