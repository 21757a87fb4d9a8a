"""Scenarios: the bundled ones are sound, and a faulty one is refused with all its faults."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.systems.victory import SYSTEM
from pbem.systems.victory.examples.invariants import census, invariants
from pbem.systems.victory.rules.blocks import place_new
from pbem.systems.victory.rules.set_up import made, seat_faults, set_up
from pbem.systems.victory.rules.sides import controller
from pbem.systems.victory.rules.supply import unsupplied
from pbem.systems.victory.rules.world import build_world
from pbem.text.diagnostics import Refused
from tests.unit.victory.boards import board


@pytest.mark.parametrize("name", SYSTEM.scenarios())
def test_every_scenario_begins_in_order_and_in_supply(name: str) -> None:
    game = game_of(SYSTEM, start(SYSTEM, name))
    assert invariants(game) == [] == census(game)
    assert unsupplied(game, False) == []


def test_city_points_at_the_start_are_6_6_3_and_one_neutral() -> None:
    game = board()
    points: dict[str | None, int] = {}
    for hex, base in game.world.bases.items():
        who = controller(game, hex)
        points[who] = points.get(who, 0) + base.pp
    assert points == {"red": 6, "blue": 6, "green": 3, None: 1}


def test_two_players_share_the_map_of_three() -> None:
    game = board("sarn_strait_two")
    assert game.players == ("red", "blue")
    assert {f["owner"] for i, f in game.position.counters.items() if i.startswith("G-")} == {"blue"}
    assert game.tracks["pool"]["blue"]["IN"] == 5


def test_new_blocks_get_numbers_that_were_never_used() -> None:
    game = board()
    game.position.remove("R-IN4")
    assert place_new(game, "red", "IN", 1, "0202").id == "R-IN5"
    assert place_new(game, "red", "IN", 1, "0202").id == "R-IN6"
    assert game.tracks["pool"]["red"]["IN"] == 1


def faults(change: Any) -> list[str]:
    data = deepcopy(SYSTEM.scenario("sarn_strait"))
    change(data)
    options = SYSTEM.options(data, {})
    with pytest.raises(Refused) as refused:
        set_up(SYSTEM, build_world(SYSTEM, data, options), data, options)
    return sorted(d.code for d in refused.value.diagnostics)


def test_every_fault_of_a_scenario_is_told_at_once() -> None:
    def spoil(data: Any) -> None:
        data["units"]["R-IN1"]["type"] = "INN"
        data["units"]["R-IN2"]["cv"] = 5
        data["units"]["R-IN3"]["hex"] = "0503"
        data["units"]["R-BB1"]["hex"] = "0202"
        data["units"]["B-DB1"]["aboard"] = "B-AC9"
        data["units"]["G-IN1"]["hex"] = "9999"
        data["tie_rules"][0]["side"] = ["rod"]
        data["victory"].pop()

    assert faults(spoil) == [
        "bad-strength",
        "no-ending",
        "unknown-hex",
        "unknown-player",
        "unknown-type",
        "wrong-place",
        "wrong-place",
        "wrong-place",
    ]


def test_a_game_that_ends_without_a_band_has_no_ending() -> None:
    def empty(data: Any) -> None:
        data["victory"][-1]["bands"] = []

    assert faults(empty) == ["no-ending"]


def test_crowded_hexes_and_enemies_together_are_refused() -> None:
    def crowd(data: Any) -> None:
        for id in ("R-IN1", "R-IN2", "R-IN3"):
            data["units"][id]["hex"] = "0306"
        data["units"]["G-IN4"]["hex"] = "0202"
        data["units"]["R-DB1"]["hex"] = "0506"

    assert faults(crowd) == ["enemies-together", "no-airbase", "stack-limit"]


def test_a_faulty_map_is_refused_by_its_place_in_the_file() -> None:
    data = deepcopy(SYSTEM.scenario("sarn_strait"))
    data["map"]["links"]["road"].append("0202-0902")
    with pytest.raises(Refused) as refused:
        build_world(SYSTEM, data, {})
    (fault,) = refused.value.diagnostics
    assert fault.path[:3] == ("map", "links", "road")


@pytest.mark.parametrize(("seats", "legal"), [(1, False), (2, True), (6, True), (7, False)])
def test_two_to_six_may_play(seats: int, legal: bool) -> None:
    scenario = deepcopy(SYSTEM.scenario("sarn_strait"))
    scenario["seats"] = [*scenario["seats"], "dun", "ecru", "fawn", "gold"][:seats]
    world = build_world(SYSTEM, scenario, {})
    codes = {fault.code for fault in seat_faults(world, scenario)}
    assert ("bad-seats" not in codes) == legal


def test_ids_begin_with_as_many_letters_as_tell_players_apart() -> None:
    scenario = deepcopy(SYSTEM.scenario("sarn_strait"))
    scenario["seats"] = ["red", "rose", "blue", "green"]
    world = build_world(SYSTEM, scenario, {})
    assert [world.prefix(seat) for seat in world.seats] == ["RE", "RO", "B", "G"]


def test_new_blocks_are_numbered_after_the_highest_of_the_set_up_if_it_be_none() -> None:
    """A block numbered 0 is followed by one numbered 1."""
    world = build_world(SYSTEM, SYSTEM.scenario("sarn_strait"), {})
    listed = {id: {"owner": "red", "type": "IN"} for id in ("R-IN0", "R-INX")}
    assert made(world, listed)["red"] == {"IN": 0}
    listed["R-IN7"] = listed["R-IN2"] = listed["R-IN0"]
    assert made(world, listed)["red"] == {"IN": 7}
