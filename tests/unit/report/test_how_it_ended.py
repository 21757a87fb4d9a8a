"""The box of the last report: what each side needed, what it had, and what that gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.model.endings import Ending, Level, bands
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.model.forecasts import Fought
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.html import render as page
from pbem.report.language import language
from pbem.report.mail_page import page as mail_page
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.text import render
from pbem.report.whole.ending import asked_and_reached
from pbem.report.whole.summing_up import verdict
from pbem.report.wording import Wording
from pbem.systems.victory.rules.world import world_of
from pbem.text.messages import in_language
from pbem.text.schema import check
from pbem.text.schema import find as find_schema

SHARED = "Allies (West or Soviet Union: who has more strategic hexes of Axis)"
WON = {"event": "game-won", "rule": "4.14", "at": "the end", "points": 0, "why": ""}


def ended(
    name: str,
    scenario: str,
    told: str,
    lang: str = "en",
    past: dict[int, list[dict[str, Any]]] | None = None,
    event: dict[str, Any] | None = None,
    **tracks: Any,
) -> Report:
    """The public report of a game that has just ended so; `past` are events of stages before."""
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
        areas_from=lambda: system.overlays(game),
    )
    won = Told(PUBLIC, event or {**WON, "result": told, "csv": tracks.get("csv", 0)}, 0)
    meta = Meta(
        "A game",
        "ab" * 32,
        name,
        9,
        "the end",
        finished=True,
        before=lambda stage: (past or {}).get(stage, []),
    )
    return compose(None, [won], view, meta)


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
            ["Aster: 5 points at the end", "9 or more: Aster wins", "5 to 8: a draw (this was reached)",
             "4 or less: Bren wins"],
        ),
        (
            "victory", "sarn_strait", "Draw",
            {"vp": {"red": 26, "blue": 28}, "result": {"text": "Draw", "rule": "4.9.2", "turn": 4}},
            ["Red: 26 points at the end", "28 or more: Red victory", "25 to 27: a draw (this was reached)",
             "24 or less: Coalition victory"],
        ),
        (
            "totaler-krieg", "lodestar", "draw", {"csv": 1, "result": "draw"},
            ["Victory value: 1 at the end", "0 to 1: a draw (this was reached)", "2 or more: Axis wins"],
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


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Red with 9 city points or more (6 at the end)"),
        ("de", "Rot mit 9 Städtepunkten oder mehr (am Ende 6)"),
    ],
)
def test_the_box_says_what_a_side_had_of_what_wins_in_any_game_turn(lang: str, said: str) -> None:
    assert said in " ".join(asked_and_reached(ended("victory", "sarn_strait", "Draw", lang).view))


def test_a_game_that_goes_on_has_no_such_box() -> None:
    report = ended("ocs", "crossing_the_tol", "draw", vp=5)
    object.__setattr__(report, "finished", False)
    assert "How it ended" not in render(report)


def test_the_box_is_german_in_german() -> None:
    text = render(ended("wif", "narrow_sea_1943", "axis", "de", points=12, result="axis"))
    assert "15 oder weniger: Achse gewinnt (das wurde erreicht)" in text


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Green and Blue with 9 city points"), ("de", "Grün und Blau mit 9 Städtepunkten")],
)
def test_seats_that_win_together_are_named_as_elsewhere(
    lang: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4.9.2: A condition of `victory` may be that of several seats."""
    both = {"kind": "city_points", "who": ["green", "blue"], "at_least": 9, "result": "Coalition"}
    changed = world_of(game_of(find("victory"), start(find("victory"), "sarn_strait", None)))
    monkeypatch.setattr(changed, "victory", (both, *changed.victory))
    monkeypatch.setattr("pbem.systems.victory.look.ending.world_of", lambda game: changed)
    assert said in " ".join(asked_and_reached(ended("victory", "sarn_strait", "Draw", lang).view))


