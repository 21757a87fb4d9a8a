"""2.1: Powers cooperate that a scenario names together, and no others."""

from __future__ import annotations

from copy import deepcopy

import pytest

from pbem.engine.scenarios.whole_scenario import pack
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.battle import attack_fault
from pbem.systems.wif.rules.entries import Attack
from pbem.systems.wif.rules.world import build_world
from pbem.testing.runner import prepare


def test_of_two_groups_either_is_enough() -> None:
    """Two Fronts: the western powers with each other, the Axis' too, the Soviet Union with nobody."""
    world = build_world(SYSTEM, SYSTEM.scenario("two_fronts_1943"), {})
    assert world.partners("CW") == ("CW", "USA")
    assert world.partners("IT") == ("GE", "IT")
    assert world.partners("USSR") == ("USSR",)
    assert not world.cooperate("GE", "CW")


@pytest.mark.parametrize(
    ("seat", "cooperates", "code"),
    [("western", True, None), ("western", False, "E-COOP"), ("allied", False, None)],
)
def test_powers_of_two_players_attack_together_if_they_cooperate(
    seat: str, cooperates: bool, code: str | None
) -> None:
    """4.7.7; those of one player do so in any case."""
    scenario = deepcopy(SYSTEM.scenario("narrow_sea_1943"))
    scenario["seats"] = list(dict.fromkeys(["allied", seat, "axis"]))
    scenario["powers"]["USA"]["seat"] = seat
    scenario["cooperate"] = [["CW", "USA"]] if cooperates else []
    given = {
        "remove": ["GE-A1"],
        "counters": {"GE-D1": {"hex": "0905"}, "CW-HQ1": {"hex": "0904"}, "US-A1": {"hex": "0904"}},
        "tracks": {"turn": 1, "impulse": 1, "phasing": "allied", "action": {"CW": "land", "USA": "land"}},
    }
    game = prepare(SYSTEM.with_scenario(pack(SYSTEM, "narrow_sea_1943", scenario)), given)
    _, refused = attack_fault(game, "allied", Attack("0905", ("CW-HQ1", "US-A1")))
    assert (refused.code if refused else None) == code
