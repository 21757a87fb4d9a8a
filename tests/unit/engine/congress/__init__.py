"""A toy of two players and five powers: each power raises money and attacks another that does not cooperate
with it.

A power without money comes under the seat of whoever beat it last; the sequence of play goes by powers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pbem import rules as r
from pbem.rules import Decision, Event, Game, Option, Roll, System


@r.decision("raise-money", rule="2.1", answer=Annotated[int, r.Range(0, 3)])
class RaiseMoney(Decision[int]):
    """2.1 A power may raise up to three; each costs it order at home."""

    player: str
    power: str

    def options(self, game: Game) -> Iterator[Option]:
        for money in range(4):
            yield Option(money, f"{self.power} raises {money}")

    def default(self, game: Game) -> int:
        return 0

    def ahead(self, game: Game) -> Iterator[Attack]:
        yield Attack(self.player, self.power)


@r.decision("attack", rule="2.2", answer=str)
class Attack(Decision[str]):
    """2.2 An attack on a power with which it does not cooperate; nobody with `peace`."""

    player: str
    power: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("peace", "keeps the peace")
        for other in game.powers:
            if not game.cooperate(self.power, other) and game.seat(other) != self.player:
                yield Option(other, f"{self.power} attacks {other}")

    def default(self, game: Game) -> str:
        return "peace"


@r.event(rule="2.2", to="public")
class Attacked(Event):
    power: str
    target: str
    die: Roll


@r.event(rule="3.0", to="public")
class HandedOver(Event):
    power: str
    seat: str


@r.event(rule="2.1", to="owner")
class Raised(Event):
    owner: str
    money: int


@r.condition("turns_left")
def turns_left(game: Game, phasing: str | None) -> bool:
    return bool(game.tracks["turn"] < 4)


@r.power_order("by_money")
def by_money(game: Game) -> Sequence[str]:
    money = game.tracks["money"]
    return sorted(game.powers, key=lambda power: (-money[power], power))


@r.player_order("by_name")
def by_name(game: Game) -> Sequence[str]:
    return sorted(game.players)


@r.procedure("power_turn", rule="2.0")
async def power_turn(game: Game, phasing: str) -> None:
    """2.0 Money, then an attack."""
    raised = await r.ask(RaiseMoney(game.seat(phasing), phasing))
    game.tracks["money"][phasing] += raised
    game.emit(Raised(phasing, raised))
    target = await r.ask(Attack(game.seat(phasing), phasing))
    if target != "peace":
        die = await r.roll("1d6", "attack", phasing, target)
        game.emit(Attacked(phasing, target, die))
        lost = min(die.total, game.tracks["money"][target])
        game.tracks["money"][target] -= lost
        if game.tracks["money"][target] == 0:
            game.hand_over(target, game.seat(phasing))
            game.emit(HandedOver(target, game.seat(target)))


@r.procedure("end_of_turn", rule="4.0")
async def end_of_turn(game: Game, phasing: str) -> None:
    """4.0 Each player counts his powers."""
    game.tracks["held"][phasing] = len(game.powers_of(phasing))
    if phasing == max(game.players):
        game.tracks["turn"] += 1


def make(name: str, *, hidden: bool = False) -> System:
    return System(name, __name__, "1", 1, [__name__], title="The Congress", hidden=hidden)


SYSTEM, FOG = make("congress"), make("congress-fog", hidden=True)
