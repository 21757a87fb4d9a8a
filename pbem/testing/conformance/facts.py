"""Tests of the facts for standing orders: decisions give those they declare, of their types."""

from __future__ import annotations

from pbem.engine.knowing import is_simple
from pbem.engine.system import System
from pbem.model.codec import faults_in
from pbem.testing.playing import asked_at_start


def test_facts_are_texts_numbers_or_yes_and_no(system: System) -> None:
    for kind, asked in system.registry.decisions.items():
        for known in asked.known_facts().values():
            assert is_simple(known.type), f"{kind}: {known.name} is {known.type}"


def test_a_decision_gives_its_facts_with_values_of_their_types(system: System, scenario: str) -> None:
    for decision, truth, view in asked_at_start(system, scenario):
        known = decision.known_facts()
        for game in (truth, view):
            facts = decision.facts(game)
            assert set(facts) == set(known), decision.kind
            assert not [name for name in known if faults_in(known[name].type, facts[name])], facts
