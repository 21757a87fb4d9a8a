"""`pbem odds`: what to expect of a battle, from what one may see and by the tables of the rules."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pbem.cli._history import read
from pbem.cli._telling import chapter_report, report_view, words_of
from pbem.report.data import as_json
from pbem.report.html import render as page
from pbem.report.structure import Report
from pbem.report.text import forecast_words, render
from pbem.stages.views import PlayerView
from pbem.text.schema import check, find
from tests.cli.play import Table

ROOT = Path(__file__).parents[2] / "sample_games"


def view(game: str, stage: int, reader: str | None) -> PlayerView:
    history = read(ROOT / game, None)
    return history.view(history.chapters[stage], reader)


@pytest.fixture(scope="module")
def asked_for_a_chit() -> Report:
    """North has attacked 0404, both strengths are known, and the intensity is to be chosen."""
    history = read(ROOT / "wbts-marl-crossings", None)
    words = words_of(history.system)
    return chapter_report(history, history.chapters[6], "north", words=words)


def test_a_battle_that_is_announced_stands_in_the_report_with_its_chances(asked_for_a_chit: Report) -> None:
    text = render(asked_for_a_chit)
    assert "Battles to come" in text and "0404: north 18 : south 15 (120 %), table 1" in text
    assert "chances: 5/5 67 %, 0/10 17 %, 0/10D 17 %" in text
    assert text.index("Battles to come") < text.index("What happened")
    assert "Battles to come" in page(asked_for_a_chit)
    data = as_json(asked_for_a_chit)
    assert check(data, find("report")) == []
    for one in data["forecasts"]:
        assert sum(Fraction(each["chance"]) for each in one["chances"]) == 1


def test_where_no_battle_is_announced_there_is_no_such_part(asked_for_a_chit: Report) -> None:
    history = read(ROOT / "wbts-marl-crossings", None)
    report = chapter_report(history, history.chapters[2], "north")
    assert report.view.forecasts == () and "Battles to come" not in render(report)


def test_any_battle_can_be_reckoned_by_naming_who_attacks() -> None:
    seen = view("wbts-marl-crossings", 8, "north")
    found = seen.system.forecasts(seen.game, "0404", ["U-1D", "U-2D", "U-5D"])
    assert [one.case for one in found] == ["table 1", "table 2", "table 3", "table 4"]
    assert found[0].sides[0] == ("north", "27") and found[0].odds == "540 %"
    assert seen.system.forecasts(seen.game, "0404", []) == [], "nobody attacks"


def test_what_cannot_be_judged_is_counted_and_not_guessed() -> None:
    """Blocks that are only counted have no strength for a reader; the game master knows them."""
    for reader, unknown in (("red", True), (None, False)):
        history = read(ROOT / "victory-sarn-strait", None)
        seen = history.view(history.chapters[7], history.reader(reader))
        reds = [id for id, one in seen.position.counters.items() if one.get("owner") == "red"][:3]
        (found,) = seen.system.forecasts(seen.game, "0707", reds)
        assert {who for who, _ in found.sides} == {"red", "green"}
        assert bool(found.unknown) is unknown
        told = "\n".join(forecast_words([found], report_view(seen))[0])
        assert ("that you cannot judge" in told) is unknown
        assert {who: number for who, _, number in found.expected}["red"] > 0


def test_the_command_says_what_is_missing(table: Table) -> None:
    north = table.players["north"]
    assert "does not say what to expect" in north.pbem("odds").out
    assert north.pbem("odds", "--json").json == {"forecasts": []}
    assert "there is no place" in north.pbem("odds", "9999", code=1).err
    assert "you see no unit U-NONE" in north.pbem("odds", "--with", "U-NONE", code=1).err
