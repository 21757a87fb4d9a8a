"""The names of facts that standing orders may test are the names that decisions give."""

from __future__ import annotations

import pytest

from pbem.archive.fact_names import fact_names
from pbem.engine.decisions import Decision
from pbem.engine.system import System
from tests.conformance.systems import asked_at_start, over_all, over_scenarios


@over_all
def test_the_names_of_facts_can_be_read_from_every_decision(system: System) -> None:
    unknown = [kind for kind, asked in system.registry.decisions.items() if fact_names(asked) is None]
    assert not unknown, f"write the mapping of `facts` down as one: {unknown}"


@over_scenarios
def test_what_a_decision_gives_has_the_names_that_were_read(system: System, scenario: str) -> None:
    for decision, truth, _ in asked_at_start(system, scenario):
        assert set(decision.facts(truth)) <= set(fact_names(type(decision)) or ())


class Computed(Decision[int]):
    def facts(self, game: object) -> dict[str, str | int | bool]:  # type: ignore[override]
        found: dict[str, str | int | bool] = {"turn": 1}
        return found


@pytest.mark.parametrize(("asked", "names"), [(Decision, ()), (Computed, None)])
def test_facts_that_are_put_together_otherwise_are_not_guessed(asked: type, names: object) -> None:
    assert fact_names(asked) == names
