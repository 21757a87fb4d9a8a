"""T.1, T.3: Weather, simulcast, first player; end of turn and victory (4.1, 4.14, 4.15)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, ask_all, condition, player_order, procedure, roll

from ..decisions.turn import DropPlans, FirstPlayer, Simulcast
from ..drops import lodge_plans
from ..events.turn import (
    FirstPlayerChosen,
    FirstPlayerRolled,
    GameTurnBegan,
    GameWon,
    SimulcastDeclared,
    VictoryCounted,
    WeatherRolled,
)
from ..pieces import T, ships, units, world_of
from ..sealing import ask, lodge_orders, open_for, spend
from ..victory import count
from ..views import hides, note_sightings
from .player_turn import plan_drops


@condition("turns_left")
def turns_left(game: Game, phasing: str | None) -> bool:
    """Return True if another turn is to be played."""
    return T.of(game).result is None


@condition("normal_turn")
def normal_turn(game: Game, phasing: str | None) -> bool:
    return not T.of(game).simulcast


@condition("simulcast_turn")
def simulcast_turn(game: Game, phasing: str | None) -> bool:
    return T.of(game).simulcast


@player_order("turn_order")
def turn_order(game: Game) -> Sequence[str]:
    """Return the first player, then the second."""
    world, first = world_of(game), T.of(game).first
    return (first, world.enemy(first)) if first else world.seats


@procedure("weather", rule="4.1.1")
async def weather(game: Game, phasing: str | None) -> None:
    """4.1.1: Roll a die for ground and one for flight weather; both last for the turn."""
    t, world = T.of(game), world_of(game)
    if t.turn == 0:
        await _plan_before(game)
    t.turn += 1
    game.emit(GameTurnBegan(t.turn, world.last_turn))
    chart = world.tables["turn"]
    ground, flight = await roll("1d6", "ground"), await roll("1d6", "flight")
    t.ground, t.flight = chart["ground"][str(ground.total)], chart["flight"][str(flight.total)]
    t.phase, t.acting = "W", None
    game.emit(WeatherRolled(ground, flight, t.ground, t.flight))


async def _plan_before(game: Game) -> None:
    """4.2.2: Accept sealed orders and air drops planned for any turn, before the first dice."""
    note_sightings(game)
    await lodge_orders(game)
    for side in list(world_of(game).seats):
        await lodge_plans(game, side)
        if hides(game) and any("para" in u.print.flags for u in units(game, side)):
            await plan_drops(game, side, await ask(game, DropPlans(side)), None)


@procedure("simulcast", rule="4.15")
async def simulcast(game: Game, phasing: str | None) -> None:
    """4.15: Ask both sides in secret; if both say yes, this turn allows nothing offensive."""
    t = T.of(game)
    questions = [Simulcast(player) for player in game.players]
    for question in questions:
        await open_for(game, question)
    answers = await ask_all(questions)
    for question in questions:
        spend(game, question)
    await lodge_orders(game)
    given = dict(zip(game.players, answers, strict=True))
    t.simulcast = all(answer == "yes" for answer in answers)
    if "yes" in answers:
        game.emit(SimulcastDeclared(given, t.simulcast))


@procedure("first_player_roll", rule="4.1.2")
async def first_player_roll(game: Game, phasing: str | None) -> None:
    """4.1.2: Roll 2d6 for each side; roll ties again."""
    t = T.of(game)
    t.winner = None
    fixed = world_of(game).scenario.get("first_player", {}).get(str(t.turn))
    if fixed is not None:
        t.first = fixed
        return
    while t.winner is None:
        dice = {player: await roll("2d6", "first-player", player) for player in game.players}
        totals = {player: rolled.total for player, rolled in dice.items()}
        best = [player for player in game.players if totals[player] == max(totals.values())]
        t.winner = best[0] if len(best) == 1 else None
        game.emit(FirstPlayerRolled(dice, totals, t.winner or ""))


@procedure("first_player", rule="4.1.2")
async def first_player(game: Game, phasing: str | None) -> None:
    """4.1.2: Ask the winner of the roll for the first or the second player turn."""
    t = T.of(game)
    if t.winner is None:  # the scenario says who is first
        assert t.first is not None
        game.emit(FirstPlayerChosen(t.first, "first"))
        return
    choice = await ask(game, FirstPlayer(t.winner))
    await lodge_orders(game)
    t.first = t.winner if choice == "first" else world_of(game).enemy(t.winner)
    game.emit(FirstPlayerChosen(t.winner, choice))


@procedure("turn_end", rule="4.14")
async def turn_end(game: Game, phasing: str | None) -> None:
    """4.14: Clear the turn's states; count victory after the last turn."""
    t, world = T.of(game), world_of(game)
    if t.turn >= world.last_turn:
        items = count(game)
        t.vp = sum(items.values())
        result = next(b["result"] for b in world.victory["bands"] if max(0, t.vp) >= b["at_least"])
        game.emit(VictoryCounted(world.victory["sides"][0], t.vp, items))
        t.result = result
        game.emit(GameWon(result, t.vp))
    t.first, t.winner, t.simulcast = None, None, False
    t.phase, t.acting, t.entered = "", None, {}
    for ship in ships(game):
        ship.shore_turn = 0
    assert units(game) is not None
