"""4.8: Battles that random games of wbts offer, fought by the real procedure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.model.forecasts import End
from pbem.systems.wbts.rules.command.forces import force
from pbem.systems.wbts.rules.pieces import leader, leaders, left, units, world_of
from pbem.testing.fights import Staged


def fights(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield hexes with enemy units, each with the force of a leader in one hex beside it."""
    world = world_of(game)
    for side in game.players:
        enemy = world.enemy(side)
        targets = sorted({u.hex for u in units(game, enemy) if u.is_land and u.hex in world.terrain})
        for who in leaders(game, side):
            if not who.on_map or who.naval:
                continue
            for hex in targets:
                ids = [u for u in left(game, force(who)) if u.can_attack and not u.entrained]
                able = [u for u in ids if world.adjacent(u.hex, hex) and not world.prohibited(u.hex, hex)]
                for start in sorted({u.hex for u in able})[:1]:
                    yield hex, (who.id, *(u.id for u in able if u.hex == start))


def staged(game: Game, hex: str, ids: tuple[str, ...], chit: int) -> Staged:
    """The battle as ordered with one chit; nobody rides away, nobody is committed, who may advance does."""
    copy = game.copy()
    who, *fighting = ids
    counters = copy.position.counters
    side, start = str(counters[who]["side"]), str(counters[fighting[0]]["hex"])
    leader(copy, who).active = True
    for u in left(copy, fighting):
        u.attacked = False
    copy.tracks["fought"] = {player: {"attack": 0, "defend": 0} for player in copy.players}
    order = {"leader": who, "target": hex, "stacks": [{"hex": start, "units": list(fighting)}]}
    orders = {side: {"battles": {"battles": [order]}, "intensity": chit}}
    return Staged(copy, "B.2.c", side, orders, {side: [{"advance": "all"}]})


def judge(hex: str, ids: tuple[str, ...]) -> Any:
    """Who is in the hex, and how many strength points each side has no longer."""

    def judged(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]] | None:
        if not any(event_told.event["event"] == "battle-began" for event_told in played.told):
            return None
        side = str(before.position.counters[ids[0]]["side"])
        enemy = world_of(before).enemy(side)
        mine, theirs = (
            sum(u.sp for u in units(before, one)) - sum(u.sp for u in units(after, one))
            for one in (side, enemy)
        )
        alive = left(after, ids[1:])
        there = [u for u in units(after, enemy, hex) if u.is_combat]
        end: End
        if not there:
            end = "taken" if any(u.hex == hex for u in alive) else "cleared"
        elif not alive:
            end = "eliminated"
        else:
            start = str(before.position.counters[ids[1]]["hex"])
            end = "repelled" if any(u.hex != start for u in alive) else "held"
        return end, (mine, theirs)

    return judged
