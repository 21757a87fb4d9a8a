"""4.4.12 What an enemy who enters a hex does to dumps, points, facilities, ships; control (R-102)."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules import Game, roll

from .events.fighting import AircraftChecked, ShipLost
from .events.moving import DumpCaptured, FacilityTaken, PointsCaptured
from .moving import take_control
from .pieces import Base, Dump, Plane, Points, Port, T, Works, planes, points, ships, world_of
from .reach import give, stores
from .strength import rnd


async def enter_hex(game: Game, side: str, hex: str, *, advance: bool = False) -> None:
    """Everything that a side's combat units do to a hex by entering it, in the order of 4.4.12."""
    enemy = world_of(game).enemy(side)
    if hex not in world_of(game).terrains or not world_of(game).land(hex):
        return
    await _dump(game, side, enemy, hex)
    await _points(game, side, enemy, hex)
    await _facilities(game, side, enemy, hex, advance)
    for ship in ships(game, enemy, hex):
        ship.remove()
        game.emit(ShipLost(enemy, ship.id, hex, "port taken"))
    take_control(game, side, hex)


async def _dump(game: Game, side: str, enemy: str, hex: str) -> None:
    t = T.of(game)
    dump = t.dumps.get(hex)
    if dump is None or dump.owner != enemy:
        return
    die = await roll("1d6", "capture", "dump", hex)
    percent = int(world_of(game).supply["capture"]["dump"][str(die.total)])
    got = rnd(Fraction(dump.t * percent, 100))
    del t.dumps[hex]
    if got:
        t.dumps[hex] = Dump(side, got)
    game.emit(DumpCaptured(side, hex, die, percent, dump.t, got))


async def _points(game: Game, side: str, enemy: str, hex: str) -> None:
    slow = int(world_of(game).numbers["slow_wheels_ma"])
    for type in ("truck", "wagon"):
        listed = [p for p in points(game, enemy, hex) if (p.ma > slow) == (type == "truck")]
        if not listed:
            continue
        die = await roll("1d6", "capture", type, hex)
        percent = int(world_of(game).supply["capture"][type][str(die.total)])
        _split(game, side, hex, listed, percent, die, type)


def _split(
    game: Game, side: str, hex: str, listed: list[Points], percent: int, die: object, type: str
) -> None:
    """Points and load by percent; plain before organic, then by id; the rest goes elsewhere (R-35, R-49)."""
    count, load = sum(p.points for p in listed), sum(p.load for p in listed)
    taken, got = rnd(Fraction(count * percent, 100)), rnd(Fraction(load * percent, 100))
    left, ma, mobility, kind = taken, listed[0].ma, listed[0].mobility, listed[0].type
    for p in sorted(listed, key=lambda p: (p.organic_of is not None, p.id)):
        used = min(left, p.points)
        left -= used
        p.points -= used
    lost_load = sum(p.load for p in listed) - (load - got)
    for p in listed:
        cut = min(max(0, lost_load), p.load)
        p.load -= cut
        lost_load -= cut
    where = _displace(game, listed[0].owner, hex, type)
    for p in listed:
        if p.points == 0 or where is None:
            p.remove()
        else:
            p.hex = where
    if taken:
        t = T.of(game)
        t.made[side] = t.made.get(side, 0) + 1
        id = f"{side[0].upper()}-CP{t.made[side]}"
        carried = min(got, taken * world_of(game).point_T)
        Points.add(
            game, id, owner=side, kind="transport", hex=hex, type=kind, points=taken, ma=ma,
            mobility=mobility,
            load=carried, captured_turn=True,
        )  # fmt: skip
        give(game, side, hex, got - carried)
    else:
        give(game, side, hex, got)
    game.emit(PointsCaptured(side, hex, die, type, taken, got, where or ""))  # type: ignore[arg-type]


def _displace(game: Game, owner: str, hex: str, type: str) -> str | None:
    """R-35 The land hex without enemies nearest to a friendly dump or HQ, within 10 (5) hexes."""
    from .pieces import units

    world = world_of(game)
    far = int(world.numbers["displace"][type])
    goals = [s.hex for s in stores(game, owner) if s.hex != hex]
    goals += [u.hex for u in units(game, owner) if u.is_hq and u.hex and u.hex != hex]
    enemy_there = {u.hex for u in units(game, world.enemy(owner))}
    found = []
    for to in world.within(hex, far):
        if to != hex and world.land(to) and to not in enemy_there:
            found.append((world.nearest(to, goals), world.distance(hex, to), to))
    return min(found)[2] if found else None


async def _facilities(game: Game, side: str, enemy: str, hex: str, advance: bool) -> None:
    t = T.of(game)
    works = t.hedgehogs.get(hex)
    if works is not None and works.owner == enemy:
        t.hedgehogs[hex] = Works(side, works.level, works.worked)
        game.emit(FacilityTaken(side, hex, "hedgehog"))
    base = t.bases.get(hex)
    if base is not None and base.owner == enemy:
        t.bases[hex] = Base(side, base.level, base.refitted, base.worked)
        game.emit(FacilityTaken(side, hex, "air base"))
        for plane in planes(game, enemy, hex):
            await _escape(game, plane, advance)
    port = t.ports.get(hex)
    if port is not None and port.owner == enemy:
        t.ports[hex] = Port(side, port.printed_t, port.hits, port.worked, port.used)
        game.emit(FacilityTaken(side, hex, "port"))


async def _escape(game: Game, plane: Plane, advance: bool) -> None:
    """T-AIR-BASE-CAPTURE, then away to a base within twice the range."""
    chart = world_of(game).tables["air"]["base_capture"]
    die = await roll(chart["dice"], "base", plane.id)
    total = die.total + (chart["active"] if plane.active else 0)
    total += chart["by_advance_after_combat"] if advance else 0
    hit = total <= chart["step_loss_at_most"]
    game.emit(AircraftChecked(plane.owner, plane.id, die, int(chart["step_loss_at_most"]) + 1, int(hit)))
    if hit and lose_plane_step(plane):
        return
    base = nearest_base(game, plane, 2 * plane.print.range)
    if base is None:
        bury_plane(plane)
        return
    plane.hex, plane.active = base, False


def lose_plane_step(plane: Plane) -> bool:
    """A step of an aircraft; True if it is gone."""
    if plane.lost:
        bury_plane(plane)
        return True
    plane.lost = 1
    return False


def bury_plane(plane: Plane) -> None:
    fields = plane.position.counters[plane.id]
    kept = {key: fields[key] for key in ("owner", "kind", "type", "printed") if key in fields}
    T.of(plane.board).dead[plane.id] = kept
    plane.remove()


def nearest_base(game: Game, plane: Plane, far: int, start: str | None = None) -> str | None:
    """The friendly base nearest to where an aircraft is (or to `start`), within some hexes."""
    world, here = world_of(game), start or plane.hex or ""
    found = [
        (world.distance(here, hex), hex)
        for hex, base in sorted(T.of(game).bases.items())
        if base.owner == plane.owner and world.distance(here, hex) <= far
    ]
    return min(found)[1] if found else None
