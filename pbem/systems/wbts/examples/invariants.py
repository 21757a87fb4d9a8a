"""2.2-2.5, 4.3.3: The invariants of wbts, for random play and tests."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game, Message

from ..rules.command.forces import roster_faults
from ..rules.handling import garrison_id
from ..rules.pieces import leaders, units, works_at, world_of
from ..rules.tracks import T
from ..rules.zones import occupied_hexes


def invariants(game: Game) -> list[str]:
    """Return everything that breaks an invariant, in words."""
    return [*_units(game), *_leaders(game), *_hexes(game), *_counts(game)]


def _units(game: Game) -> Iterator[str]:
    world = world_of(game)
    for unit in units(game):
        if unit.hex not in world.terrain:
            yield Message("wbts.invariants.off-map", each=unit.id, hex=unit.hex)
            continue
        if unit.is_naval and not world.navigable(unit.hex):
            yield Message("wbts.invariants.where-no-ships-can-be", each=unit.id, hex=unit.hex)
        if unit.is_land and world.is_sea(unit.hex):
            yield Message("wbts.invariants.stands-in-sea-hex", each=unit.id, hex=unit.hex)
        row = unit.row
        if unit.sp < 0 or (row.max and not 1 <= unit.sp <= row.max and unit.type != "supply_train"):
            yield Message("wbts.invariants.has-strength-points", each=unit.id, sp=unit.sp, max=row.max)
        if unit.is_combat and unit.sp < 1:
            yield Message("wbts.invariants.combat-unit-without-strength", each=unit.id)
        if unit.supply < 0 or (unit.room is not None and unit.room < 0):
            yield Message("wbts.invariants.holds-supply-points", each=unit.id, supply=unit.supply)
        if unit.type == "garrison" and not unit.id.startswith(garrison_id(unit.side, unit.hex)):
            yield Message("wbts.invariants.garrison", each=unit.id, side=unit.side, hex=unit.hex)
    for side in world.seats:
        yield from roster_faults(game, side)


def _leaders(game: Game) -> Iterator[str]:
    world = world_of(game)
    for leader in leaders(game):
        if leader.hex not in world.terrain:
            yield Message(
                "wbts.invariants.leader", each=leader.id, hex=leader.hex or Message("wbts.invariants.no-hex")
            )
        if leader.hq is not None and leader.hq not in game.position.counters:
            yield Message("wbts.invariants.commands", each=leader.id, hq=leader.hq)


def _hexes(game: Game) -> Iterator[str]:
    world = world_of(game)
    north, south = world.seats
    for hex in sorted(occupied_hexes(game, north) & occupied_hexes(game, south)):
        yield Message("wbts.invariants.occupied-by-both-sides", hex=hex)
    for hex in world.hexes:
        works = works_at(game, hex)
        if works is None:
            continue
        if not any(unit.digs for unit in units(game, works.side, hex)):
            yield Message(
                "wbts.invariants.entrenchment-in-has-no-infantry-or-militia", hex=hex, side=works.side
            )
        if hex in world.forts:
            yield Message("wbts.invariants.fort-and-entrenchment", hex=hex)


def _counts(game: Game) -> Iterator[str]:
    tracks = T.of(game)
    for side in world_of(game).seats:
        used, chit = tracks.free_used[side], tracks.chit[side]
        if not 0 <= used <= max(0, chit):
            yield Message("wbts.invariants.used-of-free-activations", side=side, used=used, chit=chit)
        if tracks.rail_points[side] < 0:
            yield Message("wbts.invariants.has-rail-points", side=side, rail_points=tracks.rail_points[side])
        for state, points in sorted(tracks.militia_ready[side].items()):
            if points < 0:
                yield Message(
                    "wbts.invariants.has-militia-points-ready", side=side, points=points, state=state
                )
