"""4.17, 4.19, 4.20: Airdrops, landings from beachheads, landings by Airdrop markers."""

from __future__ import annotations

from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .ground import Ground
from .orders import Airdrop, Landing
from .pieces import Piece, maybe_piece, piece, pieces, pool, put, world_of
from .printed import AIRBORNE
from .supply import Supply


def _cannot_drop(supply: Supply, unit: Piece) -> str:
    if (
        unit.type not in AIRBORNE
        or not unit.print.airdrop_side
        or unit.role != "ground"
        or unit.spot != "map"
    ):
        return Message("totaler-krieg.dropping.no-airborne-unit-on-map")
    if not supply.world.land(unit.hex or ""):
        return Message("totaler-krieg.dropping.no-land-hex")
    if not supply.ground.blitz_enabled(unit):
        return Message("totaler-krieg.dropping.not-blitz-enabled")
    return "" if supply.supplied(unit) else Message("totaler-krieg.advancing.unsupplied")


def _bad_hex(supply: Supply, unit: Piece, hex: str) -> str:
    ground, world = supply.ground, supply.world
    if ground.t.war_state == "pre_war":
        return Message("totaler-krieg.dropping.before-war-no-airdrops")
    if not world.land(hex):
        return Message("totaler-krieg.dropping.is-no-land-hex", hex=hex)
    if ground.closed(hex, unit.owner):
        return Message("totaler-krieg.dropping.neutral-policy-or-truce-country", hex=hex)
    most = int(world.ranges["airdrop"])
    return (
        ""
        if world.distance(unit.hex or "", hex) <= most
        else Message("totaler-krieg.dropping.more-than-hexes-away", hex=hex, most=most)
    )


def not_yours(rule: str, id: str, field: str) -> list[Diagnostic]:
    """Return the fault of an order that names no counter of the faction."""
    return [illegal("E-GEN-01", rule, Message("totaler-krieg.dropping.no-counter-of-yours", unit=id), field)]


def airdrop_faults(supply: Supply, faction: str, order: Airdrop) -> list[Diagnostic]:
    """4.17: Return the faults of an airdrop."""
    unit = maybe_piece(supply.board, order.unit)
    if unit is None or unit.owner != faction:
        return not_yours("4.17", order.unit, "unit")
    faults = []
    if wrong := _cannot_drop(supply, unit):
        faults.append(
            illegal(
                "E-AIR-01",
                "4.17",
                Message("totaler-krieg.advancing.unit-reason", unit=unit.id, reason=wrong),
                "unit",
            )
        )
    elif wrong := _bad_hex(supply, unit, order.hex):
        faults.append(
            illegal("E-AIR-02", "4.17", Message("text.diagnostics.about", what=unit.id, message=wrong), "hex")
        )
    return faults


def airdrop_hexes(supply: Supply, unit: Piece) -> list[str]:
    """Return the hexes where a unit may be dropped."""
    if _cannot_drop(supply, unit):
        return []
    near = supply.world.within(unit.hex or "", int(supply.world.ranges["airdrop"]))
    return [hex for hex in sorted(near) if not _bad_hex(supply, unit, hex)]


def airdrop(unit: Piece, hex: str) -> None:
    """Put the unit on its Airdrop side in the hex."""
    unit.back, unit.hex = "airdrop", hex


def landing_faults(board: Board, faction: str, id: str, *, later: bool = False) -> list[Diagnostic]:
    """4.19: Return the faults of a landing from a beachhead.

    With `later` attacks come first, so that the hex may be empty by then and the beachhead
    supplied.
    """
    unit = maybe_piece(board, id)
    if unit is None or unit.owner != faction or unit.role != "ground" or unit.spot != "map":
        return [
            illegal(
                "E-GEN-01", "4.19", Message("totaler-krieg.dropping.no-ground-unit-of-yours-on-map", id=id)
            )
        ]
    ground, supply = Ground(board), Supply(board)
    marker = ground.beachhead(unit.hex or "", faction)
    if marker is None or not (later or supply.supplied(marker)):
        return [illegal("E-LND-01", "4.19", Message("totaler-krieg.dropping.no-supplied-beachhead", id=id))]
    to = ground.world.toward(unit.hex or "", marker.facing) or ""
    if unit.attacked_blitz:
        return [illegal("E-LND-01", "4.19", Message("totaler-krieg.dropping.attacked-in-segment", id=id))]
    if (ground.enemies(to, faction) and not later) or ground.closed(to, faction):
        return [
            illegal(
                "E-LND-01", "4.19", Message("totaler-krieg.dropping.occupied-or-may-not-be-entered", to=to)
            )
        ]
    return []


def land(board: Board, faction: str, id: str) -> str:
    """Move the unit to the hex at which the arrow points, and return that hex."""
    unit = piece(board, id)
    ground = Ground(board)
    marker = ground.beachhead(unit.hex or "", faction)
    assert marker is not None
    to = world_of(board).toward(unit.hex or "", marker.facing)
    assert to is not None
    unit.hex = to
    return to


def return_strikes(board: Board) -> list[tuple[Piece, str]]:
    """4.21: Move every CV strike in a hex, of any faction, to the used box of its zone.

    Returns each with the hex that it left.
    """
    world, returned = world_of(board), []
    for strike in pieces(board, spot="map"):
        hex = strike.hex or ""
        if strike.back == "strike" and hex in world.index and world.zones_of(hex):
            strike.back, strike.hex = "", f"{world.zones_of(hex)[0]}.used"
            returned.append((strike, hex))
    return returned


def landing_infantry(board: Board, faction: str, marker: Piece) -> list[str]:
    """4.20, R-33: Return the one-step infantry of the marker's country in the Force Pool, by id."""
    return [
        infantry.id
        for infantry in pool(board, faction)
        if infantry.type == "infantry" and infantry.country == marker.country and 1 in infantry.print.faces
    ]


def can_land(supply: Supply, marker: Piece) -> bool:
    """4.20: Return True if the marker is supplied and no enemy ground unit is in its hex."""
    return supply.supplied(marker) and not supply.ground.enemies(marker.hex or "", marker.owner)


def airdrop_landing_faults(
    board: Any, faction: str, order: Landing, *, later: bool = False
) -> list[Diagnostic]:
    """4.20: Return the faults of a marker's landing. With `later` attacks come first."""
    marker = maybe_piece(board, order.marker)
    if marker is None or marker.owner != faction or marker.role != "airdrop":
        return [
            illegal(
                "E-GEN-01",
                "4.20",
                Message("totaler-krieg.dropping.no-airdrop-marker-of-yours", marker=order.marker),
                "marker",
            )
        ]
    if order.infantry is None:
        return []
    if order.infantry not in (able := landing_infantry(board, faction, marker)):
        wanted = Message(
            "totaler-krieg.dropping.cannot-be-landed", infantry=order.infantry, able=", ".join(able) or "none"
        )
        return [illegal("E-GEN-01", "4.20", wanted, "infantry")]
    if not later and not can_land(Supply(board), marker):
        return [
            illegal(
                "E-AIR-01",
                "4.20",
                Message("totaler-krieg.dropping.unsupplied-or-enemies-in-hex", marker=order.marker),
                "marker",
            )
        ]
    return []


def place_infantry(board: Board, id: str, hex: str) -> None:
    put(piece(board, id), hex, 1)
