"""4.3.5: Consolidation: two reduced units or aircraft become one, or a unit replaces a dead one."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game, Message, Name, dataclass

from .actions import Combine
from .bases import bury_plane
from .events.turn import Consolidated
from .fighting.losses import bury
from .moving import stop
from .pieces import Points, T, Unit, maybe_plane, maybe_unit, planes, points, units, world_of
from .printed import UnitType
from .rebuilding import shown_of


@dataclass(frozen=True)
class Consolidation:
    """4.3.5: `unit` takes the steps of `removed` (both on the map), or replaces `dead` from the dead pile."""

    unit: Name
    removed: Name | None = None
    dead: Name | None = None


def same_counter(first: UnitType, other: UnitType) -> bool:
    """Return True if two types are printed alike on both sides, but for names."""
    keys = ("size", "kind", "category", "ar", "combat", "move", "re", "steps", "flags", "range")
    return all(getattr(first, key) == getattr(other, key) for key in keys)


def faults_of(board: Board, side: str, order: Consolidation) -> list[Diagnostic]:
    """Return all faults of a consolidation."""

    def wrong(message: str, *path: str) -> list[Diagnostic]:
        return [illegal("E-CONS", "4.3.5", message, *path)]

    if (order.removed is None) == (order.dead is None):
        return wrong(Message("ocs.consolidation.say-removed-or-dead"))
    plane, truck, u = (
        maybe_plane(board, order.unit),
        _points(board, order.unit),
        maybe_unit(board, order.unit),
    )
    if plane is not None and plane.owner == side:
        other = maybe_plane(board, order.removed or "")
        alike = other is not None and other.id != plane.id and other.owner == side
        if not alike or other is None or not (plane.lost and other.lost):
            return wrong(Message("ocs.consolidation.two-reduced-aircraft-of-yours"), "removed")
        if (plane.print, plane.active, plane.hex) != (other.print, other.active, other.hex):
            return wrong(Message("ocs.consolidation.they-not-of-one-model"), "removed")
        return []
    if truck is not None and truck.owner == side:
        return _truck_faults(board, truck, order)
    if u is None or u.owner != side:
        return wrong(Message("ocs.consolidation.no-unit-of-yours", unit=order.unit), "unit")
    if u.marker == "dg" or u.internal != "full":
        return wrong(Message("ocs.consolidation.dg-low-or-exhausted", u=u.id), "unit")
    if order.removed is not None:
        other_unit = maybe_unit(board, order.removed)
        if other_unit is None or other_unit.owner != side or other_unit.id == u.id or other_unit.hex != u.hex:
            return wrong(
                Message("ocs.consolidation.no-other-unit-of-yours", removed=order.removed, hex=u.hex),
                "removed",
            )
        if other_unit.marker == "dg" or other_unit.internal != "full":
            return wrong(Message("ocs.consolidation.dg-low-or-exhausted", u=other_unit.id), "removed")
        if not (u.lost and other_unit.lost) or not same_counter(u.print, other_unit.print):
            return wrong(Message("ocs.consolidation.only-two-reduced-units-with-same-counter"), "removed")
        return []
    fields = T.of(board).dead.get(order.dead or "")
    if fields is None or fields["owner"] != side or fields["kind"] in ("aircraft", "transport"):
        return wrong(Message("ocs.consolidation.not-in-your-dead-pile", dead=order.dead), "dead")
    formation = world_of(board).formation_of.get(order.dead or "")
    if formation is None or formation == u.formation or u.print.multi_step:
        return wrong(Message("ocs.consolidation.no-other-formation", dead=order.dead), "dead")
    if not same_counter(u.print, shown_of(board, order.dead or "", fields)):
        return wrong(Message("ocs.consolidation.counters-not-same"), "dead")
    return []


def _points(board: Board, id: str) -> Points | None:
    fields = board.position.counters.get(id)
    return Points(board, id) if fields is not None and Points.is_one(fields) else None


def _truck_faults(board: Board, truck: Points, order: Consolidation) -> list[Diagnostic]:
    """Return the faults of a truck point that replaces a dead formation's organic one."""
    fields = T.of(board).dead.get(order.dead or "")
    if fields is None or fields["owner"] != truck.owner or not fields.get("organic_of"):
        return [
            illegal(
                "E-CONS", "4.3.5", Message("ocs.consolidation.no-dead-organic-truck", dead=order.dead), "dead"
            )
        ]
    same = all(fields.get(key) == getattr(truck, key) for key in ("type", "points", "ma", "mobility"))
    if not same or fields["organic_of"] == truck.organic_of:
        return [illegal("E-CONS", "4.3.5", Message("ocs.consolidation.counters-not-same"), "dead")]
    return []


