"""What must always hold in a game of ocs, whatever is played (2.3, 4.0.6)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game

from ..rules.pieces import T, planes, points, ships, units, world_of


def invariants(game: Game) -> list[str]:
    """Everything that is not as it must be, in words."""
    return [*_units(game), *_things(game), *_tracks(game)]


def _units(game: Game) -> Iterator[str]:
    world = world_of(game)
    owners: dict[str, str] = {}
    for u in units(game):
        if u.hex not in world.index:
            yield f"{u.id} is in {u.hex}, off the map"
            continue
        if u.steps < 1:
            yield f"{u.id} has {u.steps} steps"
        if u.hex in world.terrains and world.kind(u.hex or "") == "hex" and not world.land(u.hex or ""):
            yield f"{u.id} stands in {u.hex}, where it cannot"
        if owners.setdefault(u.hex or "", u.owner) != u.owner:
            yield f"{u.hex} holds combat units of both sides"
        if u.marker == "exploit" and not u.min_ar:
            yield f"{u.id} has an Exploit marker without a rating"
        if u.id in T.of(game).dead:
            yield f"{u.id} is on the map and in the dead pile"


def _things(game: Game) -> Iterator[str]:
    world = world_of(game)
    for p in points(game):
        if p.load < 0 or p.points < 1:
            yield f"{p.id}: {p.load} T on {p.points} points"
    for plane in planes(game):
        if plane.hex not in world.index:
            yield f"{plane.id} has no base"
    for ship in ships(game):
        if ship.hex not in world.index:
            yield f"{ship.id} is off the map"


def _tracks(game: Game) -> Iterator[str]:
    t = T.of(game)
    for hex, dump in t.dumps.items():
        if dump.t < 1 or dump.fresh > dump.t:
            yield f"{hex}: a dump of {dump.t} T, {dump.fresh} fresh"
