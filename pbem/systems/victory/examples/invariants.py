"""What must always hold in a game of victory, whatever is played: for random play and tests (2.4-2.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.rules import Game

from ..rules.blocks import units
from ..rules.set_up import made
from ..rules.sides import control_now, crowds, sides_of
from ..rules.state import State
from ..rules.world import world_of


def invariants(game: Game) -> list[str]:
    """Everything that is not as it must be, in words."""
    return [*_blocks(game), *_stacks(game), *_numbers(game), *_control(game)]


def _blocks(game: Game) -> Iterator[str]:
    world, quiet = world_of(game), State.of(game).active is None
    for block in units(game):
        kind, carrier = block.kind, block.aboard
        if block.cv not in kind.steps:
            yield f"{block.id} has strength {block.cv}, wanted one of {kind.steps}"
        if block.hex not in world:
            yield f"{block.id} is in {block.hex}, off the map"
            continue
        if kind.lands and world.is_sea(block.hex):
            yield f"{block.id} ({kind.name}) stands in sea hex {block.hex}"
        if carrier is not None and carrier not in game.position.at(block.hex):
            yield f"{block.id} is aboard {carrier}, which is not in {block.hex}"
        for flag in ("activated", "moved", "responded", "revealed", "entry_from") if quiet else ():
            if getattr(block, flag):
                yield f"{block.id} is still marked {flag} outside a Player Turn"


def _stacks(game: Game) -> Iterator[str]:
    for hex, side, words in crowds(game):
        yield f"{hex}: the side of {side.player} has {words}"
    for side in sides_of(game) if State.of(game).active is None else ():
        for hex in side.battle_hexes():
            yield f"{hex}: enemies stand together outside a Player Turn"


def _numbers(game: Game) -> Iterator[str]:
    """The initiative is never overdrawn."""
    initiative = State.of(game).initiative
    if not 0 <= initiative.taken <= initiative.quota:
        yield f"the holder took {initiative.taken} of {initiative.quota} turns"


def census(game: Game) -> list[str]:
    """Blocks on the map and in the pool are always the same together, and each that was made was counted."""
    return list(_census(game))


def _census(game: Game) -> Iterator[str]:
    state = State.of(game)
    begun = _count(game.scenario["units"].values(), game.scenario["pool"])
    now = _count(game.position.counters.values(), state.pool)
    for owner, code in sorted(begun | now):
        if begun[owner, code] != now[owner, code]:
            was, left = begun[owner, code], now[owner, code]
            yield f"{owner} has {left} blocks of type {code}, began with {was}"
    for player, counts in made(world_of(game), game.position.counters).items():
        for code, number in counts.items():
            if number > state.made[player].get(code, 0):
                yield f"{player} has a block {code}{number} that was never counted"


def _count(
    listed: Iterable[Mapping[str, Any]], pools: Mapping[str, Mapping[str, int]]
) -> Counter[tuple[str, str]]:
    """Blocks by owner and type."""
    found = Counter((str(fields["owner"]), str(fields["type"])) for fields in listed)
    for player, pool in pools.items():
        found.update({(player, code): count for code, count in pool.items()})
    return found


def _control(game: Game) -> Iterator[str]:
    """Outside a Player Turn control is what 2.5 says."""
    if State.of(game).active is None:
        for hex, who in sorted(State.of(game).control.items()):
            if control_now(game, hex) != who:
                yield f"{hex} is controlled by {who}, by rule 2.5 by {control_now(game, hex)}"
