"""2.1: Powers cooperate that a scenario names together, and no others."""

from __future__ import annotations

from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.world import build_world


def test_of_two_groups_either_is_enough() -> None:
    """Two Fronts: the western powers with each other, the Axis' too, the Soviet Union with nobody."""
    world = build_world(SYSTEM, SYSTEM.scenario("two_fronts_1943"), {})
    assert world.partners("CW") == ("CW", "USA")
    assert world.partners("IT") == ("GE", "IT")
    assert world.partners("USSR") == ("USSR",)
    assert not world.cooperate("GE", "CW")
