"""Rules of the primer, an invented game: a column of hexes 0101-0204 with a ford, two units a side.

It exists to use every engine feature once: a simultaneous bid, a sealed card, a note, open moves one by one,
an answer that grows, a reaction by the other side with a standing order, dice, hidden dice, a shuffle,
private events, a player order, loops and a condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pbem import rules as r
from pbem.rules import Decision, Event, Game, Option, Roll, Shuffle

ADJACENT = {
    "0101": ("0201", "0102"),
    "0201": ("0101", "0202"),
    "0102": ("0101", "0103", "0202"),
    "0202": ("0201", "0102", "0203"),
    "0103": ("0102", "0104", "0203"),
    "0203": ("0202", "0103", "0204"),
    "0104": ("0103", "0204"),
    "0204": ("0203", "0104"),
}


@dataclass(frozen=True)
class Move:
    """One unit to an adjacent hex; no unit at all ends the movement."""

    unit: str = ""
    to: r.HexNumber | None = None


@dataclass(frozen=True)
class ReactionStanding:
    """What to do when attacked: retreat when the unit has at most this many steps."""

    retreat_at_most: Annotated[int, r.Range(0, 9)]


@r.decision("card", rule="2.1", answer=Literal["storm", "calm"], secrecy="kept")
class Card(Decision[str]):
    """2.1 Each side keeps one card secret until its player turn is over."""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("storm", "storm: lose nothing, stop the other")
        yield Option("calm", "calm: one point")

    def default(self, game: Game) -> str:
        return "calm"


@dataclass(frozen=True)
class NoteText:
    """What the note says."""

    text: Annotated[str, r.Pattern("[^\\n\\r]{1,200}", "a text of one line")]


@r.event(rule="2.3", to="gm")
class Noted(Event):
    by: r.PlayerName
    text: str


@r.decision("note", rule="2.3", answer=NoteText, secrecy="readers")
class Note(Decision[NoteText]):
    """2.3 What note goes with your orders, for the GM to read?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield from ()

    def check(self, game: Game, answer: NoteText) -> list[r.Diagnostic]:
        return []

    def readers(self, answer: NoteText) -> Sequence[str]:
        return ()

    def tells(self, answer: NoteText) -> Iterator[Event]:
        yield Noted(self.player, answer.text)


@r.decision("bid", rule="3.1", answer=Annotated[int, r.Range(0, 3)])
class Bid(Decision[int]):
    """3.1 The higher bid moves first; a tie leaves the order as it was."""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        for value in range(4):
            yield Option(value, f"bid {value}")

    def default(self, game: Game) -> int:
        return 0

    @r.fact
    def turn(self, game: Game) -> int:
        return int(game.tracks["turn"])


class Resting(r.Draft[str]):
    """Units that rest, one after another: which may come next, what is wrong with one, what it does."""

    def next(self, of: str | None = None) -> Iterator[r.Next[str]]:
        for unit in sorted(self.game.position.counters):
            if self.concerns(of, unit) and not self.faults(unit):
                yield r.Next(unit, f"{unit} rests", r.Points((unit,)))

    def faults(self, element: str) -> list[r.Diagnostic]:
        fields = self.game.position.counters.get(element, {})
        if fields.get("owner") == self.player and lost_steps(self.game, element):
            return []
        message = f"{element} is no unit of {self.player} that has lost steps"
        return [r.Diagnostic("cannot-rest", message, family="illegal", rule="2.2")]

    def do(self, element: str) -> None:
        rest(self.game, element)


@r.decision("resting", rule="2.2", answer=tuple[r.Name, ...], secrecy="sealed")
class Rests(r.Growing[tuple[str, ...]]):
    """2.2 Which units that have lost steps rest? By default none."""

    player: str
    drafts = Resting

    def waits(self, game: Game) -> bool:
        return any(self.draft(game).next())


@r.decision("next-move", rule="4.1", answer=Move)
class NextMove(Decision[Move]):
    """4.1 One unit at a time; an enemy hex is attacked."""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, "end of movement")
        for unit, fields in sorted(game.position.counters.items()):
            if fields["owner"] == self.player and unit not in game.tracks.get("moved", []):
                for hex_ in ADJACENT[str(fields["hex"])]:
                    if not any(owner == self.player for owner in owners_at(game, hex_)):
                        yield Option({"unit": unit, "to": hex_}, f"{unit} to {hex_}")

    def default(self, game: Game) -> Move:
        return Move()

    def ahead(self, game: Game) -> Iterator[Decision[Any]]:
        yield NextMove(self.player)


@r.decision(
    "reaction",
    rule="4.3",
    answer=Literal["stand", "retreat"],
    standing=("reaction", ReactionStanding),
    facts=("origin",),
)
class Reaction(Decision[str]):
    """4.3 The attacked side stands or steps back."""

    player: str
    unit: str
    origin: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.origin,)

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("stand", "stand and roll")
        if retreat_hex(game, self.unit):
            yield Option("retreat", "retreat one hex")

    def default(self, game: Game) -> str:
        return "stand"

    def from_standing(self, game: Game, orders: list[Any]) -> str | None:
        steps = game.position.counters[self.unit]["steps"]
        assert isinstance(steps, int)
        weak = any(steps <= order.retreat_at_most for order in orders)
        return "retreat" if weak and retreat_hex(game, self.unit) else None


@r.event(rule="3.1", to="public")
class BidsOpened(Event):
    bids: dict[r.PlayerName, int]
    first: r.PlayerName


@r.event(rule="4.1", to="public", tells="move")
class Moved(Event):
    owner: r.PlayerName
    hex: r.Destination


