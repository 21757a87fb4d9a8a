"""Decks and hands: draw, discard, shuffle; who may know what of them.

    class T(Tracks):
        decks: dict[str, Piles] = {}

    deck = Deck(T.of(game).decks, "axis")
    cards = await deck.draw("red", 2, "cards", turn)      # shuffles the discards when the pile is empty
    deck.discard(cards[0])

A card is a name that is in one place only: the draw pile (top first), a hand, the discards (last one last),
or out of the game. It goes from wherever it is. Shuffles are hidden: nobody sees the order.

The track is the GM's alone; `decks_told` says what others know: how many cards there are in the draw pile and
in each hand, the discards and what is out of the game, each hand to its owner. `decks_seen` makes the track
of a player's view again; a card that the player may not know is `?` there. Rule of thumb: of piles
that they may not look into, rules ask the length alone, so that they run on a view as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import field, replace

from pbem.engine.requests import shuffle
from pbem.kit.hidden import Told
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

UNKNOWN = "?"


@dataclass(frozen=True)
class Piles:
    """All cards of a deck: the draw pile, hands by owner, discards, and what is out of the game."""

    draw: tuple[str, ...] = ()
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    discard: tuple[str, ...] = ()
    out: tuple[str, ...] = ()


class Deck:
    """One deck: a live view of its piles in a track {name: piles}."""

    def __init__(self, track: MutableMapping[str, Piles], name: str) -> None:
        self._track, self.name = track, name

    @property
    def piles(self) -> Piles:
        """Return the piles; they are empty for a deck that does not exist yet."""
        return self._track.get(self.name, Piles())

    def hand(self, owner: str) -> tuple[str, ...]:
        """Return the cards in a player's hand, in the order received."""
        return self.piles.hands.get(owner, ())

    def where(self, card: str) -> str | None:
        """Return `draw`, `discard`, `out` or `hand/<owner>`, or None for a card that the deck lacks."""
        piles = self.piles
        for name, cards in (("draw", piles.draw), ("discard", piles.discard), ("out", piles.out)):
            if card in cards:
                return name
        return next((f"hand/{owner}" for owner, held in sorted(piles.hands.items()) if card in held), None)

    # moving cards

    def to_hand(self, owner: str, *cards: str) -> None:
        """Put cards into a hand, from wherever they are, or new into the deck."""
        piles = self._without(cards)
        hands = {**piles.hands, owner: (*piles.hands.get(owner, ()), *cards)}
        self._track[self.name] = replace(piles, hands=hands)

    def discard(self, *cards: str) -> None:
        """Put cards on the discards, the last one named on top."""
        piles = self._without(cards)
        self._track[self.name] = replace(piles, discard=(*piles.discard, *cards))

    def take_out(self, *cards: str) -> None:
        """Remove cards from the game."""
        piles = self._without(cards)
        self._track[self.name] = replace(piles, out=(*piles.out, *cards))

    def put_back(self, *cards: str, bottom: bool = False) -> None:
        """Put cards onto the draw pile, the first one named on top, or under it."""
        piles = self._without(cards)
        draw = (*piles.draw, *cards) if bottom else (*cards, *piles.draw)
        self._track[self.name] = replace(piles, draw=draw)

    def _without(self, cards: tuple[str, ...]) -> Piles:
        def rest(pile: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(card for card in pile if card not in cards)

        piles = self.piles
        hands = {owner: rest(held) for owner, held in piles.hands.items()}
        return Piles(rest(piles.draw), hands, rest(piles.discard), rest(piles.out))

    # chance

    async def shuffle(self, *words: str | int, discards: bool = False) -> None:
        """Shuffle the draw pile, with the discards if asked. `words` begin the label, after the deck."""
        piles = self.piles
        cards = (*piles.draw, *piles.discard) if discards else piles.draw
        shuffled = await shuffle(cards, *words, "deck", self.name, hidden=True)
        order = tuple(str(card) for card in shuffled.result)
        self._track[self.name] = replace(piles, draw=order, discard=() if discards else piles.discard)

    async def draw(self, owner: str, count: int, *words: str | int) -> tuple[str, ...]:
        """Draw cards from the top into a hand.

        An empty pile is refilled with the shuffled discards. If there are none either, fewer cards are drawn.
        """
        drawn: list[str] = []
        while len(drawn) < count:
            piles = self.piles
            if not piles.draw and piles.discard:
                await self.shuffle(*words, discards=True)
                piles = self.piles
            if not piles.draw:
                break
            drawn.append(piles.draw[0])
            self.to_hand(owner, piles.draw[0])
        return tuple(drawn)


def decks_told(decks: Mapping[str, Piles]) -> Iterator[Told]:
    """Yield the facts about decks, `deck/<name>/...` (`kit.hidden`)."""
    for name, piles in sorted(decks.items()):
        yield Told("deck", f"{name}/draw", len(piles.draw))
        yield Told("deck", f"{name}/discard", list(piles.discard))
        yield Told("deck", f"{name}/out", list(piles.out))
        for owner, held in sorted(piles.hands.items()):
            yield Told("deck", f"{name}/size/{owner}", len(held))
            yield Told("deck", f"{name}/hand/{owner}", list(held), owner)


def decks_seen(known: Mapping[str, Json]) -> dict[str, Piles]:
    """Return the decks as far as these facts show them."""
    seen: dict[str, Piles] = {}
    for key, value in sorted(known.items()):
        section, _, rest = key.partition("/")
        if section != "deck":
            continue
        name, _, what = rest.partition("/")
        what, _, owner = what.partition("/")
        piles = seen.get(name, Piles())
        if what == "draw":
            piles = replace(piles, draw=_cards(value))
        elif what == "discard":
            piles = replace(piles, discard=_cards(value))
        elif what == "out":
            piles = replace(piles, out=_cards(value))
        elif what == "hand" or owner not in piles.hands:
            piles = replace(piles, hands={**piles.hands, owner: _cards(value)})
        seen[name] = piles
    return seen


def _cards(value: Json) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(card) for card in value)
    return (UNKNOWN,) * value if isinstance(value, int) else ()
