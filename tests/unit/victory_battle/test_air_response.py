"""Air Response: what is offered is legal, what is not offered is refused, and the cut at the limit."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import play
from pbem.rules import from_json, to_json
from pbem.systems.victory.rules.blocks import Block
from pbem.systems.victory.rules.decisions.air_response import (
    AirResponse,
    AirResponseOrder,
    Response,
    Responses,
)
from pbem.systems.victory.rules.procedures.air_response import precedence
from tests.unit.victory_battle.helpers import AnyDice, block, came, position

RAID = {"R-HB1": came("0804", "0202", "mission"), "B-F1": {"hex": "1005"}, "G-F1": {"hex": "0905"}}


def asked(player: str, *hexes: str) -> AirResponse:
    return AirResponse(player, "red", hexes or ("0804",))


def test_answers_grow_by_one_legal_element_until_the_hex_is_full() -> None:
    game = position(RAID)
    question, so_far, seen = asked("blue"), None, 0
    while options := list(question.options(game, so_far)):
        for option in options:
            answer = from_json(AirResponse.answer, option.answer)
            assert not question.check(game, answer), option.text
            assert len(answer) == len(so_far or ()) + (1 if option.answer else 0)
        so_far = from_json(AirResponse.answer, options[-1].answer)
        seen += 1
    assert seen == 2 and len(so_far or ()) == 2  # two of B-F1, B-F2 and then no room


def test_the_first_option_is_to_send_nothing() -> None:
    first = next(asked("blue").options(position(RAID)))
    assert first.answer == [] and first.complete


def test_blocks_beyond_two_hexes_are_not_offered() -> None:
    offered = {one.unit for one in asked("blue").legal(position(RAID))}
    assert offered == {"B-F1", "B-F2"}  # not B-DB1 at Albaport, three hexes away


def test_a_wing_aboard_a_carrier_in_reach_may_fly_from_it() -> None:
    game = position({**RAID, "B-AC1": {"hex": "0703"}, "B-DB1": {"hex": "0703"}, "B-F1": {"hex": "0902"}})
    orders = {"blue": {"air-response": [{"unit": "B-DB1", "to": "0804"}]}, "green": {"air-response": []}}
    game.tracks.update(active="red", battles=["0804"])
    play(game, "2.T.3", AnyDice([6], orders), "red")
    flown = Block(game, "B-DB1")
    assert (flown.hex, flown.aboard, flown.entry_from) == ("0804", None, "0703")
    assert Block(game, "B-AC1").hex == "0703"


def test_nobody_joins_the_attack() -> None:
    game = position({**RAID, "B-IN3": came("0305", "0306"), "G-F1": {"hex": "0406"}})
    question = AirResponse("green", "blue", ("0305",))
    (fault,) = question.check(game, (Response("G-F1", "0305"),))
    assert fault.code == "E-AIR-03"


def test_the_controller_of_the_hex_comes_first_then_clockwise() -> None:
    game = position(RAID)
    assert precedence(game, "red", "0804") == ["blue", "green"]
    assert precedence(game, "red", "0606") == ["green", "blue"]
    game = position({**RAID, "G-IN1": {"hex": "0607"}, "B-IN3": {"hex": "0606"}})
    assert precedence(game, "red", "0606") == ["green", "blue"]


def test_at_sea_the_owner_of_the_ships_comes_first() -> None:
    game = position({"R-SS1": came("0703", "0603", "sail"), "G-BB9": block("green", "BB", 2, hex="0703")})
    assert precedence(game, "red", "0703") == ["green", "blue"]


def test_in_open_country_the_owner_of_the_defenders_comes_first() -> None:
    game = position({"R-AR1": came("0607", "0507"), "G-IN4": {"hex": "0607"}})
    assert precedence(game, "red", "0607") == ["green", "blue"]


def test_aircraft_that_defend_their_own_base_take_room() -> None:
    game = position({**RAID, "G-F1": {"hex": "0804"}})
    flights = Responses(game, "blue")
    assert flights.fits(Block(game, "B-F2"), "0804")
    flights.join(Block(game, "B-F1"), "0804")
    assert not flights.fits(Block(game, "B-F2"), "0804")


def test_mechanised_blocks_share_the_hexside_limit() -> None:
    extra = {f"G-MI{n}": block("green", "MI", 2, hex="0608") for n in (1, 2)}
    game = position(
        {"R-AR1": came("0708", "0707"), "G-IN4": {"hex": "0708"}, **extra},
        only=["R-AR1", "G-IN4"],
        mech_response=True,
    )
    question = AirResponse("green", "red", ("0708",))
    faults = question.check(game, (Response("G-MI1", "0708"), Response("G-MI2", "0708")))
    assert [f.code for f in faults] == ["E-AIR-02"]  # forest on one side: one block may cross


@pytest.mark.parametrize(
    ("order", "sent"),
    [
        ({}, ["B-F1", "B-F2"]),
        ({"units": ["B-F2"]}, ["B-F2"]),
        ({"keep_home": 1}, ["B-F1"]),
        ({"keep_home": 5}, []),
        ({"units": ["B-F2", "B-F1"], "keep_home": 1}, ["B-F2"]),
        ({"hex": "0804", "attacker": "red", "min_attackers": 1}, ["B-F1", "B-F2"]),
    ],
)
def test_a_standing_order_that_fits_sends_what_it_names(order: dict[str, Any], sent: list[str]) -> None:
    typed = [from_json(AirResponseOrder, order)]
    answer = asked("blue").from_standing(position(RAID), typed)
    assert answer is not None and [one.unit for one in answer] == sent


@pytest.mark.parametrize("order", [{"hex": "0606"}, {"attacker": "green"}, {"min_attackers": 2}])
def test_a_standing_order_that_does_not_fit_leaves_the_question_open(order: dict[str, Any]) -> None:
    typed = [from_json(AirResponseOrder, order)]
    assert asked("blue").from_standing(position(RAID), typed) is None


def test_the_first_order_that_fits_a_hex_counts() -> None:
    orders = [AirResponseOrder(units=("B-F2",)), AirResponseOrder(units=("B-F1",))]
    answer = asked("blue").from_standing(position(RAID), orders)
    assert to_json(answer) == [{"unit": "B-F2", "to": "0804"}]


def test_what_everybody_sees_is_counts() -> None:
    game = position(RAID)
    orders = {
        "blue": {"air-response": [{"unit": "B-F1", "to": "0804"}, {"unit": "B-F2", "to": "0804"}]},
        "green": {"air-response": []},
    }
    game.tracks.update(active="red", battles=["0804"])
    told = play(game, "2.T.3", AnyDice([6], orders), "red").told
    public = [t.event for t in told if t.audience == ("*",)]
    assert [(e["owner"], e["origin"], e["hex"], e["blocks"]) for e in public] == [("blue", "1005", "0804", 2)]
    assert not any("B-F" in str(e) for e in public)
    private = [t for t in told if t.audience != ("*",)]
    assert {t.audience for t in private} == {("blue", "green")}
