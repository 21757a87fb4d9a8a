"""4.4: The moves of an activated force, on a game or a draft's board. Legal parts are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from pbem.kit.faults import illegal, under
from pbem.rules import Diagnostic, Draft, Game, Message, Part, Points, dataclass, maybe

from ..handling import Displacements, drive_off, settle_rosters, take_hex
from ..handling import move as put
from ..pieces import (
    Board,
    Leader,
    Piece,
    Unit,
    Works,
    gt,
    has_troops,
    left,
    own_leader,
    own_unit,
    piece,
    units,
    works_at,
    world_of,
)
from ..statics import ZONE
from ..tracks import T
from .land import Ground, Stack, marching
from .model import Move, Sail
from .rail import cut_fault, rail_cost, ride_fault, rides
from .sea import sail_fault


@dataclass(frozen=True)
class Done:
    """A move that was made. `way` begins in the first hex, `took` are hexes that changed hands."""

    units: tuple[str, ...]
    way: tuple[str, ...]
    by: str
    cost: int
    in_zone: bool = False
    took: tuple[str, ...] = ()
    cut: str | None = None
    displaced: Displacements | None = None


@dataclass
class Performed:
    """The result of an activation: moves made, an entrenchment, faults of the rest."""

    done: list[Done] = field(default_factory=list)
    entrenched: str | None = None
    faults: list[Diagnostic] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def perform(
    board: Board,
    side: str,
    members: Sequence[str],
    moves: Sequence[Move],
    entrench: bool,
    where: str,
    section: str = "moves",
) -> Performed:
    """Move the members of a force in the order given. A force that moves cannot entrench."""
    result = Performed()
    for n, move in enumerate(moves):
        outcome = _one_move(board, side, members, move)
        if isinstance(outcome, Diagnostic):
            result.faults += under([outcome], section, n)
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


def _one_move(board: Board, side: str, members: Sequence[str], move: Move) -> Done | Diagnostic:
    """Check one move and make it."""
    for n, id in enumerate(move.units):
        if id not in members or id not in board.position.counters:
            return illegal("E-MOV-7", "4.4.2", Message("wbts.mover.not-in-force", id=id), "units", n)
        if (why := stays(board, id)) is not None:
            return illegal(why[0], "4.4.1", why[1], "units", n)
    starts = sorted({piece(board, id).hex for id in move.units})
    if len(starts) != 1 or len(set(move.units)) != len(move.units):
        message = Message("wbts.mover.units-that-go-together-begin-in-one")
        return illegal("E-MOV-7", "4.4.2", message, "units")
    start = starts[0]
    return _ride(board, side, move, start) if move.by == "rail" else _march(board, side, move, start)


def stays(board: Board, id: str) -> tuple[str, str] | None:
    """R-104: Return the code and message of a member that does not move over land, or None."""
    who, u = maybe(board, Leader, id), maybe(board, Unit, id)
    if piece(board, id).moved:
        return "E-FREE-3", Message("wbts.free.has-already-moved", id=id)
    if u is not None and u.is_static:
        return "E-FREE-4", Message("wbts.mover.never-moves", id=id)
    if who is not None and (who.naval or not who.on_map):
        return "E-FREE-4", Message("wbts.mover.goes-with-ships-or-from-port", id=id)
    return None


def movable(board: Board, members: Iterable[str]) -> list[str]:
    """Return members of a force that may still move."""
    return [id for id in members if id in board.position.counters and stays(board, id) is None]


def _march(board: Board, side: str, move: Move, start: str) -> Done | Diagnostic:
    """4.4.2, 4.4.4: March, cutting rails on order. A unit with a zone takes every hex it enters."""
    ground, points = Ground.of(board, side), 0
    if move.cut is not None:
        points = world_of(board).tables.movement["cut_rail"]
        fault = cut_fault(board, move.units, (start, *move.path), move.cut)
        fault = fault or _cutter_fault(board, ground, move, start, points)
        if fault is not None:
            return fault
    elif not move.path:
        return illegal("E-MOV-6", "4.4.2", Message("wbts.mover.move-needs-path"), "path")
    cost, fault = marching(board, ground, Stack.of(board, move.units)).judged(start, move.path, "path")
    if fault is not None:
        return fault
    owning = any(u.is_zoc for u in left(board, move.units))
    took = tuple(hex for hex in move.path if owning and take_hex(board, side, hex))
    displaced = _enter(board, side, move)
    if move.cut is not None:
        tracks = T.of(board)
        tracks.rail_cut = tuple(sorted((*tracks.rail_cut, move.cut)))
    way, in_zone = (start, *move.path), bool(move.path) and move.path[-1] in ground.zones
    return Done(move.units, way, "march", cost + points, in_zone, took, move.cut, displaced)


def _enter(board: Board, side: str, move: Move) -> Displacements | None:
    """Put the units at the end of their way, marked. Combat units drive off lone enemies on it."""
    troops = has_troops(board, move.units)
    for id in move.units:
        here = piece(board, id)
        here.moved = True
        if move.by == "rail" and (unit := maybe(board, Unit, id)) is not None and not unit.is_hq:
            unit.entrained = True
    displaced = drive_off(board, side, move.path) if troops else None
    if move.path:
        put(board, move.units, move.path[-1], settle=False)
    return displaced


def _cutter_fault(board: Board, ground: Ground, move: Move, start: str, points: int) -> Diagnostic | None:
    """4.4.4: Return the fault if no unit has the points for its way and the rails."""
    able = [u.id for u in left(board, move.units) if u.type in ZONE]
    alone = [marching(board, ground, Stack.of(board, [id]), points) for id in able]
    faults = [travel.judged(start, move.path, "path")[1] for travel in alone]
    return None if None in faults else faults[0]


def _ride(board: Board, side: str, move: Move, start: str) -> Done | Diagnostic:
    """4.4.3: Ride by rail at a point a unit. Units stay entrained until their owner's next turn."""
    if move.cut is not None:
        return illegal("E-CUT-1", "4.4.4", Message("wbts.mover.who-rides-cuts-no-rails"), "cut")
    fault = ride_fault(board, Ground.of(board, side), side, move.units, move.path)
    if fault is not None:
        return fault
    points = rail_cost(board, move.units)
    T.of(board).rail_points[side] -= points
    owning = any(u.is_zoc for u in left(board, move.units))
    took = (move.path[-1],) if owning and take_hex(board, side, move.path[-1]) else ()
    displaced = _enter(board, side, move)
    return Done(move.units, (start, *move.path), "rail", points, took=took, displaced=displaced)


