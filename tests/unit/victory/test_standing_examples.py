"""The examples of standing orders that order files show can be used as they stand."""

from __future__ import annotations

import pytest

from pbem.engine.system import find
from pbem.model.codec import faults_in
from pbem.text.loading import load_data

VICTORY = find("victory")


@pytest.mark.parametrize("form", sorted(VICTORY.standing_forms))
def test_the_example_of_a_form_is_a_standing_order_of_that_form(form: str) -> None:
    order = load_data(VICTORY.wording["standing"][form].encode(), "example")
    assert set(order) == {form}
    assert not faults_in(VICTORY.standing_type(form), order[form])


@pytest.mark.parametrize("kind", sorted(VICTORY.wording["answers"]))
def test_the_example_of_an_answer_is_an_answer_of_that_decision(kind: str) -> None:
    answer = load_data(VICTORY.wording["answers"][kind].encode(), "example")
    assert not faults_in(VICTORY.registry.decisions[kind].answer, answer)
