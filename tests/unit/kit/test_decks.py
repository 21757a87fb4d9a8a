"""Decks: no card is lost or doubled, draws come from the top, and nobody knows more than he may."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.position import Position
from pbem.kit.decks import Deck, Piles, decks_seen, decks_told
from pbem.kit.hidden import EVERYBODY
from pbem.model.typed import Tracks
from tests.unit.kit.requests import run

CARDS = tuple("ABCDEFG")
PLAYERS = ("blue", "red")


class T(Tracks):
    decks: dict[str, Piles] = {}


def deck(piles: Piles | None = None) -> tuple[Deck, Any]:
    board = SimpleNamespace(position=Position(), world=None)
    if piles is not None:
        T.of(board).decks["war"] = piles
    return Deck(T.of(board).decks, "war"), board.position


def dealt(order: list[str], cuts: list[int]) -> Piles:
    a, b, c, d = sorted(cuts)
    hands = {"red": tuple(order[a:b]), "blue": tuple(order[b:c])}
    return Piles(tuple(order[:a]), hands, tuple(order[c:d]), tuple(order[d:]))


PILES = st.builds(dealt, st.permutations(CARDS), st.lists(st.integers(0, 7), min_size=4, max_size=4))
MOVES = st.lists(
    st.tuples(
        st.sampled_from(["hand", "discard", "out", "top", "bottom"]),
        st.sampled_from(PLAYERS),
        st.lists(st.sampled_from(CARDS), min_size=1, max_size=2, unique=True),
    )
)


def every(piles: Piles) -> list[str]:
    held = [card for hand in piles.hands.values() for card in hand]
    return sorted([*piles.draw, *held, *piles.discard, *piles.out])


@given(PILES, MOVES)
def test_every_card_is_in_one_place_wherever_it_is_sent(
    piles: Piles, moves: list[tuple[str, str, list[str]]]
) -> None:
    war, position = deck(piles)
    for what, owner, cards in moves:
        match what:
            case "hand":
                war.to_hand(owner, *cards)
                assert war.hand(owner)[-len(cards) :] == tuple(cards)
            case "discard":
                war.discard(*cards)
                assert war.piles.discard[-1] == cards[-1]
            case "out":
                war.take_out(*cards)
            case "top":
                war.put_back(*cards)
                assert war.piles.draw[: len(cards)] == tuple(cards)
            case "bottom":
                war.put_back(*cards, bottom=True)
                assert war.piles.draw[-1] == cards[-1]
        assert every(war.piles) == sorted(CARDS)
        places = {"hand": f"hand/{owner}", "discard": "discard", "out": "out"}
        assert {war.where(card) for card in cards} == {places.get(what, "draw")}
    assert T.of(SimpleNamespace(position=position, world=None)).decks["war"] == war.piles


def test_cards_are_drawn_from_the_top_and_the_discards_are_shuffled_when_it_is_empty() -> None:
    war, _ = deck(Piles(("A", "B"), {"red": ("X",)}, ("C", "D", "E")))
    drawn, asked = run(war.draw("red", 4, "cards", 3), ("E", "C", "D"))
    assert drawn == ("A", "B", "E", "C")
    assert war.piles == Piles(("D",), {"red": ("X", "A", "B", "E", "C")}, ())
    (request,) = asked
    assert (
        request.items == ("C", "D", "E") and request.words == ("cards", 3, "deck", "war") and request.hidden
    )


def test_when_nothing_is_left_fewer_are_drawn() -> None:
    war, _ = deck(Piles(("A",)))
    assert run(war.draw("red", 3, "cards"))[0] == ("A",)
    assert run(war.draw("red", 1, "cards"))[0] == ()


def test_shuffling_may_take_in_the_discards() -> None:
    war, _ = deck(Piles(("A", "B"), {}, ("C",)))
    run(war.shuffle("deal"), ("B", "A"))
    assert war.piles == Piles(("B", "A"), {}, ("C",))
    run(war.shuffle("deal", discards=True), ("C", "A", "B"))
    assert war.piles == Piles(("C", "A", "B"), {}, ())


def known(piles: Piles, player: str | None, **options: bool) -> dict[str, Any]:
    told = decks_told({"war": piles}, **options)
    return {f"{one.section}/{one.key}": one.value for one in told if one.to in (EVERYBODY, player)}


@given(PILES, st.sampled_from(PLAYERS))
def test_a_player_sees_his_hand_and_the_size_of_all_else(piles: Piles, player: str) -> None:
    seen = decks_seen(known(piles, player))["war"]
    other = PLAYERS[player == "blue"]
    assert seen.hands[player] == piles.hands[player]
    assert seen.hands[other] == ("?",) * len(piles.hands[other])
    assert seen.draw == ("?",) * len(piles.draw)
    assert (seen.discard, seen.out) == (piles.discard, piles.out)
    assert list(decks_seen({**known(piles, player), "track/turn": 3})) == ["war"]


@given(PILES, st.randoms(use_true_random=False))
def test_what_a_player_may_not_see_changes_nothing_that_he_knows(piles: Piles, chance: Any) -> None:
    unseen = [*piles.draw, *piles.hands["blue"]]
    chance.shuffle(unseen)
    cut = len(piles.draw)
    other = Piles(
        tuple(unseen[:cut]),
        {"red": piles.hands["red"], "blue": tuple(unseen[cut:])},
        piles.discard,
        piles.out,
    )
    assert known(piles, "red") == known(other, "red")
    assert "red" not in str([key for key in known(piles, "blue") if "/hand/" in key])
