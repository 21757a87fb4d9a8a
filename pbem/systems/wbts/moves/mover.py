"""Carries out moves of an activated force, on a game or on a copy: what is legal happens (4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from ..battle.occupation import Displaced, displace
from ..command import Fault
from ..handling import move as put
from ..handling import settle_rosters, take_hex
from ..pieces import (
    Board,
    entrenchment_age,
    gt,
    is_leader,
    is_unit,
    leader,
    leaders,
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
            dig(board, side, where)
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
    took = _walk(board, side, one.units, one.path)
    gone, alone = _drive_off(board, side, one.path)
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
    after = put(board, ids, path[-1], settle=False) if path else list(ids)
    for id in after:
        mark(board, id, moved=True)
    return took


def _drive_off(board: Board, side: str, path: Sequence[str]) -> tuple[tuple[Displaced, ...], tuple[str, ...]]:
    """Enemy leaders and HQs without troops on the way go as after a battle (4.8.16, ruling R-57)."""
    enemy = world_of(board).enemy(side)
    met = [
        hex
        for hex in path
        if any(u.is_hq for u in units(board, enemy, hex))
        or any(not w.naval for w in leaders(board, enemy, hex))
    ]
    gone, alone = displace(board, enemy, met)
    return tuple(gone), tuple(alone)


def _ride(board: Board, side: str, one: Move, start: str) -> Done | Fault:
    """4.4.3 By rail: a point for each unit, which is entrained until its owner's next turn."""
    if one.cut is not None:
        return Fault("E-CUT-1", "who rides cuts no rails", ("cut",))
    fault = ride_fault(board, Ground.of(board, side), side, one.units, one.path)
    if fault is not None:
        return fault
    points = rail_cost(board, one.units)
    cast("dict[str, int]", board.position.tracks["rail_points"])[side] = rail_points(board, side) - points
    after = put(board, one.units, one.path[-1], settle=False)
    for id in after:
        mark(board, id, moved=True, entrained=not is_leader(board, id) and not unit(board, id).is_hq)
    return Done(one.units, (start, *one.path), "rail", points, False, ())


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


def dig(board: Board, side: str, hex: str) -> None:
    """Place an entrenchment marker."""
    board.position.add(
        f"ENT-{hex}", {"type": "entrenchment", "side": side, "hex": hex, "built_gt": gt(board)}
    )


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
        and (leader(board, id).on_map if is_leader(board, id) else not unit(board, id).is_static)
    ]
