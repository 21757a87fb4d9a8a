"""A duel of three blows, written twice: as three leaves, and as three steps of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pbem import rules as r
from pbem.rules import Decision, Event, Game, Option, Roll, System


@r.decision("guard", rule="1.1", answer=Literal["high", "low"])
class Guard(Decision[str]):
    """1.1 Where do you hold your sword?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("high", "held high")
        yield Option("low", "held low")

    def default(self, game: Game) -> str:
        return "high"


@r.event(rule="1.1", to="public")
class Guarded(Event):
    player: str
    how: str


@r.event(rule="1.2", to="public")
class Struck(Event):
    die: Roll


@r.condition("blows_left")
def blows_left(game: Game, phasing: str | None) -> bool:
    return bool(game.tracks["round"] < 2)


@r.condition("not_twice")
def not_twice(game: Game, phasing: str | None) -> bool:
    """1.2 Nobody strikes at a sword held low."""
    return game.tracks["guard"] != "low"


async def guarding(game: Game, player: str) -> None:
    game.tracks["guard"] = await r.ask(Guard(player))
    game.emit(Guarded(player, game.tracks["guard"]))


async def striking(game: Game, player: str) -> None:
    die = await r.roll("1d6", "blow", player)
    game.tracks["struck"] = game.tracks.get("struck", 0) + die.total
    game.emit(Struck(die))


async def resting(game: Game, player: str) -> None:
    game.tracks["rest"] = await r.ask(Guard(player))
    game.tracks["round"] += 1


@r.procedure("raise_guard", rule="1.1")
async def raise_guard(game: Game, phasing: str | None) -> None:
    await guarding(game, "red")


@r.procedure("strike", rule="1.2")
async def strike(game: Game, phasing: str | None) -> None:
    await striking(game, "red")


@r.procedure("rest", rule="1.3")
async def rest(game: Game, phasing: str | None) -> None:
    await resting(game, "blue")


@r.procedure("bow", rule="1.4")
async def bow(game: Game, phasing: str | None) -> None:
    game.tracks["bows"] = game.tracks.get("bows", 0) + 1


@r.condition("never")
def never(game: Game, phasing: str | None) -> bool:
    return False


@r.procedure("duel", rule="1.0")
async def duel(game: Game, phasing: str | None) -> None:
    await r.steps(
        game,
        [
            ("1", lambda: guarding(game, "red")),
            ("2", lambda: striking(game, "red"), lambda: not_twice(game, phasing)),
            ("3", lambda: resting(game, "blue")),
        ],
    )


GUARD = {"id": "A.1", "segment": "On guard", "rule": "1.1"}
STRIKE = {"id": "A.2", "segment": "The blow", "rule": "1.2"}
REST = {"id": "A.3", "segment": "Rest", "rule": "1.3"}
BOW = {"leaf": "bow", "id": "A.4", "segment": "A bow", "rule": "1.4"}
LEAVES: list[Any] = [
    {**GUARD, "leaf": "raise_guard"},
    {**STRIKE, "leaf": "strike", "when": "not_twice"},
    {**REST, "leaf": "rest"},
    BOW,
]
STEPS: list[Any] = [{"leaf": "duel", "id": "A.duel", "rule": "1.0", "steps": [GUARD, STRIKE, REST]}, BOW]


def make(body: list[Any]) -> System:
    system = System("duel", __name__, "1", 1, [__name__])
    root = {"id": "A", "phase": "Round {n}", "repeat_while": "blows_left", "do": body}
    system._data |= {"sequence.yaml": root, "system.yaml": {}, "words/en/wording.yaml": {}}
    return system


BY_LEAVES, BY_STEPS = make(LEAVES), make(STEPS)