def test_points_of_ocs_are_told_without_the_names_of_data() -> None:
    counted = {
        "event": "victory-counted", "player": "aster", "points": 4,
        "items": {"holds.08.06": 5, "base.16.06": 2, "lost.05.02": -3},
    }  # fmt: skip
    text = Wording(find("ocs").wording).event(counted)
    assert "08.06 held 5" in text and "air base 16.06 2" in text
    assert "holds." not in text and "base." not in text


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (Level(9, None, "aster"), "9 or more: aster wins"),
        (Level(None, 4, "bren"), "4 or less: bren wins"),
        (Level(5, 8, "", "a stalemate"), "5 to 8: a stalemate"),
        (Level(5, 5, "", "Draw"), "exactly 5: a draw"),
        (Level(None, None, "", "draw"), "in any case: a draw"),
    ],
)
def test_a_level_is_told_by_its_limits(view: View, level: Level, words: str) -> None:
    ended = replace(view, ending_from=lambda: Ending(levels=(level,)))
    (line,) = asked_and_reached(ended)
    assert line.lower() == words


def test_levels_leave_no_number_out() -> None:
    found = bands([(9, "aster", ""), (5, "", "draw"), (0, "bren", "")])
    assert found == (Level(9, None, "aster"), Level(5, 8, "", "draw"), Level(None, 4, "bren"))
    assert [sum(level.holds(points) for level in found) for points in (-2, 0, 4, 5, 8, 9, 30)] == [1] * 7


def taken(power: str, hex: str, before: str) -> dict[str, Any]:
    return {"event": "taken", "rule": "2.5", "at": "x", "power": power, "hex": hex, "before": before}


def scored(points: int) -> dict[str, Any]:
    return {"event": "scored", "rule": "10.4", "at": "x", "side": "allied", "points": points, "places": {}}


PAST = {
    2: [taken("GE", "0801", "CW"), scored(17)],
    4: [taken("GE", "0902", "CW")],
    5: [taken("GE", "0705", "CW"), taken("CW", "0606", "GE")],
    6: [scored(15)],
    8: [taken("GE", "0302", "CW"), scored(12)],
}


def test_the_box_names_the_stage_that_decided_the_game() -> None:
    """Between the count that gave a draw and the first that gave the result: the greatest gain of who won."""
    report = ended("wif", "narrow_sea_1943", "axis", past=PAST, points=12, result="axis")
    line = "Decided in stage 5: Germany took 0705 Ruvray from the Commonwealth"
    assert line in box(report) and line in " ".join(verdict(report))
    assert line in page(report) and line in mail_page(report, with_picture=False)
    told = as_json(report)
    assert check(told, find_schema("report")) == []
    assert told["ending"]["decided"] == {"stage": 5, "text": line.partition(": ")[2]}
    assert told["ending"]["points"] == 12 and told["ending"]["players"] == ["allied"]
    assert [one["reached"] for one in told["ending"]["levels"]] == [False, False, True]


def test_what_happened_in_the_stage_of_the_count_before_did_not_decide() -> None:
    """That count has it already."""
    past = PAST | {2: [taken("GE", "0403", "CW"), scored(17)], 5: [taken("GE", "0801", "CW")]}
    report = ended("wif", "narrow_sea_1943", "axis", past=past, points=12, result="axis")
    assert "Decided in stage 5: Germany took 0801" in box(report)


def test_a_game_whose_result_was_never_another_is_decided_by_its_greatest_gain_or_by_nothing() -> None:
    low = {stage: [one for one in told if one["event"] == "taken"] for stage, told in PAST.items()}
    report = ended("wif", "narrow_sea_1943", "axis", past=low, points=12, result="axis")
    assert "Decided in stage 5: Germany took 0705 Ruvray" in box(report)
    assert "No stage changed the result" in box(
        ended("wif", "narrow_sea_1943", "axis", points=12, result="axis")
    )


def test_the_place_that_counts_most_decided_a_game_whose_points_are_counted_at_its_end() -> None:
    """10.3: Tolmark counts 5, Rauhof 2; the later of the two was named."""
    fell = {
        stage: [
            {
                "event": "hex-taken",
                "rule": "4.4.12",
                "at": "x",
                "hex": hex,
                "before": "bren",
                "player": "aster",
            }
        ]
        for stage, hex in ((5, "08.06"), (14, "12.10"))
    }
    report = ended("ocs", "crossing_the_tol", "aster", past=fell, vp=18, result="aster")
    assert "Decided in stage 5: Aster took 08.06 Tolmark from Bren" in box(report)


