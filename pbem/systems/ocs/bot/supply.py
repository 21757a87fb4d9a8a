"""The sensible player's supply: trains to the last station, trucks to the foremost HQ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.ways import Ways, along, ways

from ..rules.actions import Haul, HaulStep, Rail
from ..rules.moving import holds_enemy_things
from ..rules.pieces import Points, T, points, units, world_of
from ..rules.supply.trace import rail_heads
from ..rules.world import ALL
from ..rules.zones import Ground

NEARER = 3  # hexes that a transport must bring supply nearer
SAFE = 2  # distance to the enemy at which supply may be dropped
LEAST_T = 4  # least supply (T) worth a trip
LOADING = Fraction(8, 10)  # share of the allowance left after loading and unloading


def enemies(game: Any, side: str) -> list[str]:
    """Return the hexes of the enemy's units."""
    world = world_of(game)
    return sorted({u.hex or "" for u in units(game, world.enemy(side)) if u.hex in world.terrains})


def dumps(game: Any, side: str) -> list[tuple[str, int]]:
    """Return own dumps with the T that may leave, those farthest from the enemy first."""
    world, foes = world_of(game), enemies(game, side)
    listed = [(hex, dump.t - dump.fresh) for hex, dump in T.of(game).dumps.items() if dump.owner == side]
    far = [(-world.nearest(hex, foes), hex, t) for hex, t in listed if t >= LEAST_T and hex in world.terrains]
    return [(hex, t) for _, hex, t in sorted(far)]


def trains(game: Any, side: str) -> Iterator[Rail]:
    """Yield a train from the rearmost station with supply to the foremost safe one."""
    world, t, foes = world_of(game), T.of(game), enemies(game, side)
    cap = int(int(world.oob[side].get("rail_cap", 0)) * world.point_T - t.rail_used)
    heads = [hex for hex in rail_heads(game, side, cargo=True) if world.nearest(hex, foes) >= SAFE]
    if not heads or cap < LEAST_T:
        return
    goal = min(heads, key=lambda hex: (world.nearest(hex, foes), hex))
    ground = Ground(game, side)

    def open_rail(hex: str) -> bool:
        return hex not in ground.hostile and hex not in ground.zoc and t.control.get(hex) == side

    for origin, there in dumps(game, side):
        if origin in heads and world.nearest(origin, foes) >= world.nearest(goal, foes) + NEARER:
            way = along(world, "railroad", origin, open_rail).get(goal)
            if way:
                yield Rail(way, tokens=min(there, cap), origin=origin)


def trucks(game: Any, side: str) -> Iterator[Haul]:
    """Yield a trip of each truck column from the rearmost dump to the foremost HQ."""
    world, foes = world_of(game), enemies(game, side)
    hqs = [u.hex or "" for u in units(game, side) if u.is_hq and u.hex in world.terrains]
    safe = [hex for hex in hqs if world.nearest(hex, foes) >= SAFE]
    if not safe:
        return
    goal = min(safe, key=lambda hex: (world.nearest(hex, foes), hex))
    for p in points(game, side):
        if p.organic_of is None and not p.done and p.hex in world.terrains:
            trip = _round(game, p, goal, dumps(game, side))
            if trip is not None:
                yield trip


def _round(game: Any, p: Points, goal: str, listed: Sequence[tuple[str, int]]) -> Haul | None:
    """Return the trip of one column."""
    world, foes = world_of(game), enemies(game, p.owner)
    here = p.hex or ""
    if p.load:
        way = () if here == goal else _ways(game, p, here).get(goal)
        return None if way is None else Haul((p.id,), steps=(HaulStep(to=way, unload=p.load),))
    for origin, there in listed:
        if world.nearest(origin, foes) < world.nearest(goal, foes) + NEARER:
            continue
        first = () if here == origin else _ways(game, p, here).get(origin)
        second = _ways(game, p, origin).get(goal)
        if first is None or second is None:
            continue
        cost = (_ways(game, p, here).cost(origin) if first else 0) + _ways(game, p, origin).cost(goal)
        if cost <= p.ma * LOADING * world.scale:
            load = min(p.capacity, there)
            steps = (HaulStep(to=tuple(first), load=load), HaulStep(to=tuple(second), unload=load))
            return Haul((p.id,), steps=steps)
    return None


def _ways(game: Any, p: Points, start: str) -> Ways:
    """Return where transport points come in a phase, outside the enemy's zones."""
    world, ground, weather = world_of(game), Ground(game, p.owner), T.of(game).ground

    def cost(a: str, b: str) -> int | None:
        if b in ground.hostile or not world.land(b) or holds_enemy_things(game, p.owner, b):
            return None
        step = world.step(a, b, p.mobility, ground=weather)
        return None if step is None or step == ALL or b in ground.zoc else step

    return ways(world, start, cost, int(p.ma * LOADING * world.scale))
