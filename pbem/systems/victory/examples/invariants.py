"""2.4-2.6: The invariants of victory, for random play and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.rules import Game, Message

from ..rules.blocks import units
from ..rules.set_up import made
from ..rules.sides import control_now, crowds, sides_of
from ..rules.state import State
from ..rules.world import world_of


def invariants(game: Game) -> list[str]:
    """Return everything that breaks an invariant, in words."""
    return [*_blocks(game), *_stacks(game), *_numbers(game), *_control(game)]


def _blocks(game: Game) -> Iterator[str]:
    world, quiet = world_of(game), State.of(game).active is None
    for block in units(game):
        kind, carrier = block.kind, block.aboard
        if block.cv not in kind.steps:
            yield Message(
                "victory.invariants.has-strength", block=block.id, cv=block.cv, steps=str(kind.steps)
            )
        if block.hex not in world:
            yield Message("victory.invariants.off-map", block=block.id, hex=block.hex)
            continue
        if kind.lands and world.is_sea(block.hex):
            yield Message(
                "victory.invariants.stands-in-sea-hex", block=block.id, kind=kind.name, hex=block.hex
            )
        if carrier is not None and carrier not in game.position.at(block.hex):
            yield Message("victory.invariants.aboard", block=block.id, carrier=carrier, hex=block.hex)
        for flag in ("activated", "moved", "responded", "revealed", "entry_from") if quiet else ():
            if getattr(block, flag):
                yield Message(
                    "victory.invariants.still-marked-outside-player-turn", block=block.id, flag=flag
                )


def _stacks(game: Game) -> Iterator[str]:
    for hex, side, words in crowds(game):
        yield Message("victory.invariants.side-of-has", hex=hex, player=side.player, words=words)
    for side in sides_of(game) if State.of(game).active is None else ():
        for hex in side.battle_hexes():
            yield Message("victory.invariants.enemies-stand-together-outside-player-turn", hex=hex)


def _numbers(game: Game) -> Iterator[str]:
    """Yield a fault if the initiative is overdrawn."""
    initiative = State.of(game).initiative
    if not 0 <= initiative.taken <= initiative.quota:
        yield Message(
            "victory.invariants.holder-took-of-turns", taken=initiative.taken, quota=initiative.quota
        )


def census(game: Game) -> list[str]:
    """Return faults of the census.

    Map and pool together have the same blocks, and each new one is counted.
    """
    return list(_census(game))


def _census(game: Game) -> Iterator[str]:
    state = State.of(game)
    begun = _count(game.scenario["units"].values(), game.scenario["pool"])
    now = _count(game.position.counters.values(), state.pool)
    for owner, code in sorted(begun | now):
        if begun[owner, code] != now[owner, code]:
            was, left = begun[owner, code], now[owner, code]
            yield Message("victory.invariants.has-blocks-of-type", owner=owner, left=left, code=code, was=was)
    for player, counts in made(world_of(game), game.position.counters).items():
        for code, number in counts.items():
            if number > state.made[player].get(code, 0):
                yield Message(
                    "victory.invariants.has-block-that-never-counted", player=player, code=code, number=number
                )


def _count(
    listed: Iterable[Mapping[str, Any]], pools: Mapping[str, Mapping[str, int]]
) -> Counter[tuple[str, str]]:
    """Return blocks by owner and type."""
    counts = Counter((str(fields["owner"]), str(fields["type"])) for fields in listed)
    for player, pool in pools.items():
        counts.update({(player, code): count for code, count in pool.items()})
    return counts


def _control(game: Game) -> Iterator[str]:
    """2.5: Yield faults of control outside a Player Turn."""
    if State.of(game).active is None:
        for hex, who in sorted(State.of(game).control.items()):
            if control_now(game, hex) != who:
                yield Message(
                    "victory.invariants.controlled-by-by-rule-2-5",
                    hex=hex,
                    who=who,
                    control_now=control_now(game, hex),
                )
