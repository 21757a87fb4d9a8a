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
    for each in units(game):
        if each.hex not in world.terrain:
            yield Message("wbts.invariants.off-map", each=each.id, hex=each.hex)
            continue
        if each.is_naval and not world.navigable(each.hex):
            yield Message("wbts.invariants.where-no-ships-can-be", each=each.id, hex=each.hex)
        if each.is_land and world.is_sea(each.hex):
            yield Message("wbts.invariants.stands-in-sea-hex", each=each.id, hex=each.hex)
        row = each.row
        if each.sp < 0 or (row.max and not 1 <= each.sp <= row.max and each.type != "supply_train"):
            yield Message("wbts.invariants.has-strength-points", each=each.id, sp=each.sp, max=row.max)
        if each.is_combat and each.sp < 1:
            yield Message("wbts.invariants.combat-unit-without-strength", each=each.id)
        if each.supply < 0 or (each.room is not None and each.room < 0):
            yield Message("wbts.invariants.holds-supply-points", each=each.id, supply=each.supply)
        if each.type == "garrison" and not each.id.startswith(garrison_id(each.side, each.hex)):
            yield Message("wbts.invariants.garrison", each=each.id, side=each.side, hex=each.hex)
    for side in world.seats:
        yield from roster_faults(game, side)


def _leaders(game: Game) -> Iterator[str]:
    world = world_of(game)
    for each in leaders(game):
        if each.hex not in world.terrain:
            yield Message(
                "wbts.invariants.leader", each=each.id, hex=each.hex or Message("wbts.invariants.no-hex")
            )
        if each.hq is not None and each.hq not in game.position.counters:
            yield Message("wbts.invariants.commands", each=each.id, hq=each.hq)


def _hexes(game: Game) -> Iterator[str]:
    world = world_of(game)
    north, south = world.seats
    for hex in sorted(occupied_hexes(game, north) & occupied_hexes(game, south)):
        yield Message("wbts.invariants.occupied-by-both-sides", hex=hex)
    for hex in world.hexes:
        works = works_at(game, hex)
        if works is None:
            continue
        if not any(each.digs for each in units(game, works.side, hex)):
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
