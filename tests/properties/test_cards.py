"""The forecast on a card beside the one before the fight: they are the same where nothing is hidden.

A card is made from what was told of the fight, so that everybody can draw it again; the position before it is
gone. So retreats count as open, with room for all who go there, and what was rolled before the table (supply
of wbts) is as it fell. Fights in which some throw meets a retreat that is shut are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from pbem.engine.game import Game
from pbem.engine.system import System, find
from pbem.model.forecasts import Forecast
from pbem.testing.fights import Staged
from pbem.text.messages import Message
from tests.nightly import by_the_hundred
from tests.properties.forecasts import ocs, totaler_krieg, victory, wbts, wif
from tests.properties.test_forecasts_of_boards import attacks, positions

BY_CHOICE = Message("totaler-krieg.fighting.by-choice")
Cards = list[tuple[Fraction, Forecast]]


def as_told(system: System, staged: Staged, sample: int, seed: str = "cards") -> Cards:
    """The card of each course of a fight, with its chance; of a sample if there is one."""
    courses = staged.some(sample, seed) if sample else staged.every(3000)
    assert courses is not None
    found = []
    for chance, after, played in courses:
        events = [event_told.event for event_told in played.told]
        card, account = system.outlook(after, events), system.fought(after, events)
        assert card is not None and account is not None and card.faults() == []
        if not _shut(events):
            found.append((chance, card.in_hindsight(account.end)))
    return found


def _shut(events: list[Any]) -> bool:
    """Return True if a retreat was not open or had no room.

    totaler-krieg tells it; in wif more was lost than the table says.
    """
    if any(event["event"] == "overstacked" for event in events):
        return True
    if any(event["event"] == "converted" and event["why"] != BY_CHOICE for event in events):
        return True
    began = next((event for event in events if event["event"] == "attacked" and "strengths" in event), None)
    lost = sum(len(event["units"]) for event in events if event["event"] == "destroyed")
    return began is not None and lost > sum(int(sign) for sign in str(began["result"]) if sign.isdigit())


def met(name: str, module: ModuleType, most: int, every: int, each: int, seed: str) -> Iterator[Any]:
    """Fights of a random game: their forecast, and the fight that is ready."""
    system = find(name)
    for _, game in positions(system, seed, most, every):
        for hex, ids in attacks(module, game, each):
            fed: Game = ocs.supplied(game, ids) if module is ocs else game
            *first, last = system.forecasts(fed, hex, ids) or [None]
            one = last if module is totaler_krieg else first[0] if first else last
            if one is not None and one.ends:
                yield system, one, module.staged(fed, hex, ids)


def check(name: str, module: ModuleType, size: tuple[int, int, int, int], seed: str) -> int:
    most, every, each, sample = size
    compared = 0
    for system, one, staged in met(name, module, most, every, each, seed):
        cards = as_told(system, staged, sample)
        if not sample and sum(chance for chance, _ in cards) < 1:
            continue
        for _, card in cards:
            wanted = one.in_hindsight(next(iter(dict(card.ends)))) if card.ends else one
            assert card.chances == one.chances, "the table is the same"
            assert dict(card.ends) == dict(wanted.ends), (card.place, card.sentence(), one.sentence())
            assert card.losses == one.losses, (card.place, card.sentence(), one.sentence())
            compared += 1
    return compared


SIZES = {"totaler-krieg": (1, 5, 2, 0), "victory": (1, 9, 2, 1), "ocs": (1, 7, 1, 3), "wif": (2, 5, 4, 0)}
MODULES = {"totaler-krieg": totaler_krieg, "victory": victory, "ocs": ocs, "wif": wif}


@pytest.mark.parametrize("name", SIZES)
def test_a_card_says_what_was_forecast(name: str) -> None:
    assert check(name, MODULES[name], SIZES[name], "daily")


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_cards_of_random_games_of_totaler_krieg_say_what_was_forecast(seed: int) -> None:
    check("totaler-krieg", totaler_krieg, (3, 5, 2, 0), f"cards-{seed}")


@pytest.mark.long
@pytest.mark.dozens
def test_the_cards_of_wbts_make_the_forecast_on_average() -> None:
    """4.8.7: the forecast weighs the supply dice, a card has them as they fell."""
    system, compared = find("wbts"), 0
    for _, game in positions(system, "daily", 1, 12):
        for hex, ids in attacks(wbts, game, 1):
            (one, *_) = system.forecasts(game, hex, ids)
            table = int(one.case.fields["table"]) if "table" in one.case.fields else 0  # type: ignore[attr-defined]
            cards = as_told(system, wbts.staged(game, hex, ids, table), 0)
            for side in (0, 1):
                assert one.losses[side] == sum(chance * (card.losses[side] or 0) for chance, card in cards)
            for end, chance in one.ends:
                assert chance == sum(share * card.chance(end) for share, card in cards)
            compared += 1
    assert compared
