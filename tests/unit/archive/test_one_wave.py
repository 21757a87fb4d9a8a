"""Faults of form and of rules in a long answer at once, each at its place."""

from __future__ import annotations

from pbem.archive.ordering.in_one_wave import explained
from tests.unit.engine.parade import Parade, game


def test_elements_that_are_not_well_formed_hide_no_others() -> None:
    steps = [
        {"unit": 7, "to": "2"},
        {"unit": "nobody", "to": "2"},
        {"unit": "a"},
        {"unit": "nowho", "to": "2"},
    ]
    answer = {"word": "march", "steps": steps}
    faults = explained(game(), Parade("red"), answer).faults
    assert {fault.path[:2] for fault in faults} >= {("steps", 0), ("steps", 1), ("steps", 2), ("steps", 3)}
