"""What a system says of itself: units hidden by an option of the game, and where its map is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.board.map import GameMap
from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import System, deferred
from tests.primer import SYSTEM

BY_OPTION = replace(SYSTEM, hidden="fog")


def test_until_the_options_are_known_such_a_system_counts_as_one_that_hides() -> None:
    assert BY_OPTION.hidden


def test_the_option_of_the_game_decides_whether_units_are_hidden() -> None:
    assert BY_OPTION.as_played({"fog": True}).hidden is True
    assert BY_OPTION.as_played({"fog": False}).hidden is False


def test_a_system_that_always_hides_or_never_is_itself_whatever_the_options() -> None:
    assert SYSTEM.as_played({}) is SYSTEM


def test_the_rules_see_the_system_as_it_is_played() -> None:
    state = start(SYSTEM, SYSTEM.scenarios()[0])
    game = game_of(BY_OPTION, replace(state, options={**state.options, "fog": False}))
    assert game.system.hidden is False


def test_a_map_reaches_reports_by_its_hook_alone() -> None:
    chart = GameMap.from_data({"terrain": ["."], "legend": {".": "clear"}})
    scenario = {"map": {"terrain": ["."]}}
    hidden = System("toy", "toy", "1", 1, [])
    assert hidden.map_of(chart) is None
    (fault,) = hidden.map_faults(scenario)
    assert fault.code == "no-map-hook" and fault.path == ("map",) and "map_hook=" in fault.help[0]
    assert not hidden.map_faults({})
    shown = System("toy", "toy", "1", 1, [], map_hook=lambda world: world)
    assert shown.map_of(chart) is chart and shown.map_of(None) is None
    assert not shown.map_faults(scenario)
    with pytest.raises(TypeError, match="returned a dict, not a GameMap"):
        shown.map_of({})


def test_a_world_is_made_once_for_the_same_scenario_and_options_and_anew_for_others() -> None:
    made: list[object] = []

    def world(system: System, scenario: object, options: object) -> object:
        made.append(scenario)
        return len(made)

    one = replace(SYSTEM, world_hook=world, _data=dict(SYSTEM._data), _worlds={})
    name = SYSTEM.scenarios()[0]
    assert [one.world(name, {}), one.world(name, {}), one.world(name, {"fog": True})] == [1, 1, 2]
    twin = replace(one, world_hook=lambda *_: "another")
    assert twin.world(name, {}) == "another", "a copy with other rules has worlds of its own"
    one._data[f"scenarios/{name}.yaml"] = {**one.scenario(name), "title": "changed"}
    assert one.world(name, {}) == 3, "data that were put in its place are read"


def test_a_name_with_a_dot_lies_in_the_package_and_a_package_is_all_modules_in_it() -> None:
    made = replace(
        SYSTEM,
        name="another",  # messages are looked up in the package of a name
        package="pbem.systems.victory",
        modules=(".events", ".sides", "tests.primer.rules"),
    )
    names = made.module_names
    assert names[0] == "pbem.systems.victory.rules.events"
    assert "pbem.systems.victory.rules.events.production" in names
    assert names[-2:] == ("pbem.systems.victory.rules.sides", "tests.primer.rules")


def test_what_the_modules_register_is_collected_once_for_all_copies_of_a_system() -> None:
    one = replace(SYSTEM)
    assert one.with_engine("r1+engine7").registry is one.registry is SYSTEM.registry


def test_a_deferred_hook_is_imported_when_it_is_called() -> None:
    hook = deferred("tests", "no_such_module.function")
    with pytest.raises(ModuleNotFoundError):
        hook()
    assert deferred("pbem", "text.flow.flow")({"a": 1}) == "{a: 1}"
