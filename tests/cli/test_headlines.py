"""Headlines of whole games: who took or held what, and what it cost, in every report of the samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.games.history import read
from pbem.cli.games.telling import chapter_report, words_of
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.forecasts import fought_words
from pbem.report.news import MOST, news
from pbem.report.reader import Meta
from pbem.report.structure import Report
from tests.unit.report.test_fights_of_systems import roll

ROOT = Path(__file__).parents[2] / "sample_games"
SAMPLES = ("wbts-marl-crossings", "totaler-krieg-lodestar", "victory-sarn-strait", "wif-narrow-sea-1943")


@pytest.fixture(scope="module", params=SAMPLES)
def reports(request: pytest.FixtureRequest) -> list[Report]:
    history = read(ROOT / request.param, None)
    words = words_of(history.system)
    reader = history.roster.players[0]
    return [chapter_report(history, one, reader, words=words) for one in history.chapters]


def test_the_headline_of_a_fight_says_who_took_or_held_the_place_and_what_it_cost(
    reports: list[Report],
) -> None:
    """Also of one that began in an earlier stage. Of a place that was taken the new holder is enough."""
    checked = 0
    for report in reports:
        for fight in report.fights:
            if fight.fought is None or fight.fought.said is not None:
                continue
            account = fought_words(fight.fought, report.view).removesuffix(".")
            took = [text for text in report.headlines if " took " in text and fight.place in text]
            assert account in report.headlines or took, (report.stage, account, report.headlines)
            checked += account in report.headlines
    assert checked, "some game tells a fight after which the place had the same holder"


def test_a_subject_that_is_too_long_ends_with_a_whole_sentence(reports: list[Report]) -> None:
    for report in reports:
        account = next((text for text in report.headlines if ". " in text), "")
        subject = news(report)
        assert len(subject) <= MOST
        if account and report.headlines[0] == account and "…" in subject:
            assert not subject.startswith(account.partition(". ")[0] + "."), subject


def test_a_forecast_on_a_card_names_what_it_takes_for_granted(reports: list[Report]) -> None:
    """The position before the fight is gone: whether a retreat was open is not known any more.

    Of wbts nothing is taken for granted: its table and its leaders are told with the die.
    """
    cards = [card for report in reports for card in report.fights if card.outlook and card.outlook.ends]
    assert cards
    for card in cards if reports[0].system.partition(" ")[0] != "War" else ():
        assert card.outlook is not None
        assert "if every retreat is open" in card.outlook.case, (card.place, card.outlook)


def test_nobody_wins_a_battle_in_a_headline(reports: list[Report]) -> None:
    assert not [text for one in reports for text in one.headlines if "battle for" in text]


def test_what_decided_a_game_is_told_with_its_cost() -> None:
    history = read(ROOT / "ocs-crossing-the-tol", None)
    last = chapter_report(history, history.chapters[-1], "aster")
    assert last.decided is not None and last.decided.stages == (2,)
    assert last.decided.text == "Aster took 08.06 Tolmark from Bren. Aster lost 1 step, Bren lost nothing"


def test_the_losses_of_an_enemy_are_told_with_their_cause() -> None:
    """4.5.4: steps that attrition costs the other side are news, not only a sum."""
    history = read(ROOT / "ocs-crossing-the-tol", None)
    view = chapter_report(history, history.chapters[1], "aster").view
    attrition = {
        "event": "attrition-rolled", "rule": "4.5.4", "at": "Game turn 1, Attrition", "player": "bren",
        "hex": "09.09", "rating": 2, "dice": roll("2d6", 2, 6), "drm": 0, "loses": "4",
    }  # fmt: skip
    weather = {
        "event": "weather-rolled", "rule": "4.1.1", "at": "Game turn 2, Weather", "ground": "dry",
        "flight": "normal", "ground_die": roll("1d6", 6), "flight_die": roll("1d6", 6),
    }  # fmt: skip
    told = [Told(PUBLIC, attrition, 0), Told(PUBLIC, weather, 1)]
    made = compose("aster", told, view, Meta("Tol", "ab" * 32, "ocs", 9, "Game turn 2"))
    assert made.headlines[0] == "Bren had to lose 4 steps in 09.09 by attrition"
    assert "Bren rolled 8 (2+6), modifier 0" in made.passages[0].items[0].text