def possible(board: Board, side: str) -> Iterator[Consolidation]:
    """Yield all consolidations possible now."""
    on_map = [u for u in units(board, side) if u.hex is not None]
    reduced = [u for u in on_map if u.lost]
    for u in reduced:
        for other in reduced:
            if other.hex == u.hex and other.id != u.id:
                order = Consolidation(u.id, removed=other.id)
                if not faults_of(board, side, order):
                    yield order
    yield from pairs(board, side)
    dead = [id for id, fields in sorted(T.of(board).dead.items()) if fields["owner"] == side]
    for id in dead:
        for counter in (*on_map, *points(board, side)):
            order = Consolidation(counter.id, dead=id)
            if not faults_of(board, side, order):
                yield order


def consolidate(game: Game, side: str, order: Consolidation) -> None:
    """4.3.5: Carry out a consolidation that has no faults."""
    plane = maybe_plane(game, order.unit)
    if plane is not None:
        plane.lost = 0
        bury_plane(maybe_plane(game, order.removed or ""))  # type: ignore[arg-type]
    elif order.removed is not None:
        u, other = Unit(game, order.unit), Unit(game, order.removed)
        u.lost = max(0, u.lost - other.steps)
        bury(other)
    else:
        _take_place(game, order.unit, order.dead or "")
    game.emit(Consolidated(side, order.unit, order.removed or order.dead or ""))


def combine(game: Game, side: str, order: Combine) -> None:
    """4.3.5: Combine two reduced aircraft. Raises `Refused`."""
    consolidation = Consolidation(order.aircraft[0], removed=order.aircraft[1])
    if maybe_plane(game, consolidation.unit) is None:
        raise stop(
            "E-CONS", "4.3.5", Message("ocs.consolidation.no-aircraft", unit=consolidation.unit), "aircraft"
        )
    if faults := faults_of(game, side, consolidation):
        raise stop("E-CONS", "4.3.5", faults[0].message, "aircraft")
    consolidate(game, side, consolidation)


def pairs(board: Board, side: str) -> Iterator[Consolidation]:
    """Yield the legal consolidations of two reduced aircraft."""
    wings = [p for p in planes(board, side) if p.lost]
    for p in wings:
        for q in wings:
            order = Consolidation(p.id, removed=q.id)
            if p.id < q.id and not faults_of(board, side, order):
                yield order


def _take_place(game: Game, id: str, dead: str) -> None:
    """Replace a dead counter by a living one, which takes its id and puts its own into the dead pile."""
    t, fields = T.of(game), dict(game.position.counters[id])
    kept = {key: fields[key] for key in ("owner", "kind", "type", "printed", "points", "ma", "mobility",
                                         "organic_of") if key in fields}  # fmt: skip
    pile = t.dead.pop(dead)
    game.position.remove(id)
    fields |= {key: pile[key] for key in ("type", "printed", "organic_of") if key in pile}
    for key in ("type", "printed"):
        if key in fields and key not in pile and fields.get("kind") != "transport":
            del fields[key]
    game.position.add(dead, fields)
    if world_of(game).formation_of.get(id) is not None:
        t.dead[id] = kept
