"""Movement of combat units (4.0.2 to 4.0.3, 4.4.2 to 4.4.5): allowances, costs, modes, fuel, zones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, cast

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
    """Return the refusal of an action."""
    return Refused([illegal(code, rule, message, *path)])


def bridged(board: Board, side: str, a: str, b: str) -> bool:
    """4.4.7: Return True if an engineer of the side is at the river."""
    if not world_of(board).river(a, b):
        return False
    return any(u.engineer for hex in (a, b) for u in units(board, side, hex))


def trainbusted(board: Board, side: str, to: str, m: str) -> bool:
    """4.0.3: Return True if an enemy trainbusting marker makes this hex cost more."""
    world, marks = world_of(board), T.of(board).busted
    if not marks:
        return False
    near = (to, *world.beside(to)) if m != "leg" else (to,)
    return any(marks.get(hex) == world.enemy(side) for hex in near)


def step_cost(
    board: Board, u: Unit, a: str, b: str, *, road_ok: bool = True, bridges: bool = True
) -> Fraction | None:
    """4.0.3: Return the cost for this unit to enter b from a, or None.

    ALL takes the rest of the allowance, if nothing was spent.
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
    """4.4.5: Return True if it runs on wheels or tracks."""
    return u.side.mobility != "leg"


def fuelled(board: Board, u: Unit) -> bool:
    """4.4.5: Return True if fuelled: by its formation's marker, in this phase, or by an HQ at its start."""
    return not needs_fuel(u) or u.fuel_single or u.fuelled or fuelling_hq(board, u) is not None


def fuelling_hq(board: Board, u: Unit) -> Unit | None:
    """4.4.5: Return the HQ whose fuel marker serves a unit: itself, or one whose throw reaches its start.

    The throw is measured from where the HQ first served in this phase.
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


# modes


def mode_faults(
    board: Board, u: Unit, facing: str | None, mode: str | None, *path: str | int
) -> list[Diagnostic]:
    """4.4.3: Return faults of a change of mode."""
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
    found = []
    if ground.in_zoc(u.hex or ""):
        found.append(illegal("E-RES-ZOC", "4.4.3", Message("ocs.hauling.in-enemy-zone", p=u.id), *path))
    if len(reserves(board, u.owner) - {u.hex}) >= reserve_markers(board, u.owner):
        found.append(illegal("E-RES-POOL", "4.4.3", Message("ocs.hauling.no-reserve-marker-left"), *path))
    return found


def reserves(board: Board, side: str) -> set[str | None]:
    """Return the hexes with a Reserve marker of a side; one covers all units there."""
    marked = {u.hex for u in units(board, side) if u.marker == "reserve"}
    return marked | {p.hex for p in points(board, side) if p.marker == "reserve"}


def reserve_markers(board: Board, side: str) -> int:
    return int(world_of(board).oob[side].get("reserve_markers", 0))


def check_reserves(board: Board, side: str) -> None:
    """4.4.3: Refuse a move after which Reserve markers lie in more hexes than the pool has markers."""
    if len(reserves(board, side)) > reserve_markers(board, side):
        raise stop("E-RES-POOL", "4.4.3", Message("ocs.moving.no-reserve-marker-left-for-second-hex"), "path")


def set_mode(u: Unit, facing: str | None, mode: str | None) -> None:
    """4.4.3 Turn a unit over, change its marker."""
    if facing is not None:
        u.facing = cast("object", facing)  # type: ignore[assignment]
    if mode is not None and u.marker != "dg":
        u.marker = MODES[mode]  # type: ignore[assignment]
        if mode == "strat":
            u.facing = "move"


# entering


def enter_faults(board: Board, ground: Ground, u: Unit, to: str, *path: str | int) -> list[Diagnostic]:
    """4.4.4, 4.4.12: Return all faults of a unit's entering a hex, apart from the cost."""
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
    """2.5, 4.4.12: Return True if a hex has enemy counters or facilities that are no combat units."""
    counters = board.position.counters
    tracks: dict[str, Any] = board.position.tracks
    for name in ("dumps", "bases", "ports", "hedgehogs"):  # plain data: asked for every hex of a search
        one = tracks.get(name, {}).get(hex)
        if one is not None and one["owner"] != side:
            return True
    return any(counters[id]["owner"] != side for id in board.position.at(hex))


def can_move(board: Board, u: Unit) -> list[Diagnostic]:
    """4.4.2, 4.6, 4.8: Return why a unit cannot move in this phase."""
    if u.done or u.committed:
        return [illegal("E-MOVE-DONE", "4.4.2", Message("ocs.moving.has-finished-for-phase", u=u.id))]
    if not eligible(board, u):
        return [illegal("E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.hauling.may-not-move-in-phase", p=u.id))]
    return []


def take_control(board: Board, side: str, hex: str) -> bool:
    """R-102: Give control of an entered land hex to a combat unit's side; return True if it changed."""
    t = T.of(board)
    if t.control.get(hex) == side or not world_of(board).land(hex):
        return False
    t.control[hex] = side
    return True


def own_points(game: Game, side: str, ids: Sequence[str]) -> list[Points]:
    """Return the points that an order names."""
    every = {p.id: p for p in points(game, side)}
    wrong = [id for id in ids if id not in every]
    if wrong or not ids:
        raise stop(
            "E-MOVE-ELIGIBLE",
            "4.4.8",
            Message("ocs.hauling.no-points-of-yours", ids=", ".join(wrong) or "nothing"),
            "points",
        )
    return [every[id] for id in ids]


def unit_ways(game: Game, u: Unit, *, released: bool = False) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Yield where one unit can go, each by the cheapest way, trucks no farther than the first open zone."""
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
        found = world.step(a, b, m, ground=weather, bridged=bridged(game, owner, a, b))
        if found is None:
            return None
        if found == ALL:
            return limit if a == start and fresh else None
        return found + (world.scale if busted and trainbusted(game, owner, b, m) else 0)

    stop = (lambda hex: ground.open_zoc(hex)) if m == "truck" else None
    found = ways(world, u.hex or "", cost, limit, stop=stop)
    listed = [(path, Fraction(found.cost(end), world.scale)) for end, path in found.items()]
    if released:
        u.marker = "reserve"
    yield from listed
