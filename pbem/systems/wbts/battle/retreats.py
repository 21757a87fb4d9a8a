"""Where units may go when they leave a battle, and where they go by default (4.8.11)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..pieces import Board, entrenchment_age, has_troops, is_leader, unit, units, winter, world_of
from ..statics import TRAINS
from ..zones import enemy_occupied, ezoc, fort_of, left_alone, owner

HARD = ("forest", "rough")
REASONS = {
    "RET-SEA": "is no hex beside it where it could be",
    "RET-STATIC": "the unit cannot move",
    "RET-SIDE": "lies behind a mountain, tidal river or blocked hexside without bridge, ferry or pass",
    "RET-OCC": "is enemy-occupied",
    "RET-RIVER-ZOC": "lies across a river in an enemy zone",
    "RET-WINTER": "lies across an unbridged river in winter",
    "RET-TRAIN": "is forest or rough without a road there",
}


def barred(board: Board, id: str, start: str, to: str, *, led: bool = False) -> str | None:
    """The first prohibition of 4.8.11 that a retreat breaks, None if it is legal. Leaders retreat like
    HQs. `led`: a combat unit goes there as well, and drives enemy leaders and HQs off (R-103).
    """
    troops = led or has_troops(board, [id])
    world = world_of(board)
    fields = board.position.counters[id]
    side, type = str(fields["side"]), str(fields["type"])
    if type == "naval" or (type == "leader" and fields.get("naval")):
        return _ship_barred(board, side, start, to)
    if not world.adjacent(start, to) or world.is_sea(to):
        return "RET-SEA"
    if type in ("depot", "naval_base"):
        return "RET-STATIC"
    if world.prohibited(start, to):
        return "RET-SIDE"
    if enemy_occupied(board, to, side) or (not troops and left_alone(board, world.enemy(side), to)):
        return "RET-OCC"
    river = world.river_like(start, to)
    if river and ezoc(board, to, side):
        return "RET-RIVER-ZOC"
    if river and winter(board) and not world.bridged(start, to):
        return "RET-WINTER"
    if type in TRAINS and world.terrain[to] in HARD and not world.road(start, to):
        return "RET-TRAIN"
    return None


def _ship_barred(board: Board, side: str, start: str, to: str) -> str | None:
    """Ships go to a navigable hex that is not enemy-occupied, on the water or on its land (4.8.15)."""
    world = world_of(board)
    if not world.adjacent(start, to) or not world.navigable(to):
        return "RET-SEA"
    there = units(board, world.enemy(side), to)
    return "RET-OCC" if any(each.is_naval or each.occupies for each in there) else None


def places(board: Board, id: str, start: str) -> list[str]:
    """The legal hexes for one that leaves, the default first (D-15)."""
    legal = [to for to in world_of(board).neighbours(start) if barred(board, id, start, to) is None]
    side = str(board.position.counters[id]["side"])
    return by_default(board, side, legal)


def by_default(board: Board, side: str, hexes: Collection[str]) -> list[str]:
    """Outside enemy zones first, then nearest to an own supply city, then lowest id."""
    world = world_of(board)
    cities = [
        hex
        for hex, place in world.settlements.items()
        if place.supply_city == side and owner(board, hex) == side
    ]

    def merit(hex: str) -> tuple[bool, int, str]:
        away = min((world.distance(hex, city) for city in cities), default=0)
        return ezoc(board, hex, side), away, hex

    return sorted(hexes, key=merit)


def preferred(legal: Sequence[str], wished: Sequence[str]) -> str:
    """The first wish that is legal, else the default. There must be a legal hex."""
    return next((hex for hex in wished if hex in legal), legal[0])


def exempt_hex(board: Board, hex: str, side: str) -> str | None:
    """Why defenders in a hex need not retreat: settlement, terrain or works; None if they must (5.5)."""
    world = world_of(board)
    place = world.settlements.get(hex)
    if place is not None and place.kind in world.tables.lists["exempt_settlements"]:
        return str(place.kind)
    if world.terrain[hex] in world.tables.lists["exempt_terrain"]:
        return world.terrain[hex]
    age = entrenchment_age(board, hex, side)
    if age is not None and age >= world.tables.numbers["exempt_entrenchment_age"]:
        return "entrenchment"
    return None


def fort_room(board: Board, hex: str, side: str, inside: Collection[str]) -> int:
    """Strength points that still find room in an own fort; -1 where there is none."""
    fort = fort_of(board, hex, side)
    if fort is None:
        return -1
    taken = sum(each.sp for each in units(board, side, hex) if each.id in inside)
    return max(0, world_of(board).tables.works[fort.kind].capacity - taken)


def weight(board: Board, id: str) -> int:
    """Room that one takes in a fort: strength points, none for leaders and HQs."""
    return 0 if is_leader(board, id) else unit(board, id).sp
