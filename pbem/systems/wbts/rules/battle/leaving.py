"""4.8.11, 5.5, D-15: Retreats on the map: counters that must or may leave, and their hexes.

Options, faults, defaults and effects all use one list of `Leaver`s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pbem.kit.retreats import nearest_first, wished
from pbem.rules import Board, dataclass, maybe

from ..command.forces import commanded_hq, roster
from ..pieces import (
    Unit,
    has_troops,
    is_leader,
    is_unit,
    leader,
    leaders,
    piece,
    unit,
    units,
    winter,
    world_of,
)
from ..statics import TRAINS
from ..zones import alone_hexes, enemy_occupied, fort_of, supply_cities, zone
from .record import Battle, face
from .strength import works_in

Why = Literal["required", "overrun", "voluntary"]
STAY, FORT = "stay", "fort"
HARD = ("forest", "rough")
REASONS = {
    "RET-SEA": "wbts.leaving.no-hex-beside-where-it-could-be",
    "RET-STATIC": "wbts.leaving.unit-cannot-move",
    "RET-SIDE": "wbts.leaving.lies-behind-prohibited-hexside",
    "RET-OCC": "wbts.leaving.enemy-occupied",
    "RET-RIVER-ZOC": "wbts.leaving.lies-across-river-in-enemy-zone",
    "RET-WINTER": "wbts.leaving.lies-across-unbridged-river-in-winter",
    "RET-TRAIN": "wbts.leaving.no-road-into-forest-or-rough",
}


def barred(board: Board, id: str, start: str, to: str, *, led: bool = False) -> str | None:
    """4.8.11: Return the first prohibition that a retreat breaks, or None.

    Leaders retreat like HQs. With `led` a combat unit goes there too, and drives off enemy leaders
    and HQs (R-103).
    """
    world, going = world_of(board), piece(board, id)
    enemy = world.enemy(going.side)
    if going.type == "naval" or (going.is_leader and leader(board, id).naval):
        if not world.adjacent(start, to) or not world.navigable(to):
            return "RET-SEA"
        return "RET-OCC" if any(u.is_naval or u.occupies for u in units(board, enemy, to)) else None
    if not world.adjacent(start, to) or world.is_sea(to):
        return "RET-SEA"
    if going.type in ("depot", "naval_base"):
        return "RET-STATIC"
    if world.prohibited(start, to):
        return "RET-SIDE"
    troops = led or has_troops(board, [id])
    if enemy_occupied(board, to, going.side) or (not troops and to in alone_hexes(board, enemy)):
        return "RET-OCC"
    river = world.river_like(start, to)
    if river and to in zone(board, going.side):
        return "RET-RIVER-ZOC"
    if river and winter(board) and not world.bridged(start, to):
        return "RET-WINTER"
    if going.type in TRAINS and world.terrain[to] in HARD and not world.road(start, to):
        return "RET-TRAIN"
    return None


def ways_out(board: Board, id: str, start: str) -> list[str]:
    """D-15: Return the legal hexes for a counter that leaves, the default first.

    Hexes outside enemy zones come first, then the nearest to an own supply city, then the lowest
    id.
    """
    world, side = world_of(board), piece(board, id).side
    legal = [to for to in world.neighbours(start) if barred(board, id, start, to) is None]
    cities, enemy_zone = supply_cities(board, side), zone(board, side)
    return nearest_first(legal, cities, world.distance, rank=lambda hex: hex in enemy_zone)


def preferred(legal: Sequence[str], wishes: Sequence[str]) -> str:
    """Return the first legal wish, or else the default. There must be a legal hex."""
    return wished(legal, wishes) or legal[0]


def exempt_hex(board: Board, hex: str, side: str) -> str | None:
    """5.5: Return the settlement, terrain or works that exempt defenders from a retreat, or None."""
    world = world_of(board)
    place, lists = world.settlements.get(hex), world.tables.lists
    if place is not None and place.kind in lists["exempt_settlements"]:
        return place.kind
    if world.terrain[hex] in lists["exempt_terrain"]:
        return world.terrain[hex]
    return "entrenchment" if works_in(board, hex, side) else None


def weight(board: Board, id: str) -> int:
    """Return the room that a counter takes in a fort: strength points, none for leaders and HQs."""
    counter = maybe(board, Unit, id)
    return counter.sp if counter is not None else 0


@dataclass(frozen=True)
class Leaver:
    """A counter that must or may leave a hex. `places` are its legal hexes, the default first."""

    id: str
    start: str
    must: bool
    places: tuple[str, ...]


def leavers(battle: Battle, side: str, why: Why) -> list[Leaver]:
    """Return the counters that must or may leave: units, then HQs, then leaders, each by id."""
    listed = _of_attacker(battle, why) if side == battle.attacker else _of_defender(battle, why)
    leaving = [Leaver(id, hex, must, tuple(ways_out(battle.board, id, hex))) for id, hex, must in listed]
    return sorted(leaving, key=lambda leaver: (rank_of(battle.board, leaver.id), leaver.id))


def rank_of(board: Board, id: str) -> int:
    if is_leader(board, id):
        return 2
    return 1 if unit(board, id).is_hq else 0


def _of_attacker(battle: Battle, why: Why) -> Iterator[tuple[str, str, bool]]:
    """Yield surviving attackers, then leaders, HQs and trains in their hexes, which may go along."""
    board, side, going = battle.board, battle.attacker, battle.attacking()
    for u in going:
        yield u.id, u.hex, why != "voluntary"
    for hex in dict.fromkeys(u.hex for u in going):
        for along in units(board, side, hex) if not battle.naval else ():
            if along.is_hq or along.type in TRAINS:
                yield along.id, hex, False
        for who in leaders(board, side, hex):
            if who.naval == battle.naval:
                yield who.id, hex, False


def _of_defender(battle: Battle, why: Why) -> Iterator[tuple[str, str, bool]]:
    """5.5, R-29: Yield all on land in the target. Those in a fort or an exempt hex need not go."""
    board, target, side = battle.board, battle.target, battle.defender
    voluntary = why == "voluntary"
    excused = voluntary or (why == "required" and exempt_hex(board, target, side) is not None)
    behind = why == "required" and any(is_unit(board, id) for id in battle.inside)
    for u in battle.in_target():
        if not voluntary or not (u.is_static or u.id in battle.required):
            safe = excused or (behind and (u.id in battle.inside or u.is_hq))
            yield u.id, target, not safe
    for who in leaders(board, side, target):
        if not who.naval and not (voluntary and who.id in battle.required):
            yield who.id, target, not (excused or behind)


def rooms(battle: Battle, side: str, why: Why) -> dict[str, int]:
    """R-19: Return the room in own forts by hex for units that must leave, {} in an overrun."""
    board, room = battle.board, dict[str, int]()
    for hex in battle.hexes(side) if why == "required" else ():
        fort, stack = fort_of(board, hex, side), units(board, side, hex)
        if fort is not None:
            within = battle.inside if side == battle.defender else [u.id for u in stack]
            staying = [u for u in stack if u.id in within and u.id not in battle.listed]
            room[hex] = max(0, world_of(board).tables.works[fort.kind].capacity - face(staying))
    return room


def settled(battle: Battle, side: str, why: Why, answer: Mapping[str, str]) -> dict[str, str | None]:
    """Return destinations by an answer and the defaults: a hex, `fort`, `stay`, or None."""
    listed, left = leavers(battle, side, why), rooms(battle, side, why)
    goals: dict[str, str | None] = {leaver.id: answer[leaver.id] for leaver in listed if leaver.id in answer}
    for leaver in listed:
        if goals.get(leaver.id) == FORT:
            left[leaver.start] -= weight(battle.board, leaver.id)
    for leaver in listed:
        if leaver.id not in goals:
            goals[leaver.id] = _default(battle.board, leaver, goals, left)
    return goals


def _default(
    board: Board, leaver: Leaver, plan: Mapping[str, str | None], left: dict[str, int]
) -> str | None:
    """Return the default destination.

    Units stay if they may, else take the first legal hex, else the fort. HQs and leaders go with
    their units.
    """
    if rank_of(board, leaver.id) or (not leaver.must and unit(board, leaver.id).type in TRAINS):
        goal = _followed(board, leaver, plan)
        able = goal is not None and not barred(board, leaver.id, leaver.start, goal, led=True)
        if goal in (FORT, STAY) or able:
            return goal
    if not leaver.must:
        return STAY
    if leaver.places:
        return leaver.places[0]
    if left.get(leaver.start, -1) >= weight(board, leaver.id):
        left[leaver.start] -= weight(board, leaver.id)
        return FORT
    return None


def _followed(board: Board, leaver: Leaver, plan: Mapping[str, str | None]) -> str | None:
    """R-46: Return the destination of the units with which an HQ, a leader or a train goes.

    An HQ goes with its roster, a leader with his HQ. Others go once no combat unit stays in the
    hex. None means that there is no such destination.
    """
    mates: list[str] = []
    if is_leader(board, leaver.id):
        hq = commanded_hq(leader(board, leaver.id))
        if hq is not None and hq.id in plan:
            return plan[hq.id]
    elif unit(board, leaver.id).is_hq:
        mates = [u.id for u in roster(unit(board, leaver.id)) if u.hex == leaver.start]
    if not mates:
        afloat = is_leader(board, leaver.id) and leader(board, leaver.id).naval
        stack = units(board, piece(board, leaver.id).side, leaver.start)
        mates = [u.id for u in stack if (u.is_naval if afloat else u.is_combat)]
    goals = [plan.get(id, STAY) for id in mates]
    if STAY in goals or not goals:
        return None if leaver.must else STAY
    return next((goal for goal in goals if goal is not None), None)
