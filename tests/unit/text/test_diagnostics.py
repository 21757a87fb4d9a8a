"""Diagnostics as values: where they point, how a refusal carries them."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from pbem.text.diagnostics import Diagnostic, PbemError, Refused, Span, in_order, nearest_first
from pbem.text.messages import Message
from pbem.text.yaml import load

DOCUMENT = load("orders:\n- {do: move, path: [0612]}\n", "n.yaml")


def test_a_path_becomes_a_place_in_the_file() -> None:
    fault = Diagnostic("illegal-move", "m", path=("orders", 0, "path", 0))
    assert fault.at(DOCUMENT).span == Span("n.yaml", 2, 21, 2, 25)
    assert fault.span is None


def test_a_fault_with_a_key_points_at_the_key() -> None:
    fault = Diagnostic("unknown-key", "m", path=("orders", 0, "path"), on_key=True)
    assert fault.at(DOCUMENT).span == Span("n.yaml", 2, 14, 2, 18)


def test_a_place_that_is_known_stays() -> None:
    span = Span("other.yaml", 1, 1, 1, 2)
    assert Diagnostic("code", "m", span=span, path=("orders",)).at(DOCUMENT).span == span


def test_a_path_that_leads_nowhere_points_at_what_is_around() -> None:
    assert Diagnostic("code", "m", path=("orders", 7)).at(DOCUMENT).span == DOCUMENT.span(("orders",))


def test_diagnostics_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Diagnostic("code", "m").code = "other"  # type: ignore[misc]


def test_a_refusal_carries_all_its_reasons() -> None:
    one, two = Diagnostic("a", "first"), Diagnostic("b", "second")
    for refusal in (Refused(one, two), Refused([one, two]), Refused((one,), two)):
        assert refusal.diagnostics == (one, two)
        assert str(refusal) == "error[a]: first\nerror[b]: second"
        assert isinstance(refusal, PbemError)
        assert pickle.loads(pickle.dumps(refusal)).diagnostics == (one, two)


def test_a_refusal_without_a_reason_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError):
        Refused([])


def test_faults_are_sorted_by_place_and_otherwise_stay_in_order() -> None:
    late, early = (Diagnostic("x", "m", span=Span("f", line, 1, line, 2)) for line in (10, 9))
    nowhere, nowhere_else = Diagnostic("y", "m"), Diagnostic("z", "m")
    assert in_order([late, nowhere, early, nowhere_else]) == [nowhere, nowhere_else, early, late]


def test_of_one_order_what_measures_comes_first_and_orders_stay_as_they_come() -> None:
    measured = Message("cli.web.too-far", unit="R-AR1", needs=4, has=3, place="Haska")

    def fault(text: str, *path: str | int) -> Diagnostic:
        return Diagnostic("x", text, path=("answers", "turn", "moves", *path))

    first = [fault("of the wrong sort", 0, "unit"), fault(measured, 0, "path", 2), fault("barred", 0)]
    second = [fault("no such kind", 1, "kind"), fault(measured, 1)]
    assert nearest_first([*first, *second]) == [first[1], first[0], first[2], second[1], second[0]]
