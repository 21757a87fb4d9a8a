"""The sensible player's defence: who holds which scoring place, who withdraws, who strikes back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..rules.actions import Action, Build, Move, Stand
from ..rules.moving import can_move, fuelled, unit_ways
from ..rules.pieces import T, Unit, craft, total_re, units, world_of
from ..rules.supply.trace import Tracing

WANTED_RE = 7  # RE to keep in a victory place, as far as there is room
GUARD_RE = 3  # RE that protect HQs and artillery in the same hex
DIGS_T = 14  # supply (T) needed before a hedgehog is built
ENGINEERS = 2  # hexes within which engineers build it
SAFE = {"hq": 3, "artillery": 2}  # hexes that each type keeps from the enemy
FEW_RE = 2  # RE that are enough where no enemy is near
PRESSED = 3  # distance at which an enemy can attack next turn
THREAT = 9  # distance at which an enemy threatens a place


def places(game: Any, side: str) -> list[str]:
    """Return the scoring places held, those nearest to the side's own supply first: they are held longest."""
    world, control = world_of(game), T.of(game).control
    worth, sources = world.victory["held_for"], world.sources[side]
    held = [hex for hex in worth if control.get(hex) == side]
    return sorted(held, key=lambda hex: (world.nearest(hex, sources), -worth[hex], hex))


def _foes(game: Any, side: str) -> list[str]:
    world = world_of(game)
    return sorted({u.hex or "" for u in units(game, world.enemy(side)) if u.hex in world.terrains})


def threatened(game: Any, side: str, hex: str) -> bool:
    """Return True if an enemy is near enough to come for a place, or may come from the sea."""
    world, foes = world_of(game), _foes(game, side)
    coast = any(world.sea(n) for n in world.beside(hex))
    return bool(foes) and (
        world.nearest(hex, foes) <= THREAT or (coast and bool(craft(game, world.enemy(side))))
    )


def pressed(game: Any, side: str, hex: str) -> bool:
    """Return True if an enemy is so near that units there turn to combat mode."""
    foes = _foes(game, side)
    return bool(foes) and world_of(game).nearest(hex, foes) <= PRESSED


def posts(game: Any, side: str) -> dict[str, str]:
    """Return unit -> the place that it holds or goes to.

    A unit there stays while it is needed, then the nearest come. Behind the foremost place one unit is on its
    supply path.
    """
    world, assigned = world_of(game), dict[str, str]()
    goals = places(game, side)
    able = [u for u in units(game, side) if u.there and u.hex in world.terrains and _fights(u)]
    room = {hex: Fraction(WANTED_RE if threatened(game, side, hex) else FEW_RE) for hex in goals}
    for hex in goals[-1:]:
        behind = min(world.beside(hex), key=lambda h: (world.nearest(h, world.sources[side]), h))
        if behind not in room and world.land(behind) and not units(game, world.enemy(side), behind):
            goals.append(behind)
            room[behind] = Fraction(GUARD_RE)
    for here in (True, False):
        for hex in goals:
            near = [u for u in able if u.id not in assigned and (u.hex == hex) == here]
            near.sort(key=lambda u: (world.distance(u.hex or "", hex), -Fraction(u.side.strength or 0), u.id))
            for u in near:
                if room[hex] >= u.re and (here or world.distance(u.hex or "", hex) <= THREAT):
                    room[hex] -= u.re
                    assigned[u.id] = hex
    return assigned


def serves(u: Unit) -> bool:
    """Return True if a unit is an HQ or artillery, which stay behind the fighters."""
    return u.is_hq or u.kind == "artillery"


def _fights(u: Unit) -> bool:
    return not serves(u) and not u.kind.startswith("repl")


