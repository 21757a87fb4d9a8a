"""4.4.15: Breakdowns: steps that a division detaches and takes back."""

from __future__ import annotations

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game, Message, Refused

from .actions import Detach
from .events.moving import BreakdownAbsorbed, BreakdownMade
from .moving import can_move, stop
from .pieces import Unit, maybe_unit, units, world_of


def fault_of(board: Board, side: str, id: str, wanted: str | None = None) -> Diagnostic | None:
    """4.4.15: Return why a division cannot detach a step, or None.

    It needs two steps, category `other`, and a Breakdown in the pool.
    """
    parent = maybe_unit(board, id)
    if parent is None or parent.owner != side or not parent.print.multi_step or parent.steps < 2:
        return illegal(
            "E-BRKD", "4.4.15", Message("ocs.breakdowns.cannot-leave-step-behind", id=id), "parent"
        )
    if parent.print.category != "other":
        return illegal("E-BRKD", "4.4.15", Message("ocs.breakdowns.may-not-detach-now", id=id), "parent")
    if not _free(board, parent, wanted):
        return illegal("E-BRKD", "4.4.15", Message("ocs.breakdowns.no-breakdown-left-in-pool"), "parent")
    return None


def _free(board: Board, parent: Unit, wanted: str | None) -> list[dict[str, object]]:
    """Return the Breakdowns in the pool whose AR is at most the division's."""
    pool = world_of(board).oob[parent.owner].get("breakdowns", ())
    free = [row for row in pool if maybe_unit(board, row["id"]) is None and int(row["ar"]) <= parent.print.ar]
    return [row for row in free if wanted in (None, row["id"])]


def split(game: Game, parent: Unit, wanted: str | None = None) -> Unit:
    """4.4.15: Move a step of a division to a new Breakdown in the same state. `fault_of` must be None."""
    row = _free(game, parent, wanted)[0]
    parent.lost += 1
    made = Unit.add(
        game, str(row["id"]), owner=parent.owner, kind="breakdown", hex=parent.hex, printed=dict(row),
        facing=parent.facing, marker=parent.marker, internal=parent.internal, oos=parent.oos,
        parent=parent.id, start=parent.start, attacked=parent.attacked,
    )  # fmt: skip
    game.emit(BreakdownMade(parent.owner, parent.id, made.id, parent.hex or ""))
    return made


def detach(game: Game, side: str, order: Detach) -> None:
    """4.4.15: Detach a step of a division that has not moved yet. Raises `Refused`."""
    if fault := fault_of(game, side, order.parent, order.unit):
        raise Refused([fault])
    parent = Unit(game, order.parent)
    if can_move(game, parent):
        raise stop(
            "E-BRKD", "4.4.15", Message("ocs.breakdowns.may-not-detach-now", id=order.parent), "parent"
        )
    split(game, parent, order.unit)


def absorb(game: Game) -> None:
    """4.4.15: Let reduced divisions absorb Breakdowns in their hex in the same state, at a phase's end."""
    for breakdown in [u for u in units(game) if u.kind == "breakdown"]:
        parent = maybe_unit(game, breakdown.parent)
        if (
            parent is None
            or not parent.lost
            or parent.hex != breakdown.hex
            or breakdown.print.ar < parent.print.ar
        ):
            continue
        same = ("facing", "marker", "internal", "oos")
        if any(getattr(parent, key) != getattr(breakdown, key) for key in same):
            continue
        parent.lost -= 1
        owner, id = breakdown.owner, breakdown.id
        breakdown.remove()
        game.emit(BreakdownAbsorbed(owner, parent.id, id, parent.hex or ""))
