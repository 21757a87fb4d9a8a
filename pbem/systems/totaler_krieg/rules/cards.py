"""4.2: Option cards: legality, revelation, the digest of a selection."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from json import dumps

from pbem.kit.decks import Deck
from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Json, Message

from .pieces import Played, T, world_of
from .world import COLOURS, WAR_STATES

RULE = "4.2"


def hand(game: Game, faction: str) -> tuple[str, ...]:
    """Return the cards that a faction may still select, those neither current nor played."""
    return Deck(T.of(game).decks, faction).hand(faction)


def card_faults(game: Game, faction: str, id: str) -> list[str]:
    """4.2: Return the reasons, by checks 1 to 5, why a card may not become current now."""
    t, world = T.of(game), world_of(game)
    card = world.cards.get(id)
    if card is None or id not in hand(game, faction):
        return [Message("totaler-krieg.cards.not-in-hand", id=id)]
    reasons: list[str] = []
    if COLOURS.index(card.colour) > WAR_STATES.index(t.war_state):
        reasons.append(Message("totaler-krieg.cards.war", id=id, colour=card.colour, war_state=t.war_state))
    if not card.requires.holds(game):
        reasons.append(Message("totaler-krieg.cards.what-requires-not-so", id=id))
    if card.no_repeat_type and card.type and t.last_type.get(faction) == card.type:
        reasons.append(Message("totaler-krieg.cards.type-of-card-before", id=id))
    year = world.year(t.turn)
    if card.once_per_year and any(
        played.card == id and world.year(played.turn) == year for played in t.played.get(faction, ())
    ):
        reasons.append(Message("totaler-krieg.cards.played-in-year", id=id))
    return reasons


def reveal(game: Game, faction: str, listed: Sequence[str]) -> tuple[str | None, list[str]]:
    """4.2: Reveal cards until one passes, and return it with the reasons against the others.

    It becomes current, and the card before counts as played.
    """
    t, world = T.of(game), world_of(game)
    reasons: list[str] = []
    chosen = None
    before = t.current.pop(faction, None)
    if before is not None:
        t.last_type[faction] = world.cards[before].type
    for id in listed:
        if wrong := card_faults(game, faction, id):
            reasons += wrong
            continue
        chosen = id
        break
    deck = Deck(t.decks, faction)
    if chosen is not None:
        deck.discard(chosen)
        t.current[faction] = chosen
        t.happened.pop(faction, None)  # the events of this card have not happened yet
        t.played[faction] = (*t.played.get(faction, ()), Played(chosen, t.turn))
    return chosen, reasons


def selection_faults(game: Game, faction: str, cards: Sequence[str]) -> list[Diagnostic]:
    """4.2: Return the faults of a selection: too many cards, a card twice or not in the hand."""
    most = int(world_of(game).limits["cards"]["most"])
    faults = []
    for n, id in enumerate(cards):
        if id not in hand(game, faction):
            faults.append(
                illegal("E-CARD-02", RULE, Message("totaler-krieg.cards.not-in-your-hand", id=id), n)
            )
        elif id in cards[:n]:
            faults.append(illegal("E-CARD-02", RULE, Message("totaler-krieg.cards.listed-twice", id=id), n))
    if len(cards) > most:
        faults.append(
            illegal(
                "E-CARD-02", RULE, Message("totaler-krieg.cards.cards-no-more", count=len(cards), most=most)
            )
        )
    return faults


def digest(game: str, faction: str, turn: int, cards: Sequence[str], nonce: str) -> str:
    """4.2: Return the SHA-256 of a selection's canonical JSON, for groups without a GM."""
    data: Json = {"cards": list(cards), "faction": faction, "game": game, "nonce": nonce, "turn": turn}
    text = dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def disclosed(
    sealed: str, game: str, faction: str, turn: int, cards: Sequence[str], nonce: str
) -> list[Diagnostic]:
    """Return the fault of a disclosed selection that does not match the sealed digest."""
    if digest(game, faction, turn, cards, nonce) == sealed:
        return []
    return [illegal("E-CARD-01", RULE, Message("totaler-krieg.cards.what-disclosed-does-not-give-digest"))]
