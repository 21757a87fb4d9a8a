"""What a report says of a question that nobody answered in time."""

from __future__ import annotations

import pytest

from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import adjudicate, facts, start
from pbem.engine.answers import Inputs
from pbem.engine.system import find
from pbem.report.composing.compose import compose
from pbem.stages.views import PlayerView


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "Default used: no orders"), ("de", "Vorgabe: keine Befehle")]
)
def test_a_power_that_sends_nothing_is_said_to_have_given_no_orders(lang: str, said: str) -> None:
    """ "Default used: {}" told nobody that England's units stood still."""
    system = find("diplomacy")
    first = adjudicate(system, start(system, "standard", {"civil_disorder": True}), Inputs(0))
    every = {question.party: {question.key} for question in first.pending}
    after = adjudicate(system, first.state, Inputs(1, forfeits=frozenset(every), asked=every))
    known = {fact.key: fact.value for fact in facts(system, after)}
    view = PlayerView(system, "standard", "france", 1, known, ())
    seen = report_view(view, lang)
    meta = meta_from("france", view, {"title": "", "game": "ab" * 32, "stage": 1}, seen.wording)
    told = [line for line in compose("france", (), seen, meta).summary if said in line]
    assert len(told) == len(every) == 7
    assert not any("{" in line for line in told)
