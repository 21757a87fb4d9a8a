"""What must always hold in a game of victory, whatever is played: for random play and tests (2.4-2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pbem.rules import Game

from .blocks import active_player, battle_hexes, control_now, side_units, stack_limit, unit, units, world_of
from .set_up import made


def invariants(game: Game) -> list[str]:
    """Everything that is not as it must be, in words."""
    return [*_blocks(game), *_stacks(game), *_numbers(game), *_control(game)]


def _blocks(game: Game) -> Iterator[str]:
    world = world_of(game)
    for block in units(game):
        kind = block.kind
        if block.cv not in kind.steps:
            yield f"{block.id} has strength {block.cv}, wanted one of {kind.steps}"
        if block.hex not in world.terrain:
            yield f"{block.id} is in {block.hex}, off the map"
            continue
        if kind.lands and world.is_sea(block.hex):
            yield f"{block.id} ({kind.name}) stands in sea hex {block.hex}"
        if block.aboard is not None:
            counters = game.position.counters
            if block.aboard not in counters or unit(game, block.aboard).hex != block.hex:
                yield f"{block.id} is aboard {block.aboard}, which is not in {block.hex}"
        if active_player(game) is None:
            for flag in ("activated", "moved", "responded", "revealed", "entry_from"):
                if game.position.counters[block.id].get(flag):
                    yield f"{block.id} is still marked {flag} outside a Player Turn"


def _stacks(game: Game) -> Iterator[str]:
    world = world_of(game)
    for hex in game.position.occupied():
        there = units(game, hex=hex)
        for player in world.seats:
            ours = side_units(game, player, hex)
            for cls in ("air", "naval", "ground", "logistic"):
                count = sum(1 for u in ours if u.cls == cls)
                limit = stack_limit(game, hex, cls)
                if count > limit:
                    yield f"{hex}: the side of {player} has {count} {cls} blocks, at most {limit}"
        if active_player(game) is None and len({world.side(u.owner): 0 for u in there}) > 1:
            yield f"{hex}: enemies stand together outside a Player Turn"


def _numbers(game: Game) -> Iterator[str]:
    """The initiative is never overdrawn."""
    initiative = game.tracks["initiative"]
    if not 0 <= initiative["taken"] <= initiative["quota"]:
        yield f"the holder took {initiative['taken']} of {initiative['quota']} turns"


def census(game: Game) -> list[str]:
    """Blocks on the map and in the pool are always the same together, and each that was made was counted."""
    return list(_census(game))


def _census(game: Game) -> Iterator[str]:
    begun = _count(game.scenario["units"], game.scenario["pool"])
    now = _count(game.position.counters, game.tracks["pool"])
    for key in sorted({**begun, **now}):
        if begun.get(key, 0) != now.get(key, 0):
            yield f"{key[0]} has {now.get(key, 0)} blocks of type {key[1]}, began with {begun.get(key, 0)}"
    highest = made(world_of(game), dict(game.position.counters))
    for player, counts in highest.items():
        for code, number in cast("dict[str, int]", counts).items():
            if number > game.tracks["made"][player].get(code, 0):
                yield f"{player} has a block {code}{number} that was never counted"


def _count(listed: object, pools: object) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for fields in cast("dict[str, dict[str, str]]", listed).values():
        key = (fields["owner"], fields["type"])
        found[key] = found.get(key, 0) + 1
    for player, pool in cast("dict[str, dict[str, int]]", pools).items():
        for code, count in pool.items():
            found[player, code] = found.get((player, code), 0) + count
    return found


def _control(game: Game) -> Iterator[str]:
    """Outside a Player Turn control is what 2.5 says."""
    if active_player(game) is not None:
        return
    for hex, who in sorted(game.tracks["control"].items()):
        if control_now(game, hex) != who:
            yield f"{hex} is controlled by {who}, by rule 2.5 by {control_now(game, hex)}"
    for player in world_of(game).seats:
        for hex in battle_hexes(game, player):
            yield f"{hex} is a battle hex that was not fought"
