"""Refusals: one shape, paths that lead from the whole into the part, and the way out where there is one."""

from __future__ import annotations

import pytest

from pbem.kit.faults import bad_data, illegal, refuse, under, unknown
from pbem.text.diagnostics import Refused


def test_a_refusal_says_what_where_and_by_which_rule() -> None:
    fault = illegal("E-MOV-03", "4.4.1", "the path jumps", "path", 2, help="name each hex")
    assert (fault.code, fault.rule, fault.family, fault.path) == ("E-MOV-03", "4.4.1", "illegal", ("path", 2))
    assert fault.help == ("name each hex",)


def test_paths_of_parts_become_paths_of_the_whole() -> None:
    inner = [illegal("E-1", "1", "one", "unit"), illegal("E-2", "1", "two")]
    outer = under(under(inner, "moves", 3), "order")
    assert [fault.path for fault in outer] == [("order", "moves", 3, "unit"), ("order", "moves", 3)]


def test_a_name_that_is_not_there_gets_the_one_that_was_meant() -> None:
    assert unknown("E-1", "1", "no such city", name="Lonodn", names=["London", "Oslo"]).help == (
        "did you mean 'London'?",
    )
    assert unknown("E-1", "1", "no such city", name="xyz", names=["London", "Oslo"]).help == ()
    assert bad_data("unknown-type", "no such type", "units", 1, name="infntry", names=["infantry"]).help


def test_refusing_takes_all_faults_or_goes_on() -> None:
    refuse([])
    with pytest.raises(Refused) as caught:
        refuse(bad_data("bad", word) for word in ("one", "two"))
    assert [fault.message for fault in caught.value.diagnostics] == ["one", "two"]
