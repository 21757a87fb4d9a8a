"""Airdrops, beachhead landings, airdrop landings (4.17, 4.19, 4.20)."""

from __future__ import annotations

from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .ground import Ground
from .orders import Airdrop, Landing
from .pieces import Piece, maybe_piece, piece, pieces, pool, put, world_of
from .printed import AIRBORNE
from .supply import Supply


def _cannot_drop(supply: Supply, one: Piece) -> str:
    if one.type not in AIRBORNE or not one.print.airdrop_side or one.role != "ground" or one.spot != "map":
        return Message("totaler-krieg.dropping.no-airborne-unit-on-map")
    if not supply.world.land(one.hex or ""):
        return Message("totaler-krieg.dropping.no-land-hex")
    if not supply.ground.blitz_enabled(one):
        return Message("totaler-krieg.dropping.not-blitz-enabled")
    return "" if supply.supplied(one) else Message("totaler-krieg.advancing.unsupplied")


def _bad_hex(supply: Supply, one: Piece, hex: str) -> str:
    ground, world = supply.ground, supply.world
    if ground.t.war_state == "pre_war":
        return Message("totaler-krieg.dropping.before-war-no-airdrops")
    if not world.land(hex):
        return Message("totaler-krieg.dropping.is-no-land-hex", hex=hex)
    if ground.closed(hex, one.owner):
        return Message("totaler-krieg.dropping.neutral-policy-or-truce-country", hex=hex)
    most = int(world.ranges["airdrop"])
    return (
        ""
        if world.distance(one.hex or "", hex) <= most
        else Message("totaler-krieg.dropping.more-than-hexes-away", hex=hex, most=most)
    )


def airdrop_faults(supply: Supply, faction: str, given: Airdrop) -> list[Diagnostic]:
    """4.17: Return the faults of an airdrop."""
    one = maybe_piece(supply.board, given.unit)
    if one is None or one.owner != faction:
        return [
            illegal(
                "E-GEN-01",
                "4.17",
                Message("totaler-krieg.dropping.no-counter-of-yours", unit=given.unit),
                "unit",
            )
        ]
    found = []
    if wrong := _cannot_drop(supply, one):
        found.append(
            illegal(
                "E-AIR-01",
                "4.17",
                Message("totaler-krieg.advancing.unit-reason", unit=one.id, reason=wrong),
                "unit",
            )
        )
    elif wrong := _bad_hex(supply, one, given.hex):
        found.append(
            illegal("E-AIR-02", "4.17", Message("text.diagnostics.about", what=one.id, message=wrong), "hex")
        )
    return found


def airdrop_hexes(supply: Supply, one: Piece) -> list[str]:
    """Return the hexes where a unit may be dropped."""
    if _cannot_drop(supply, one):
        return []
    near = supply.world.within(one.hex or "", int(supply.world.ranges["airdrop"]))
    return [hex for hex in sorted(near) if not _bad_hex(supply, one, hex)]


def airdrop(one: Piece, hex: str) -> None:
    """Put the unit on its Airdrop side in the hex."""
    one.back, one.hex = "airdrop", hex


def landing_faults(board: Board, faction: str, id: str, *, later: bool = False) -> list[Diagnostic]:
    """4.19: Return the faults of a landing from a beachhead.

    `later`: attacks come before it, so that the hex may be empty by then and the beachhead supplied.
    """
    one = maybe_piece(board, id)
    if one is None or one.owner != faction or one.role != "ground" or one.spot != "map":
        return [
            illegal(
                "E-GEN-01", "4.19", Message("totaler-krieg.dropping.no-ground-unit-of-yours-on-map", id=id)
            )
        ]
    ground, supply = Ground(board), Supply(board)
    marker = ground.beachhead(one.hex or "", faction)
    if marker is None or not (later or supply.supplied(marker)):
        return [illegal("E-LND-01", "4.19", Message("totaler-krieg.dropping.no-supplied-beachhead", id=id))]
    to = ground.world.toward(one.hex or "", marker.facing) or ""
    if one.attacked_blitz:
        return [illegal("E-LND-01", "4.19", Message("totaler-krieg.dropping.attacked-in-segment", id=id))]
    if (ground.enemies(to, faction) and not later) or ground.closed(to, faction):
        return [
            illegal(
                "E-LND-01", "4.19", Message("totaler-krieg.dropping.occupied-or-may-not-be-entered", to=to)
            )
        ]
    return []


def land(board: Board, faction: str, id: str) -> str:
    """Move the unit to the hex that the arrow points at, and return that hex."""
    one = piece(board, id)
    ground = Ground(board)
    marker = ground.beachhead(one.hex or "", faction)
    assert marker is not None
    to = world_of(board).toward(one.hex or "", marker.facing)
    assert to is not None
    one.hex = to
    return to


def return_strikes(board: Board) -> list[tuple[Piece, str]]:
    """4.21: Move every CV strike in a hex, of any faction, to the used box of its zone.

    Return them with the hexes they leave.
    """
    world, returned = world_of(board), []
    for one in pieces(board, spot="map"):
        hex = one.hex or ""
        if one.back == "strike" and hex in world.index and world.zones_of(hex):
            one.back, one.hex = "", f"{world.zones_of(hex)[0]}.used"
            returned.append((one, hex))
    return returned


def landing_infantry(board: Board, faction: str, marker: Piece) -> list[str]:
    """4.20, R-33: Return the one-step infantry of the Force Pool of the marker's country, by id."""
    return [
        one.id
        for one in pool(board, faction)
        if one.type == "infantry" and one.country == marker.country and 1 in one.print.faces
    ]


def can_land(supply: Supply, marker: Piece) -> bool:
    """4.20: Return True if the marker is supplied and no enemy ground unit is in its hex."""
    return supply.supplied(marker) and not supply.ground.enemies(marker.hex or "", marker.owner)


def airdrop_landing_faults(
    board: Any, faction: str, given: Landing, *, later: bool = False
) -> list[Diagnostic]:
    """4.20: Return the faults of what a marker lands; `later`: attacks come before it."""
    marker = maybe_piece(board, given.marker)
    if marker is None or marker.owner != faction or marker.role != "airdrop":
        return [
            illegal(
                "E-GEN-01",
                "4.20",
                Message("totaler-krieg.dropping.no-airdrop-marker-of-yours", marker=given.marker),
                "marker",
            )
        ]
    if given.infantry is None:
        return []
    if given.infantry not in (able := landing_infantry(board, faction, marker)):
        wanted = Message(
            "totaler-krieg.dropping.cannot-be-landed", infantry=given.infantry, able=", ".join(able) or "none"
        )
        return [illegal("E-GEN-01", "4.20", wanted, "infantry")]
    if not later and not can_land(Supply(board), marker):
        return [
            illegal(
                "E-AIR-01",
                "4.20",
                Message("totaler-krieg.dropping.unsupplied-or-enemies-in-hex", marker=given.marker),
                "marker",
            )
        ]
    return []


def place_infantry(board: Board, id: str, hex: str) -> None:
    put(piece(board, id), hex, 1)
