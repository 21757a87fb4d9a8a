"""Tests of fights: forecasts cover them whole, and accounts say who took or held what."""

from __future__ import annotations

import pytest

from pbem.engine.system import System
from pbem.testing.fights import accounts_in, forecasts_in
from pbem.testing.playing import whole_game

STAGES = 12
"""Stages of a game whose forecasts are made."""


def test_a_system_that_forecasts_fights_says_how_they_ended(system: System) -> None:
    fights = any("battle" in cls.tells for cls in system.registry.events.values())
    assert not fights or system.odds_hook is None or system.fought_hook is not None, "it has no fought_hook"


def test_every_forecast_of_a_whole_game_covers_the_whole_fight(system: System) -> None:
    if system.odds_hook is None:
        pytest.skip("it has no odds_hook")
    stages = whole_game(system, system.scenarios()[0]).stages
    for stage in stages[:: max(1, len(stages) // STAGES)]:
        for forecast in forecasts_in(system, stage.outcome):
            assert not forecast.faults(), (stage.number, forecast)


def test_every_fight_of_a_whole_game_ends_as_told(system: System) -> None:
    """Check that nobody wins by losing.

    The account says who took or held the place, what it cost each side, and why.
    """
    if system.fought_hook is None:
        pytest.skip("it has no fought_hook")
    for stage in whole_game(system, system.scenarios()[0]).stages:
        for reader in (None, *stage.outcome.state.players):
            for account in accounts_in(system, stage.outcome, reader):
                assert not account.faults(), (stage.number, reader, account)
