"""Who is where and who controls what (rule 2.5), on a position or on a player's view of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from .unit import Board, active_player, enemy_units, holder, in_play, units, world_of


def enemy_occupied(board: Board, player: str, hex: str) -> bool:
    """A land hex with any enemy block, a sea hex with an enemy naval block (2.5)."""
    there = enemy_units(board, player, hex)
    if world_of(board).is_sea(hex):
        return any(u.cls == "naval" for u in there)
    return bool(there)


def controller(board: Board, hex: str) -> str | None:
    """Who controls a base or resource site; None is neutral."""
    control = cast("dict[str, str | None]", board.position.tracks.get("control", {}))
    return control[hex] if hex in control else home_of(board, hex)


def home_of(board: Board, hex: str) -> str | None:
    """The home player of a base or resource site; None is neutral, as is what was home of a player who is
    out (4.0.2)."""
    world = world_of(board)
    home = world.bases[hex].home if hex in world.bases else world.sites[hex].home
    return home if home in in_play(board) else None


def occupants(board: Board, hex: str) -> list[str]:
    """Players with a non-logistic block in the hex, in seat order (2.5, step 1)."""
    there = {u.owner: True for u in units(board, hex=hex) if u.cls != "logistic"}
    return [p for p in world_of(board).seats if p in there]


def control_now(board: Board, hex: str) -> str | None:
    """The four steps of 2.5 for one hex, from the present occupants and the previous controller."""
    world, home = world_of(board), home_of(board, hex)
    there = occupants(board, hex)
    if not there:
        return home
    if home is not None and any(world.allied(home, p) for p in there):
        return home
    before, active = controller(board, hex), active_player(board)
    if before in there:
        return before
    if active in there:
        return active
    return next(p for p in world.clockwise_from(holder(board)) if p in there)


def recompute_control(
    board: Board, hexes: Collection[str] | None = None
) -> list[tuple[str, str | None, str | None]]:
    """Bring control up to date (2.5), everywhere or in some hexes; the changes as (hex, before, now)."""
    world = world_of(board)
    control = cast("dict[str, str | None]", board.position.tracks.setdefault("control", {}))
    changes = []
    for hex in sorted({**world.bases, **world.sites}):
        if hexes is not None and hex not in hexes:
            continue
        before, now = controller(board, hex), control_now(board, hex)
        control[hex] = now
        if before != now:
            changes.append((hex, before, now))
    return changes


def friendly_base(board: Board, player: str, hex: str) -> bool:
    """A base controlled by the player or an ally."""
    world = world_of(board)
    if hex not in world.bases:
        return False
    who = controller(board, hex)
    return who is not None and world.allied(who, player)


def foreign_base(board: Board, player: str, hex: str) -> bool:
    """A base controlled by an enemy, even if vacant."""
    world = world_of(board)
    if hex not in world.bases:
        return False
    who = controller(board, hex)
    return who is not None and not world.allied(who, player)


def vacant_neutral(board: Board, hex: str) -> bool:
    """A base of no home player with no non-logistic block in it."""
    return hex in world_of(board).bases and home_of(board, hex) is None and not occupants(board, hex)


def friendly_port(board: Board, player: str, hex: str) -> bool:
    """A friendly base with a port."""
    return world_of(board).is_port(hex) and friendly_base(board, player, hex)


def friendly_site(board: Board, player: str, hex: str) -> bool:
    """A resource site the side controls."""
    world = world_of(board)
    if hex not in world.sites:
        return False
    who = controller(board, hex)
    return who is not None and world.allied(who, player)


def battle_hexes(board: Board, player: str) -> list[str]:
    """Hexes holding blocks of the player and of an enemy, ascending (4.4.13)."""
    mine = {u.hex: True for u in units(board, player)}
    return sorted(h for h in mine if enemy_units(board, player, h))
