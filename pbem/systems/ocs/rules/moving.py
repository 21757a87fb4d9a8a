"""Movement of combat units (4.0.2 to 4.0.3, 4.4.2 to 4.4.5): allowances, costs, modes, fuel, zones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.faults import illegal
from pbem.kit.ways import ways
from pbem.rules import Board, Diagnostic, Game, Message, Refused

from .allowances import movement_allowance
from .pieces import Points, T, Unit, points, units, world_of
from .supply.reach import Net
from .world import ALL
from .zones import Ground, eligible

MODES = {"plain": "none", "reserve": "reserve", "strat": "strat"}


def stop(code: str, rule: str, message: str, *path: str | int) -> Refused:
    """Return the refusal of an order, with one fault."""
    return Refused([illegal(code, rule, message, *path)])


def bridged(board: Board, side: str, a: str, b: str) -> bool:
    """4.4.7: Return True if a river is between two hexes and an engineer of the side in one of them."""
    if not world_of(board).river(a, b):
        return False
    return any(u.engineer for hex in (a, b) for u in units(board, side, hex))


def trainbusted(board: Board, side: str, to: str, m: str) -> bool:
    """4.0.3: Return True if an enemy trainbusting marker raises the cost of this hex."""
    world, marks = world_of(board), T.of(board).busted
    if not marks:
        return False
    near = (to, *world.beside(to)) if m != "leg" else (to,)
    return any(marks.get(hex) == world.enemy(side) for hex in near)


def step_cost(
    board: Board, u: Unit, a: str, b: str, *, road_ok: bool = True, bridges: bool = True
) -> Fraction | None:
    """4.0.3: Return the unit's cost of entering b from a, or None if it cannot.

    ALL is the whole allowance of a unit that has spent nothing.
    """
    world, m = world_of(board), u.side.mobility
    over = bridges and bridged(board, u.owner, a, b)
    cost = world.step(a, b, m, road_ok=road_ok, ground=T.of(board).ground, bridged=over)
    if cost is None:
        return None
    if cost == ALL:
        return None if u.spent else movement_allowance(u)
    return Fraction(cost, world.scale) + (1 if trainbusted(board, u.owner, b, m) else 0)


def needs_fuel(u: Unit) -> bool:
    """4.4.5: Return True if the unit moves on wheels or tracks."""
    return u.side.mobility != "leg"


def fuelled(board: Board, u: Unit) -> bool:
    """4.4.5: Return True if a unit needs no fuel, or its formation, an HQ or its own purchase provides it."""
    return not needs_fuel(u) or u.fuel_single or u.fuelled or fuelling_hq(board, u) is not None


def fuelling_hq(board: Board, u: Unit) -> Unit | None:
    """4.4.5: Return the HQ whose fuel marker serves a unit: itself, or one whose throw reaches its start.

    The throw counts from the hex where the HQ first served in this phase.
    """
    marked = T.of(board).fuelled
    if u.id in marked:
        return u
    if not marked or not u.independent:
        return None
    net = Net(board, u.owner, trace=False)
    for hq in net.hqs(u):
        if hq.id in marked and net.throws(hq, u.start or u.hex or "", hq.fuel_hex) is not None:
            return hq
    return None


def mode_faults(
    board: Board, u: Unit, facing: str | None, mode: str | None, *path: str | int
) -> list[Diagnostic]:
    """4.4.3: Return the faults of a change of mode."""
    t, faults = T.of(board), []
    if facing is None and mode is None:
        return []
    if t.phase != "C" or t.acting != u.owner:
        changed = (facing is not None and facing != u.facing) or mode is not None
        if path and mode is None:
            path = (*path[:-1], "facing")
        return (
            [illegal("E-MODE", "4.4.3", Message("ocs.hauling.changes-no-mode-in-phase", p=u.id), *path)]
            if changed
            else []
        )
    if mode is None and facing == "combat" and u.marker == "strat":
        return [illegal("E-MODE", "4.4.3", Message("ocs.moving.strat-mode-on-move-side", u=u.id), *path)]
    if u.marker == "dg" and mode not in (None, "plain"):
        return [illegal("E-MODE", "4.4.3", Message("ocs.moving.dg-and-may-only-turn-over", u=u.id), *path)]
    if facing == "combat" and u.kind.startswith("repl"):
        faults.append(illegal("E-MODE", "4.4.3", Message("ocs.moving.has-no-combat-side", u=u.id), *path))
    ground = Ground(board, u.owner)
    if mode == "reserve":
        faults += _reserve_faults(board, ground, u, path)
    if mode == "strat":
        if facing == "combat":
            faults.append(
                illegal("E-MODE", "4.4.3", Message("ocs.moving.strat-mode-on-move-side", u=u.id), *path)
            )
        if ground.in_zoc(u.hex or ""):
            faults.append(
                illegal("E-STRAT-ZOC", "4.4.3", Message("ocs.hauling.in-enemy-zone", p=u.id), *path)
            )
    return faults


def _reserve_faults(board: Board, ground: Ground, u: Unit, path: tuple[str | int, ...]) -> list[Diagnostic]:
    faults = []
    if ground.in_zoc(u.hex or ""):
        faults.append(illegal("E-RES-ZOC", "4.4.3", Message("ocs.hauling.in-enemy-zone", p=u.id), *path))
    if len(reserves(board, u.owner) - {u.hex}) >= reserve_markers(board, u.owner):
        faults.append(illegal("E-RES-POOL", "4.4.3", Message("ocs.hauling.no-reserve-marker-left"), *path))
    return faults


def reserves(board: Board, side: str) -> set[str | None]:
    """Return the hexes with a Reserve marker of a side; one marker covers all units there."""
    marked = {u.hex for u in units(board, side) if u.marker == "reserve"}
    return marked | {p.hex for p in points(board, side) if p.marker == "reserve"}


def reserve_markers(board: Board, side: str) -> int:
    return int(world_of(board).oob[side].get("reserve_markers", 0))


def check_reserves(board: Board, side: str) -> None:
    """4.4.3: Refuse a move after which a side has Reserve markers in more hexes than its pool allows."""
    if len(reserves(board, side)) > reserve_markers(board, side):
        raise stop("E-RES-POOL", "4.4.3", Message("ocs.moving.no-reserve-marker-left-for-second-hex"), "path")


def set_mode(u: Unit, facing: str | None, mode: str | None) -> None:
    """4.4.3: Turn a unit over and change its marker."""
    if facing is not None:
        u.facing = facing  # type: ignore[assignment]
    if mode is not None and u.marker != "dg":
        u.marker = MODES[mode]  # type: ignore[assignment]
        if mode == "strat":
            u.facing = "move"


def enter_faults(board: Board, ground: Ground, u: Unit, to: str, *path: str | int) -> list[Diagnostic]:
    """4.4.4, 4.4.12: Return all faults of a unit that enters a hex, apart from the cost."""
    world = world_of(board)
    if to not in world.terrains or to not in world.beside(u.hex or ""):
        return [
            illegal("E-MOVE-PROHIBITED", "4.0.3", Message("ocs.moving.not-beside", to=to, hex=u.hex), *path)
        ]
    if ground.enemy_in(to):
        return [
            illegal("E-MOVE-ENEMY", "4.4.12", Message("ocs.landings.holds-enemy-combat-units", hex=to), *path)
        ]
    if not u.attack_capable and holds_enemy_things(board, u.owner, to):
        return [
            illegal(
                "E-MOVE-ENEMY", "4.4.12", Message("ocs.moving.cannot-drive-off-what", u=u.id, to=to), *path
            )
        ]
    if u.marker == "strat" and ground.in_zoc(to):
        return [illegal("E-STRAT-ZOC", "4.4.2", Message("ocs.moving.strat-mode", u=u.id, to=to), *path)]
    return []


def holds_enemy_things(board: Board, side: str, hex: str) -> bool:
    """2.5, 4.4.12: Return True if a hex has enemy counters or facilities other than combat units."""
    counters = board.position.counters
    tracks: dict[str, Any] = board.position.tracks
    for name in ("dumps", "bases", "ports", "hedgehogs"):  # plain data: asked for every hex of a search
        facility = tracks.get(name, {}).get(hex)
        if facility is not None and facility["owner"] != side:
            return True
    return any(counters[id]["owner"] != side for id in board.position.at(hex))


def can_move(board: Board, u: Unit) -> list[Diagnostic]:
    """4.4.2, 4.6, 4.8: Return the faults that keep a unit from moving in this phase."""
    if u.done or u.committed:
        return [illegal("E-MOVE-DONE", "4.4.2", Message("ocs.moving.has-finished-for-phase", u=u.id))]
    if not eligible(board, u):
        return [illegal("E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.hauling.may-not-move-in-phase", p=u.id))]
    return []


def take_control(board: Board, side: str, hex: str) -> bool:
    """R-102: Give control of an entered land hex to the side; return True if that changed it."""
    t = T.of(board)
    if t.control.get(hex) == side or not world_of(board).land(hex):
        return False
    t.control[hex] = side
    return True


def own_points(game: Game, side: str, ids: Sequence[str]) -> list[Points]:
    """Return the transport points that an order names, or refuse it."""
    own = {p.id: p for p in points(game, side)}
    wrong = [id for id in ids if id not in own]
    if wrong or not ids:
        raise stop(
            "E-MOVE-ELIGIBLE",
            "4.4.8",
            Message("ocs.hauling.no-points-of-yours", ids=", ".join(wrong) or "nothing"),
            "points",
        )
    return [own[id] for id in ids]


def unit_ways(game: Game, u: Unit, *, released: bool = False) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Yield the hexes that a unit can reach, as (cheapest path, cost); trucks stop in the first open zone."""
    world, t = world_of(game), T.of(game)
    if released:
        u.marker = "none"
    allowance, ground = movement_allowance(u), Ground(game, u.owner, without=[u.id])
    limit = int((allowance - u.spent) * world.scale)
    m, capable = u.side.mobility, u.attack_capable

    enemies, weather, start, fresh, owner = ground.hostile, t.ground, u.hex, not u.spent, u.owner
    barred: dict[str, bool] = {}
    busted = bool(t.busted)

    def closed(b: str) -> bool:
        if b not in barred:
            guarded = not capable and holds_enemy_things(game, owner, b)
            barred[b] = b in enemies or guarded or not world.land(b)
        return barred[b]

    def cost(a: str, b: str) -> int | None:
        if closed(b):
            return None
        points = world.step(a, b, m, ground=weather, bridged=bridged(game, owner, a, b))
        if points is None:
            return None
        if points == ALL:
            return limit if a == start and fresh else None
        return points + (world.scale if busted and trainbusted(game, owner, b, m) else 0)

    stop = ground.open_zoc if m == "truck" else None
    reached = ways(world, u.hex or "", cost, limit, stop=stop)
    listed = [(path, Fraction(reached.cost(end), world.scale)) for end, path in reached.items()]
    if released:
        u.marker = "reserve"
    yield from listed
