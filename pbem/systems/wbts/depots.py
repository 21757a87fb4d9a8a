"""Depots and supply stocks: creating, loading, and what is wrong with orders for them (4.3.1, 4.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pbem.rules import HexNumber, Name, Range

from .command import Fault
from .handling import add_supply, spend_supply, take_points
from .naming import new_id
from .pieces import Board, is_unit, unit, units, world_of
from .statics import COMBAT

Points = Annotated[int, Range(1, 1000)]


@dataclass(frozen=True)
class Share:
    """Strength points that one unit gives."""

    unit: Name
    sp: Points


@dataclass(frozen=True)
class MakeDepot:
    """A depot made in a hex from strength points of units there."""

    hex: HexNumber
    from_: tuple[Share, ...]


@dataclass(frozen=True)
class Load:
    """Supply points from one carrier to another in the same hex: trains, depots, army HQs."""

    train: Name
    source: Name
    points: Points


def own(board: Board, side: str, id: str) -> bool:
    """Whether an id names a unit of a side."""
    return is_unit(board, id) and unit(board, id).side == side


def depot_faults(board: Board, side: str, one: MakeDepot) -> list[Fault]:
    """Why a depot cannot be made (E-DEP-1 to E-DEP-4)."""
    faults: list[Fault] = []
    given: dict[str, int] = {}
    for n, share in enumerate(one.from_):
        path = ("from", n)
        given[share.unit] = given.get(share.unit, 0) + share.sp
        if not own(board, side, share.unit):
            faults.append(Fault("E-DEP-1", f"{share.unit} is no unit of {side} in {one.hex}", path))
            continue
        giver = unit(board, share.unit)
        if giver.hex != one.hex or giver.type not in COMBAT:
            faults.append(Fault("E-DEP-1", f"{giver.id} is no combat unit of {side} in {one.hex}", path))
        elif given[giver.id] > giver.sp:
            message = f"{giver.id} has {giver.sp} strength points, {given[giver.id]} are taken"
            faults.append(Fault("E-DEP-1", message, path))
        if giver.entrained:
            faults.append(Fault("E-DEP-4", f"{giver.id} is entrained", path))
    wanted, total = world_of(board).tables.numbers["depot_cost"], sum(given.values())
    if total != wanted:
        faults.append(
            Fault("E-DEP-2", f"a depot costs {wanted} strength points, {total} are given", ("from",))
        )
    if any(each.type == "depot" for each in units(board, side, one.hex)):
        faults.append(Fault("E-DEP-3", f"{one.hex} has a depot already", ("hex",)))
    return faults


def make_depot(board: Board, side: str, one: MakeDepot) -> str:
    """Exchange strength points for a depot, which remembers them; gives its id. No losses for victory."""
    parts: list[dict[str, Any]] = []
    for share in one.from_:
        giver = unit(board, share.unit)
        kind: dict[str, Any] = {"type": giver.type}
        if giver.state is not None:
            kind["state"] = giver.state
        same = next((p for p in parts if {k: v for k, v in p.items() if k != "sp"} == kind), None)
        taken = take_points(board, share.unit, share.sp)
        if same is not None:
            same["sp"] += taken
        else:
            parts.append({**kind, "sp": taken})
    id = new_id(board, side, "D")
    sp = world_of(board).tables.types["depot"].printed
    board.position.add(
        id, {"side": side, "type": "depot", "sp": sp, "hex": one.hex, "constituents": list(parts)}
    )
    return id


def load_faults(board: Board, side: str, one: Load) -> list[Fault]:
    """Why supply cannot be moved (E-LOAD-1 to E-LOAD-3)."""
    faults: list[Fault] = []
    for name, id in (("train", one.train), ("source", one.source)):
        if not own(board, side, id) or not unit(board, id).carries:
            code = "E-LOAD-2" if name == "source" else "E-LOAD-3"
            faults.append(Fault(code, f"{id} is no depot, supply train or army HQ of {side}", (name,)))
    if faults:
        return faults
    train, source = unit(board, one.train), unit(board, one.source)
    if train.hex != source.hex or train.id == source.id:
        faults.append(Fault("E-LOAD-1", f"{train.id} is in {train.hex}, {source.id} in {source.hex}"))
    if source.supply < one.points:
        message = f"{source.id} holds {source.supply} points, {one.points} are wanted"
        faults.append(Fault("E-LOAD-2", message, ("source",)))
    most = world_of(board).tables.numbers["load_per_action"]
    if one.points > most:
        faults.append(Fault("E-LOAD-3", f"one action loads 1-{most} points, not {one.points}", ("points",)))
    elif train.room is not None and one.points > train.room:
        message = f"{train.id} holds {train.supply} points and has room for {train.room} more"
        faults.append(Fault("E-LOAD-3", message, ("points",)))
    return faults


def load(board: Board, one: Load) -> None:
    """Move supply points."""
    spend_supply(board, one.source, one.points)
    add_supply(board, one.train, one.points)


def stocks(board: Board, side: str) -> Sequence[str]:
    """Carriers of a side, by id."""
    return [each.id for each in units(board, side) if each.carries]
