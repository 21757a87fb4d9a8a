"""Carries out moves of an activated force, on a game or on a copy: what is legal happens (4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from ..battle.occupation import Displaced, drive_off
from ..command import Fault
from ..handling import move as put
from ..handling import settle_rosters, take_hex
from ..pieces import (
    Board,
    Leader,
    entrenchment_age,
    gt,
    has_troops,
    is_leader,
    is_unit,
    leader,
    mark,
    unit,
    units,
    world_of,
)
from ..statics import ZONE
from .land import Ground, Stack, march
from .model import Move, Sail
from .rail import cut_fault, rail_cost, rail_points, ride_fault
from .sea import sail_fault


@dataclass(frozen=True)
class Done:
    """One move that happened: `way` begins where it began; `took` are hexes that changed hands."""

    units: tuple[str, ...]
    way: tuple[str, ...]
    by: str
    cost: int
    in_zone: bool
    took: tuple[str, ...]
    cut: str | None = None
    displaced: tuple[Displaced, ...] = ()
    hqs_lost: tuple[str, ...] = ()


@dataclass
class Performed:
    """What came of an activation: moves that happened, an entrenchment, faults of the rest."""

    done: list[Done] = field(default_factory=list)
    entrenched: str | None = None
    faults: list[Fault] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def perform(
    board: Board, side: str, members: Sequence[str], moves: Sequence[Move], entrench: bool, where: str
) -> Performed:
    """Move the members of a force in the order given; a force that moves cannot entrench."""
    result = Performed()
    for n, one in enumerate(moves):
        outcome = _one_move(board, side, members, one)
        if isinstance(outcome, Fault):
            result.faults.append(Fault(outcome.code, outcome.message, (n, *outcome.path)))
        else:
            result.done.append(outcome)
    if entrench:
        fault = entrench_fault(board, side, where, moved=bool(moves))
        if fault is None:
            dig(board, side, where, members)
            result.entrenched = where
        else:
            result.faults.append(fault)
    result.dropped = settle_rosters(board, side)
    return result


def _one_move(board: Board, side: str, members: Sequence[str], one: Move) -> Done | Fault:
    """Check one move and make it."""
    for n, id in enumerate(one.units):
        if (fault := _member_fault(board, members, id)) is not None:
            return Fault(fault.code, fault.message, ("units", n))
    starts = sorted({str(board.position.counters[id]["hex"]) for id in one.units})
    if len(starts) != 1 or len(set(one.units)) != len(one.units):
        return Fault("E-MOV-7", "units that go together begin in one hex, each named once", ("units",))
    start = starts[0]
    return _ride(board, side, one, start) if one.by == "rail" else _march(board, side, one, start)


def _march(board: Board, side: str, one: Move, start: str) -> Done | Fault:
    """4.4.2, 4.4.4 On foot, cutting rails where the order says so."""
    ground = Ground.of(board, side)
    points = 0
    if one.cut is not None:
        points = world_of(board).tables.movement["cut_rail"]
        fault = cut_fault(board, one.units, (start, *one.path), one.cut)
        if fault is None:
            fault = _cutter_fault(board, ground, one, start, points)
        if fault is not None:
            return fault
    elif not one.path:
        return Fault("E-MOV-6", "a move needs a path, or rails to cut", ("path",))
    found = march(board, ground, Stack.of(board, one.units), start, one.path)
    if found.fault is not None:
        return found.fault
    troops = has_troops(board, one.units)
    took = _walk(board, side, one.units, one.path)
    gone, alone = drive_off(board, side, one.path) if troops else ((), ())
    if one.cut is not None:
        cuts = cast("list[str]", board.position.tracks["rail_cut"])
        cuts.append(one.cut)
        cuts.sort()
    way = (start, *one.path)
    spent = found.cost + points
    return Done(one.units, way, "march", spent, found.in_zone, tuple(took), one.cut, gone, alone)


def _member_fault(board: Board, members: Sequence[str], id: str) -> Fault | None:
    if id not in members or id not in board.position.counters:
        return Fault("E-MOV-7", f"{id} is not in the force that moves")
    if board.position.counters[id].get("moved"):
        return Fault("E-FREE-3", f"{id} has already moved")
    if is_unit(board, id) and unit(board, id).is_static:
        return Fault("E-FREE-4", f"{id} never moves")
    if is_leader(board, id) and leader(board, id).naval:
        return Fault("E-FREE-4", f"{id} goes with ships or from port to port, not over land")
    return None


def _cutter_fault(board: Board, ground: Ground, one: Move, start: str, points: int) -> Fault | None:
    """One of the units must have the points for its way and the rails (4.4.4)."""
    faults: list[Fault] = []
    for id in one.units:
        if is_leader(board, id) or unit(board, id).type not in ZONE:
            continue
        found = march(board, ground, Stack.of(board, [id]), start, one.path, points)
        if found.fault is None:
            return None
        faults.append(found.fault)
    return faults[0]


def _walk(board: Board, side: str, ids: Sequence[str], path: Sequence[str]) -> list[str]:
    """Put the units at the end of their way; a unit with a zone takes every hex it enters (4.4.2)."""
    took: list[str] = []
    if any(not is_leader(board, id) and unit(board, id).is_zoc for id in ids):
        took = [hex for hex in path if take_hex(board, side, hex)]
    for id in ids:
        mark(board, id, moved=True)
    if path:
        put(board, ids, path[-1], settle=False)
    return took


def _ride(board: Board, side: str, one: Move, start: str) -> Done | Fault:
    """4.4.3 By rail: a point for each unit, which is entrained until its owner's next turn."""
    if one.cut is not None:
        return Fault("E-CUT-1", "who rides cuts no rails", ("cut",))
    fault = ride_fault(board, Ground.of(board, side), side, one.units, one.path)
    if fault is not None:
        return fault
    points = rail_cost(board, one.units)
    cast("dict[str, int]", board.position.tracks["rail_points"])[side] = rail_points(board, side) - points
    troops = has_troops(board, one.units)
    for id in one.units:
        mark(board, id, moved=True, entrained=not is_leader(board, id) and not unit(board, id).is_hq)
    came = put(board, one.units, one.path[-1], settle=False)
    gone, alone = drive_off(board, side, one.path) if troops else ((), ())
    took = (came.hex,) if came.took else ()
    return Done(one.units, (start, *one.path), "rail", points, False, took, None, gone, alone)


