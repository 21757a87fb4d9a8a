"""Orders as players meet them: each listed one is read back, and doubts and faults say what is wrong."""

from __future__ import annotations

import pytest

from pbem.engine.game import Game
from pbem.rules import Drafting
from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.look.line import line
from pbem.systems.diplomacy.rules.adjudication import adjudicate
from pbem.systems.diplomacy.rules.atlas import Order
from pbem.systems.diplomacy.rules.decisions import Moves, MovesAsked
from pbem.systems.diplomacy.rules.moving import Moving
from pbem.systems.diplomacy.rules.notation import NotUnderstood, read
from pbem.systems.diplomacy.rules.state import State, pieces_of
from pbem.systems.diplomacy.rules.world import world_of
from pbem.testing.runner import prepare

STANDARD = {"scenario": "standard"}


def a_game(**tracks: object) -> Game:
    game = prepare(SYSTEM, STANDARD)
    game.tracks.update(tracks)
    return game


@pytest.mark.parametrize("scenario", SYSTEM.scenarios())
def test_every_order_that_is_listed_is_read_as_it_was_meant(scenario: str) -> None:
    game = prepare(SYSTEM, {"scenario": scenario})
    moving = Moving(world_of(game), pieces_of(game))
    for place, piece in moving.pieces.items():
        for one in moving.lines(place):
            assert read(moving.world, one.text()) == one, one.text()
            assert moving.order(one.text(), piece.power).place == place


def test_the_standard_map_has_its_75_provinces_and_34_centres() -> None:
    atlas = world_of(a_game()).atlas
    assert (len(atlas.provinces), len(atlas.centres)) == (75, 34)
    assert sum(one.sea for one in atlas.provinces.values()) == 19
    assert {id for id, one in atlas.provinces.items() if one.coasts} == {"STP", "BUL", "SPA"}
    assert all(atlas.beside(id) for id in atlas.provinces)


def test_a_vote_is_offered_first_and_orders_follow_it() -> None:
    game = a_game()
    writing = Drafting(MovesAsked("england"), game)
    votes = [one.text for one in list(writing.next())[:7]]
    assert votes[0] == "vote for a draw" and votes[-1] == "concede the game to Turkey"
    for of, text in (
        (None, "vote for a draw"),
        ("LON", "fleet London moves to North Sea"),
        ("EDI", "fleet Edinburgh holds"),
    ):
        writing.add(next(one for one in writing.next(of) if one.text == text))
    assert writing.json() == {"orders": ["F LON - NTH", "F EDI H"], "vote": "draw"}
    assert writing.complete and not MovesAsked("england").check(game, writing.answer())


def test_a_unit_without_an_order_is_doubted() -> None:
    asked = MovesAsked("france")
    doubts = asked.warnings(a_game(), Moves(("A PAR - BUR",)))
    assert [(one.code, one.severity) for one in doubts] == [("without-orders", "warning")]
    assert "Brest, Marseilles" in str(doubts[0].message)
    assert not asked.warnings(a_game(), Moves())


def test_a_word_that_is_no_province_brings_the_likely_one() -> None:
    (fault,) = MovesAsked("france").check(a_game(), Moves(("A PAR - Burgnudy",)))
    assert fault.path == ("orders", 0) and [str(one) for one in fault.help] == [
        "did you mean Burgundy (BUR)?"
    ]


@pytest.mark.parametrize(
    "text, code",
    [("A PAR H Burgundi", "E-DIP-01"), ("A PAR H BUR", "E-DIP-02"), ("waive Burgundi", "E-DIP-01")],
)
def test_a_word_too_many_that_is_no_province_is_named(text: str, code: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        read(world_of(a_game()), text)
    assert refused.value.fault.code == code


def test_who_may_share_a_draw_is_offered_after_a_vote_for_it() -> None:
    game = prepare(SYSTEM, {**STANDARD, "options": {"draw_shared_by": "list"}})
    writing = Drafting(MovesAsked("england"), game)

    def offered() -> list[str]:
        return [one.text for one in writing.next() if one.element.section == "sharing"]

    assert offered() == [], "before the vote nobody is named"
    writing.add(next(one for one in writing.next() if one.text == "vote for a draw"))
    assert len(offered()) == 7
    writing.add(next(one for one in writing.next() if one.text == "France shares the draw"))
    assert writing.json() == {"vote": "draw", "sharing": ["france"]}
    assert len(offered()) == 6 and "France shares the draw" not in offered()


def test_a_vote_may_come_alone_and_orders_without_a_vote() -> None:
    game = a_game()
    State.of(game).centres = {"PAR": "france", "BER": "germany"}
    asked = MovesAsked("france")
    assert not asked.check(game, Moves(vote="draw")) and not asked.check(game, Moves(vote="germany"))
    assert [one.code for one in asked.check(game, Moves(vote="france"))] == ["E-DIP-20"]
    listed = {one.text for one in Drafting(asked, game).next()}
    assert "vote for a draw" in listed and "concede the game to Italy" in listed


def test_results_are_the_same_in_whatever_order_units_are_listed() -> None:
    game = a_game()
    pieces, atlas = pieces_of(game), world_of(game).atlas
    orders = {
        "VIE": Order("VIE", "move", "GAL"),
        "WAR": Order("WAR", "move", "GAL"),
        "MUN": Order("MUN", "move", "BUR"),
        "PAR": Order("PAR", "move", "BUR"),
        "MAR": Order("MAR", "support", "BUR", of="PAR"),
    }
    one = adjudicate(atlas, pieces, orders)
    other = adjudicate(atlas, dict(reversed(pieces.items())), dict(reversed(orders.items())))
    assert one.verdicts == other.verdicts and one.contested == other.contested == {"GAL"}


@pytest.mark.parametrize(
    ("typed", "section", "meant"),
    [
        ("a par - bur", "orders", "army Paris moves to Burgundy"),
        (
            "Army Marseilles supports Paris to Burgundy",
            "orders",
            "army Marseilles supports Paris to Burgundy",
        ),
        ("draw", "vote", "vote for a draw"),
        ("concede to italy", "vote", "concede the game to Italy"),
    ],
)
def test_a_typed_line_is_an_order_or_a_vote(typed: str, section: str, meant: str) -> None:
    game = a_game()
    State.of(game).centres = {"PAR": "france", "ROM": "italy"}
    drafting: Drafting[Moves] = Drafting(MovesAsked("france"), game)
    found = line(drafting.draft, typed)
    assert found is not None and (found.element.section, found.text) == (section, meant)
    assert not drafting.offer(found.element)


def test_a_line_of_another_shape_is_left_to_the_dialogue() -> None:
    drafting: Drafting[Moves] = Drafting(MovesAsked("france"), a_game())
    assert line(drafting.draft, "FR1 MAO") is None and line(drafting.draft, "what") is None
    found = line(drafting.draft, "A PAR - Burgnudy")
    assert found is not None and [one.code for one in drafting.offer(found.element)] == ["E-DIP-01"]
