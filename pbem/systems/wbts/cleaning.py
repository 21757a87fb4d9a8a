"""Militia and the other work of the cleanup segment: what is legal, and what it does (4.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from pbem.rules import HexNumber, Name

from .chain import chain
from .command import Fault
from .depots import Points, own
from .handling import add_garrison, join, marks_of, remove, spend_supply
from .naming import new_id
from .pieces import Board, Unit, unit, units, world_of
from .zones import enemy_occupied, fort_of, owner


@dataclass(frozen=True)
class Burn:
    """Supply points destroyed in an own depot, train or army HQ."""

    unit: Name
    points: Points


@dataclass(frozen=True)
class Part:
    """What comes back from a depot: points of a type; `into` a unit there that takes them in."""

    type: Name
    sp: Points
    state: Name | None = None
    into: Name | None = None


@dataclass(frozen=True)
class BreakUp:
    """A depot destroyed; without `constituents` garrison points take its place."""

    depot: Name
    constituents: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Deploy:
    """A militia point of a state for a hex; `new`: a unit of its own even where it could join one."""

    state: Name
    hex: HexNumber
    new: bool = False


@dataclass(frozen=True)
class Cleanup:
    """Supply points destroyed, then depots, then militia deployed."""

    burn: tuple[Burn, ...] = ()
    depots: tuple[BreakUp, ...] = ()
    militia: tuple[Deploy, ...] = ()


# 4.9.1


def burn_faults(board: Board, side: str, one: Burn) -> list[Fault]:
    """Only own stocks that are there can be destroyed."""
    if not own(board, side, one.unit) or not unit(board, one.unit).carries:
        return [Fault("E-LOAD-2", f"{one.unit} is no depot, supply train or army HQ of {side}", ("unit",))]
    held = unit(board, one.unit).supply
    if one.points > held:
        return [Fault("E-LOAD-2", f"{one.unit} holds {held} points, not {one.points}", ("points",))]
    return []


def burn(board: Board, one: Burn) -> int:
    """Destroy supply points; gives what is left."""
    spend_supply(board, one.unit, one.points)
    return unit(board, one.unit).supply


# 4.9.2


def break_faults(board: Board, side: str, one: BreakUp) -> list[Fault]:
    """E-CLN-1: constituents must be those of the depot's record, and fit into the units named."""
    if not own(board, side, one.depot) or unit(board, one.depot).type != "depot":
        return [Fault("E-CLN-1", f"{one.depot} is no depot of {side}", ("depot",))]
    if not one.constituents:
        return []
    depot = unit(board, one.depot)
    faults: list[Fault] = []
    named = sorted((p.type, p.state or "", p.sp) for p in one.constituents)
    recorded = sorted((p["type"], p.get("state", ""), p["sp"]) for p in depot.constituents)
    if named != recorded:
        record = ", ".join(f"{sp} {type}" for type, _, sp in recorded) or "nothing"
        faults.append(Fault("E-CLN-1", f"{one.depot} was made from {record}", ("constituents",)))
    for n, part in enumerate(one.constituents):
        if part.into is not None and (why := _join_fault(board, side, depot, part)):
            faults.append(Fault("E-CLN-1", why, ("constituents", n, "into")))
    return faults


def _join_fault(board: Board, side: str, depot: Unit, part: Part) -> str:
    assert part.into is not None
    if not own(board, side, part.into):
        return f"{part.into} is no unit of {side}"
    other = unit(board, part.into)
    if other.hex != depot.hex or other.type != part.type or other.state != part.state:
        return f"{other.id} is no {part.type} in {depot.hex} that these points could join"
    most = other.row.max
    if most and other.sp + part.sp > most:
        return f"{other.id} has {other.sp} of at most {most} points"
    return ""


def break_up(board: Board, side: str, one: BreakUp) -> tuple[int, dict[str, int]]:
    """Destroy a depot with its supply; gives the points lost, and what took its place: points by unit."""
    depot = unit(board, one.depot)
    hex, lost = depot.hex, depot.supply
    remove(board, one.depot)
    if not one.constituents:
        sp = world_of(board).tables.numbers["depot_garrison"]
        return lost, {add_garrison(board, side, hex, sp): sp}
    back: dict[str, int] = {}
    for number, part in enumerate(one.constituents, 1):
        id = f"{one.depot}-R{number}"
        fields: dict[str, Any] = {"side": side, "type": part.type, "sp": part.sp, "hex": hex}
        fields |= {"state": part.state} if part.state else {}
        if part.type == "garrison":
            id = add_garrison(board, side, hex, part.sp)
        elif part.into is not None:
            id = join(board, id, fields, part.into)
        else:
            board.position.add(id, fields)
        back[id] = part.sp
    return lost, back