def to_post(game: Any, u: Unit, goal: str) -> Move | None:
    """Return the way to a post: on the fighting side if possible, else the one that ends nearest."""
    world = world_of(game)
    fuel = None if fuelled(game, u) else "single"
    most = int(world.numbers["stacking_re"])
    now = world.distance(u.hex or "", goal)
    free = u.marker == "reserve" and T.of(game).phase != "C"
    before, marker = u.facing, u.marker
    for facing in ("combat",) if free else ("combat", "move"):
        if not free:
            u.facing, u.marker = facing, "none"  # type: ignore[assignment]
        posts = []
        for path, cost in unit_ways(game, u, released=free):
            end = path[-1]
            room = total_re(units(game, u.owner, end)) + u.re <= most
            if room and world.distance(end, goal) < now:
                posts.append((world.distance(end, goal), cost, end, path))
        u.facing, u.marker = before, marker
        best = next((post for post in sorted(posts)[:6] if _fed_at(game, u, post[2])), None)
        if best is not None and (facing == "move" or free or best[0] == 0):
            turned, mode = (None, None) if free else (facing, "plain")
            return Move((u.id,), best[3], facing=turned, mode=mode, fuel=fuel, release=free)  # type: ignore[arg-type]
    return None


def _fed_at(game: Any, u: Unit, hex: str) -> bool:
    """Return True if the unit would be in trace there."""
    before, u.hex = u.hex, hex
    traced = Tracing(game, u.owner).traced(u)
    u.hex = before
    return traced


def kept_back(game: Any, u: Unit) -> Iterator[Action]:
    """Yield moves of HQs and artillery out of the enemy's reach; safe ones turn to work."""
    world, foes, safe = world_of(game), _foes(game, u.owner), SAFE[u.kind]
    if u.hex not in world.terrains or not foes:
        return
    guarded = total_re([v for v in units(game, u.owner, u.hex) if _fights(v)]) >= GUARD_RE
    if world.nearest(u.hex, foes) > safe or guarded:
        if (stand := stands(game, u)) is not None:
            yield Action(stand=stand)
        elif u.is_hq and (work := digs(game, u)) is not None:
            yield work
        return
    facing, u.facing = u.facing, "move"
    kept = [
        (abs(world.nearest(path[-1], foes) - safe - 1), cost, path[-1], path)
        for path, cost in unit_ways(game, u)
        if world.nearest(path[-1], foes) > world.nearest(u.hex, foes)
    ]
    fuel = None if fuelled(game, u) else "single"
    u.facing = facing
    if kept:
        path = min(kept)[3]
        yield Action(move=Move((u.id,), path, facing="move", mode="plain", fuel=fuel))  # type: ignore[arg-type]


def digs(game: Any, hq: Unit) -> Action | None:
    """Return a hedgehog where own units hold most."""
    world = world_of(game)
    supply = sum(d.t for d in T.of(game).dumps.values() if d.owner == hq.owner)
    for hex in places(game, hq.owner) if supply >= DIGS_T else ():
        if units(game, hq.owner, hex) and world.distance(hq.hex or "", hex) <= ENGINEERS:
            return Action(build=Build((hq.id,), "hedgehog", hex))
    return None


def gives_ground(game: Any, u: Unit) -> Move | None:
    """Return a withdrawal of a unit in contact without a post, to a hex in trace."""
    world, foes = world_of(game), _foes(game, u.owner)
    if not foes or world.nearest(u.hex or "", foes) > 1 or u.marker == "dg":
        return None
    now = world.nearest(u.hex or "", foes)
    fed = Tracing(game, u.owner).fed()
    given_up = []
    for path, cost in unit_ways(game, u):
        end = path[-1]
        if world.nearest(end, foes) > now and end in fed:
            given_up.append((-world.nearest(end, foes), cost, end, path))
    return Move((u.id,), min(given_up)[3]) if given_up else None


def stands(game: Any, u: Unit) -> Stand | None:
    """Return the change to combat mode of a unit at its post."""
    if u.facing == "combat" and u.marker == "none":
        return None
    return None if u.marker == "dg" or can_move(game, u) else Stand((u.id,), "combat", "plain")
