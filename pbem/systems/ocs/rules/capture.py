"""4.4.12 What an enemy who enters a hex does to dumps, points, facilities, ships; control (R-102)."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules import Board, Game, Message, Roll, roll

from .decisions.flying import BaseChoice, Displace, Displaced
from .events.fighting import AircraftChecked, ShipLost
from .events.moving import DumpCaptured, FacilityTaken, HexTaken, PointsCaptured, SupplyFellTo
from .moving import holds_enemy_things, take_control
from .pieces import (
    Base,
    Dump,
    Plane,
    Points,
    Port,
    Ship,
    T,
    Works,
    craft,
    extenders,
    planes,
    points,
    serial,
    ships,
    units,
    world_of,
)
from .sealing import ask
from .stores import give, stores
from .strength import rnd
from .views import secret


async def enter_hex(game: Game, side: str, hex: str, *, advance: bool = False) -> None:
    """Everything that a side's combat units do to a hex by entering it, in the order of 4.4.12."""
    enemy = world_of(game).enemy(side)
    if hex not in world_of(game).terrains or not world_of(game).land(hex):
        return
    await _dump(game, side, enemy, hex)
    await _points(game, side, enemy, hex)
    await _extenders(game, side, enemy, hex)
    await _facilities(game, side, enemy, hex, advance)
    for ship in ships(game, enemy, hex):
        sink(game, ship)
        game.emit(ShipLost(enemy, ship.id, hex, Message("ocs.capture.port-taken")))
    for one in craft(game, enemy, hex):
        from .amphib import sink_craft  # who loads walks, and who walks captures

        sink_craft(game, one)
    before = T.of(game).control.get(hex, "")
    if take_control(game, side, hex) and before == enemy and world_of(game).is_noted(hex):
        game.emit(HexTaken(side, hex, before))


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


def put_down(game: Game, side: str, hex: str, t: int, *, fresh: bool = False) -> None:
    """R-304: Put T on the ground; tell it where the enemy's dump takes them."""
    owner = give(game, side, hex, t, fresh=fresh)
    if owner != side and t > 0:
        game.emit(SupplyFellTo(owner, side, hex, t))


async def _points(game: Game, side: str, enemy: str, hex: str) -> None:
    slow = int(world_of(game).numbers["slow_wheels_ma"])
    for type in ("truck", "wagon"):
        listed = [p for p in points(game, enemy, hex) if (p.ma > slow) == (type == "truck")]
        if not listed:
            continue
        die = await roll("1d6", "capture", type, hex)
        percent = int(world_of(game).supply["capture"][type][str(die.total)])
        wanted: Displaced = await ask(game, Displace(enemy, hex))
        _split(game, side, hex, listed, (percent, die, type), wanted)


