"""4.4.1: Ships, which need no initiative and move once in the free initiative segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kit.faults import illegal
from pbem.kit.ways import Travel, Ways
from pbem.rules import Diagnostic, Message, Next, Part, Points

from ..pieces import Board, Leader, Unit, leaders, left, own_leader, own_unit, piece, units, world_of
from ..tracks import T
from ..zones import enemy_occupied, owner
from .model import Sail

RULE = "4.4.1"
PASSAGE = "naval_transport"  # a passage goes as far as a transport


def sail_fault(board: Board, side: str, order: Sail) -> Diagnostic | None:
    """Return the fault of a move of ships: the ships, then hex by hex."""
    for n, id in enumerate(order.units):
        who = _sailor(board, side, id)
        if who is None:
            return illegal("E-MOV-7", RULE, Message("wbts.sea.no-ship", id=id, side=side), "units", n)
        if who.moved:
            return illegal("E-FREE-3", RULE, Message("wbts.free.has-already-moved", id=id), "units", n)
    starts = sorted({piece(board, id).hex for id in order.units})
    if len(starts) != 1:
        return illegal("E-MOV-7", RULE, Message("wbts.sea.ships-that-sail-together-begin-in-one"), "units")
    ships, harbours = left(board, order.units), [hex for hex in order.path[-1:] if is_port(board, side, hex)]
    if not ships and not (harbours and is_port(board, side, starts[0])):
        return illegal("E-MOV-7", RULE, Message("wbts.sea.naval-leaders-go-with-ships"), "units")
    travel = sailing(board, side, ships, () if ships else harbours)
    return travel.judged(starts[0], order.path, "path")[1] if order.path else travel.over(0)


def _sailor(board: Board, side: str, id: str) -> Unit | Leader | None:
    """Return a ship, or a naval leader on the map, or None."""
    ship, who = own_unit(board, side, id), own_leader(board, side, id)
    if ship is not None:
        return ship if ship.is_naval else None
    return who if who is not None and who.naval and who.on_map else None


def sailing(board: Board, side: str, ships: Sequence[Unit], harbours: Sequence[str] = ()) -> Travel:
    """R-104: Return the rules of sailing, for ships or naval leaders alone.

    They sail on water without enemy ships, and stop under the guns of a fort. A way may end in a
    harbour on land.
    """
    world, guns = world_of(board), guarded(board, side)
    least = min((ship.row.ma for ship in ships), default=world.tables.types[PASSAGE].ma)

    def step(here: str, there: str) -> int | Diagnostic:
        if there not in world or not world.adjacent(here, there):
            return illegal("E-MOV-4", RULE, Message("wbts.land.not-adjacent", other=there, one=here))
        if not world.navigable(there) and there not in harbours:
            return illegal("E-MOV-1", RULE, Message("wbts.sea.no-ships-can-be", there=there))
        if enemy_ships(board, there, side):
            return illegal("E-MOV-3", RULE, Message("wbts.sea.enemy-ships", there=there))
        return 1

    def stop(hex: str) -> Diagnostic | None:
        if hex in guns:
            message = Message("wbts.sea.lies-under-guns-of-fort", hex=hex)
            return illegal("E-MOV-6", RULE, message)
        return (
            None
            if world.navigable(hex)
            else illegal("E-MOV-1", RULE, Message("wbts.sea.no-ships-can-go", hex=hex))
        )

    def over(hexes: int) -> Diagnostic:
        message = Message("wbts.sea.way-has-hexes", hexes=hexes, least=least)
        return illegal("E-MOV-6", RULE, message, "path")

    return Travel(world, step, least, over, stop)


def is_port(board: Board, side: str, hex: str) -> bool:
    """R-91: Return True if a place is an own port without enemies.

    It is a settlement, fort or naval base on or beside navigable water.
    """
    world = world_of(board)
    held = owner(board, hex) == side or any(u.type == "naval_base" for u in units(board, side, hex))
    afloat = any(world.navigable(near) for near in (hex, *world.neighbours(hex)))
    return held and afloat and not enemy_occupied(board, hex, side)


def ports(board: Board, side: str) -> list[str]:
    """Return all ports of a side."""
    world = world_of(board)
    bases = {u.hex for u in units(board, side) if u.type == "naval_base"}
    return sorted(hex for hex in {*world.settlements, *world.forts, *bases} if is_port(board, side, hex))


def enemy_ships(board: Board, hex: str, side: str) -> bool:
    """Return True if enemy ships are in a hex. An unknown stack on the water counts as ships."""
    world = world_of(board)
    enemies = units(board, world.enemy(side), hex)
    return any(u.is_naval or (not u.known and world.navigable(hex)) for u in enemies)


def guarded(board: Board, side: str) -> frozenset[str]:
    """R-90: Return hexes of enemy forts and fortresses with strength, and all beside them."""
    world = world_of(board)
    enemy = world.enemy(side)
    armed = [
        hex
        for hex, whose in sorted(T.of(board).fort_owner.items())
        if whose == enemy and any(u.is_land and (u.sp or not u.known) for u in units(board, enemy, hex))
    ]
    return frozenset(near for hex in armed for near in (hex, *world.neighbours(hex)))


def next_sails(board: Board, side: str) -> Iterator[Next[Part[Sail]]]:
    """Yield moves of the ships in a hex with their leaders, then of each alone.

    Passages of naval leaders from port to port follow. Each move leads to a hex in reach.
    """
    sailors = [who for who in leaders(board, side) if who.naval and not who.moved]
    ships = [ship for ship in units(board, side) if ship.is_naval and not ship.moved]
    for hex in sorted({ship.hex for ship in ships}):
        fleet = [ship for ship in ships if ship.hex == hex]
        crew = [who.id for who in sailors if who.hex == hex]
        parties = [(fleet, crew)]
        if len(fleet) + len(crew) > 1:
            parties += [([ship], []) for ship in fleet]
        for party, aboard in parties:
            ways = sailing(board, side, party).ways(hex)
            yield from _listed([*(ship.id for ship in party), *aboard], ways)
    harbours = ports(board, side) if sailors else []
    for who in sailors:
        if who.hex in harbours:
            ways = sailing(board, side, (), harbours).ways(who.hex)
            yield from _listed([who.id], ways, harbours)


def _listed(ids: list[str], ways: Ways, only: Sequence[str] | None = None) -> Iterator[Next[Part[Sail]]]:
    for end, path in ways.items():
        if only is None or end in only:
            points = Points(tuple(ids), way=path, cost=(("hexes", len(path)),))
            yield Next(
                Part("ships", Sail(tuple(ids), path)),
                Message("wbts.sea.sail", ids=tuple(ids), end=end),
                points,
            )
