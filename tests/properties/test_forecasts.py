"""Forecasts beside the rules: fights of random games, fought by the real procedure, in fog too.

What is forecast is what the rules bring: exactly, by every result of the dice, where these are few, else
within the bounds of a sample; and what was forecast as impossible never happens. The account of each course
names its end and its losses. A system's fights are in `tests/properties/forecasts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbem.bot.games import Stage, seen_by, stages
from pbem.engine.adjudicate import game_of
from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.model.forecasts import Forecast
from pbem.systems.victory import SYSTEM as VICTORY
from pbem.systems.wbts import SYSTEM as WBTS
from pbem.systems.wif import SYSTEM as WIF
from pbem.testing.fights import differences
from tests.properties.forecasts import victory, wbts, wif

LATER = (pytest.mark.long, pytest.mark.dozens)
Met = tuple[Stage, Game, str, tuple[str, ...], Forecast]


def met(system: System, fights: Any, seed: int, every: int, most: int, options: Any = None) -> Iterator[Met]:
    """Yield fights that a random game offers, so many of each of its stages."""
    for stage in stages(system, system.scenarios()[0], options, seed=f"fights-{seed}"):
        game = game_of(system, stage.outcome.state, stage.outcome.position)
        if stage.number % every or game.tracks.get("battle") or stage.number > 60:
            continue
        listed = list(fights.fights(game))
        for place, units in listed[:: max(1, len(listed) // most)][:most]:
            for one in system.forecasts(game, place, units):
                assert one.faults() == [], (stage.number, place, units)
                yield stage, game, place, units, one


def parameters() -> list[Any]:
    """Return the seeds; those after the first are for the night."""
    return [0, *(pytest.param(seed, marks=LATER if seed < 3 else pytest.mark.long) for seed in range(1, 12))]


@pytest.mark.parametrize("seed", parameters())
def test_attacks_on_land_of_wif_come_out_as_forecast(seed: int) -> None:
    """4.7.7: by every face of the die."""
    some = list(met(WIF, wif, seed, 6, 3 if seed == 0 else 20))
    assert some
    for stage, game, place, units, one in some:
        found = differences(WIF, one, wif.staged(game, place, units), wif.judge(place, units))
        assert found == [], (stage.number, place, units, one.sentence())


@pytest.mark.parametrize("sample", [25, pytest.param(600, marks=LATER)])
def test_fights_at_sea_of_wif_come_out_as_forecast(sample: int) -> None:
    """4.7.3: one round, both sides search; ships and aircraft of both sent to one area."""
    checked = 0
    for stage in stages(WIF, WIF.scenarios()[0], seed="fights-at-sea"):
        game = wif.met_at_sea(game_of(WIF, stage.outcome.state, stage.outcome.position))
        for area, own in wif.at_sea(game) if stage.number % 4 == 0 else ():
            for one in WIF.forecasts(game, f"{area}.0"):
                if one.sides[0][0] not in WIF.sides(game) or WIF.sides(game)[one.sides[0][0]] != own:
                    continue
                assert one.faults() == []
                staged, judge = wif.sailed(game, area, own), wif.judge_at_sea(area, own)
                found = differences(WIF, one, staged, judge, sample=sample, seed=f"{stage.number}")
                assert found == [], (stage.number, area, own, one.sentence())
                checked += 1
        if checked > 2:
            return
    assert checked


@pytest.mark.parametrize("seed", parameters())
def test_battles_of_victory_come_out_as_forecast(seed: int) -> None:
    """4.6: three rounds, by sampling."""
    every, most, sample = (12, 1, 30) if seed == 0 else (7, 5, 100)
    options = [{}, {"pursuit": True}, {"loss_rule": "owner"}, {"flak_friendly_fire": False}][seed % 4]
    some = list(met(VICTORY, victory, seed, every, most, options))
    assert some
    for stage, game, place, units, one in some:
        staged, judge = victory.staged(game, place, units), victory.judge(place, units)
        found = differences(VICTORY, one, staged, judge, sample=sample, seed=f"{seed}/{place}")
        assert found == [], (stage.number, place, units, one.sentence())


def test_a_battle_of_victory_with_unseen_blocks_comes_out_as_the_case_says() -> None:
    """The blocks that an attacker does not see are what his forecast takes them for: then it is exact."""
    checked = 0
    for stage, game, place, units, _ in met(VICTORY, victory, 3, 10, 2):
        player = str(game.position.counters[units[0]]["owner"])
        seen = seen_by(VICTORY, stage.outcome, player)
        for one in VICTORY.forecasts(seen, place, units):
            assert one.faults() == []
            if not one.case:
                continue
            staged = victory.staged(victory.as_supposed(game, place, player, 3), place, units)
            found = differences(VICTORY, one, staged, victory.judge(place, units), sample=30, seed=place)
            assert found == [], (stage.number, place, units, one.sentence())
            checked += 1
        if checked > 2:
            return
    assert checked


@pytest.mark.parametrize("seed", parameters())
def test_battles_of_wbts_come_out_as_forecast(seed: int) -> None:
    """4.8: from the order to the advance, on the table that the forecast names."""
    some = list(met(WBTS, wbts, seed, 18 if seed == 0 else 9, 1 if seed == 0 else 3))
    assert some
    for stage, game, place, units, one in some:
        table = re.search(r"table (\d)", one.case)
        staged = wbts.staged(game, place, units, int(table[1]) if table else 0)
        sample = 20 if seed == 0 else 150
        found = differences(
            WBTS, one, staged, wbts.judge(place, units), sample=sample, seed=f"{seed}/{place}"
        )
        assert found == [], (stage.number, place, units, one.sentence())


@pytest.mark.long
@pytest.mark.dozens
def test_a_battle_of_wbts_comes_out_as_forecast_with_every_throw() -> None:
    """4.8.7, 4.8.9: both supply dice and the combat die, exactly."""
    some = list(met(WBTS, wbts, 1, 9, 1))[:3]
    for _, game, place, units, one in some:
        table = re.search(r"table (\d)", one.case)
        staged = wbts.staged(game, place, units, int(table[1]) if table else 0)
        assert differences(WBTS, one, staged, wbts.judge(place, units)) == []


def test_a_wrong_forecast_is_found() -> None:
    """The comparison itself can fail."""
    _, game, place, units, one = next(m for m in met(WIF, wif, 0, 6, 3) if len(m[4].ends) > 1)
    (first, chance), (second, other), *rest = one.ends
    wrong = replace(one, ends=((first, other + chance), (second, chance - chance), *rest))
    assert differences(WIF, wrong, wif.staged(game, place, units), wif.judge(place, units))
    cheap = replace(one, losses=tuple(lost + 1 for lost in one.losses if lost is not None))
    assert differences(WIF, cheap, wif.staged(game, place, units), wif.judge(place, units))
