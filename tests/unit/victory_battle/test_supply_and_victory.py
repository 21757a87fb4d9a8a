"""Attrition between allies, isolated cities, and every form of victory condition (4.8, 4.9)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import play
from pbem.systems.victory.rules.blocks import Block
from pbem.systems.victory.rules.decisions.feeding import Feeding, FeedOrder, Meal
from pbem.systems.victory.rules.procedures.victory_check import judge
from pbem.systems.victory.rules.supply import city_yield, isolated_cities, unsupplied
from tests.unit.victory_battle.helpers import AnyDice, block, position

LOST = {
    "B-IN1": {"hex": "0104", "cv": 3},
    "B-SU1": {"hex": "0104", "cv": 2},
    "G-SU1": {"hex": "0204", "cv": 2},
}


def test_allies_feed_each_other_and_the_second_step_is_kept() -> None:
    game = position(LOST, only=[])
    orders = {
        "blue": {"feeding": [{"su": "B-SU1", "saves": "B-IN1"}]},
        "green": {"feeding": [{"su": "G-SU1", "saves": "B-IN1"}]},
    }
    played = play(game, "3", AnyDice([1], orders))
    assert not played.diagnostics
    assert Block(game, "B-IN1").cv == 3
    assert (Block(game, "B-SU1").cv, Block(game, "G-SU1").cv) == (1, 2)


def test_feeding_offers_grow_and_are_legal() -> None:
    game = position({**LOST, "B-IN2": {"hex": "0104"}}, only=[])
    question = Feeding("blue")
    assert [o.answer for o in question.options(game)] == [
        [],
        [{"su": "B-SU1", "saves": "B-IN1"}],
        [{"su": "B-SU1", "saves": "B-IN2"}],
    ]
    longer = list(question.options(game, (Meal("B-SU1", "B-IN1"),)))
    assert [o.answer for o in longer] == [
        [{"su": "B-SU1", "saves": "B-IN1"}, {"su": "B-SU1", "saves": "B-IN2"}]
    ]


def test_a_standing_order_for_a_supply_unit_that_is_gone_is_passed_over() -> None:
    game = position(LOST, only=[])
    orders = [FeedOrder("B-SU7"), FeedOrder("B-SU1")]
    assert Feeding("blue").from_standing(game, orders) == (Meal("B-SU1", "B-IN1"),)


def test_ships_supply_units_and_aircraft_aboard_a_carrier_never_need_supply_and_others_do() -> None:
    at_sea = {"hex": "0903"}
    counters = {
        "B-AC1": at_sea,
        "B-F1": {**at_sea, "aboard": "B-AC1"},
        "B-DB9": block("blue", "DB", 2, **at_sea),
        "B-SU1": {"hex": "0104"},
        "B-IN1": {"hex": "0104"},
    }
    game = position(counters, only=[])
    game.tracks["control"] = dict.fromkeys(game.tracks["control"], "red")  # no base is left to trace to
    assert [block.id for block in unsupplied(game, False)] == ["B-DB9", "B-IN1"]


def test_who_is_out_of_supply_stays_with_the_gm() -> None:
    game = position(LOST, only=[])
    play(game, "3.1", AnyDice([1]))
    facts = game.system.facts(game)
    assert [f.audience for f in facts if f.key == "track/gm_unsupplied"] == [()]


def test_the_public_learns_counts_of_attrition_and_types_of_the_dead() -> None:
    game = position({"B-IN1": {"hex": "0104", "cv": 1}, "B-IN2": {"hex": "0104", "cv": 3}}, only=[])
    told = play(game, "3", AnyDice([1])).told
    public = [t.event for t in told if t.audience == ("*",)]
    assert [(e["reduced"], e["eliminated"], e["types"]) for e in public] == [(2, 1, ["IN"])]
    assert {t.audience for t in told if t.audience != ("*",)} == {("blue", "green")}


def test_a_garrison_that_starves_gives_the_base_back() -> None:
    game = position({"B-IN1": {"hex": "0202", "cv": 1}}, only=[], tracks={"control": {"0202": "blue"}})
    # Karsk is a friendly base of blue's while he stands there, so he is in supply; beside a site he is not
    play(game, "3", AnyDice([1]))
    assert Block(game, "B-IN1").cv == 1
    garrison = {"B-IN1": {"hex": "0106", "cv": 1}, "R-IN2": {"hex": "0306"}}
    game = position(garrison, only=[], tracks={"control": {"0106": "blue"}})
    told = play(game, "3", AnyDice([1])).told
    assert game.tracks["control"]["0106"] == "red"
    assert [t.event["now"] for t in told if t.event["event"] == "base-changed-hands"] == ["red"]


def test_an_isolated_city_feeds_as_many_blocks_as_it_has_points() -> None:
    game = position(
        {f"B-IN{n}": {"hex": "0305", "cv": 2} for n in (1, 2, 3)}
        | {"R-IN1": {"hex": "0606"}, "R-IN2": {"hex": "0707"}},
        only=[],
        tracks={"control": {"0305": "blue", "0606": "red", "0707": "red"}},
        city_supply=True,
    )
    assert isolated_cities(game, "blue") == ["0305"]
    assert [u.id for u in unsupplied(game, True) if u.owner == "blue"] == ["B-IN2", "B-IN3"]
    assert [u.id for u in unsupplied(game, False) if u.owner == "blue"] == []


def test_a_city_nobody_controls_yields_nothing() -> None:
    game = position({})
    assert city_yield(game, "0906", False) == 0
    assert city_yield(game, "0202", False) == 3


CONDITIONS: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({"kind": "city_points", "who": ["red"], "at_least": 6}, {}, True),
    ({"kind": "city_points", "who": ["red"], "at_least": 7}, {}, False),
    ({"kind": "city_points", "who": ["blue", "green"], "at_least": 9}, {}, True),
    ({"kind": "city_points_at_most", "who": ["red"], "at_most": 5}, {}, False),
    ({"kind": "city_points_at_most", "who": ["red"], "at_most": 5}, {"control": {"0305": "blue"}}, True),
    ({"kind": "hold", "who": ["red"], "hexes": ["0202", "0906"]}, {}, False),
    ({"kind": "hold", "who": ["red"], "hexes": ["0202", "0906"]}, {"control": {"0906": "red"}}, True),
    ({"kind": "hold", "who": ["blue", "green"], "hexes": ["1203", "0707"]}, {}, True),
    ({"kind": "eliminated", "who": ["green"]}, {}, False),
    ({"kind": "eliminated", "who": ["green"]}, {"out": ["green"]}, True),
    ({"kind": "eliminated", "who": ["blue", "green"]}, {"out": ["green"]}, False),
]


@pytest.mark.parametrize(("condition", "tracks", "met"), CONDITIONS)
def test_a_victory_condition_is_met_or_not(
    condition: dict[str, Any], tracks: dict[str, Any], met: bool
) -> None:
    game = position({}, tracks=tracks)
    verdict = judge(game, {**condition, "result": "it is over"}, turn=1)
    assert (verdict is not None and verdict[0] == "it is over") is met


@pytest.mark.parametrize(
    ("turn", "score", "result"), [(4, 30, "high"), (4, 20, "high"), (4, 19, "low"), (3, 30, None)]
)
def test_bands_count_on_their_turn_only(turn: int, score: int, result: str | None) -> None:
    bands = [{"at_least": 20, "result": "high"}, {"at_least": 0, "result": "low"}]
    game = position({}, tracks={"vp": {"red": score}})
    verdict = judge(game, {"kind": "bands", "turn": 4, "who": ["red"], "bands": bands}, turn)
    assert (verdict and verdict[0]) == result


def test_the_first_condition_in_the_list_decides() -> None:
    lost = {"control": {"0202": "blue", "0502": "blue", "0305": "blue"}, "turn": 4, "vp": {"red": 30}}
    game = position({}, tracks=lost)
    play(game, "4", AnyDice([1]))
    assert game.tracks["result"]["text"] == "Coalition decisive victory"