# entrenching (4.4.6)


def entrench_fault(board: Board, side: str, hex: str, *, moved: bool) -> Fault | None:
    """Why a force cannot entrench in a hex."""
    if moved:
        return Fault("E-ENT-1", "a force that moves does not entrench", ("entrench",))
    if not any(each.type in ("infantry", "militia") for each in units(board, side, hex)):
        return Fault("E-ENT-1", f"there is no infantry or militia in {hex}", ("entrench",))
    if hex in world_of(board).forts or entrenchment_age(board, hex) is not None:
        return Fault("E-ENT-1", f"{hex} has a fort or an entrenchment already", ("entrench",))
    return None


def dig(board: Board, side: str, hex: str, members: Sequence[str]) -> None:
    """Place an entrenchment marker; who digs has moved (R-105)."""
    board.position.add(
        f"ENT-{hex}", {"type": "entrenchment", "side": side, "hex": hex, "built_gt": gt(board)}
    )
    for id in movable(board, members):
        if board.position.counters[id]["hex"] == hex:
            mark(board, id, moved=True)


def sail(board: Board, side: str, one: Sail) -> Done | Fault:
    """Check a move of ships and make it."""
    fault = sail_fault(board, side, one)
    if fault is not None:
        return fault
    start = str(board.position.counters[one.units[0]]["hex"])
    for id in one.units:
        board.position.move(id, one.path[-1])
        mark(board, id, moved=True)
    return Done(one.units, (start, *one.path), "sea", len(one.path), False, ())


def movable(board: Board, members: Sequence[str]) -> list[str]:
    """Members of a force that may still move."""
    return [
        id
        for id in members
        if not board.position.counters[id].get("moved")
        and (_by_land(leader(board, id)) if is_leader(board, id) else not unit(board, id).is_static)
    ]


def _by_land(who: Leader) -> bool:
    """Naval leaders go with ships or from port to port (R-104)."""
    return who.on_map and not who.naval
