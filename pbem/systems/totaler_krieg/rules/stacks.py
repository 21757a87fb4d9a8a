"""4.16: Stacking: faults of a stack, and the unit that goes by default (5.15)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Board, Message, dataclass

from .ground import Ground
from .losing import Lost, lose_step, loss_rank
from .pieces import Piece, piece, take_off, world_of


@dataclass(frozen=True)
class Excess:
    """A fault of a stack, and the units of which one must go or lose a step.

    With `pair` these units may not be together, such as two HQs.
    """

    why: str
    among: tuple[str, ...]
    whole: bool
    pair: bool = False


def limits(board: Board, hex: str, ground: Ground | None = None) -> tuple[int, int]:
    """Return the highest numbers of units and steps in a hex."""
    world = world_of(board)
    marker = (ground or Ground(board)).beachhead(hex) if world.sea(hex) else None
    chart = world.limits["stacking"]
    tight = hex in world.limited or (marker is not None and marker.print.limited)
    row = chart["limited" if tight else "open"]
    return int(row["units"]), int(row["steps"])


def _pairs(board: Board, units: Sequence[Piece]) -> Excess | None:
    world = world_of(board)
    for kind, most, why in (
        ("hq", int(world.limits["stacking"]["hqs"]), Message("totaler-krieg.stacks.two-hqs")),
        (
            "fortress",
            int(world.limits["stacking"]["fortresses"]),
            Message("totaler-krieg.stacks.two-fortresses"),
        ),
    ):
        alike = [unit for unit in units if unit.type == kind]
        if len(alike) > most:
            return Excess(why, tuple(unit.id for unit in alike), whole=True, pair=True)
    minors = [
        unit
        for unit in units
        if world.countries[unit.country].kind == "minor" and not (unit.print.exp and unit.one_step)
    ]
    if len({unit.country for unit in minors}) > 1:
        why = Message("totaler-krieg.stacks.units-of-two-minor-countries")
        return Excess(why, tuple(unit.id for unit in minors), whole=True, pair=True)
    return None


def excess(board: Board, hex: str, units: Sequence[Piece], ground: Ground | None = None) -> Excess | None:
    """4.16: Return the first fault of these units in a hex."""
    if (pair := _pairs(board, units)) is not None:
        return pair
    most, steps = limits(board, hex, ground)
    ids = tuple(unit.id for unit in units)
    if len(units) > most:
        return Excess(
            Message("totaler-krieg.stacks.units-no-more", count=len(units), most=most), ids, whole=True
        )
    total = sum(unit.steps for unit in units)
    if total > steps:
        return Excess(
            Message("totaler-krieg.stacks.steps-no-more", total=total, steps=steps), ids, whole=False
        )
    return None


def first_to_go(board: Board, fault: Excess) -> Piece:
    """5.15: Return the unit that goes first (default_overstack)."""
    units = [piece(board, id) for id in fault.among]
    if not fault.whole:
        return min(units, key=lambda unit: loss_rank(board, unit))
    if fault.pair:
        return min(units, key=lambda unit: (unit.factors, unit.id))
    return min(units, key=lambda unit: (unit.steps, unit.factors, unit.id))


def to_cut(board: Board, fault: Excess, wanted: Sequence[str]) -> Piece:
    """Return the unit that goes or loses a step: the first of `wanted`, or else the default."""
    named = next((id for id in wanted if id in fault.among), None)
    return piece(board, named) if named is not None else first_to_go(board, fault)


def cut(board: Board, fault: Excess, unit: Piece, instead: str | None = None) -> Lost:
    """Remove a unit, or take a step from it."""
    if not fault.whole:
        return lose_step(board, unit, instead)
    hex, steps = unit.hex or "", unit.steps
    return Lost(unit.id, 0, "", take_off(unit), hex, steps)


def stacks(board: Board) -> list[tuple[str, str, list[Piece]]]:
    """R-212: Return every hex with a faction's ground units, as (hex, faction, units).

    They are in the order of hexes, without boxes.
    """
    ground = Ground(board)
    rows = []
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        if ground.world.box_of(hex) is not None:
            continue
        for faction in sorted({unit.owner for unit in units}):
            rows.append((hex, faction, [unit for unit in units if unit.owner == faction]))
    return rows
