"""Rules of Toss: each turn both guess high or low, then a die is rolled; a right guess is a point."""

from typing import Literal

from pbem.rules import Decision, Event, Option, Roll, ask_all, condition, decision, event, procedure, roll

Side = Literal["high", "low"]


@decision("guess", rule="1.1", answer=Side)
class Guess(Decision[Side]):
    """Will the die be high (4-6) or low?"""

    player: str

    def options(self, game):
        yield Option("high", "4, 5 or 6")
        yield Option("low", "1, 2 or 3")

    def default(self, game):
        return "high"


@event(rule="1.2", to="public")
class Tossed(Event):
    die: Roll
    guesses: dict[str, str]
    points: dict[str, int]


@condition("tosses_left")
def tosses_left(game, phasing):
    return game.tracks["turn"] < 3


@procedure("toss", rule="1.0")
async def toss(game, phasing):
    """1.0 Guesses are opened together, then the die is rolled."""
    guesses = await ask_all([Guess(player) for player in game.players])
    die = await roll("1d6", "toss")
    right = "high" if die.total > 3 else "low"
    game.tracks["turn"] += 1
    for player, guess in zip(game.players, guesses, strict=True):
        game.tracks["points"][player] += guess == right
    game.emit(Tossed(die, dict(zip(game.players, guesses, strict=True)), dict(game.tracks["points"])))
