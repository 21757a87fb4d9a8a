"""The box of the last report: what each side needed, what it had, and what that gives."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.model.endings import Level, bands
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.html import render as page
from pbem.report.language import language
from pbem.report.mail_page import page as mail_page
from pbem.report.reader import Meta, View
from pbem.report.structure import Report, compose
from pbem.report.summing_up import verdict
from pbem.report.text import render
from pbem.report.wording import Wording

WON = {"event": "game-won", "rule": "4.14", "at": "the end", "points": 0, "why": ""}


def ended(name: str, scenario: str, told: str, lang: str = "en", **tracks: Any) -> Report:
    """The public report of a game that has just ended so."""
    system = find(name)
    state = start(system, scenario, None)
    game = game_of(system, state, state.position, stage=0)
    game.tracks.update(tracks)
    words = Wording(system.wording) if lang == "en" else Wording(system.wording_in(lang), language(lang))
    view = View(
        state.position,
        game.players,
        words,
        system.map_of(game.world),
        events=system.registry.events,
        ending_from=lambda: system.ending(game),
    )
    won = Told(PUBLIC, {**WON, "result": told, "csv": tracks.get("csv", 0)}, 0)
    return compose(None, [won], view, Meta("A game", "ab" * 32, name, 9, "the end", finished=True))


def box(report: Report) -> str:
    """The box of a text report, on one line."""
    text = render(report).partition("How it ended\n")[2].partition("In short\n")[0]
    return " ".join(text.replace("|", " ").strip(" -\n").split())


@pytest.mark.parametrize(
    ("name", "scenario", "result", "tracks", "said"),
    [
        (
            "wif", "narrow_sea_1943", "axis", {"points": 12, "result": "axis"},
            ["Alliance: 12 points at the end", "23 or more: Alliance wins", "16 to 22: a draw",
             "15 or less: Axis wins (this was reached)",
             "Axis: loses at once when the enemy holds all of 1105"],
        ),
        (
            "ocs", "crossing_the_tol", "draw", {"vp": 5, "result": "draw"},
            ["Aster: 5 points at the end", "9 or more: aster wins", "5 to 8: a draw (this was reached)",
             "4 or less: bren wins"],
        ),
        (
            "victory", "sarn_strait", "Draw",
            {"vp": {"red": 26, "blue": 28}, "result": {"text": "Draw", "rule": "4.9.2", "turn": 4}},
            ["Red: 26 points at the end", "28 or more: Red victory", "25 to 27: a draw (this was reached)",
             "24 or less: Coalition victory"],
        ),
        (
            "totaler-krieg", "lodestar", "draw", {"csv": 1, "result": "draw"},
            ["Victory value at the end: 1", "draw, if the victory value is 0 or more"],
        ),
    ],
)  # fmt: skip
def test_the_last_report_says_what_was_needed_and_what_was_there(
    name: str, scenario: str, result: str, tracks: dict[str, Any], said: list[str]
) -> None:
    report = ended(name, scenario, result, **tracks)
    for text in said:
        assert text in box(report)
        assert text in " ".join(verdict(report)), "the first page of the book"
        assert text in page(report)
        assert text in mail_page(report, with_picture=False)
    assert box(report).startswith("The game is over")
    assert "points)" not in box(report)


def test_a_game_that_something_else_decided_marks_no_number() -> None:
    report = ended("wif", "narrow_sea_1943", "allied", points=10, result="allied")
    assert "this was reached" not in box(report)


def test_a_game_that_goes_on_has_no_such_box() -> None:
    report = ended("ocs", "crossing_the_tol", "draw", vp=5)
    object.__setattr__(report, "finished", False)
    assert "How it ended" not in render(report)


def test_the_box_is_german_in_german() -> None:
    text = render(ended("wif", "narrow_sea_1943", "axis", "de", points=12, result="axis"))
    assert "15 oder weniger: Achse gewinnt (das wurde erreicht)" in text


def test_points_of_ocs_are_told_without_the_names_of_data() -> None:
    counted = {
        "event": "victory-counted", "player": "aster", "points": 4,
        "items": {"holds.08.06": 5, "base.16.06": 2, "lost.05.02": -3},
    }  # fmt: skip
    text = Wording(find("ocs").wording).event(counted)
    assert "08.06 held 5" in text and "air base 16.06 2" in text
    assert "holds." not in text and "base." not in text


def test_levels_leave_no_number_out() -> None:
    found = bands([(9, "aster", ""), (5, "", "draw"), (0, "bren", "")])
    assert found == (Level(9, None, "aster"), Level(5, 8, "", "draw"), Level(None, 4, "bren"))
    assert [sum(level.holds(points) for level in found) for points in (-2, 0, 4, 5, 8, 9, 30)] == [1] * 7
