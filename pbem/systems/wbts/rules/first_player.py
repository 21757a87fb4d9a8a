"""4.1, D-01: Node A: chits and the first player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pbem.kit.filed import ByOrder
from pbem.rules import Game, Message, Option, ask, condition, decision, player_order, procedure, roll

from .asking import InWeek
from .battle.secrets import lodge_secrets
from .events.first_player import ChitDrawn, ChitsTied, FirstPlayer, SouthTookChit, WeekBegan
from .pieces import gt, world_of
from .statics import SIDES
from .tracks import T

NORTH, SOUTH = SIDES
MONTHS = "January February March April May June July August September October November December".split()
Choice = Literal["parenthesised", "draw"]


@condition("nobody_has_won")
def nobody_has_won(game: Game, phasing: str | None) -> bool:
    """10.7: Return True until a side owns both cities, which wins at once."""
    return T.of(game).result is None


@player_order("first_player")
def first_player_alone(game: Game) -> Sequence[str]:
    return T.of(game).order[:1]


@player_order("second_player")
def second_player_alone(game: Game) -> Sequence[str]:
    return T.of(game).order[1:]


@procedure("return_chits", rule="4.1.1")
async def return_chits(game: Game, phasing: str | None) -> None:
    """4.1.1: Put every chit of the period back into the cup."""
    world, tracks = world_of(game), T.of(game)
    cup, _ = world.tables.chits(str(game.scenario["chit_period"]))
    tracks.cup, tracks.order = tuple(sorted(cup)), ()
    tracks.chit, tracks.free_used = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, 0)
    now = world.calendar.at(tracks.gt)
    season = "winter" if world.winter(tracks.gt) else Message("wbts.first-player.no-winter")
    game.emit(WeekBegan(tracks.gt, MONTHS[now.month - 1], now.week, season, tracks.cup))


@decision("chit-choice", rule="4.1.2", answer=Choice, standing=("chit", Choice))
class ChitChoice(InWeek[Choice], ByOrder[Choice]):
    """Does the south take the chit in parentheses, or draw from the cup?"""

    player: str
    parenthesised: int
    cup: tuple[int, ...]

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("parenthesised", Message("wbts.first-player.take", chit=self.parenthesised))
        yield Option("draw", Message("wbts.first-player.draw-one", cup=tuple(map(str, self.cup))))

    def default(self, game: Game) -> Choice:
        return "parenthesised"


@procedure("south_chit", rule="4.1.2")
async def south_chit(game: Game, phasing: str | None) -> None:
    """4.1.2: Let the south take the chit in parentheses, or draw first."""
    tracks = T.of(game)
    _, parenthesised = world_of(game).tables.chits(str(game.scenario["chit_period"]))
    for side in list(game.players):
        await lodge_secrets(game, side)
    if await ask(ChitChoice(SOUTH, parenthesised, tracks.cup)) == "draw":
        await draw(game, SOUTH, "A.2")
        return
    left = list(tracks.cup)
    left.remove(parenthesised)
    tracks.cup = tuple(left)
    tracks.chit[SOUTH] = parenthesised
    game.emit(SouthTookChit(SOUTH, parenthesised))


@procedure("north_chit", rule="4.1.3")
async def north_chit(game: Game, phasing: str | None) -> None:
    """4.1.3: Draw for the north."""
    await draw(game, NORTH, "A.3")


async def draw(game: Game, side: str, node: str) -> None:
    """R-2: Roll a die with a face for each chit left in the cup, in ascending order."""
    tracks, cup = T.of(game), T.of(game).cup
    die = await roll(f"1d{len(cup)}", "wbts", gt(game), node, "chit")
    drawn = die.total - 1
    tracks.cup, tracks.chit[side] = (*cup[:drawn], *cup[drawn + 1 :]), cup[drawn]
    game.emit(ChitDrawn(side, cup[drawn], cup, die))


@procedure("first_player", rule="4.1.4")
async def first_player(game: Game, phasing: str | None) -> None:
    """4.1.4: Make the higher chit first. A die decides a tie, which the chit tables exclude (R-2)."""
    tracks = T.of(game)
    north, south = tracks.chit[NORTH], tracks.chit[SOUTH]
    first = NORTH if north > south else SOUTH
    if north == south:
        die = await roll("1d6", "wbts", gt(game), "A.4", "tie")
        first = NORTH if die.total <= 3 else SOUTH
        game.emit(ChitsTied(north, die, first))
    tracks.order = (first, world_of(game).enemy(first))
    game.emit(FirstPlayer(first, north, south))
