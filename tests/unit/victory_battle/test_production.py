"""Production: offers are legal, money is counted, everybody acts from the position after Attrition (4.10)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import play
from pbem.rules import from_json
from pbem.systems.victory.rules.blocks import Block, units
from pbem.systems.victory.rules.decisions.production import Production, ProductionOrder, Spend
from tests.unit.victory_battle.helpers import AnyDice, block, position

RED = Production("red")


def order(**members: Any) -> ProductionOrder:
    answer: ProductionOrder = from_json(ProductionOrder, members)
    return answer


def codes(game: Any, **members: Any) -> list[str]:
    return [fault.code for fault in RED.check(game, order(**members))]


@pytest.mark.parametrize(
    "options",
    [{}, {"building_cadres": True}, {"front_line_replacements": "all"}, {"city_supply": True}],
    ids=lambda o: "-".join(o) or "plain",
)
def test_every_offer_is_legal_and_adds_one_element(options: dict[str, Any]) -> None:
    game = position({"R-RS1": {"hex": "0202"}, "R-SU1": {"hex": "0406", "cv": 2}}, **options)
    so_far, elements = None, 0
    while offers := list(RED.options(game, so_far)):
        for offer in offers:
            answer = from_json(ProductionOrder, offer.answer)
            assert not RED.check(game, answer), offer.text
        so_far = from_json(ProductionOrder, offers[-1].answer)
        elements += 1
        assert len(so_far.deliver) + len(so_far.spend) == elements
    assert elements >= 3


def test_the_first_offer_is_to_do_nothing() -> None:
    assert next(RED.options(position({}))).answer == {}


def test_deliveries_come_before_purchases() -> None:
    game = position({"R-RS1": {"hex": "0202"}})
    texts = [offer.text for offer in RED.options(game)]
    assert texts[1] == "deliver R-RS1 in 0202 Karsk" and any("build" in text for text in texts)
    bought = order(spend=[{"city": "0202", "steps": 1, "build": "IN"}])
    assert not any("deliver" in offer.text for offer in RED.options(game, bought))


def test_nobody_waits_for_a_player_with_nothing_to_spend() -> None:
    game = position({}, tracks={"control": {"0202": "blue", "0502": "blue", "0305": "blue"}})
    assert not RED.waits(game)
    assert Production("blue").waits(game)


def test_a_city_goes_by_number_or_name_in_any_case() -> None:
    game = position({})
    for city in ("0202", "Karsk", "karsk"):
        assert codes(game, spend=[{"city": city, "add": "R-IN4", "steps": 1}]) == []


def test_an_unknown_city_is_guessed_at() -> None:
    (fault,) = RED.check(position({}), order(spend=[{"city": "Karks", "add": "R-IN4", "steps": 1}]))
    assert fault.code == "E-PRO-02" and "Karsk" in fault.help[0]


def test_a_town_is_no_city() -> None:
    assert codes(position({}), spend=[{"city": "Velm", "add": "R-DB1", "steps": 1}]) == ["E-PRO-02"]


def test_overspending_is_said_once_for_each_city_where_it_begins() -> None:
    spend = [
        {"city": "Karsk", "build": "IN", "steps": 3},
        {"city": "Karsk", "build": "AR", "steps": 2},
        {"city": "Karsk", "add": "R-IN4", "steps": 1},
        {"city": "Dron", "build": "IN", "steps": 4},
    ]
    faults = RED.check(position({}), order(spend=spend))
    assert [(f.code, f.path, f.message) for f in faults] == [
        ("E-PRO-01", ("spend", 1, "city"), "Karsk has 3 PP, orders cost 5"),
        ("E-PRO-01", ("spend", 3, "city"), "Dron has 1 PP, orders cost 4"),
    ]


def test_a_repaired_order_keeps_what_can_be_paid() -> None:
    spend = [
        {"city": "Karsk", "build": "IN", "steps": 2},
        {"city": "Karsk", "build": "AR", "steps": 2},
        {"city": "Karsk", "add": "R-IN4", "steps": 1},
    ]
    left = RED.repair(position({}), order(spend=spend))
    assert [one.what for one in left.spend] == ["IN", "R-IN4"]


def test_steps_of_one_block_may_come_from_several_cities() -> None:
    game = position({"R-SU1": {"hex": "0306", "cv": 1}})
    spend = [{"city": city, "front": "R-SU1", "steps": 1} for city in ("Karsk", "Dron", "Orsk Haven")]
    assert codes(game, spend=spend) == []
    again = [*spend, {"city": "Karsk", "front": "R-SU1", "steps": 1}]
    assert codes(game, spend=again) == ["E-PRO-05"]


def test_a_delivered_block_returns_to_the_pool_and_can_appear_again() -> None:
    game = position({"R-RS1": {"hex": "0202", "cv": 1}}, tracks={"pool": {"red": {"RS": 0}}})
    orders = {"red": {"production": {"deliver": ["R-RS1"]}}}
    play(game, "5", AnyDice([1], orders))
    assert [u.hex for u in units(game, "red") if u.type == "RS"] == ["0106"]


def test_points_in_the_city_of_an_ally_are_for_steps_there_not_for_building() -> None:
    game = position({"G-RS9": block("green", "RS", 2, hex="0902"), "G-IN4": {"hex": "0902"}})
    green = Production("green")
    answer = order(
        deliver=["G-RS9"],
        spend=[
            {"city": "Albaport", "add": "G-IN4", "steps": 2},
            {"city": "Albaport", "build": "IN", "steps": 1},
            {"city": "Marenna", "add": "G-IN4", "steps": 1},
        ],
    )
    assert [f.code for f in green.check(game, answer)] == ["E-PRO-06", "E-PRO-02"]


def test_delivering_twice_is_refused() -> None:
    assert codes(position({"R-RS1": {"hex": "0202"}}), deliver=["R-RS1", "R-RS1"]) == ["E-GEN-01"]


def test_nobody_builds_with_the_blocks_of_others() -> None:
    assert codes(
        position({"B-IN1": {"hex": "0202"}}), spend=[{"city": "Karsk", "add": "B-IN1", "steps": 1}]
    ) == ["E-GEN-01"]


def test_a_block_built_now_gets_no_further_orders_by_its_coming_id() -> None:
    spend = [{"city": "Karsk", "build": "IN", "steps": 1}, {"city": "Karsk", "add": "R-IN5", "steps": 1}]
    assert codes(position({}), spend=spend) == ["E-PRO-09"]


def test_players_do_not_hinder_each_other() -> None:
    orders = {
        "red": {"production": {"spend": [{"city": "Karsk", "build": "IN", "steps": 3}]}},
        "blue": {"production": {"spend": [{"city": "Marenna", "build": "IN", "steps": 3}]}},
        "green": {"production": {"spend": [{"city": "Tavo", "add": "G-AR1", "steps": 2}]}},
    }
    game = position({})
    played = play(game, "5.2", AnyDice([1], orders))
    assert not played.diagnostics
    assert Block(game, "R-IN5").cv == Block(game, "B-IN5").cv == 3
    assert Block(game, "G-AR1").cv == 4


def test_what_others_learn_of_production_are_counts() -> None:
    orders = {"red": {"production": {"spend": [{"city": "Karsk", "build": "AR", "steps": 2}]}}}
    told = play(position({}), "5.2", AnyDice([1], orders)).told
    public = [t.event for t in told if t.audience == ("*",)]
    assert [(e["event"], e["blocks"]) for e in public] == [("blocks-built", 1)]
    assert not any("AR" in str(e) for e in public)


def test_growth_tells_no_strength() -> None:
    told = play(position({"R-RS1": {"cv": 4}}), "5.3", AnyDice([1])).told
    public = [t.event for t in told if t.audience == ("*",)]
    assert [e["event"] for e in public] == ["resource-grew"]  # blue's; that red's is full is red's to know
    assert "cv" not in public[0]


def test_of_add_build_and_front_exactly_one_is_wanted() -> None:
    assert Spend("0202", 1).how is None
    assert Spend("0202", 1, add="R-IN1", front="R-SU1").how is None
    assert Spend("0202", 1, build="IN").how == "build"
