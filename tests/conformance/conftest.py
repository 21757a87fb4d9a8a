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
OF_QUICK_SYSTEMS = (
    "test_the_order_does_not_hang_on_the_process",
    "test_the_schema_of_a_decision_takes_what_the_rules_take_and_nothing_else",
    "test_the_schema_of_order_files_takes_the_standing_orders_that_the_tool_takes",
    "test_a_whole_game_is_told_without_a_word_of_english",
    "test_states_of_a_whole_game_fit",
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Games of scenarios beyond the first of a system; of the large systems listings in three processes, and
    what is tried with hundreds of answers or all events of a game."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return
    system, name = item.callspec.params.get("system"), item.originalname
    later = name in WHOLE_GAMES and item.callspec.params["scenario"] != system.scenarios()[0]
    if later or (name in OF_QUICK_SYSTEMS and system.name not in QUICK):
        for mark in IN_CI:
            item.add_marker(mark)