def _split(
    game: Game, side: str, hex: str, listed: list[Points], rolled: tuple[int, Roll, str], wanted: Displaced
) -> None:
    """Points and load by percent; the owner says which are lost, by default plain before organic, then by id
    (D-CAP). The rest goes elsewhere with what it can carry (R-35, R-49)."""
    percent, die, type = rolled
    owner, t, point = listed[0].owner, T.of(game), world_of(game).point_T
    unit = 1 if world_of(game).scenario.get("token_trucks") else point  # by tokens, or whole points
    size, load = sum(p.capacity for p in listed), sum(p.load for p in listed)
    taken, got = unit * rnd(Fraction(size * percent, 100 * unit)), rnd(Fraction(load * percent, 100))
    rank = {id: n for n, id in enumerate(wanted.lose)}
    listed.sort(key=lambda p: (rank.get(p.id, len(rank)), p.organic_of is not None, p.id))
    left, kinds = taken, dict[tuple[str, int, str], int]()
    for p in listed:
        used = min(left, p.capacity)
        left -= used
        if used:
            before = p.points
            p.points, p.tokens = divmod(p.capacity - used, point)
            kinds[p.type, p.ma, p.mobility] = kinds.get((p.type, p.ma, p.mobility), 0) + used
            key = f"{owner}/{p.type}"
            t.points_lost[key] = t.points_lost.get(key, 0) + before - p.points
    where = displaced_to(game, owner, hex, type, wanted.towards)
    _flee(listed, load - got, where)
    carried = _captured(game, side, hex, kinds, got)
    give(game, side, hex, got - carried)
    if where is None:
        for p in listed:
            if p.there and p.capacity:
                key = f"{owner}/{p.type}"
                t.points_lost[key] = t.points_lost.get(key, 0) + p.points
            if p.there:
                p.remove()
    game.emit(PointsCaptured(side, hex, die, type, taken // point, got, secret(game, where or "", "")))


def _flee(listed: list[Points], load: int, where: str | None) -> None:
    """The points that are left take along what is left of the load; without any it is lost (R-49)."""
    left = [p for p in listed if p.capacity]
    for p in listed:
        p.load = min(p.load, p.capacity, load)
        load -= p.load
    for p in left:
        more = min(load, max(0, p.capacity - p.load))
        p.load += more
        load -= more
    if left:
        left[0].load += load
    for p in listed:
        if not p.capacity:
            if p.organic_of is not None:
                fields = p.position.counters[p.id]
                keys = ("owner", "kind", "type", "ma", "mobility", "organic_of")
                T.of(p.board).dead[p.id] = {key: fields[key] for key in keys} | {"points": 1}
            p.remove()
        elif where is not None:
            p.hex = where


def _captured(game: Game, side: str, hex: str, kinds: dict[tuple[str, int, str], int], load: int) -> int:
    """The captor's points, one counter of each kind, with the load they carry (R-124)."""
    carried = 0
    for (type, ma, mobility), size in kinds.items():
        part = min(load - carried, size)
        points_, tokens = divmod(size, world_of(game).point_T)
        Points.add(
            game, f"{side[0].upper()}-CP{serial(game, side)}", owner=side, kind="transport", hex=hex,
            type=type, points=points_, tokens=tokens, ma=ma, mobility=mobility, load=part, captured_turn=True,
        )  # fmt: skip
        carried += part
    return carried


def displaced_to(game: Game, owner: str, hex: str, type: str, towards: str | None = None) -> str | None:
    """R-35 Within 10 (5) hexes a land hex without enemies, nearest to the hex wanted, else to a friendly dump
    or HQ."""
    world = world_of(game)
    far = int(world.numbers["displace"][type])
    goals = [s.hex for s in stores(game, owner) if s.hex != hex]
    goals += [u.hex for u in units(game, owner) if u.is_hq and u.hex in world.terrains and u.hex != hex]
    goals = [towards] if towards is not None else goals
    foes = {u.hex for u in units(game, world.enemy(owner))}
    found = [
        (world.nearest(to, goals), world.distance(hex, to), to)
        for to in world.within(hex, far)
        if to != hex and world.land(to) and to not in foes and not holds_enemy_things(game, owner, to)
    ]
    return min(found)[2] if found else None


async def _extenders(game: Game, side: str, enemy: str, hex: str) -> None:
    """4.4.12 step 3: they collapse to where they are in trace, else they are points here, which step 2
    applies to."""
    from .extenders import collapse, to_points

    for one in extenders(game, enemy, hex):
        if not collapse(game, one):
            to_points(game, one)
            await _points(game, side, enemy, hex)


async def _facilities(game: Game, side: str, enemy: str, hex: str, advance: bool) -> None:
    t = T.of(game)
    works = t.hedgehogs.get(hex)
    if works is not None and works.owner == enemy:
        t.hedgehogs[hex] = Works(side, works.level, works.worked)
        game.emit(FacilityTaken(side, hex, "hedgehog"))
    base = t.bases.get(hex)
    if base is not None and base.owner == enemy:
        t.bases[hex] = Base(side, base.level, base.refitted, base.worked)
        game.emit(FacilityTaken(side, hex, Message("ocs.capture.air-base")))
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
    base = await chosen_base(game, plane, 2 * plane.print.range, plane.hex or "", home=False)
    if base is None:
        bury_plane(plane)
        return
    settle_plane(game, plane, base)


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


def bases_of(board: Board, side: str) -> dict[str, int]:
    """4.2.1, 4.12.6 Where a side has air bases, and their level: those on land, and its carriers."""
    world = world_of(board)
    found = {hex: base.level for hex, base in sorted(T.of(board).bases.items()) if base.owner == side}
    level = int(world.numbers["carrier_level"])
    for ship in ships(board, side):
        if ship.print.carrier and ship.hex in world.terrains:
            found.setdefault(ship.hex or "", level)
    return found


def carrier_at(board: Board, side: str, hex: str) -> Ship | None:
    """The carrier whose base this is, where there is none on land."""
    base = T.of(board).bases.get(hex)
    if base is not None and base.owner == side:
        return None
    return next((one for one in ships(board, side, hex) if one.print.carrier), None)


def settle_plane(game: Game, plane: Plane, hex: str, *, active: bool = False) -> None:
    """An aircraft stands at a base; Active only while there is room (4.0.6)."""
    level = bases_of(game, plane.owner).get(hex, 0)
    room = int(world_of(game).numbers["base_active"]) + level
    busy = sum(1 for p in planes(game, plane.owner, hex) if p.active and p.id != plane.id)
    plane.hex, plane.active = hex, active and busy < room


def sink(game: Game, ship: Ship) -> None:
    """A ship is gone, a carrier with all that is aboard."""
    if carrier_at(game, ship.owner, ship.hex or "") is not None and ship.print.carrier:
        others = [s for s in ships(game, ship.owner, ship.hex) if s.print.carrier and s.id != ship.id]
        for plane in planes(game, ship.owner, ship.hex) if not others else ():
            bury_plane(plane)
    ship.remove()


async def chosen_base(game: Game, plane: Plane, far: int, start: str, *, home: bool = True) -> str | None:
    """D-BASES The base an aircraft goes to: its own if that is near enough, as the owner ranks them, the
    nearest."""
    world = world_of(game)
    found = [hex for hex in bases_of(game, plane.owner) if world.distance(start, hex) <= far]
    if not found:
        return None
    origin = plane.hex if home and plane.hex in found else None
    if len(found) == 1:
        return found[0]
    wanted = (await ask(game, BaseChoice(plane.owner, plane.id))) or ()
    first = next((hex for hex in wanted if hex in found), None)
    return first or origin or min(found, key=lambda hex: (world.distance(start, hex), hex))
