"""The free initiative segment on paper: what an order does, and what may be ordered (4.4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from ..chain import chain
from ..command import Fault, force
from ..pieces import Board, Sim, is_leader, is_unit, leader, leaders, mark, unit, units, world_of
from .land import Ground, Stack, by_hex, marches
from .model import Activation, FreeInitiative, Move, Sail
from .mover import Done, Performed, entrench_fault, movable, perform, sail
from .rail import rail_cost, rail_points, rides
from .sea import is_sailor, passages, ports_of, sails

Activations = tuple[Activation, ...]


@dataclass
class Run:
    """What an order of the segment did: activations and ships that were carried out, faults of the rest."""

    activated: list[tuple[Activation, Performed]] = field(default_factory=list)
    sailed: list[Done] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def allowance_left(board: Board, side: str) -> int:
    """Free activations that a side has left."""
    tracks = board.position.tracks
    chit, used = cast("dict[str, int]", tracks["chit"]), cast("dict[str, int]", tracks["free_used"])
    return max(0, chit[side] - used[side])


def activation_fault(board: Board, side: str, id: str) -> Fault | None:
    """Why a leader or unit cannot be activated by chit: E-FREE-1 to E-FREE-4 in this order."""
    if not allowance_left(board, side):
        return Fault("E-FREE-1", f"{side} has no free activation left", ("activate",))
    fields = board.position.counters.get(id)
    if fields is None or fields["side"] != side or not (is_leader(board, id) or is_unit(board, id)):
        return Fault("E-FREE-4", f"{id} is no leader or unit of {side}", ("activate",))
    if is_leader(board, id) and not leader(board, id).on_map:
        return Fault("E-FREE-4", f"{id} is not on the map", ("activate",))
    hex = str(fields["hex"])
    if hex not in chain(board, side):
        return Fault("E-FREE-2", f"{id} in {hex} is not on the chain of supply", ("activate",))
    if fields.get("moved"):
        return Fault("E-FREE-3", f"{id} has already moved", ("activate",))
    return _kind_fault(board, id)


def _kind_fault(board: Board, id: str) -> Fault | None:
    """Static units, HQs without leader, ships and their leaders are not activated on their own (R-104)."""
    if is_leader(board, id) and leader(board, id).naval:
        return Fault("E-FREE-4", f"{id} is no land leader, no chit moves him", ("activate",))
    if is_unit(board, id):
        here = unit(board, id)
        if here.is_static or here.is_hq or here.is_naval:
            return Fault("E-FREE-4", f"{id} ({here.row.name}) cannot be activated alone", ("activate",))
    return None


def members_of(board: Board, id: str) -> tuple[str, ...]:
    """Who moves with whom the chit activates: a leader's force, or a unit alone."""
    return force(board, id) if is_leader(board, id) else (id,)


def activate(board: Board, side: str, one: Activation) -> Performed | Fault:
    """One activation by chit; the allowance is spent unless it is illegal."""
    fault = activation_fault(board, side, one.activate)
    if fault is not None:
        return fault
    where = str(board.position.counters[one.activate]["hex"])
    members = members_of(board, one.activate)
    done = perform(board, side, members, one.moves, one.entrench, where)
    cast("dict[str, int]", board.position.tracks["free_used"])[side] += 1
    if one.activate in board.position.counters:  # a garrison that moved has another id
        mark(board, one.activate, moved=True)
    return done


def run_free(board: Board, side: str, order: FreeInitiative) -> Run:
    """Carry out an order: on a copy to check it, on the game to play it."""
    result = Run()
    for n, one in enumerate(order.activations):
        outcome = activate(board, side, one)
        if isinstance(outcome, Fault):
            result.faults.append(Fault(outcome.code, outcome.message, ("activations", n, *outcome.path)))
            continue
        result.activated.append((one, outcome))
        for fault in outcome.faults:
            before = () if fault.path == ("entrench",) else ("moves",)
            result.faults.append(Fault(fault.code, fault.message, ("activations", n, *before, *fault.path)))
    for n, ships in enumerate(order.ships):
        sailed = sail(board, side, ships)
        if isinstance(sailed, Fault):
            result.faults.append(Fault(sailed.code, sailed.message, ("ships", n, *sailed.path)))
        else:
            result.sailed.append(sailed)
    return result


# what may be ordered


def candidates(board: Board, side: str) -> Iterator[str]:
    """Leaders and units that the chit can activate, by id, leaders first."""
    reached = chain(board, side)
    for who in leaders(board, side):
        if who.hex in reached and not who.moved and not who.naval:
            yield who.id
    for each in units(board, side):
        if each.hex in reached and not each.moved and _kind_fault(board, each.id) is None:
            yield each.id


