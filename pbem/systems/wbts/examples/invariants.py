"""What must always hold in a game of wbts, whatever is played: for random play and tests (2.2-2.5, 4.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game

from ..rules.command.forces import roster_faults
from ..rules.handling import garrison_id
from ..rules.pieces import leaders, units, works_at, world_of
from ..rules.tracks import T
from ..rules.zones import occupied_hexes


def invariants(game: Game) -> list[str]:
    """Everything that is not as it must be, in words."""
    return [*_units(game), *_leaders(game), *_hexes(game), *_counts(game)]


def _units(game: Game) -> Iterator[str]:
    world = world_of(game)
    for each in units(game):
        if each.hex not in world.terrain:
            yield f"{each.id} is in {each.hex}, off the map"
            continue
        if each.is_naval and not world.navigable(each.hex):
            yield f"{each.id} is in {each.hex}, where no ships can be"
        if each.is_land and world.is_sea(each.hex):
            yield f"{each.id} stands in sea hex {each.hex}"
        row = each.row
        if each.sp < 0 or (row.max and not 1 <= each.sp <= row.max and each.type != "supply_train"):
            yield f"{each.id} has {each.sp} strength points, at most {row.max}"
        if each.is_combat and each.sp < 1:
            yield f"{each.id} is a combat unit without strength"
        if each.supply < 0 or (each.room is not None and each.room < 0):
            yield f"{each.id} holds {each.supply} supply points"
        if each.type == "garrison" and not each.id.startswith(garrison_id(each.side, each.hex)):
            yield f"{each.id} is the garrison of {each.side} in {each.hex}"
    for side in world.seats:
        yield from roster_faults(game, side)


def _leaders(game: Game) -> Iterator[str]:
    world = world_of(game)
    for each in leaders(game):
        if each.hex not in world.terrain:
            yield f"the leader {each.id} is in {each.hex or 'no hex'}"
        if each.hq is not None and each.hq not in game.position.counters:
            yield f"{each.id} commands {each.hq}, which is gone"


def _hexes(game: Game) -> Iterator[str]:
    world = world_of(game)
    north, south = world.seats
    for hex in sorted(occupied_hexes(game, north) & occupied_hexes(game, south)):
        yield f"{hex} is occupied by both sides"
    for hex in world.hexes:
        works = works_at(game, hex)
        if works is None:
            continue
        if not any(each.digs for each in units(game, works.side, hex)):
            yield f"the entrenchment in {hex} has no infantry or militia of {works.side}"
        if hex in world.forts:
            yield f"there are a fort and an entrenchment in {hex}"


def _counts(game: Game) -> Iterator[str]:
    tracks = T.of(game)
    for side in world_of(game).seats:
        used, chit = tracks.free_used[side], tracks.chit[side]
        if not 0 <= used <= max(0, chit):
            yield f"{side} used {used} of {chit} free activations"
        if tracks.rail_points[side] < 0:
            yield f"{side} has {tracks.rail_points[side]} rail points"
        for state, points in sorted(tracks.militia_ready[side].items()):
            if points < 0:
                yield f"{side} has {points} militia points ready in {state}"
