"""The data of a system is complete: what it is, options, tables, rulings, scenarios."""

from __future__ import annotations

import re
from typing import Any

from pbem.board.results import Grammar
from pbem.board.tables import Table
from pbem.engine.adjudicate import game_of, start
from pbem.engine.linting.lint import lint_folder
from pbem.engine.system import System
from pbem.model.facts import may_know
from pbem.model.state import dump, from_json
from pbem.testing.conformance.over import needs
from pbem.testing.playing import variants
from pbem.text.json_first import read_state_text

PARTY = re.compile(r"[a-z][a-z0-9-]{0,15}")
RULE = re.compile(r"[0-9]+(\.[0-9]+)*[a-z]?")


def test_it_says_what_it_is(system: System) -> None:
    data = system.data("system.yaml")
    assert set(data) <= {"title", "players", "options"} and data["title"] == system.title
    assert 1 <= data["players"]["least"] <= data["players"]["most"]
    assert re.fullmatch(r"[a-z][a-z0-9-]*", system.name) and system.edition and system.revision >= 1


def test_every_option_has_values_a_default_a_rule_and_words(system: System) -> None:
    for name, spec in system.option_specs().items():
        assert set(spec) - {"added"} == {"default", "values", "rule", "words"}, name
        assert spec["default"] in spec["values"] and len(spec["values"]) > 1, name
        assert RULE.fullmatch(spec["rule"]) and spec["words"].strip(), name
        texts = [str(value).lower() for value in spec["values"]]
        assert len(set(texts)) == len(texts), f"two values of {name} are written alike"
        assert all(re.fullmatch(r"[^ =]+", text) for text in texts), f"{name} cannot stand in a roster"


def test_a_scenario_loads_with_every_option_and_keeps_the_invariants(system: System, scenario: str) -> None:
    for options in variants(system, scenario):
        state = start(system, scenario, options)
        game = game_of(system, state)
        assert system.invariants(game) == [] == system.census(game), options
        assert state.position.counters, "nothing is on the map"


def test_the_seats_of_a_scenario_are_parties(system: System, scenario: str) -> None:
    data = system.scenario(scenario)
    players = system.data("system.yaml")["players"]
    assert data["title"].strip()
    assert players["least"] <= len(system.players(data)) <= players["most"]
    for seat in system.players(data):
        assert PARTY.fullmatch(seat) and seat != "gm", f"{seat} cannot be a party"
        assert seat not in system.registry.decisions, f"{seat} is a decision, keys would be mistaken"


def test_the_start_position_goes_through_its_file(system: System, scenario: str) -> None:
    state = start(system, scenario)
    loaded = from_json(read_state_text(dump(state.to_json()), "state.yaml").data)
    assert loaded.to_json() == state.to_json()


def test_what_a_player_may_know_makes_a_position_for_him(system: System, scenario: str) -> None:
    game = game_of(system, start(system, scenario))
    listed = system.facts(game)
    assert len({fact.key for fact in listed}) == len(listed), "two facts have one key"
    for player in game.players:
        known = {fact.key: fact.value for fact in listed if may_know(fact.audience, player)}
        seen = system.view_position(known, player, game.world)
        if not system.hidden:
            assert seen == game.position
        mine = {id: f for id, f in game.position.counters.items() if f.get("owner") == player}
        assert {id: seen.counters.get(id) for id in mine} == mine, f"{player} does not see his own"


def test_only_systems_that_say_so_hide_anything(system: System) -> None:
    """Check that units are hidden with the option that says so, and only with it."""
    name = system.scenarios()[0]
    hidden: list[tuple[dict[str, Any], bool]] = [({}, bool(system.hidden))]
    if (hiding := system.hiding) is not None:
        option, hides = hiding
        hidden = [({option: value}, value == hides) for value in system.option_specs()[option]["values"]]
    for options, expected in hidden:
        game = game_of(system, start(system, name, options))
        secret = [fact.key for fact in game.system.facts(game) if fact.audience != ("*",)]
        sealed = any(cls.secrecy == "sealed" for cls in system.registry.decisions.values())
        assert expected == bool(game.system.hidden)
        assert bool(secret) == expected or (expected and sealed), "neither facts nor answers are hidden"


# ---- tables --------------------------------------------------------------------------------------


def test_a_table_has_no_holes(system: System, table: str) -> None:
    data = system.data(table)
    assert data["table"] == table.removeprefix("tables/").removesuffix(".yaml")
    assert RULE.fullmatch(data["rule"])
    if "cells" in data:
        results = system.data("results.yaml") if system.files("results.yaml") else None
        Table.from_data(data, Grammar.from_data(results) if results else None)
        return
    for section, rows in data.items():
        if isinstance(rows, dict):
            assert None not in rows.values(), f"{section} has a hole"
            kinds = {type(row) for row in rows.values()}
            if kinds == {dict}:
                members = {tuple(sorted(row)) for row in rows.values()}
                assert len(members) == 1, f"rows of {section} differ in what they say: {members}"


# ---- rulings, code, and the table of contents ---------------------------------------------------------


def rulings(system: System) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = system.data("rulings.yaml")["rulings"]
    return entries


@needs("rulings.yaml")
def test_rulings_are_whole_and_have_numbers_of_their_own(system: System) -> None:
    ids = [entry["id"] for entry in rulings(system)]
    assert ids == list(dict.fromkeys(ids))
    for entry in rulings(system):
        assert set(entry) == {"id", "rule", "question", "ruling", "source"}, entry["id"]
        assert re.fullmatch(r"R-[1-9][0-9]*", entry["id"])
        assert RULE.fullmatch(entry["rule"]), f"{entry['id']}: {entry['rule']} is no rule"
        texts = [entry[name] for name in ("question", "ruling", "source")]
        assert all(isinstance(text, str) and text.strip() for text in texts), entry["id"]
        assert entry["ruling"][-1] == ".", f"the ruling {entry['id']} breaks off"


@needs("rulings.yaml")
def test_rulings_that_files_cite_exist(system: System) -> None:
    known = {entry["id"] for entry in rulings(system)}
    for path in sorted(system.folder.rglob("*")):
        if path.suffix in (".py", ".yaml", ".md"):
            cited = set(re.findall(r"\bR-[0-9]+\b", path.read_text("utf-8")))
            assert cited <= known, f"{path.name} cites {sorted(cited - known)}"


def test_its_code_is_the_same_on_every_machine_and_in_every_run(system: System) -> None:
    lines = [f"{breach.span}: {breach.rule} {breach.message}" for breach in lint_folder(system.folder)]
    assert not lines, "\n".join(lines)
