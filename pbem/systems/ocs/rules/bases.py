"""Air bases on land and on carriers; aircraft and ships that leave play (4.0.6, 4.2.1, 4.12.6)."""

from __future__ import annotations

from pbem.rules import Board, Game

from .pieces import Plane, Ship, T, planes, ships, world_of


def lose_plane_step(plane: Plane) -> bool:
    """Remove a step of an aircraft; return True if that was the last."""
    if plane.lost:
        bury_plane(plane)
        return True
    plane.lost = 1
    return False


def bury_plane(plane: Plane) -> None:
    fields = plane.position.counters[plane.id]
    kept = {key: fields[key] for key in ("owner", "kind", "type", "printed") if key in fields}
    T.of(plane.board).dead[plane.id] = kept
    plane.remove()


def bases_of(board: Board, side: str) -> dict[str, int]:
    """4.2.1, 4.12.6: Return a side's air bases and their levels: those on land, and its carriers."""
    world = world_of(board)
    levels = {hex: base.level for hex, base in sorted(T.of(board).bases.items()) if base.owner == side}
    level = int(world.numbers["carrier_level"])
    for ship in ships(board, side):
        if ship.print.carrier and ship.hex in world.terrains:
            levels.setdefault(ship.hex or "", level)
    return levels


def carrier_at(board: Board, side: str, hex: str) -> Ship | None:
    """Return the carrier that serves as the air base of a hex; None if the side has one on land there."""
    base = T.of(board).bases.get(hex)
    if base is not None and base.owner == side:
        return None
    return next((ship for ship in ships(board, side, hex) if ship.print.carrier), None)


def settle_plane(game: Game, plane: Plane, hex: str, *, active: bool = False) -> None:
    """4.0.6: Put an aircraft at a base, Inactive if the base has no room for another Active one."""
    level = bases_of(game, plane.owner).get(hex, 0)
    room = int(world_of(game).numbers["base_active"]) + level
    busy = sum(1 for p in planes(game, plane.owner, hex) if p.active and p.id != plane.id)
    plane.hex, plane.active = hex, active and busy < room


def sink(game: Game, ship: Ship) -> None:
    """Remove a ship, and a carrier's aircraft if no other carrier is there."""
    if carrier_at(game, ship.owner, ship.hex or "") is not None and ship.print.carrier:
        others = [s for s in ships(game, ship.owner, ship.hex) if s.print.carrier and s.id != ship.id]
        for plane in planes(game, ship.owner, ship.hex) if not others else ():
            bury_plane(plane)
    ship.remove()
