"""How far counters go by themselves, in every system that moves by points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.rules import Game


def at_the_start(name: str) -> Game:
    system = find(name)
    state = start(system, system.scenarios()[0])
    return game_of(system.as_played(state.options), state)


FAR = [  # a counter, a place that is too far, what it needs and has by the rules, and a place that is not
    ("victory", "R-AR1", "0606", "4", "3", "0405"),  # 4.4.2
    ("victory", "R-F1", "1102", "8", "3", "0306"),  # 4.4.8: by distance
    ("wbts", "U-2D", "0601", "4", "3", "0603"),  # 4.4.2
    ("ocs", "A-22", "08.09", "7", "3", "05.03"),  # 4.0.3
    ("totaler-krieg", "N-IN2", "1107", "6", "3", "0704"),  # 4.8.1
]


@pytest.mark.parametrize("system, id, far, needs, has, near", FAR)
def test_what_is_too_far_says_what_it_needs(
    system: str, id: str, far: str, needs: str, has: str, near: str
) -> None:
    game = at_the_start(system)
    found = game.system.reach(game, id)
    assert found is not None
    assert (found.needs(far), found.has) == (Fraction(needs), Fraction(has))
    assert near in found.ends and found.needs(near) is None


@pytest.mark.parametrize("system", ["victory", "wbts", "ocs", "totaler-krieg", "wif"])
def test_nothing_within_reach_costs_more_than_there_is_but_a_first_step(system: str) -> None:
    game = at_the_start(system)
    chart = game.system.map_of(game.world)
    assert chart is not None
    known = 0
    for id in sorted(game.position.counters):
        found = game.system.reach(game, id)
        if found is None:
            continue
        known += 1
        at = game.position.hex(id)
        beside = {chart.number(i) for i in chart.neighbours(chart.index(str(at)))}
        dear = {end for end in found.ends if found.costs.get(end, 0) > found.allowance}
        assert dear <= beside and at not in found.ends and found.rule
    assert known > 5


def test_ocs_units_in_move_mode_go_by_rail_as_far_as_the_line() -> None:
    game = at_the_start("ocs")
    game.position.move("B-101", "11.06")
    on_foot = game.system.reach(game, "B-101")
    game.position.counters["B-101"]["facing"] = "move"
    by_rail = game.system.reach(game, "B-101")
    assert on_foot is not None and by_rail is not None
    assert "16.06" in by_rail.ends - on_foot.ends and by_rail.costs["16.06"] > by_rail.allowance  # 4.4.9


def test_ocs_aircraft_fly_as_far_as_their_range_and_those_that_flew_nowhere() -> None:
    game = at_the_start("ocs")
    shown = {"types": ["F"], "full": [4, False, 3], "reduced": [3, False, 2], "range": 4}
    game.position.counters["A-F1"]["printed"] = shown
    found = game.system.reach(game, "A-F1")
    assert found is not None and {"03.09", "07.05"} <= found.ends and "03.10" not in found.ends  # 4.11.1
    assert (found.needs("03.10"), found.needs("13.07")) == (None, 10), "a transfer goes twice as far"
    game.position.counters["A-F1"]["flew"] = True
    assert game.system.reach(game, "A-F1") is None


def test_nobody_says_how_far_a_block_goes_that_nobody_has_seen() -> None:
    game = at_the_start("victory")
    game.position.counters["?-1"] = {"owner": "blue", "type": "?", "hex": "0606", "cv": 0}
    assert game.system.reach(game, "?-1") is None


def test_wif_units_stop_in_enemy_zones_of_control() -> None:
    game = at_the_start("wif")
    found = game.system.reach(game, "CW-G1")
    assert found is not None and found.ends and found.needs("0708") is None, "no way leads there on land"
    assert "0708" not in found.costs