def sail(board: Board, side: str, order: Sail) -> Done | Diagnostic:
    """Check a move of ships and make it (4.4.1)."""
    fault = sail_fault(board, side, order)
    if fault is not None:
        return fault
    start = piece(board, order.units[0]).hex
    for id in order.units:
        board.position.move(id, order.path[-1])
        piece(board, id).moved = True
    return Done(order.units, (start, *order.path), "sea", len(order.path))


def entrench_fault(board: Board, side: str, hex: str, *, moved: bool = False) -> Diagnostic | None:
    """Return the reason why a force cannot entrench in a hex, or None."""
    why = None
    if moved:
        why = Message("wbts.mover.force-that-moves-does-not-entrench")
    elif not any(u.known and u.digs for u in units(board, side, hex)):
        why = Message("wbts.mover.no-infantry-or-militia", hex=hex)
    elif hex in world_of(board).forts or works_at(board, hex) is not None:
        why = Message("wbts.mover.has-fort-or-entrenchment-already", hex=hex)
    return None if why is None else illegal("E-ENT-1", "4.4.6", why, "entrench")


def dig(board: Board, side: str, hex: str, members: Sequence[str]) -> None:
    """Place an entrenchment marker. Units that dig count as moved (R-105)."""
    Works.add(board, f"ENT-{hex}", type="entrenchment", side=side, hex=hex, built_gt=gt(board))
    for id in movable(board, members):
        here = piece(board, id)
        here.moved = here.hex == hex


class MoveDraft(Draft[Part[Any]]):
    """An answer in which forces move.

    `members` are moved by the last element, `before` is the board without it. `tried` is the
    element last judged legal, with its board.
    """

    members: tuple[str, ...] = ()
    before: Game
    tried: tuple[Part[Any], Game] | None = None

    def keep(self, element: Part[Any]) -> bool:
        """Keep the board before an element, and return True if the element is done already.

        The draft goes on with another board. Rosters settle when a force has made all its moves, so
        a longer form of the element is done from the start.
        """
        self.members, self.before = (), self.game
        done = self.tried is not None and self.tried[0] is element
        self.game = self.tried[1] if self.tried is not None and done else self.aside()
        self.tried = None
        return done

    def lengthen(self, last: Part[Any], longer: Part[Any]) -> bool:
        self.game = self.before
        self.do(longer)
        return True

    def wanted(self, of: str | None) -> Callable[[str], bool]:
        """Return a test for the units that `next` is asked for."""
        return lambda id: self.concerns(of, id)


def next_moves(
    board: Board, side: str, members: Iterable[str], wanted: Callable[[str], bool]
) -> Iterator[tuple[Move, str, Points]]:
    """Yield moves of all in one hex together, then of each alone, by march and then by rail."""
    ground, able = Ground.of(board, side), movable(board, members)
    by_hex: dict[str, list[str]] = {}
    for id in able:
        by_hex.setdefault(piece(board, id).hex, []).append(id)
    together = [here for _, here in sorted(by_hex.items()) if len(here) > 1]
    for ids in [*together, *([id] for id in able)]:
        if not any(wanted(id) for id in ids):
            continue
        start, who, all_of = piece(board, ids[0]).hex, tuple(ids), ", ".join(ids)
        ways = marching(board, ground, Stack.of(board, ids)).ways(start)
        for end, path in ways.items():
            cost = ways.cost(end)
            points = Points(who, way=path, cost=(("MP", cost),))
            yield (
                Move(who, path),
                Message("wbts.mover.by", all_of=all_of, path=" ".join(path), cost=cost),
                points,
            )
        cost = rail_cost(board, ids)
        for end, path in rides(board, ground, side, start).items():
            if 1 <= cost <= T.of(board).rail_points[side]:
                points = Points(who, way=path, cost=((Message("wbts.mover.rail-points"), cost),))
                yield (
                    Move(who, path, "rail"),
                    Message("wbts.mover.rail-to-rail-points", all_of=all_of, end=end, cost=cost),
                    points,
                )


def named(board: Board, side: str, id: str) -> Piece | None:
    """Return the leader or unit of that id if the side has one."""
    return own_leader(board, side, id) or own_unit(board, side, id)
