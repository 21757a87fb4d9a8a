"""4.4.12: Effects of entering a hex on enemy dumps, points, facilities, ships and control (R-102)."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules import Game, Message, Roll, roll

from .afloat.extenders import collapse, to_points
from .bases import bases_of, bury_plane, lose_plane_step, settle_plane, sink
from .decisions.flying import BaseChoice, Displace, Displaced
from .events.fighting import AircraftChecked, ShipLost
from .events.moving import DumpCaptured, FacilityTaken, HexTaken, PointsCaptured, SupplyFellTo
from .fighting.losses import sink_craft
from .fighting.strength import rnd
from .moving import holds_enemy_things, take_control
from .pieces import (
    Base,
    Dump,
    Plane,
    Points,
    Port,
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
from .supply.stores import give, stores
from .views import secret


async def enter_hex(game: Game, side: str, hex: str, *, advance: bool = False) -> None:
    """4.4.12: Apply all effects of a side's combat units that enter a hex, in order."""
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
    for boats in craft(game, enemy, hex):
        sink_craft(game, boats)
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
    """R-304: Put T on the ground, and report it if an enemy dump there takes them."""
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
    """D-CAP: Divide points and load between the captor and the owner by percent.

    The owner says which are lost; by default those without a formation first, then by id. The rest moves away
    with the load it can carry (R-35, R-49).
    """
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
    """R-49: Move the remaining points away with the remaining load; remove counters without points."""
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
    """R-124: Give the captor one counter for each kind of points; return the load they carry."""
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
    """R-35: Return the hex to which displaced points go, or None.

    It is a land hex without enemies within 10 hexes (wagons 5), nearest to `towards`, or else to a dump or
    HQ.
    """
    world = world_of(game)
    far = int(world.numbers["displace"][type])
    goals = [s.hex for s in stores(game, owner) if s.hex != hex]
    goals += [u.hex for u in units(game, owner) if u.is_hq and u.hex in world.terrains and u.hex != hex]
    goals = [towards] if towards is not None else goals
    foes = {u.hex for u in units(game, world.enemy(owner))}
    places = [
        (world.nearest(to, goals), world.distance(hex, to), to)
        for to in world.within(hex, far)
        if to != hex and world.land(to) and to not in foes and not holds_enemy_things(game, owner, to)
    ]
    return min(places)[2] if places else None


async def _extenders(game: Game, side: str, enemy: str, hex: str) -> None:
    """4.4.12 step 3: Move Extenders to a hex in trace, or turn them into points that are captured."""
    for extender in extenders(game, enemy, hex):
        if not collapse(game, extender):
            to_points(game, extender)
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
    """T-AIR-BASE-CAPTURE: Roll for an aircraft, then move it to a base within twice the range."""
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


async def chosen_base(game: Game, plane: Plane, far: int, start: str, *, home: bool = True) -> str | None:
    """D-BASES: Return a base within `far` hexes: the owner's first choice, its own, or the nearest."""
    world = world_of(game)
    bases = [hex for hex in bases_of(game, plane.owner) if world.distance(start, hex) <= far]
    if not bases:
        return None
    origin = plane.hex if home and plane.hex in bases else None
    if len(bases) == 1:
        return bases[0]
    wanted = (await ask(game, BaseChoice(plane.owner, plane.id))) or ()
    first = next((hex for hex in wanted if hex in bases), None)
    return first or origin or min(bases, key=lambda hex: (world.distance(start, hex), hex))
