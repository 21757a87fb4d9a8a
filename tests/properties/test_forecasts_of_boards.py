"""4.9 and 4.13: Forecasts of ocs and totaler-krieg beside the rules: attacks that random games offer, fought
by the real procedures; and on the views of players who do not see everything."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from types import ModuleType

import pytest

from pbem.bot.games import stages
from pbem.engine.adjudicate import game_of, view_of
from pbem.engine.game import Game
from pbem.engine.system import System, find
from pbem.model.facts import may_know
from pbem.model.forecasts import average, share
from pbem.model.state import GameState
from pbem.testing.fights import differences
from pbem.text.messages import Message
from tests.nightly import by_the_hundred
from tests.properties.forecasts import ocs, totaler_krieg

SOME = 40
"""Courses of the dice of an attack of ocs, of 7,776 that there are."""


def positions(
    system: System, seed: str, most: int, every: int = 1, **options: object
) -> Iterator[tuple[GameState, Game]]:
    """The positions of a random game after some of its stages."""
    played = stages(system, system.scenarios()[0], options or None, seed=f"fights-{seed}")
    for stage in islice(played, most * every):
        if stage.number % every == every - 1:
            yield stage.outcome.state, game_of(system, stage.outcome.state, stage.outcome.position)


def seen_by(state: GameState, game: Game, reader: str) -> Game:
    """What a player knows of a position."""
    known = {fact.key: fact.value for fact in game.system.facts(game) if may_know(fact.audience, reader)}
    return view_of(game.system, state, known, reader)


def attacks(module: ModuleType, game: Game, most: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Attacks of a position, spread over all that it offers."""
    found = list(module.fights(game))
    yield from found[:: max(1, -(-len(found) // most))]


def check_totaler_krieg(seed: str, most: int, each: int, *, fog: bool = False) -> None:
    """Each face of the die, exactly; with `fog` as the attackers see the board."""
    system, fought = find("totaler-krieg"), 0
    for state, game in positions(system, seed, most, 5):
        for hex, ids in attacks(totaler_krieg, game, each):
            staged = totaler_krieg.staged(game, hex, ids)
            owner = game.seat(str(game.position.counters[ids[0]]["owner"]))
            view = seen_by(state, game, owner) if fog else game
            *_, one = system.forecasts(view, hex, ids)  # the last is that of the regular attack
            assert one.faults() == []
            if "unseen counter" in one.case or not one.ends:
                continue  # a counter may stand in, or nobody may attack: the reader is told so
            wrong = differences(system, one, staged, totaler_krieg.judge(hex, ids))
            assert not wrong, (hex, ids, one.sentence(), wrong)
            fought += bool(one.ends)
    assert fought


def check_ocs(seed: str, most: int, each: int, sample: int, *, fog: bool = False) -> None:
    """A sample of the dice; what has no chance never happens in it. With `fog` as the attackers see the
    board, on which the defenders are what lies on top and have supply."""
    system, fought = find("ocs"), 0
    for state, game in positions(system, seed, most, 7, **({"fow": "gm"} if fog else {})):
        for hex, ids in attacks(ocs, game, each):
            fed = ocs.supplied(game, ids)
            view = fed
            if fog:
                fed = ocs.tops_alone(fed, hex, ids)
                view = seen_by(state, fed, str(game.position.counters[ids[0]]["owner"]))
            staged = ocs.staged(fed, hex, ids)
            one, *_ = system.forecasts(view, hex, ids)
            assert ("by what you see" in one.case) is fog
            assert one.faults() == []
            if not one.ends:
                continue  # nobody may attack: the reader is told so
            wrong = differences(system, one, staged, ocs.judge(hex, ids), sample=sample, seed=seed)
            assert not wrong, (hex, ids, one.sentence(), wrong)
            fought += bool(one.ends)
    assert fought


def check_overruns(seed: str, most: int, each: int, sample: int) -> None:
    """4.4.6: A stack that has its fuel overruns the hex beside it as its whole move."""
    system, fought = find("ocs"), 0
    for _, game in positions(system, seed, most, 7):
        listed = list(ocs.overruns(game))
        for ready, hex, ids in listed[:: max(1, -(-len(listed) // each))]:
            *_, one = system.forecasts(ready, hex, ids)
            assert one.faults() == [] and one.case.startswith("in an overrun")
            staged = ocs.overrun(ready, hex, ids)
            wrong = differences(system, one, staged, ocs.judge(hex, ids), sample=sample, seed=seed)
            assert not wrong, (hex, ids, one.sentence(), wrong)
            fought += 1
    assert fought


def check_barrages(seed: str, most: int, each: int) -> None:
    """4.10: By all 216 throws: how often the target is disorganized, how often steps go, and how many."""
    system, fired = find("ocs"), 0
    for _, game in positions(system, seed, most, 7):
        listed = list(ocs.barrages(game))
        for fed, hex, gun in listed[:: max(1, -(-len(listed) // each))]:
            (one,) = system.forecasts(fed, hex, (gun,))
            assert one.faults() == [] and isinstance(one.case, Message)
            effect, loses, mean = Fraction(0), Fraction(0), Fraction(0)
            for chance, _, played in ocs.fire(fed, hex, gun).every() or ():
                told = [each.event for each in played.told]
                (shot,) = [event for event in told if event["event"] == "barraged"]
                lost = sum(int(e["lost"]) for e in told if e["event"] in ("step-lost", "unit-eliminated"))
                effect += chance * (shot["result"] != "no effect")
                loses, mean = loses + chance * (lost > 0), mean + chance * lost
                card = system.outlook(fed, [shot])
                assert card is not None and card.chances == one.chances, "the card says the same"
            said = one.case.fields
            assert (said["effect"], said["loss"]) == (share(effect), share(loses)), (hex, gun, one.case)
            assert said["mean"] == average(mean)
            fired += 1
    assert fired


def test_barrages_of_ocs_bring_what_is_forecast() -> None:
    check_barrages("daily", 2, 1)


def test_overruns_of_ocs_end_as_forecast() -> None:
    check_overruns("daily", 3, 2, SOME)


def test_attacks_of_totaler_krieg_end_as_forecast() -> None:
    check_totaler_krieg("daily", 2, 3)


def test_attacks_of_ocs_end_as_forecast() -> None:
    check_ocs("daily", 2, 1, SOME)


def test_attacks_end_as_forecast_on_views() -> None:
    check_totaler_krieg("fog", 1, 3, fog=True)
    check_ocs("fog", 1, 1, SOME, fog=True)


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_attacks_of_random_games_of_totaler_krieg_end_as_forecast(seed: int) -> None:
    check_totaler_krieg(str(seed), 6, 6)
    check_totaler_krieg(f"{seed}-fog", 3, 6, fog=True)


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_attacks_of_random_games_of_ocs_end_as_forecast(seed: int) -> None:
    check_ocs(str(seed), 4, 3, 5 * SOME)
    check_ocs(f"{seed}-fog", 3, 3, 5 * SOME, fog=True)
    check_overruns(str(seed), 4, 3, 5 * SOME)
    check_barrages(str(seed), 4, 3)
