"""4.6: Battles that random games of victory offer, fought by the real procedure."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.model.forecasts import End
from pbem.systems.victory.look.forecast import _bring
from pbem.systems.victory.rules.blocks import Block, units
from pbem.systems.victory.rules.state import State
from pbem.systems.victory.rules.world import world_of
from pbem.testing.fights import Staged


def fights(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield hexes, each with the blocks of an enemy player near it, two at most of a class."""
    world = world_of(game)
    for hex in sorted({u.hex for u in units(game)}):
        here = {u.owner for u in units(game, hex=hex)}
        for player in world.seats:
            near = [
                u for u in units(game, player) if 0 < world.distance(u.hex, hex) <= 2 and u.cls != "logistic"
            ]
            near = [u for u in near if (u.cls == "naval") == world.is_sea(hex) or u.cls == "air"]
            kept = [u for n, u in enumerate(near) if sum(1 for o in near[:n] if o.cls == u.cls) < 2]
            if kept and not any(world.allied(player, one) for one in here):
                yield hex, tuple(u.id for u in kept)


def staged(game: Game, hex: str, ids: tuple[str, ...]) -> Staged:
    """The blocks moved into the hex, and the battle alone."""
    copy = game.copy()
    for id in ids:
        _bring(copy, Block(copy, id), hex)
    player = Block(copy, ids[0]).owner
    for block in units(copy):
        block.activated = block.owner == player
    State.of(copy).battles, State.of(copy).active = (hex,), player
    return Staged(copy, "2.T.4.2", player)


def judge(hex: str, ids: tuple[str, ...]):  # type: ignore[no-untyped-def]
    """Who is in the hex at the end, and how many steps each side has no longer."""

    def judged(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]] | None:
        player = Block(before, ids[0]).owner
        lost = {True: 0, False: 0}
        there = after.position.counters
        for u in units(before, hex=hex):
            lost[u.owner == player] += u.steps - (Block(after, u.id).steps if u.id in there else 0)
        left = [Block(after, u.id) for u in units(before, hex=hex) if u.owner == player and u.id in there]
        held = next(event_told.event for event_told in played.told if event_told.event["event"] == "hex-held")
        end: End
        if held["role"] == "attacker":
            end = "taken" if any(u.hex == hex for u in left) else "cleared"
        elif left:
            end = "held" if all(u.cls == "air" for u in left) else "repelled"
        else:
            end = "eliminated"
        return end, (lost[True], lost[False])

    return judged


def as_supposed(game: Game, hex: str, player: str, cv: int) -> Game:
    """Return the position with infantry or cruisers for the blocks in a hex that a player does not see."""
    copy = game.copy()
    allies = world_of(copy).side(player)
    for u in units(copy, hex=hex):
        if u.owner not in allies and not u.revealed:
            u.type, u.cv = ("CR" if world_of(copy).is_sea(hex) else "IN"), cv
            u.aboard = None
    return copy
