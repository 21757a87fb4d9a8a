"""What headlines of WiF say: of a hex into which a beaten unit fled, and of the die for the end of a turn."""

from __future__ import annotations

from typing import Any

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta
from pbem.report.structure import Report
from pbem.report.wording import Wording
from pbem.systems.wif import SYSTEM
from tests.unit.wif.test_figures import board, seen

FLED = {"event": "retreated", "rule": "4.7.7", "power": "USA", "unit": "US-A1", "shattered": False}
TAKEN = {"event": "taken", "rule": "4.7.1", "power": "USA", "before": "GE"}
TESTED = {
    "event": "last-impulse-tested", "rule": "4.8.1", "side": "axis", "bonus": 0, "number": 25,
    "threshold": 24, "dice": [{"label": ["last impulse", 1], "dice": "1d10", "result": [3]}],
}  # fmt: skip


def told(*events: dict[str, Any]) -> Report:
    all_told = [Told(PUBLIC, {"at": "Turn 1, Impulse 4", **one}, n) for n, one in enumerate(events)]
    facts = Meta("The Narrow Sea", "ab" * 32, "wif", 9, "Turn 1, Impulse 4")
    return compose(None, all_told, seen(board(), "allied"), facts)


def test_a_hex_into_which_beaten_units_fled_is_not_news_as_taken() -> None:
    lines = told({**FLED, "origin": "0805", "hex": "1102"}, {**TAKEN, "hex": "1102"}).headlines
    assert lines == ("The USA US-A1 armour retreated from 0805",)


def test_what_was_taken_by_a_march_after_the_flight_is_news() -> None:
    marched = {"event": "marched", "rule": "4.7.1", "power": "USA", "unit": "US-A1", "origin": "1102"}
    lines = told(
        {**FLED, "origin": "0805", "hex": "1102"},
        {**TAKEN, "hex": "1102"},
        {**marched, "path": ["1103"]},
        {**TAKEN, "hex": "1103"},
    ).headlines
    assert [line for line in lines if "took" in line] == ["The USA took 1103 from Germany"]


def test_a_town_into_which_beaten_units_fled_is_news_still() -> None:
    lines = told({**FLED, "origin": "0704", "hex": "0705"}, {**TAKEN, "hex": "0705"}).headlines
    assert "The USA took 0705 Ruvray from Germany" in lines


def test_the_die_and_the_number_that_it_makes_are_told_apart() -> None:
    report = told({**TESTED, "ends": False})
    assert report.headlines == (), "that a turn goes on is no news"
    assert [item.headline for item in report.items] == [
        "The turn continues: the Axis rolled 3, total 25, needed 24 and a high last die"
    ]
    assert told({**TESTED, "ends": True}).headlines == (
        "The turn ends: the Axis rolled 3, total 25, needed 24",
    )
    text = Wording(SYSTEM.wording).event({**TESTED, "ends": False})
    assert "rolls 3 for the end of the turn" in text
    assert "25 of 24" not in text