def test_a_game_that_goes_on_has_no_ending_in_its_data() -> None:
    report = ended("ocs", "crossing_the_tol", "draw", vp=5)
    object.__setattr__(report, "finished", False)
    assert as_json(report)["ending"] is None


def test_wbts_says_which_stage_decided_or_that_none_did() -> None:
    """10.7: South wins by what it held from the start."""
    won = {"winner": "south", "why": "more victory points"}
    assert "No stage changed the result" in box(ended("wbts", "marl_crossings", "south", result=won))
    assert "No stage" not in box(ended("wbts", "marl_crossings", "south")), "players ended it"


def test_wbts_says_what_counts_for_each_side() -> None:
    report = ended("wbts", "marl_crossings", "south")
    assert "at once" in box(report) and "What counts for South: 0502 Harlan City 6" in box(report)


@pytest.mark.parametrize(
    ("value", "level"), [(4, "2 or more: Axis wins"), (1, "0 to 1: a draw"), (-3, f"-1 or less: {SHARED}")]
)
def test_totaler_krieg_levels_are_those_of_the_scenario(value: int, level: str) -> None:
    result = {4: "axis", 1: "draw", -3: "allied"}[value]
    report = ended("totaler-krieg", "lodestar", result, csv=value, result=result)
    assert level in box(report)
    assert (f"{level} (this was reached)" in box(report)) is (value != 4), "4 wins at once, before the count"
    assert "At the end:" not in box(report), "the levels have said it"


def test_a_draw_of_diplomacy_says_why_and_what_each_power_had() -> None:
    """ "Supply centres: 7 at the end" said neither whose they were nor why nobody won."""
    event = {"event": "drawn", "rule": "6.3", "at": "the end", "players": ["austria", "england"]}
    held = {"STP": "russia", "WAR": "russia", "VIE": "austria"}
    told = box(ended("diplomacy", "standard", "", event={**event, "voted": True}, centres=held))
    assert "a draw of Austria, England: all powers voted for it" in told
    assert "Supply centres at the end: Russia 2; Austria 1; England 0" in told and "18 or more: a win" in told
    late = box(ended("diplomacy", "standard", "", event={**event, "voted": False}))
    assert "the last year is over" in late


def test_a_concession_needs_no_stage_that_decided_it() -> None:
    """ "No stage changed the result" contradicted "as all others conceded"."""
    event = {
        "event": "won",
        "rule": "6.3",
        "at": "the end",
        "winner": "russia",
        "centres": 2,
        "conceded": True,
    }
    held = {"STP": "russia", "WAR": "russia", "VIE": "austria"}
    told = box(ended("diplomacy", "standard", "", event=event, centres=held, over=True, winner="russia"))
    assert "Russia won with 2 supply centres, as all others conceded" in told
    assert "No stage changed the result" not in told


def test_the_headlines_of_the_end_have_the_points_and_speak_of_a_draw_in_words() -> None:
    words = Wording(find("ocs").wording)
    counted = {"event": "victory-counted", "player": "aster", "points": 9, "items": {}}
    assert words.headline(counted) == "Aster has 9 points"
    drawn = ended(
        "victory",
        "sarn_strait",
        "Draw",
        vp={"red": 26, "blue": 28},
        result={"text": "Draw", "rule": "4.9.2", "turn": 4},
    )
    assert "The game is over: a draw" in box(drawn)


def test_german_accounts_of_fights_are_told_in_one_tense() -> None:
    """ "Rot hat 0606 gehalten. Blau verliert 3 Stufen" mixed two."""
    told = Fought("0606", ("Rot",), ("Blau", "Grün"), "taken", (3, 0), why="x")
    said = [in_language(text, "de") for text in (told.sentence(), told.cost())]
    assert said == ["Rot nahm 0606", "Rot verlor 3 Stufen, Blau und Grün verloren nichts"]
