"""Aircraft: ranges, weather, bases, the figures of air combat (4.6.4, 4.7.3 to 4.7.8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pbem.rules import Board, Message

from .pieces import Unit, grounded, held_by, powers_of, round_half_up, side, units
from .plans import Refusal
from .retreating import has_room
from .world import World, world_of


def fighters_of(board: Any, player: str) -> list[Unit]:
    """Return the face-up fighters of a player on land, by id."""
    world, powers = world_of(board), powers_of(board, player)
    return [
        u
        for p in powers
        for u in units(board, p)
        if u.type in world.units["fighters"] and not u.down and world.land(u.hex or "")
    ]


def range_fault(board: Board, u: Unit, hex: str, times: int = 1) -> Refusal | None:
    """4.7: Return the fault of a flight out of range, or None."""
    distance = world_of(board).hexes_between(u.hex or "", hex) if u.hex in world_of(board).index else None
    reach = u.print.range * times
    if distance is None or distance > reach:
        return Refusal(
            "E-RANGE",
            Message(
                "wif.flying.target-hexes-away",
                far=distance if distance is not None else Message("wif.flying.not-countable"),
                most=reach,
            ),
        )
    return None


def flier_fault(board: Board, u: Unit, hex: str) -> Refusal | None:
    """Return the fault of an aircraft's mission to a hex.

    The aircraft must be face-up, on land and in range, and the hex free of storm and blizzard.
    """
    if u.down or not world_of(board).land(u.hex or "") or u.aboard is not None:
        return Refusal("E-PROVIDER", Message("wif.flying.face-down-or-already-used-occasion", u=u.id))
    if grounded(board, hex):
        return Refusal("E-WEATHER", Message("wif.flying.no-air-missions-in-storm-or-blizzard", hex=hex))
    return range_fault(board, u, hex)


def fighter_fault(board: Board, u: Unit, hex: str) -> Refusal | None:
    """p.1.1: Return the fault of a fighter's flight to a hex."""
    if u.type not in world_of(board).units["fighters"]:
        return Refusal("E-PROVIDER", Message("wif.flying.no-fighter", u=u.id))
    return flier_fault(board, u, hex)


def sea_distance(world: World, start: str, area: str) -> int | None:
    """Return the distance in hexes from a base to the nearest hex of a sea area."""
    distances = [
        d for h in world.area_hexes.get(area, ()) if (d := world.hexes_between(start, h)) is not None
    ]
    return min(distances, default=None)


def legal_bases(board: Board, u: Unit, away: str, times: int = 1) -> list[str]:
    """p.1.8: Return the bases to which an aircraft may return.

    Its own base comes first, then friendly-controlled hexes with room within range of the target,
    the nearest first (4.7.1).
    """
    world, own = world_of(board), side(board, u)
    origin = u.hex or ""
    starts = world.area_hexes.get(away, ()) or (away,)
    near: dict[str, int] = {}
    for start in starts:
        for hex in world.within(start, u.print.range * times) if start in world.index else ():
            if world.land(hex) and held_by(board, hex, own):
                far = world.hexes_between(start, hex)
                if far is not None and far < near.get(hex, 9999):
                    near[hex] = far
    enemies = {e.hex for e in units(board) if e.print.arm == "land" and side(board, e) != own}
    free = (h for h in near if h not in enemies and (h == origin or has_room(board, u, h)))
    bases = sorted(free, key=lambda h: (near[h], h))
    return [origin, *(h for h in bases if h != origin)] if origin in bases else bases


def strength(board: Board, fighters: Sequence[str], bombers: Sequence[str]) -> Fraction:
    """p.1.5 (3): Return the strength in the air.

    It is that of the front fighter and a tenth of the others, without fighters that of the front
    bomber.
    """
    tenth = Fraction(world_of(board).combat["air_to_air"]["other_fighters"])
    if fighters:
        first, *others = [Unit(board, id).print.ata for id in fighters]
        return first + tenth * sum(others)
    return Fraction(Unit(board, bombers[0]).print.ata) if bombers else Fraction(0)


def difference(board: Board, own: Fraction, other: Fraction) -> int:
    """p.1.5 (3): Return the difference of strengths, rounded, at most 8 either way."""
    most = int(world_of(board).combat["air_to_air"]["most"])
    return max(-most, min(most, round_half_up(own - other)))


def result_of(rows: Sequence[dict[str, Any]], total: int, key: str = "result") -> Any:
    """Return the entry of a chart's row, the first with a `max` of at least the total."""
    return next(row[key] for row in rows if total <= int(row["max"]))


def flak(board: Board, hex: str, own: str) -> int:
    """p.1.6: Return the factors of enemy anti-aircraft units in the hex and around it (R-14)."""
    world = world_of(board)
    hexes = world.within(hex, int(world.combat["anti_aircraft"]["range"]))
    return sum(
        u.print.aa
        for h in hexes
        for u in units(board, at=h)
        if u.type == "AA" and not u.down and side(board, u) != own
    )
