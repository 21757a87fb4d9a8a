"""4.4.3, 4.4.4: Riding by rail, and cutting rails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kit.faults import illegal
from pbem.kit.ways import Travel
from pbem.rules import Diagnostic, Message

from ..pieces import Board, left, piece, world_of
from ..statics import ZONE
from ..tracks import T
from ..zones import friendly_rail
from .land import Ground

RULE = "4.4.3"


def rail_cost(board: Board, ids: Sequence[str]) -> int:
    """Return one point for each unit. Leaders and HQs ride free with a unit."""
    return sum(1 for u in left(board, ids) if not u.is_hq)


def open_rail(board: Board, ground: Ground, side: str, hex: str) -> bool:
    """Return True if a hex has friendly uncut rails, without enemies and outside enemy zones."""
    return friendly_rail(board, hex, side) and hex not in ground.enemies and hex not in ground.zones


def ride_fault(
    board: Board, ground: Ground, side: str, ids: Sequence[str], path: Sequence[str]
) -> Diagnostic | None:
    """E-RAIL-1 to E-RAIL-3: Return the fault of a ride: start or distance, a hex, points."""
    start, points, left_over = piece(board, ids[0]).hex, rail_cost(board, ids), T.of(board).rail_points[side]
    if not points:
        return illegal("E-RAIL-1", RULE, Message("wbts.rail.leaders-and-hqs-ride-only-with-unit"), "units")
    if not open_rail(board, ground, side, start):
        return illegal(
            "E-RAIL-1",
            RULE,
            Message("wbts.rail.no-friendly-uncut-rail-hex-outside-enemy", start=start),
            "path",
        )
    travel = riding(board, ground, side)
    if not 1 <= len(path) <= travel.limit:
        return travel.over(len(path))
    fault = travel.judged(start, path, "path")[1]
    if fault is not None:
        return fault
    if points > left_over:
        message = Message("wbts.rail.ride-costs-rail-points", points=points, side=side, left_over=left_over)
        return illegal("E-RAIL-3", RULE, message, "units")
    return None


def riding(board: Board, ground: Ground, side: str) -> Travel:
    """Return the rules of a ride over open rails, hex by hex."""
    world = world_of(board)
    most = world.tables.movement["rail"]

    def step(here: str, there: str) -> int | Diagnostic:
        if there not in world or not world.joins("rail", here, there):
            return illegal("E-RAIL-2", RULE, Message("wbts.rail.no-rails-lead", here=here, there=there))
        if not open_rail(board, ground, side, there):
            inside = there in ground.zones
            why = (
                Message("wbts.rail.enemy-zone")
                if inside
                else Message("wbts.rail.not-friendly-uncut-and-free-of-enemies")
            )
            return illegal("E-RAIL-2", RULE, Message("wbts.rail.hex-not-open", there=there, why=why))
        return 1

    def over(hexsides: int) -> Diagnostic:
        return illegal(
            "E-RAIL-1",
            RULE,
            Message("wbts.rail.ride-goes-over-1-hexsides", most=most, hexsides=hexsides),
            "path",
        )

    return Travel(world, step, most, over)


def rides(board: Board, ground: Ground, side: str, start: str) -> Mapping[str, tuple[str, ...]]:
    """Return every hex that can be reached by rail, with its path."""
    return riding(board, ground, side).ways(start) if open_rail(board, ground, side, start) else {}


def cut_fault(board: Board, ids: Sequence[str], way: Sequence[str], hex: str) -> Diagnostic | None:
    """Return the reason why rails cannot be cut in a hex of a move's way, apart from points."""
    if not any(u.type in ZONE for u in left(board, ids)):
        return illegal("E-CUT-1", "4.4.4", Message("wbts.rail.only-infantry"), "cut")
    if hex not in way:
        return illegal("E-CUT-1", "4.4.4", Message("wbts.rail.not-on-way", hex=hex), "cut")
    if hex not in world_of(board).rail_lines or hex in T.of(board).rail_cut:
        return illegal("E-CUT-1", "4.4.4", Message("wbts.rail.no-rails-to-cut", hex=hex), "cut")
    return None
