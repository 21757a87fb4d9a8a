"""Scenarios from outside: the pin of the whole (protocol 17.34), and the check before any rule sees them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import stages
from pbem.engine.adjudicate import adjudicate, start
from pbem.engine.answers import Inputs
from pbem.engine.fitting import fits
from pbem.engine.installed import entry_points
from pbem.engine.scenarios.scenario_check import faults_of, schema_for
from pbem.engine.scenarios.shapes import schema_of
from pbem.engine.scenarios.whole_scenario import MOST, pack, unpack
from pbem.engine.system import System, find
from pbem.text.canonical import NotCanonical, dumps
from pbem.text.diagnostics import Refused
from pbem.text.schema import check
from tests.unit.engine.mutating import mutated

SYSTEMS = sorted(entry_points("pbem.systems"))
EACH = [(name, scenario) for name in SYSTEMS for scenario in find(name).scenarios()]
Change = Callable[[dict[str, Any]], Any]
CHANGES: dict[str, Change] = {
    "a river less": lambda d: d["map"]["hexsides"]["river"].pop(),
    "another hex of terrain": lambda d: d["map"]["terrain"].__setitem__(0, "m" + d["map"]["terrain"][0][1:]),
    "a road less": lambda d: d["map"]["links"]["road"].pop(),
    "a name": lambda d: d["map"]["places"]["base"][0].update(name="Karst"),
    "victory points": lambda d: d["victory"][0].update(at_least=8),
    "the last turn": lambda d: (d.update(last_turn=5), d["victory"][-1].update(turn=5)),
    "the pool": lambda d: d["pool"]["red"].update(IN=4),
    "a tie rule": lambda d: d["tie_rules"].pop(),
    "an option": lambda d: d["options"].update(pursuit=True),
    "the title": lambda d: d.update(title="Another"),
    "a strength": lambda d: d["units"]["R-IN1"].update(cv=3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_has_another_pin(change: str) -> None:
    """The digest of the start position told three of these from the scenario as it was."""
    system, name = find("victory"), "sarn_strait"
    other = copy.deepcopy(system.scenario(name))
    CHANGES[change](other)
    options = system.options(system.scenario(name), {})
    here, there = system.whole(name), pack(system, name, other)
    assert not faults_of(system, there)
    assert here.digest(options) != there.digest(options)
    assert here.digest(options) != here.digest({**options, "pursuit": True}), "options in force count"


@pytest.mark.parametrize(("name", "scenario"), EACH)
def test_what_travels_is_the_scenario(name: str, scenario: str) -> None:
    """Canonical JSON sorts keys: what depends on their order travels as pairs."""
    system = find(name)
    whole = system.whole(scenario)
    own = system.with_scenario(unpack(whole.bytes))
    assert own.scenario(scenario) == system.scenario(scenario) and own.scenarios() == [scenario]
    assert own.whole(scenario).bytes == whole.bytes
    assert start(own, scenario).position.digest() == start(system, scenario).position.digest()
    assert adjudicate(own, start(own, scenario), Inputs(0)).pending == (
        adjudicate(system, start(system, scenario), Inputs(0)).pending
    )


@pytest.mark.parametrize(("name", "scenario"), EACH)
def test_packaged_scenarios_fit_what_their_system_declares(name: str, scenario: str) -> None:
    system = find(name)
    assert faults_of(system, system.whole(scenario)) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_quick_answer_is_that_of_the_schema(name: str) -> None:
    system = find(name)
    schema = schema_for(system)
    assert schema is not None
    found = set()
    for n in range(60):
        data = mutated(system.scenario(system.scenarios()[0]), random.Random(f"fits/{name}/{n}"))
        found.add(fits(data, schema))
        assert fits(data, schema) == (check(data, schema) == []), check(data, schema)
    assert found == {True, False}


SHAPES: dict[str, Any] = {
    "kinds": {
        "ship": {
            "/kind": {"ship": {"guns": "0..9", "name~": "name"}, "port": {}, "fort": {"level": "number"}}
        }
    },
    "keys": {"list": [{"<seat>": "number", "al_ways": "bool", "a_t~": "name or null"}]},
    "pair": {
        "pair": ["number", "odd|even|true"],
        "half~": "fraction",
        "self~": {"=Tree": {"<key>": "=Tree"}},
    },
    "either": {"value": {"or": ["number", ["name"], {"name": "name"}]}},
}
VARIED: list[dict[str, Any]] = [
    {},
    {"guns": 3},
    {"guns": 10},
    {"guns": 1, "name": "x"},
    {"level": 2},
    {"name": 3},
]
ALWAYS: dict[str, Any] = {"al_ways": True}
TREES: list[Any] = [{}, {"a": {"b": {}}}, {"a": 1}, {"a": {"b": [1]}}]
PAIRS: list[Any] = [[1, "odd"], [1, True], [1, "true"], [1, 1], [True, "odd"], [1], [1, "odd", 2], "odd"]
EITHER: list[Any] = [1, -(10**9), ["a"], [1], {"name": "a"}, {"nam": "a"}, {}, [], "a", None, True]
VALUES: list[Any] = [
    *({"ship": {"kind": kind, **more}} for kind in ("ship", "port", "fort", "sea") for more in VARIED),
    *({"list": [one]} for one in ({}, ALWAYS, {"al_ways": 1}, {**ALWAYS, "a": 3, "a_t": None})),
    *({"list": [{**ALWAYS, **one}]} for one in ({"b": "x"}, {"a_t": 4}, {"B c": 3}, {"a_t": "x" * 500})),
    *({"pair": one} for one in PAIRS),
    *({"pair": [1, "even"], "half": one} for one in ("3/2", "3/0", 7, -1, "x", None, "1/2\n")),
    *({"pair": [1, "even"], "self": one} for one in TREES),
    *({"value": one} for one in EITHER),
    *({}, [], None, {"ship": 3}, {"list": {}}, {"other": 1}),
]


@pytest.mark.parametrize("name", SHAPES)
def test_the_quick_answer_is_that_of_the_schema_for_every_shape(name: str) -> None:
    schema = schema_of(SHAPES[name])
    answers = [fits(value, schema) for value in VALUES]
    assert answers == [check(value, schema) == [] for value in VALUES]
    assert {*answers} == {True, False}


def judged(system: System, scenario: str, seed: str) -> str:
    """What becomes of a mutated scenario: refused with a place, or a game that asks its first question."""
    dice = random.Random(seed)
    whole = system.whole(scenario)
    try:
        if dice.random() < 0.5:
            made = pack(system, scenario, mutated(system.scenario(scenario), dice))
        else:  # what a stranger sends: any object
            made = unpack(dumps(mutated(json.loads(whole.bytes), dice)))
        own = system.with_scenario(made)
    except (Refused, NotCanonical):
        return "refused"
    faults = faults_of(system, made)
    assert all(str(fault.message) for fault in faults)
    if not faults:
        adjudicate(own, start(own, made.id), Inputs(0))
    return "refused" if faults else "taken"


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_mutated_scenario_is_refused_or_played_and_never_crashes(name: str) -> None:
    """Of 300 mutated scenarios of ocs 77 gave a traceback."""
    system = find(name)
    found = {judged(system, one, f"{name}/{n}") for n in range(40) for one in system.scenarios()[:1]}
    assert found == {"refused", "taken"}


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_thousands_of_mutated_scenarios(name: str) -> None:
    system = find(name)
    for n in range(1000):
        for scenario in system.scenarios():
            judged(system, scenario, f"{name}/many/{n}")


def test_an_object_that_is_no_scenario_is_refused() -> None:
    for data in (
        b"",
        b"[]",
        b"{}",
        b'{"pbem":1}',
        b'{"id":"a/../b","pbem":1,"system":"victory"}',
        b" " * (MOST + 1),
    ):
        with pytest.raises(Refused):
            unpack(data)
    odd: list[Any] = ["[]", [["map", "nothing"]], [[]], [[0]], [["pbem"]], [["map"]], 5]
    for pairs in odd:
        whole = {**json.loads(find("victory").whole("sarn_strait").bytes), "pairs": pairs}
        with pytest.raises(Refused, match="bad-pairs"):
            unpack(dumps(whole))


def test_a_chart_of_ones_own_takes_the_place_of_the_systems() -> None:
    system, name = find("victory"), "sarn_strait"
    numbers = copy.deepcopy(system.data("tables/numbers.yaml"))
    numbers["numbers"]["battle_rounds"] += 1
    whole = pack(system, name, system.scenario(name), charts={"numbers": numbers})
    assert faults_of(system, whole) == []
    own = system.with_scenario(unpack(whole.bytes))
    options = own.options(own.scenario(name), {})
    before = system.world(name, options).numbers.battle_rounds
    assert own.world(name, options).numbers.battle_rounds == before + 1
    assert system.world(name, options).numbers.battle_rounds == before, "other games keep the system's chart"
    del numbers["numbers"]["battle_rounds"]
    (fault,) = faults_of(system, pack(system, name, system.scenario(name), charts={"numbers": numbers}))
    assert fault.path[:2] == ("charts", "numbers") and "battle_rounds" in fault.message


def test_a_chart_with_another_form_and_a_readme_that_is_too_long_are_named() -> None:
    system, name = find("victory"), "sarn_strait"
    units = copy.deepcopy(system.data("tables/units.yaml"))
    units["types"]["IN"]["steps"].append(0)
    data = system.scenario(name)

    def codes(**more: Any) -> list[str]:
        return [one.code for one in faults_of(system, pack(system, name, data, **more))]

    assert "bad-length" in codes(charts={"units": units})
    assert codes(charts={"unit": units}) == ["unknown-chart"]
    assert "bad-readme" in codes(about={"readme": "x" * 20_001})
    assert "too-long" in codes(charts={"units": {"x" * 200: 1}})
    with pytest.raises(Refused, match="other-system"):
        find("wif").with_scenario(system.whole(name))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_game_of_a_scenario_that_travelled_is_the_same_stage_by_stage(name: str) -> None:
    system = find(name)
    scenario = system.scenarios()[0]
    own = system.with_scenario(unpack(system.whole(scenario).bytes))
    here, there = (stages(one, scenario, None, "same", clever) for one in (system, own))
    for one, other, _ in zip(here, there, range(12), strict=False):
        assert one.outcome.state.to_json() == other.outcome.state.to_json()
        assert one.outcome.told == other.outcome.told


def test_a_faction_that_no_seat_plays_is_named_before_any_question() -> None:
    """Found by 10,000 mutations: the rules asked who answers for it."""
    system, name = find("totaler-krieg"), "lodestar_two"
    data = copy.deepcopy(dict(system.scenario(name)))
    del data["powers"]["soviet"]
    (fault,) = faults_of(system, pack(system, name, data))
    assert fault.code == "bad-power" and fault.path == ("powers",) and "soviet" in fault.message
