"""What CI runs of the suite, and the quick run of all tests leaves."""

from __future__ import annotations

import pytest

from tests.nightly import IN_CI

WHOLE_GAMES = (
    "test_defaults_are_legal_throughout_a_whole_game",
    "test_answers_of_a_whole_game_grow_legally",
    "test_states_of_a_whole_game_fit",
    "test_questions_and_keys_can_be_written_down",
)
QUICK = ("primer", "primer-fog", "victory")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Games of scenarios beyond the first of a system; listings in three processes for the large systems."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return
    system, name = item.callspec.params.get("system"), item.originalname
    if name in WHOLE_GAMES:
        later = item.callspec.params["scenario"] != system.scenarios()[0]
    else:
        later = name == "test_the_order_does_not_hang_on_the_process" and system.name not in QUICK
    if later:
        for mark in IN_CI:
            item.add_marker(mark)
