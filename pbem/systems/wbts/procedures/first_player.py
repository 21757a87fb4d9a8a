"""Node A: chits, and who is first player (4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, ask, condition, player_order, procedure, roll

from ..decisions.chit import ChitChoice
from ..events.first_player import ChitDrawn, ChitsTied, FirstPlayer, SouthTookChit, WeekBegan
from ..pieces import gt, world_of
from ..statics import SIDES
from .battle_secrets import lodge_secrets

NORTH, SOUTH = SIDES
MONTHS = "January February March April May June July August September October November December".split()


@condition("weeks_left")
def weeks_left(game: Game, phasing: str | None) -> bool:
    """The game has no result yet."""
    result: object = game.tracks["result"]
    return result is None


@condition("nobody_has_won")
def nobody_has_won(game: Game, phasing: str | None) -> bool:
    """10.7: a side that owns both cities wins at once."""
    result: object = game.tracks["result"]
    return result is None


@player_order("first_player")
def first_player_alone(game: Game) -> Sequence[str]:
    return tuple(game.tracks["order"][:1])


@player_order("second_player")
def second_player_alone(game: Game) -> Sequence[str]:
    return tuple(game.tracks["order"][1:])


@procedure("return_chits", rule="4.1.1")
async def return_chits(game: Game, phasing: str | None) -> None:
    """4.1.1 Every chit of the period is in the cup again."""
    world, tracks = world_of(game), game.tracks
    cup, _ = world.tables.chits(str(game.scenario["chit_period"]))
    tracks["cup"] = sorted(cup)
    tracks["chit"] = dict.fromkeys(SIDES, 0)
    tracks["free_used"] = dict.fromkeys(SIDES, 0)
    tracks["order"] = []
    day = world.calendar[gt(game)]
    season = "winter" if world.winter(gt(game)) else "no winter"
    game.emit(WeekBegan(gt(game), MONTHS[day["month"] - 1], day["week"], season, tuple(tracks["cup"])))


@procedure("south_chit", rule="4.1.2")
async def south_chit(game: Game, phasing: str | None) -> None:
    """4.1.2 The chit in parentheses without a draw, or the first draw."""
    tracks = game.tracks
    _, parenthesised = world_of(game).tables.chits(str(game.scenario["chit_period"]))
    for side in list(game.players):
        await lodge_secrets(game, side)
    choice = await ask(ChitChoice(SOUTH, parenthesised, tuple(tracks["cup"])))
    if choice == "parenthesised":
        tracks["cup"].remove(parenthesised)
        tracks["chit"][SOUTH] = parenthesised
        game.emit(SouthTookChit(SOUTH, parenthesised))
    else:
        await draw(game, SOUTH, "A.2")


@procedure("north_chit", rule="4.1.3")
async def north_chit(game: Game, phasing: str | None) -> None:
    """4.1.3 The north always draws."""
    await draw(game, NORTH, "A.3")


async def draw(game: Game, side: str, node: str) -> None:
    """A die with a face for each chit left in the cup, in ascending order (R-2)."""
    cup: list[int] = game.tracks["cup"]
    die = await roll(f"1d{len(cup)}", "wbts", gt(game), node, "chit")
    before = tuple(cup)
    game.tracks["chit"][side] = cup.pop(die.total - 1)
    game.emit(ChitDrawn(side, game.tracks["chit"][side], before, die))


@procedure("first_player", rule="4.1.4")
async def first_player(game: Game, phasing: str | None) -> None:
    """4.1.4 The higher chit is first; a tie, which the tables of chits rule out, goes to the die (R-2)."""
    chits = game.tracks["chit"]
    north, south = chits[NORTH], chits[SOUTH]
    first = NORTH if north > south else SOUTH
    if north == south:
        die = await roll("1d6", "wbts", gt(game), "A.4", "tie")
        first = NORTH if die.total <= 3 else SOUTH
        game.emit(ChitsTied(north, die, first))
    game.tracks["order"] = [first, world_of(game).enemy(first)]
    game.emit(FirstPlayer(first, north, south))