def free_options(
    begun: Board, board: Sim, side: str, so_far: Activations
) -> Iterator[tuple[Activations, str]]:
    """One move more for the last activation, or a new activation with its first move or entrenchment.

    `board` is the game after what is ordered so far, `begun` before it.
    """
    if so_far and not so_far[-1].entrench:
        last = so_far[-1]
        for move, text in _longer(begun, side, so_far):
            yield (*so_far[:-1], replace(last, moves=(*last.moves, move))), text
    if not allowance_left(board, side):
        return
    for id in candidates(board, side):
        members = list(members_of(board, id))
        for move, text in move_options(board, side, members):
            yield (*so_far, Activation(id, (move,))), f"activate {id}: {text}"
        if entrench_fault(board, side, str(board.position.counters[id]["hex"]), moved=False) is None:
            yield (*so_far, Activation(id, entrench=True)), f"activate {id}: entrench"


def _longer(begun: Board, side: str, so_far: Activations) -> Iterator[tuple[Move, str]]:
    """What the force of the last activation may do besides the moves it has."""
    board = Sim.of(begun)
    run_free(board, side, FreeInitiative(so_far[:-1]))
    last = so_far[-1]
    members = members_of(board, last.activate)
    perform(board, side, members, last.moves, False, str(board.position.counters[last.activate]["hex"]))
    yield from move_options(board, side, [id for id in members if id in board.position.counters])


def move_options(board: Board, side: str, members: Sequence[str]) -> Iterator[tuple[Move, str]]:
    """Moves of all who stand in one hex together, then of each alone; by road and field, then by rail."""
    ground = Ground.of(board, side)
    parts: list[list[str]] = []
    able = movable(board, members)
    for _, here in by_hex(able, board).items():
        if len(here) > 1:
            parts.append(here)
    parts += [[id] for id in able]
    for ids in parts:
        yield from _marches(board, ground, ids)
        yield from _rides(board, ground, side, ids)


def _marches(board: Board, ground: Ground, ids: list[str]) -> Iterator[tuple[Move, str]]:
    grid = world_of(board).map.grid
    start = str(board.position.counters[ids[0]]["hex"])
    found = marches(board, ground, Stack.of(board, ids), start)
    for hex in found.hexes:
        if hex != found.start:
            path = grid.numbers(found.path_to(hex)[1:])
            yield Move(tuple(ids), path), f"{', '.join(ids)} by {' '.join(path)} ({found.costs[hex]})"


def _rides(board: Board, ground: Ground, side: str, ids: list[str]) -> Iterator[tuple[Move, str]]:
    points = rail_cost(board, ids)
    if not 1 <= points <= rail_points(board, side):
        return
    start = str(board.position.counters[ids[0]]["hex"])
    for hex, path in rides(board, ground, side, start).items():
        yield Move(tuple(ids), path, "rail"), f"{', '.join(ids)} by rail to {hex} ({points} rail points)"


def ship_options(board: Board, side: str) -> Iterator[tuple[Sail, str]]:
    """Ships of one hex together with their leaders, then each ship alone, to every hex in reach."""
    grid = world_of(board).map.grid
    ships = [each for each in units(board, side) if each.is_naval and not each.moved]
    for hex in sorted({each.hex for each in ships}):
        here = [each.id for each in ships if each.hex == hex]
        crew = [id for id in board.position.at(hex) if is_sailor(board, id) and not leader(board, id).moved]
        crew = [id for id in crew if leader(board, id).side == side]
        for ids in [[*here, *crew]] + ([[id] for id in here] if len(here) + len(crew) > 1 else []):
            slowest = min((id for id in ids if id in here), key=lambda id: (unit(board, id).ma, id))
            found = sails(board, side, slowest)
            for target in found.hexes:
                if target != found.start:
                    path = grid.numbers(found.path_to(target)[1:])
                    yield Sail(tuple(ids), path), f"{', '.join(ids)} sail to {path[-1]}"
    ports = ports_of(board, side)
    for who in leaders(board, side):
        if who.naval and not who.moved and who.hex in ports:
            found = passages(board, side, who.hex)
            for hex in sorted(ports - {who.hex}):
                if grid.index(hex) in found.costs:
                    path = grid.numbers(found.path_to(grid.index(hex))[1:])
                    yield Sail((who.id,), path), f"{who.id} takes a passage to {hex}"
