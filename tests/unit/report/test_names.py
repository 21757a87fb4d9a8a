"""Sentences say what things are called: boxes, titles within texts, units that are out of play; cards say who
came, who stood, and what was to be expected."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.system import System, find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.model.forecasts import Forecast
from pbem.report.composing.compose import compose
from pbem.report.forecasts import forecast_words
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.text import fight_words
from pbem.report.wording import Wording
from pbem.testing.playing import asked_at_start

AT = "Turn 1, Pair of impulses 1, First side's impulse, Ground strikes"


@pytest.fixture(scope="module")
def wif() -> System:
    return find("wif")


def view_of(system: System, **more: Any) -> View:
    """The first position of a system's first scenario."""
    _, truth, _ = asked_at_start(system, system.scenarios()[0])[0]
    return View(
        truth.position,
        truth.players,
        Wording(system.wording),
        system.map_of(truth.world),
        titles_from=lambda: system.titles(truth),
        absent_from=lambda: system.absent(truth),
        outlook_from=lambda events: system.outlook(truth, events),
        events=system.registry.events,
        **more,
    )


def report(view: View, *events: dict[str, Any]) -> Report:
    told = [Told(PUBLIC, {"rule": "4.7", "at": AT, **one}, n) for n, one in enumerate(events)]
    return compose(None, told, view, Meta("Game", "", "wif", 1, ""))


def roll(*label: str | int, result: int) -> dict[str, Any]:
    return {"label": list(label), "dice": "1d10", "result": [result]}


def test_a_box_goes_by_its_name_and_a_hex_by_number_and_name(wif: System) -> None:
    view = view_of(wif)
    assert view.place("NS.2") == "Narrow Sea, box 2"
    assert view.place("0705") == "0705 Ruvray"
    tk = view_of(find("totaler-krieg"))
    assert tk.place("south.convoys") == "South Sea (convoys)"
    assert tk.place("axis.force_pool") == "Force Pool of Axis"


def test_titles_stand_for_ids_within_a_text_and_in_lists() -> None:
    tk = view_of(find("totaler-krieg"))
    event = {"event": "effect-applied", "verb": "conquer", "what": "tamar by western", "changed": True}
    assert tk.wording.event(tk.named(event)) == "Conquest of Tamar by West"
    event = {"event": "conditional-happened", "power": "soviet", "event_id": "CE-S1", "once": True}
    assert tk.wording.event(tk.named(event)) == "The Soviet Union, event: Ostmark free once Ostgrad is taken"
    assert "Conditional events of West: Tamar surrenders once Tamarine is taken" in tk.tracks()


def test_an_event_of_a_scenario_without_a_title_is_called_by_what_it_does() -> None:
    system = find("totaler-krieg")
    _, truth, _ = asked_at_start(system, system.scenarios()[0])[0]
    scenario = {**truth.scenario, "conditional_events": {}}
    for id, row in truth.scenario["conditional_events"].items():
        scenario["conditional_events"][id] = {key: value for key, value in row.items() if key != "title"}
    world = system.world_hook(system, scenario, truth.options)
    untitled = type(truth)(system, scenario, truth.options, truth.players, truth.position, world=world)
    assert (
        system.titles(untitled)["CE-S1"]
        == "Ostmark is free and joins soviet, if soviet controls 0804 Ostgrad"
    )


def test_a_question_names_places_and_units(wif: System) -> None:
    asked = view_of(wif).asked("retreat", {"unit": "GE-I2", "hex": "0705"})
    assert asked == "Where does GE-I2 infantry retreat from 0705 Ruvray?"


def test_a_ground_strike_is_one_card_with_both_sides_and_its_hits_beside_expectation(wif: System) -> None:
    made = report(
        view_of(wif),
        {"event": "patrolled", "player": "allied", "part": "mission", "hex": "0706", "units": ["CW-B1"]},
        {"event": "flak-fired", "hex": "0706", "factors": 3, "die": roll("aa", "0706", result=2), "total": 5,
         "result": "NE"},
        {"event": "ground-struck", "hex": "0706", "factors": 5, "hits": ["GE-E1"],
         "dice": {"GE-E1": roll("strike", "0706", "GE-E1", 1, result=4),
                  "GE-AA1": roll("strike", "0706", "GE-AA1", 1, result=9)}},
    )  # fmt: skip
    (card,) = made.fights
    assert (card.attackers, card.defenders) == (("CW",), ("GE",))
    said = fight_words(card, made)
    assert said[:3] == [
        "0706: Commonwealth against Germany",
        "Commonwealth: CW-B1 land bomber",
        "Germany: GE-E1 mechanised infantry, GE-AA1 anti-aircraft unit",
    ]
    assert "Dice: Alliance 1 hit (average 1.0)" in said


def test_a_land_combat_says_what_was_to_be_expected_and_who_holds(wif: System) -> None:
    made = report(
        view_of(wif),
        {"event": "attacked", "power": "GE", "hex": "0805", "units": ["GE-A1"], "defenders": ["CW-HQ1"],
         "strengths": "8:7", "odds": "1:1", "die": roll("land combat", "0805", 1, result=3), "modifiers": {},
         "row": 3, "result": "1/0"},
    )  # fmt: skip
    (card,) = made.fights
    assert card.outlook is not None and sum(chance for _, chance in card.outlook.chances) == 1
    said = fight_words(card, made)
    assert "8:7, odds 1:1; rolled 3: the attackers lose 1 unit" in said
    assert "Commonwealth holds 0805" in said
    assert (
        "forecast: take 0805: 20% · clear 0805: 30% · eliminated: 50% · expected losses 0.8 against 0.4 units"
        " (if every retreat is open)" in said
    )


def test_chances_are_told_in_words_that_are_short(wif: System) -> None:
    lines = Forecast("0805", (), chances=(("0/0", Fraction(2, 5)), ("0/0R", Fraction(3, 5))))
    (said,) = forecast_words([lines], view_of(wif))
    assert said[-1] == "chances: no effect 40%, the defenders retreat 60%"


def test_a_list_of_results_never_mixes_words_and_codes(wif: System) -> None:
    """«the defenders retreat 20%, 0/1R 10%, 0/1S* 10%» asked the reader to know the table."""
    third = Fraction(1, 3)
    lines = Forecast("0805", (), chances=(("0/0R", third), ("0/1S", third), ("0/1S*", third)))
    ((*_, said),) = forecast_words([lines], view_of(wif))
    assert said == "chances: the defenders retreat 33%, the defenders lose 1 unit and are shattered 67%"
    lines = Forecast("0805", (), chances=(("1/0", third), ("1/1", 2 * third)))
    ((*_, said),) = forecast_words([lines], view_of(wif))
    one = "the attackers lose 1 unit: 33%; the attackers lose 1 unit, the defenders 1: 67%"
    assert said == f"chances: {one}"
    lines = Forecast("0805", (), chances=(("0/0R", third), ("9/9X", 2 * third)))
    ((*_, said),) = forecast_words([lines], view_of(wif))
    assert said == "chances: 0/0R 33%, 9/9X 67%"


def test_a_unit_that_is_gone_keeps_its_name(wif: System) -> None:
    view = view_of(wif)
    view.position.tracks["force_pool"] = {"GE": [{"unit": "GARR 3-1", "id": "GE-X9"}]}
    assert view.unit("GE-X9") == "GE-X9 garrison"
    assert view.whose("GE-X9") == "GE"
