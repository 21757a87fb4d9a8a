"""A system whose units are hidden only where an option of the game says so."""

from __future__ import annotations

from dataclasses import replace

from pbem.engine.adjudicate import game_of, start
from tests.primer import SYSTEM

BY_OPTION = replace(SYSTEM, hidden="fog")


def test_until_the_options_are_known_such_a_system_counts_as_one_that_hides() -> None:
    assert BY_OPTION.hidden


def test_the_option_of_the_game_decides_whether_units_are_hidden() -> None:
    assert BY_OPTION.as_played({"fog": True}).hidden is True
    assert BY_OPTION.as_played({"fog": False}).hidden is False


def test_a_system_that_always_hides_or_never_is_itself_whatever_the_options() -> None:
    assert SYSTEM.as_played({}) is SYSTEM


def test_the_rules_see_the_system_as_it_is_played() -> None:
    state = start(SYSTEM, SYSTEM.scenarios()[0])
    game = game_of(BY_OPTION, replace(state, options={**state.options, "fog": False}))
    assert game.system.hidden is False
