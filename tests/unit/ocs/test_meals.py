"""Units that eat from dumps (4.5.3)."""

from __future__ import annotations

from pbem.systems.ocs.rules.supply.meals import Fed, feed
from tests.unit.ocs.test_any_order import board


def test_a_unit_eats_from_the_first_dump_in_reach() -> None:
    game = board("crossing_the_tol", "C", "aster")
    assert feed(game, "aster", (Fed("A-21"),)) == ["A-21"]
    assert [told.event["event"] for told in game.told] == ["units-ate"]


def test_a_unit_in_strategic_mode_without_a_dump_eats_nothing() -> None:
    game = board("crossing_the_tol", "C", "aster")
    game.position.set("A-21", marker="strat")
    assert feed(game, "aster", (Fed("A-21"),)) == [] and not game.told