@r.event(rule="4.1", to="owner", tells="move")
class MovedUnit(Event):
    owner: r.PlayerName
    unit: r.UnitId
    origin: r.Origin
    hex: r.Destination


@r.event(rule="4.3", to="public", tells="battle")
class Fought(Event):
    attacker: r.Thrower
    hex: r.Place
    die: Roll
    result: str


@r.event(rule="4.3", to="public", tells="retreat")
class Retreated(Event):
    owner: r.PlayerName
    hex: r.Destination


@r.event(rule="5.0", to="public")
class CardRevealed(Event):
    player: r.PlayerName
    card: str


@r.event(rule="6.0", to="public")
class WeatherTurned(Event):
    deck: Shuffle
    wind: Roll


@r.event(rule="6.0", to="gm")
class Omen(Event):
    die: Roll


@r.event(rule="2.2", to="owner")
class Rested(Event):
    owner: r.PlayerName
    unit: r.UnitId


def lost_steps(game: Game, unit: str) -> bool:
    """Has a unit fewer steps than it began with?"""
    return game.position.counters[unit]["steps"] != game.scenario["counters"][unit]["steps"]


def rest(game: Game, unit: str) -> None:
    """2.2 All steps are there again."""
    game.position.set(unit, steps=game.scenario["counters"][unit]["steps"])


def owners_at(game: Game, hex_: str) -> list[str]:
    return [str(c["owner"]) for _, c in sorted(game.position.counters.items()) if c["hex"] == hex_]


def retreat_hex(game: Game, unit: str) -> str | None:
    free = [h for h in ADJACENT[str(game.position.counters[unit]["hex"])] if not owners_at(game, h)]
    return min(free, default=None)


@r.condition("turns_left")
def turns_left(game: Game, phasing: str | None) -> bool:
    return bool(game.tracks["turn"] < game.options["turns"])


@r.condition("card_is_due")
def card_is_due(game: Game, phasing: str | None) -> bool:
    return phasing == game.tracks["order"][0]


@r.player_order("initiative_order")
def initiative_order(game: Game) -> Sequence[str]:
    return tuple(game.tracks["order"])


@r.procedure("cards", rule="2.0")
async def cards(game: Game, phasing: str | None) -> None:
    """2.0 The side that moved first last time keeps a card for this game turn."""
    game.tracks["turn"] += 1
    player = game.tracks["order"][0]
    sealed = await r.seal(Card(player))
    second = game.tracks["order"][1]
    game.tracks["grudge"] = await r.ask(Bid(second)) if game.tracks["turn"] > 2 else 0
    for unit in await r.ask(Rests(second)) if game.tracks["turn"] > 2 else ():
        rest(game, unit)
        game.emit(Rested(second, unit))
    game.tracks["card"] = await r.opened(sealed)


@r.procedure("initiative", rule="3.0")
async def initiative(game: Game, phasing: str | None) -> None:
    """3.0 Both bid at once."""
    first, second = game.tracks["order"]
    bids = await r.ask_all([Bid(first), Bid(second)])
    if bids[1] > bids[0]:
        game.tracks["order"] = [second, first]
    game.emit(BidsOpened({first: bids[0], second: bids[1]}, game.tracks["order"][0]))


@r.procedure("movement", rule="4.1")
async def movement(game: Game, phasing: str | None) -> None:
    """4.1 Any of the units, one after another, each once."""
    assert phasing is not None
    game.tracks["moved"] = []
    while (move := await r.ask(NextMove(phasing))).unit:
        assert move.to is not None
        origin = str(game.position.counters[move.unit]["hex"])
        game.tracks["moved"].append(move.unit)
        if any(owner != phasing for owner in owners_at(game, move.to)):
            if not await attack(game, phasing, move, origin):
                continue
        game.position.move(move.unit, move.to)
        game.emit(Moved(phasing, move.to))
        game.emit(MovedUnit(phasing, move.unit, origin, move.to))
    game.tracks.pop("moved")


async def attack(game: Game, phasing: str, move: Move, origin: str) -> bool:
    """4.3 The defender may retreat; else 4-6 takes a step. True if the hex is free now."""
    unit = next(i for i, c in sorted(game.position.counters.items()) if c["hex"] == move.to)
    owner = str(game.position.counters[unit]["owner"])
    if await r.ask(Reaction(owner, unit, origin)) == "retreat":
        back = retreat_hex(game, unit)
        assert back is not None
        game.position.move(unit, back)
        game.emit(Retreated(owner, back))
        return True
    die = await r.roll("1d6", "attack", str(move.to))
    hit = die.total >= 4
    steps = game.position.counters[unit]["steps"]
    assert isinstance(steps, int)
    if hit and steps == 1:
        game.position.remove(unit)
    elif hit:
        game.position.set(unit, steps=steps - 1)
    game.emit(Fought(phasing, str(move.to), die, "hit" if hit else "miss"))
    return hit and steps == 1


@r.procedure("reveal", rule="5.0")
async def reveal(game: Game, phasing: str | None) -> None:
    """5.0 The kept card is played."""
    card = game.tracks.pop("card")
    assert phasing is not None
    if card == "calm":
        game.tracks["points"][phasing] += 1
    game.emit(CardRevealed(phasing, card))


@r.procedure("weather", rule="6.0")
async def weather(game: Game, phasing: str | None) -> None:
    """6.0 Clouds are shuffled, wind is rolled, and the GM alone sees an omen."""
    deck = await r.shuffle(["rain", "sun", "fog"], "clouds")
    wind = await r.roll("2d6", "wind")
    game.emit(WeatherTurned(deck, wind))
    game.emit(Omen(await r.roll("1d100", "omen", hidden=True)))
