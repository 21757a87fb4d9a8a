"""Node B.0, C.0: what is put back at the start of a player turn (4.2)."""

from __future__ import annotations

from typing import Any, cast

from pbem.rules import Game, ask, procedure

from ..decisions.wounded import ReturnCity
from ..events.command import LeaderReturned, LeaderWaits, PlayerTurnBegan
from ..handling import merge
from ..pieces import cycle, leaders, mark, units, world_of
from ..victory import ending
from ..zones import enemy_occupied


@procedure("begin_player_turn", rule="4.2")
async def begin_player_turn(game: Game, phasing: str) -> None:
    """4.2 Units detrain, marks of the last turn go, spans are cleared, the wounded return."""
    tracks = game.tracks
    detrained = tuple(each.id for each in units(game, phasing) if each.entrained)
    for each in units(game, phasing):
        mark(game, each.id, entrained=None, moved=None, attacked=None)
    merge(game, phasing)
    for who in leaders(game, phasing):
        mark(game, who.id, moved=None, attempted=None, active=None)
    tracks["spans"], tracks["done"], tracks["plan"] = {}, [], {}
    tracks["militia_placed"] = {}
    tracks["free_used"][phasing] = 0
    game.emit(PlayerTurnBegan(phasing, tracks["chit"][phasing], detrained))
    for id in recovered(game, phasing):
        await come_back(game, phasing, id)


def recovered(game: Game, side: str) -> list[str]:
    """Wounded leaders of a side whose cycle of return has come, by id."""
    counters = cast("dict[str, dict[str, Any]]", game.position.counters)
    return [
        id
        for id in game.position.find(type="leader", side=side, status="wounded")
        if counters[id]["return_cycle"] <= cycle(game)
    ]


async def come_back(game: Game, side: str, id: str) -> None:
    """10.6 He reports in an own supply city that no enemy is in; without one he waits a cycle."""
    world, owners = world_of(game), game.tracks["settlement_owner"]
    cities = tuple(
        hex
        for hex, place in sorted(world.settlements.items())
        if place.supply_city == side and owners.get(hex) == side and not enemy_occupied(game, hex, side)
    )
    if not cities:
        mark(game, id, return_cycle=cycle(game) + 1)
        game.emit(LeaderWaits(side, id))
        return
    hex = await ask(ReturnCity(side, id, cities)) if len(cities) > 1 else cities[0]
    mark(game, id, status="on_map", return_cycle=None)
    game.position.move(id, hex)
    game.emit(LeaderReturned(side, id, hex))


def decide_at_once(game: Game) -> None:
    """10.7: who owns both cities has won; the week goes to its end without further play."""
    end = ending(game, week_over=False)
    if end is not None and game.tracks["result"] is None:
        from .week import finish

        finish(game, end)
