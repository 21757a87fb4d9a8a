"""Stacking (4.16): what is wrong with a stack, and who goes by default (5.15 default_overstack)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Board, Message, dataclass

from .ground import Ground
from .losing import Lost, lose_step, loss_rank
from .pieces import Piece, piece, take_off, world_of


@dataclass(frozen=True)
class Excess:
    """An excess of a stack: its fault, and the units of which one must go (or lose a step).

    `pair`: units that may not be together, such as two HQs.
    """

    why: str
    among: tuple[str, ...]
    whole: bool
    pair: bool = False


def limits(board: Board, hex: str, ground: Ground | None = None) -> tuple[int, int]:
    """Return the most units and most steps of a hex."""
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
        found = [one for one in units if one.type == kind]
        if len(found) > most:
            return Excess(why, tuple(one.id for one in found), whole=True, pair=True)
    minors = [
        one
        for one in units
        if world.countries[one.country].kind == "minor" and not (one.print.exp and one.one_step)
    ]
    if len({one.country for one in minors}) > 1:
        why = Message("totaler-krieg.stacks.units-of-two-minor-countries")
        return Excess(why, tuple(one.id for one in minors), whole=True, pair=True)
    return None


def excess(board: Board, hex: str, units: Sequence[Piece], ground: Ground | None = None) -> Excess | None:
    """4.16: Return the first fault of these units in a hex."""
    if (pair := _pairs(board, units)) is not None:
        return pair
    most, steps = limits(board, hex, ground)
    ids = tuple(one.id for one in units)
    if len(units) > most:
        return Excess(
            Message("totaler-krieg.stacks.units-no-more", count=len(units), most=most), ids, whole=True
        )
    total = sum(one.steps for one in units)
    if total > steps:
        return Excess(
            Message("totaler-krieg.stacks.steps-no-more", total=total, steps=steps), ids, whole=False
        )
    return None


def first_to_go(board: Board, found: Excess) -> Piece:
    """5.15: Return the unit to go first (default_overstack)."""
    units = [piece(board, id) for id in found.among]
    if not found.whole:
        return min(units, key=lambda one: loss_rank(board, one))
    if found.pair:
        return min(units, key=lambda one: (one.factors, one.id))
    return min(units, key=lambda one: (one.steps, one.factors, one.id))


def to_cut(board: Board, found: Excess, wanted: Sequence[str]) -> Piece:
    """Return the unit that goes, or loses a step: the first of those wanted, else by default."""
    named = next((id for id in wanted if id in found.among), None)
    return piece(board, named) if named is not None else first_to_go(board, found)


def cut(board: Board, found: Excess, one: Piece, instead: str | None = None) -> Lost:
    """Remove one unit, or take a step from it."""
    if not found.whole:
        return lose_step(board, one, instead)
    hex, steps = one.hex or "", one.steps
    return Lost(one.id, 0, "", take_off(one), hex, steps)


def stacks(board: Board) -> list[tuple[str, str, list[Piece]]]:
    """R-212: Return every hex with a faction's ground units, as (hex, faction, units).

    By hex; none of a box.
    """
    ground = Ground(board)
    found = []
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        if ground.world.box_of(hex) is not None:
            continue
        for faction in sorted({one.owner for one in units}):
            found.append((hex, faction, [one for one in units if one.owner == faction]))
    return found
