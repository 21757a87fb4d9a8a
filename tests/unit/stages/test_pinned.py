"""The scenario that the terms of a game pin, and the words that name it (4.3, 17.34)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine import system as systems
from pbem.stages import scenario_terms
from pbem.stages.agreements import NOTHING, Agreement
from pbem.stages.press import Press
from pbem.stages.scenario_terms import is_pinned, parse_options, parse_scenario_name, pin_scenario, pin_start
from pbem.text.diagnostics import Refused
from pbem.trust.roster import Pinned
from tests.primer import SYSTEM
from tests.unit.archive.paper import last
from tests.unit.stages.desk import terms_of

OPTIONS = SYSTEM.options(SYSTEM.scenario("ford"), {})


def pinned(scenario: Pinned) -> bool:
    return is_pinned(SYSTEM, replace(terms_of(), scenario=scenario))


def test_a_scenario_is_the_one_that_was_pinned_or_another() -> None:
    right, older = pin_scenario(SYSTEM, "ford", OPTIONS), pin_start(SYSTEM, "ford", OPTIONS)
    assert right.name == older.name == "ford" and right.sha256 != older.sha256
    assert pinned(right) and pinned(older)
    assert not pinned(replace(right, sha256="e" * 64))
    longer = pin_scenario(SYSTEM, "ford", {**OPTIONS, "turns": 3})
    assert longer.name == "ford turns=3" and pinned(longer)
    assert not pinned(replace(right, name="ford turns=3")) and not pinned(replace(longer, name="ford"))


def test_what_was_agreed_stands_in_the_name_and_changes_no_scenario() -> None:
    agreed = Agreement(press=Press("none"), gunboat=True)
    with_words = pin_scenario(SYSTEM, "ford", {**OPTIONS, "turns": 3}, agreed)
    assert with_words.name == "ford gunboat=yes press=none turns=3" and pinned(with_words)
    assert pin_scenario(SYSTEM, "ford", OPTIONS, NOTHING) == pin_scenario(SYSTEM, "ford", OPTIONS)
    assert (
        pin_scenario(SYSTEM, "ford", OPTIONS, agreed).sha256 == pin_scenario(SYSTEM, "ford", OPTIONS).sha256
    )


def test_a_scenario_of_ones_own_is_pinned_by_its_whole_alone() -> None:
    own = SYSTEM.with_scenario(SYSTEM.whole("ford"))
    terms = terms_of()
    assert is_pinned(own, replace(terms, scenario=pin_scenario(own, "ford", OPTIONS)))
    assert not is_pinned(own, replace(terms, scenario=pin_start(SYSTEM, "ford", OPTIONS)))


def test_options_are_read_as_they_are_written_in_the_name() -> None:
    name, chosen = parse_scenario_name(SYSTEM, "ford press=none turns=3")
    assert (name, chosen) == ("ford", {"turns": 3}), "a number is one"
    assert parse_scenario_name(SYSTEM, "ford") == ("ford", {})
    wrong: list[list[str]] = [
        ["turns"],
        ["turns=many"],
        ["flights=1"],
        ["press=loud"],
        ["turns=3", "gunboat=no"],
    ]
    for words in wrong:
        with pytest.raises(Refused):
            parse_options(SYSTEM, words)
    with pytest.raises(Refused) as refused:
        parse_options(SYSTEM, ["turns"])
    message: Any = refused.value.diagnostics[0].message
    assert last(message) == "bad-option" and message.fields["word"] == "turns"


def test_a_rules_package_is_pinned_by_name_digest_and_version() -> None:
    module = scenario_terms.pin_module(SYSTEM)
    assert (module.name, module.sha256, module.version) == (SYSTEM.name, SYSTEM.files_digest, SYSTEM.version)


def test_a_game_is_played_hidden_or_open_as_its_options_say() -> None:
    ocs, victory = systems.find("ocs"), systems.find("victory")
    terms = replace(
        terms_of(), module=scenario_terms.pin_module(ocs), scenario=Pinned("reed_coast", "e" * 64)
    )
    for words, hidden in (("reed_coast fow=gm", True), ("reed_coast fow=open", False), ("reed_coast", False)):
        played = scenario_terms.system_as_played(replace(terms, scenario=Pinned(words, "e" * 64)))
        assert (played.name, played.hidden) == ("ocs", hidden), words
    named = replace(terms, scenario=Pinned("sarn_strait", "e" * 64))
    other = scenario_terms.system_as_played(named, scenario_terms.pin_module(victory))
    assert other.name == "victory", "a stage is run by the rules that were changed to"
    rules = ocs.version.partition("+")[0]
    for version, engine in ((f"{rules}+engine7", 7), (f"{rules}+engine99", ocs.engine), (None, ocs.engine)):
        older = replace(terms.module, version=version)
        assert scenario_terms.system_as_played(replace(terms, module=older)).engine == engine


def test_a_game_is_played_with_the_scenario_that_came_with_it() -> None:
    victory = systems.find("victory")
    whole = victory.whole("sarn_strait")
    terms = replace(
        terms_of(), module=scenario_terms.pin_module(victory), scenario=Pinned("sarn_strait", "e" * 64)
    )
    assert scenario_terms.system_as_played(terms).own is None
    assert scenario_terms.system_as_played(terms, whole=whole).own == whole
