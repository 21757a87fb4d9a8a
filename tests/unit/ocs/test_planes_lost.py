"""4.11: An aircraft that is lost whole is told with all its steps."""

from __future__ import annotations

import pytest

from pbem.report.wording import Wording
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.fighting.air import hit
from pbem.systems.ocs.rules.pieces import Plane
from pbem.testing.runner import prepare


@pytest.mark.parametrize(
    ("before", "whole", "lost", "told"),
    [
        (0, False, 1, "lost 1 step (flak)"),
        (0, True, 2, "lost 2 steps (flak)"),
        (1, True, 1, "lost 1 step (flak)"),
        (1, False, 1, "lost 1 step (flak)"),
    ],
)
def test_the_steps_that_a_hit_removes_are_told(before: int, whole: bool, lost: int, told: str) -> None:
    game = prepare(SYSTEM, {"counters": {"A-F1": {"lost": before}}})
    hit(game, Plane(game, "A-F1"), "flak", whole=whole)
    (event,) = [event_told.event for event_told in game.told if event_told.event["event"] == "plane-hit"]
    assert event["lost"] == lost
    assert ("A-F1" in game.position.counters) is (lost == 1 and not before and not whole)
    assert (Wording(SYSTEM.wording).headline(event) or "").endswith(told)
