"""Airdrops, beachhead landings, airdrop landings (4.17, 4.19, 4.20)."""

from __future__ import annotations

from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic

from .ground import Ground
from .orders import Airdrop, Landing
from .pieces import Piece, maybe_piece, piece, pool, put, world_of
from .printed import AIRBORNE
from .supply import Supply


def _cannot_drop(supply: Supply, one: Piece) -> str:
    if one.type not in AIRBORNE or not one.print.airdrop_side or one.role != "ground" or one.spot != "map":
        return "is no airborne unit on the map"
    if not supply.world.land(one.hex or ""):
        return "is in no land hex"
    if not supply.ground.blitz_enabled(one):
        return "is not Blitz-enabled"
    return "" if supply.supplied(one) else "is unsupplied"


def _bad_hex(supply: Supply, one: Piece, hex: str) -> str:
    ground, world = supply.ground, supply.world
    if ground.t.war_state == "pre_war":
        return "before the war there are no airdrops"
    if not world.land(hex):
        return f"{hex} is no land hex"
    if ground.closed(hex, one.owner):
        return f"{hex} is in a neutral, policy or truce country"
    most = int(world.ranges["airdrop"])
    return "" if world.distance(one.hex or "", hex) <= most else f"{hex} is more than {most} hexes away"


def airdrop_faults(supply: Supply, faction: str, given: Airdrop) -> list[Diagnostic]:
    """4.17 Everything wrong with an airdrop."""
    one = maybe_piece(supply.board, given.unit)
    if one is None or one.owner != faction:
        return [illegal("E-GEN-01", "4.17", f"{given.unit} is no counter of yours", "unit")]
    found = []
    if wrong := _cannot_drop(supply, one):
        found.append(illegal("E-AIR-01", "4.17", f"{one.id} {wrong}", "unit"))
    elif wrong := _bad_hex(supply, one, given.hex):
        found.append(illegal("E-AIR-02", "4.17", f"{one.id}: {wrong}", "hex"))
    return found


def airdrop_hexes(supply: Supply, one: Piece) -> list[str]:
    """Where a unit may be dropped."""
    if _cannot_drop(supply, one):
        return []
    near = supply.world.within(one.hex or "", int(supply.world.ranges["airdrop"]))
    return [hex for hex in sorted(near) if not _bad_hex(supply, one, hex)]


def airdrop(one: Piece, hex: str) -> None:
    """The unit lies on its Airdrop side in the hex."""
    one.back, one.hex = "airdrop", hex


def landing_faults(board: Board, faction: str, id: str) -> list[Diagnostic]:
    """4.19 Everything wrong with a landing from a beachhead."""
    one = maybe_piece(board, id)
    if one is None or one.owner != faction or one.role != "ground" or one.spot != "map":
        return [illegal("E-GEN-01", "4.19", f"{id} is no ground unit of yours on the map")]
    ground, supply = Ground(board), Supply(board)
    marker = ground.beachhead(one.hex or "", faction)
    if marker is None or not supply.supplied(marker):
        return [illegal("E-LND-01", "4.19", f"{id} is on no supplied beachhead")]
    to = ground.world.toward(one.hex or "", marker.facing) or ""
    if one.attacked_blitz:
        return [illegal("E-LND-01", "4.19", f"{id} attacked in this segment")]
    if ground.enemies(to, faction) or ground.closed(to, faction):
        return [illegal("E-LND-01", "4.19", f"{to} is occupied or may not be entered")]
    return []


def land(board: Board, faction: str, id: str) -> str:
    """The unit moves to the hex that the arrow points at; that hex."""
    one = piece(board, id)
    ground = Ground(board)
    marker = ground.beachhead(one.hex or "", faction)
    assert marker is not None
    to = world_of(board).toward(one.hex or "", marker.facing)
    assert to is not None
    one.hex = to
    return to


def landing_infantry(board: Board, faction: str, marker: Piece) -> list[str]:
    """4.20, R-33 One-step infantry of the Force Pool of the marker's country, by id."""
    return [
        one.id
        for one in pool(board, faction)
        if one.type == "infantry" and one.country == marker.country and 1 in one.print.faces
    ]


def can_land(supply: Supply, marker: Piece) -> bool:
    """4.20 The marker is supplied and no enemy ground unit is in its hex."""
    return supply.supplied(marker) and not supply.ground.enemies(marker.hex or "", marker.owner)


def airdrop_landing_faults(
    board: Any, faction: str, given: Landing, *, later: bool = False
) -> list[Diagnostic]:
    """4.20 Everything wrong with what a marker lands; `later`: attacks come before it."""
    marker = maybe_piece(board, given.marker)
    if marker is None or marker.owner != faction or marker.role != "airdrop":
        return [illegal("E-GEN-01", "4.20", f"{given.marker} is no Airdrop marker of yours", "marker")]
    if given.infantry is None:
        return []
    if given.infantry not in (able := landing_infantry(board, faction, marker)):
        wanted = f"{given.infantry} cannot be landed, wanted of: {', '.join(able) or 'none'}"
        return [illegal("E-GEN-01", "4.20", wanted, "infantry")]
    if not later and not can_land(Supply(board), marker):
        return [
            illegal("E-AIR-01", "4.20", f"{given.marker} is unsupplied, or enemies are in its hex", "marker")
        ]
    return []


def place_infantry(board: Board, id: str, hex: str) -> None:
    put(piece(board, id), hex, 1)
