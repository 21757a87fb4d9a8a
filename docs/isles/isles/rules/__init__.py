"""Rules of Isles: a deal, then turns of cards, sailing and landing. Most isles after three turns win."""

from dataclasses import dataclass
from typing import Annotated

from pbem.kit.decks import Deck, Piles
from pbem.kit.faults import illegal
from pbem.rules import (
    Counter,
    Decision,
    Draft,
    Event,
    Growing,
    LocationId,
    Losses,
    Name,
    Next,
    Option,
    Origin,
    Phrase,
    Place,
    PlayerName,
    Points,
    Roll,
    Tracks,
    Way,
    ask,
    ask_all,
    condition,
    decision,
    event,
    fact,
    player_order,
    procedure,
    roll,
)


class Ship(Counter):
    owner: str
    hex: str
    guns: int


class State(Tracks):
    turn: int
    bonus: dict[str, int]
    decks: dict[str, Piles] = {}


def cards_of(game):
    """1.0 The cards and what each adds to the dice of a landing."""
    return game.system.data("tables/cards.yaml")["cards"]


# ---- 2 cards


@decision("card", rule="2.1", answer=Name)
class PlayCard(Decision[str]):
    """Which card of your hand do you play in this turn? `none` keeps them all."""

    player: str

    def options(self, game):
        yield Option("none", "no card")
        for card in Deck(State.of(game).decks, "cards").hand(self.player):
            yield Option(card, f"{card}: {cards_of(game)[card]['bonus']} more in each landing of this turn")

    def default(self, game):
        return "none"

    @fact
    def turn(self, game) -> int:
        return State.of(game).turn


@event(rule="2.1", to="public")
class CardsPlayed(Event):
    cards: dict[PlayerName, str]


# ---- 3 sailing


@dataclass(frozen=True)
class Sail:
    """A ship goes to an isle beside its own."""

    ship: Name
    to: LocationId


class Sailing(Draft[Sail]):
    def __init__(self, game, player):
        super().__init__(game, player)
        self.at_sea = set()

    def next(self, of=None):
        for ship in self.game.counters(Ship, owner=self.player):
            if ship.id not in self.at_sea and self.concerns(of, ship.id):
                for isle in beside(self.game, ship.hex):
                    yield Next(Sail(ship.id, isle), f"{ship.id} to {isle}", Points((ship.id,), way=(isle,)))

    def faults(self, sail):
        ship = self.game.maybe(Ship, sail.ship)
        if ship is None or ship.owner != self.player:
            return [illegal("E-SAIL-1", "3.1", f"{sail.ship} is no ship of yours", "ship")]
        if ship.id in self.at_sea:
            return [illegal("E-SAIL-2", "3.1", f"{ship.id} has sailed already", "ship")]
        if sail.to not in beside(self.game, ship.hex):
            return [illegal("E-SAIL-3", "3.2", f"no lane leads from {ship.hex} to {sail.to}", "to")]
        return []

    def do(self, sail):
        self.at_sea.add(sail.ship)
        self.game.counter(Ship, sail.ship).hex = sail.to

    def words(self, sail):
        return f"{sail.ship} sails to {sail.to}"


def beside(game, isle):
    """3.2 The isles that a lane joins with this one."""
    return sorted(game.map.number(i) for i in game.map.neighbours(game.map.index(isle)))


@decision("sailing", rule="3.1", answer=tuple[Sail, ...], secrecy="sealed")
class Sailings(Growing[tuple[Sail, ...]]):
    """Which of your ships sail, and where to? Each once, to an isle beside its own."""

    player: str
    drafts = Sailing


@event(rule="3.1", to="public", tells="move")
class Sailed(Event):
    player: PlayerName
    origin: Origin
    path: Way


# ---- 4 landing

Line = Annotated[str, Phrase("{player} {unit} with {guns}")]


@event(rule="4.1", to="public", tells="battle")
class Landed(Event):
    """All ships at the isle are revealed; each side adds guns, card and die."""

    hex: Place
    ships: tuple[Line, ...]
    dice: dict[PlayerName, Roll]
    sums: dict[PlayerName, int]


@event(rule="4.2", to="public", tells="loss")
class Sunk(Event):
    player: PlayerName
    hex: Place
    losses: Losses


@event(rule="5.0", to="public", tells="end")
class Won(Event):
    winner: str
    isles: dict[PlayerName, int]


def contested(game):
    """4.0 The isles where both sides lie."""
    isles = sorted({ship.hex for ship in game.counters(Ship)})
    return [isle for isle in isles if len({ship.owner for ship in game.counters(Ship, at=isle)}) > 1]


@condition("turns_left")
def turns_left(game, phasing):
    return State.of(game).turn < 3


@condition("enemies_meet")
def enemies_meet(game, phasing):
    return bool(contested(game))


@player_order("seats")
def seats(game):
    return game.players


# ---- the sequence of play


@procedure("deal", rule="1.0")
async def deal(game, phasing):
    """1.0 The cards are shuffled, each side gets two."""
    deck = Deck(State.of(game).decks, "cards")
    deck.put_back(*cards_of(game))
    await deck.shuffle("deal")
    for player in list(game.players):
        await deck.draw(player, 2, "deal")


@procedure("cards", rule="2.0")
async def cards(game, phasing):
    """2.0 Both play a card or none; cards are opened together."""
    state = State.of(game)
    state.turn += 1
    played = await ask_all([PlayCard(player) for player in game.players])
    deck = Deck(state.decks, "cards")
    for player, card in zip(game.players, played, strict=True):
        state.bonus[player] = cards_of(game)[card]["bonus"] if card != "none" else 0
        deck.discard(*[card for card in [card] if card != "none"])
    game.emit(CardsPlayed(dict(zip(game.players, played, strict=True))))


@procedure("sail", rule="3.0")
async def sail(game, phasing):
    """3.0 The phasing player's ships sail at once."""
    for each in await ask(Sailings(phasing)):
        ship = game.counter(Ship, each.ship)
        game.emit(Sailed(phasing, ship.hex, (each.to,)))
        ship.hex = each.to


@procedure("landing", rule="4.0")
async def landing(game, phasing):
    """4.0 At each isle where both lie, the lower sum is sunk; a tie sinks the side that came."""
    state = State.of(game)
    for isle in contested(game):
        there = game.counters(Ship, at=isle)
        dice = {player: await roll("1d6", "landing", isle, player) for player in game.players}
        sums = {
            player: sum(ship.guns for ship in there if ship.owner == player) + state.bonus[player] + die.total
            for player, die in dice.items()
        }
        lines = tuple(f"{ship.owner} {ship.id} with {ship.guns}" for ship in there)
        game.emit(Landed(isle, lines, dice, sums))
        least = min(sums.values())
        loser = phasing if len(set(sums.values())) == 1 else next(p for p in game.players if sums[p] == least)
        lost = [ship for ship in there if ship.owner == loser]
        for ship in lost:
            ship.remove()
        game.emit(Sunk(loser, isle, {"ship": len(lost)}))


@procedure("count", rule="5.0")
async def count(game, phasing):
    """5.0 Who has ships at more isles wins."""
    isles = {player: len({ship.hex for ship in game.counters(Ship, owner=player)}) for player in game.players}
    most = [player for player in game.players if isles[player] == max(isles.values())]
    game.tracks["winner"] = most[0] if len(most) == 1 else "nobody"
    game.emit(Won(game.tracks["winner"], isles))