# 4.9.3


def ready(board: Board, side: str) -> dict[str, int]:
    """Militia points of a side that are ready, by state."""
    return cast("dict[str, dict[str, int]]", board.position.tracks["militia_ready"])[side]


def placed(board: Board) -> dict[str, int]:
    """Militia points placed in this cleanup, by state."""
    return cast("dict[str, int]", board.position.tracks["militia_placed"])


def militia_on_map(board: Board, side: str, state: str) -> int:
    """Strength points of a state's militia on the map."""
    return sum(u.sp for u in units(board, side) if u.type == "militia" and u.state == state)


def deploy_faults(board: Board, side: str, one: Deploy) -> list[Fault]:
    """E-MIL-1 to E-MIL-4, and E-MIL-5 for a state with no point ready."""
    numbers = world_of(board).tables.numbers
    faults: list[Fault] = []
    if placed(board).get(one.state, 0) >= numbers["militia_per_state_per_cleanup"]:
        faults.append(Fault("E-MIL-1", f"{one.state} has had its militia point of this cleanup", ("state",)))
    most = numbers["militia_per_state_on_map"]
    if militia_on_map(board, side, one.state) >= most:
        faults.append(Fault("E-MIL-2", f"{one.state} has {most} militia points on the map", ("state",)))
    if ready(board, side).get(one.state, 0) < 1:
        faults.append(Fault("E-MIL-5", f"{one.state} has no militia point ready", ("state",)))
    if (why := place_fault(board, side, one.state, one.hex)) is not None:
        faults.append(Fault(why[0], why[1], ("hex",)))
    return faults


def place_fault(board: Board, side: str, state: str, hex: str) -> tuple[str, str] | None:
    """An owned city, town, village or an own unbesieged fort of the state, without enemies."""
    world = world_of(board)
    if hex not in world.terrain or world.state(hex) != state:
        return "E-MIL-3", f"{hex} is not in {state}"
    settled = hex in world.settlements and owner(board, hex) == side
    if not settled:
        if fort_of(board, hex, side) is None:
            return "E-MIL-3", f"{hex} is no settlement or fort that {side} owns"
        if besieged(board, side, hex):
            return "E-MIL-3", f"the fort in {hex} is besieged"
    if enemy_occupied(board, hex, side):
        return "E-MIL-4", f"{hex} is enemy-occupied"
    return None


def besieged(board: Board, side: str, hex: str) -> bool:
    """An enemy unit with a zone is adjacent, and the fort is not on its owner's chain of supply (4.9)."""
    world = world_of(board)
    enemy = world.enemy(side)
    near = any(u.is_zoc for there in world.neighbours(hex) for u in units(board, enemy, there))
    return near and hex not in chain(board, side)


def deploy(board: Board, side: str, one: Deploy) -> str:
    """Place a militia point: with militia of its state in the hex, or as a unit of its own."""
    most = world_of(board).tables.types["militia"].max
    ready(board, side)[one.state] -= 1
    placed(board)[one.state] = placed(board).get(one.state, 0) + 1
    fields: dict[str, Any] = {"side": side, "type": "militia", "sp": 1, "hex": one.hex, "state": one.state}
    there = [
        other
        for other in units(board, side, one.hex)
        if not one.new and other.type == "militia" and other.state == one.state and other.sp < most
    ]
    fresh = [other for other in there if not marks_of(other)]
    if fresh:
        return join(board, fresh[0].id, fields, fresh[0].id)
    id = new_id(board, side, "MIL")
    if there:
        return join(board, id, fields, there[0].id)
    board.position.add(id, fields)
    return id


def places(board: Board, side: str) -> Iterator[Deploy]:
    """Every place where a militia point can be put now."""
    world = world_of(board)
    for state in sorted(ready(board, side)):
        for hex in sorted({**world.settlements, **world.forts}):
            one = Deploy(state, hex)
            if not deploy_faults(board, side, one):
                yield one
