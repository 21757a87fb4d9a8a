"""Scenarios of `totaler-krieg`: what they leave out is nothing, and what is wrong is named with its place."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.play import play
from pbem.engine.scenarios.scenario_check import faults_of
from pbem.engine.scenarios.whole_scenario import pack
from pbem.rules import Refused
from pbem.systems.totaler_krieg import SYSTEM
from pbem.systems.totaler_krieg.rules.pieces import State, T, piece
from pbem.systems.totaler_krieg.rules.reading import build_world
from pbem.systems.totaler_krieg.rules.set_up import set_up
from pbem.systems.totaler_krieg.rules.supply import Supply
from pbem.systems.totaler_krieg.rules.supplying import step_for
from pbem.systems.totaler_krieg.rules.victory import scenario_modifier
from pbem.testing.runner import prepare

Data = dict[str, Any]


def data(name: str = "lodestar") -> Data:
    return deepcopy(SYSTEM.scenario(name))


def begun(scenario: Data) -> Any:
    """Return a game at the start of a scenario."""
    return prepare(SYSTEM.with_scenario(pack(SYSTEM, "lodestar", scenario)), {})


def faults(scenario: Data) -> list[tuple[str, tuple[Any, ...]]]:
    with pytest.raises(Refused) as refused:
        set_up(SYSTEM, build_world(SYSTEM, scenario, {}), scenario, {})
    return [(fault.code, fault.path) for fault in refused.value.diagnostics]


def test_a_game_begins_with_the_first_turn_its_weather_and_no_modifiers() -> None:
    """2.6: what a scenario leaves out is empty."""
    scenario = data()
    scenario["turns"][0]["weather"] = {"north": "storms", "desert": "mud"}
    scenario["factions"]["axis"] = {"major": "norland"}
    tracks: Any = set_up(SYSTEM, build_world(SYSTEM, scenario, {}), scenario, {}).tracks
    assert (tracks["turn"], tracks["csv"], tracks["weather"]) == (1, 0, {"north": "storms", "desert": "mud"})
    assert tracks["drm"]["axis"] == {"delay": 0, "political": 0}
    assert tracks["drm"]["western"] == {"delay": -3, "political": 0}


def test_a_unit_stands_on_the_face_that_the_set_up_names() -> None:
    counters: Any = set_up(SYSTEM, build_world(SYSTEM, data(), {}), data(), {}).counters
    assert (counters["N-AR1"].get("steps"), counters["N-SS1"].get("steps")) == (3, None)
    assert "spot" not in counters["N-AR1"] and counters["N-PZ1"]["spot"] == "pool"


WRONG: list[tuple[Callable[[Data], Any], str, tuple[Any, ...]]] = [
    (lambda d: d["setup"].update({"1301": ["N-AR1/3"]}), "unknown-hex", ("setup", "1301")),
    (lambda d: d["setup"]["0804"].append("N-XX/1"), "unknown-counter", ("setup", "0804", 2)),
    (lambda d: d["setup"].update({"0803": ["N-AR2/1"]}), "bad-face", ("setup", "0803", 0)),
    (lambda d: d["setup"].update({"0803": ["N-AR2/4"]}), "bad-face", ("setup", "0803", 0)),
    (lambda d: d.update(turn_track={"2": ["R-AF1", "R-XX"]}), "unknown-counter", ("turn_track", "2", 1)),
    (lambda d: d["zones_adjacent"].append(["narrow", "nort"]), "unknown-zone", ("zones_adjacent", 1, 1)),
    (
        lambda d: d["countries"]["tamar"].update(alignment="axes"),
        "unknown-name",
        ("countries", "tamar", "alignment"),
    ),
    (
        lambda d: d["countries"]["tamar"].update(home_cities=["0608", "0609"]),
        "unknown-hex",
        ("countries", "tamar", "home_cities", 1),
    ),
    (
        lambda d: d["oob"]["western"]["units"].update({"N-AR1": d["oob"]["axis"]["units"]["N-AR1"]}),
        "listed-twice",
        ("oob", "western", "units", "N-AR1"),
    ),
    (
        lambda d: d["oob"]["axis"]["units"]["N-AR1"].update(c="norlund"),
        "unknown-country",
        ("oob", "axis", "units", "N-AR1", "c"),
    ),
    (
        lambda d: d["oob"]["axis"]["units"]["N-AR1"].update(t="infanty"),
        "unknown-type",
        ("oob", "axis", "units", "N-AR1", "t"),
    ),
    (
        lambda d: d["oob"]["axis"]["units"]["N-AR1"].update(f={"3": [6, 6]}),
        "wrong-type",
        ("oob", "axis", "units", "N-AR1", "f", "3"),
    ),
    (
        lambda d: d["oob"]["axis"]["units"]["N-AR1"].pop("f"),
        "missing-key",
        ("oob", "axis", "units", "N-AR1", "f"),
    ),
    (
        lambda d: d["conditional_events"]["CE-A1"].update(faction="axes"),
        "unknown-faction",
        ("conditional_events", "CE-A1", "faction"),
    ),
    (lambda d: d.update(csv_modifiers=[{"n": 1, "eech": []}]), "unknown-key", ("csv_modifiers", 0, "eech")),
    (lambda d: d.update(csv_modifiers=[{}]), "missing-key", ("csv_modifiers", 0, "n")),
    (
        lambda d: d.update(csv_modifiers=[{"n": 1, "each": ["N-BLITZ"]}]),
        "unknown-counter",
        ("csv_modifiers", 0, "each", 0),
    ),
]


@pytest.mark.parametrize(("change", "code", "path"), WRONG)
def test_what_is_wrong_is_named_with_its_place(
    change: Callable[[Data], Any], code: str, path: tuple[Any, ...]
) -> None:
    scenario = data()
    change(scenario)
    assert (code, path) in faults(scenario)


@pytest.mark.parametrize(
    ("weather", "code", "path"),
    [
        ({"desert": "clear"}, "missing-key", ("turns", 0, "weather")),
        ({"north": "clear"}, "missing-key", ("turns", 0, "weather")),
        ({"north": "snow", "desert": "claer"}, "not-one-of", ("turns", 0, "weather", "desert")),
        ({"north": "snow", "dessert": "clear"}, "unknown-key", ("turns", 0, "weather", "dessert")),
    ],
)
def test_a_turn_with_weather_has_one_of_four_for_each_area(
    weather: Data, code: str, path: tuple[Any, ...]
) -> None:
    """4.15.1: a march into an area without weather had no answer; a word of no weather was clear."""
    scenario = data()
    scenario["turns"][0]["weather"] = weather
    found = faults_of(SYSTEM, pack(SYSTEM, "lodestar", scenario))
    assert (code, path) in [(fault.code, fault.path) for fault in found]


def test_a_turn_without_weather_has_that_of_the_year() -> None:
    """5.6."""
    scenario = data()
    del scenario["turns"][3]["weather"]
    assert faults_of(SYSTEM, pack(SYSTEM, "lodestar", scenario)) == []
    assert build_world(SYSTEM, scenario, {}).weather_of(4) == {"north": "mud", "desert": "storms"}


OFF_MAP: list[tuple[Data, str, tuple[Any, ...]]] = [
    ({"faction": "axes"}, "unknown-name", ("off_map", "wilds", "faction")),
    ({"transfers": ["1201", "0301"]}, "unknown-hex", ("off_map", "wilds", "transfers", 1)),
]


@pytest.mark.parametrize(("change", "code", "path"), OFF_MAP)
def test_off_map_boxes_have_a_faction_and_lead_to_land(
    change: Data, code: str, path: tuple[Any, ...]
) -> None:
    scenario = data("lodestar_beyond")
    scenario["off_map"]["wilds"].update(change)
    assert faults(scenario) == [(code, path)]
    scenario = data("lodestar_beyond")
    scenario["off_map"]["1201"] = {"faction": "soviet"}
    assert faults(scenario) == [("unknown-hex", ("off_map", "1201"))]


def test_a_modifier_without_markers_counts_once_and_with_them_for_each() -> None:
    """4.1 step 2."""
    scenario = data("lodestar_beyond")
    marks = next(row["each"] for row in scenario["csv_modifiers"] if row.get("each"))
    scenario["csv_modifiers"] = [{"n": 2}]
    assert scenario_modifier(begun(scenario)) == 2
    scenario["csv_modifiers"] = [{"n": 2, "each": marks}]
    game = begun(scenario)
    for n, id in enumerate(marks, 1):
        piece(game, id).spot = "strategic"
        assert scenario_modifier(game) == 2 * n


def test_a_marker_of_a_country_without_cities_is_fed_by_a_major_country() -> None:
    """R-21: a ground unit is not."""
    scenario = data()
    scenario["countries"]["tamar"]["home_cities"] = []
    scenario["oob"]["axis"]["markers"]["T-LOG"] = {"t": "logistics", "c": "tamar"}
    scenario["setup"] |= {"0604": ["T-IN2", "T-LOG"]}
    game = begun(scenario)
    supply = Supply(game)
    assert supply.supplied(piece(game, "T-LOG")) and supply.supplied(piece(game, "N-IN2"))
    assert not supply.supplied(piece(game, "T-IN2"))
    T.of(game).countries["norland"] = State("active", "western")
    assert not Supply(game).supplied(piece(game, "T-LOG"))


def test_the_step_that_a_counter_takes() -> None:
    """4.4, R-11, R-103: its own kind before any; an HQ any kind; the one that the order names."""
    game = begun(data())
    infantry, armor, hq = piece(game, "N-IN4"), piece(game, "N-PZA"), piece(game, "N-HQ1")
    left = [
        ("tamar", "infantry", 1),
        ("norland", "any", 1),
        ("norland", "infantry", 1),
        ("norland", "armor", 0),
    ]
    assert (step_for(infantry, left, None), step_for(armor, left, None)) == (2, 1)
    assert (step_for(infantry, left, "any"), step_for(armor, left, "armor")) == (1, None)
    assert (step_for(armor, left[2:], None), step_for(hq, left[2:], None)) == (None, 0)
    assert step_for(infantry, [("norland", "armor", 1), ("tamar", "infantry", 1)], None) is None


@pytest.mark.parametrize(("turn", "year"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_year_begins_with_march(turn: int, year: int) -> None:
    """2.7."""
    assert build_world(SYSTEM, data(), {}).year(turn) == year
    if turn > 1:
        later = data()
        del later["turns"][0]
        assert build_world(SYSTEM, later, {}).year(turn - 1) == year


@pytest.mark.parametrize(
    ("effect", "happened"),
    [
        ({"conditional_event": {"faction": "axis", "remove": "CE-A2"}}, ["CE-A1"]),
        ({"end_game": {}}, ["CE-A1"]),
        ({"csv_modifier": {"n": 1}}, ["CE-A1", "CE-A2"]),
    ],
)
def test_an_event_does_not_happen_once_one_before_it_took_it_away_or_ended_the_game(
    effect: Data, happened: list[str]
) -> None:
    """4.11: each event is looked at when its turn comes."""
    scenario = data()
    always = {"controls": {"faction": "axis", "hex": "0603"}}
    scenario["conditional_events"] |= {
        "CE-A1": {"faction": "axis", "when": always, "effects": [effect]},
        "CE-A2": {"faction": "axis", "when": always, "effects": [{"csv_modifier": {"n": 1}}]},
    }
    scenario["start_boxes"]["axis"] = ["CE-A1", "CE-A2"]
    game = begun(scenario)
    T.of(game).acting = "axis"
    told = play(game, "6.2", ScriptedSource({}, [], {}, ()), "axis").told
    found = [one.event["event_id"] for one in told if one.event["event"] == "conditional-happened"]
    assert found == happened
