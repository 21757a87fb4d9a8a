"""Result codes of several published tables read by grammars that are data."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.results import Grammar, Outcome
from pbem.text.canonical import Json
from pbem.text.diagnostics import Refused

OPTIONS: Json = {
    "attacker_loss": "AL{steps}", "attacker_option": "Ao{steps}", "attacker": "A", "exploit": "e{ar}",
    "option": "o{steps}", "defender_loss": "DL{steps}", "defender_option": "Do{steps}", "disorganised": "DG",
    "no_effect": "-",
}  # fmt: skip
PERCENT: Json = {"losses": "{attacker}/{defender}", "attacker_retreats": "A", "defender_retreats": "D"}
RETREATS: Json = {
    "defender_retreats": ["Dr{hexes}", "DR{hexes}"], "attacker_driven_off": "Ad", "exchange": "Ex",
    "attrition": "{attacker}/{defender}",
}  # fmt: skip
FACILITY: Json = {"levels": "{levels}", "train": "x", "check": "({number})", "no_effect": "-"}


def read(grammar: Json, code: str) -> list[tuple[str, dict[str, int]]]:
    return [(outcome.name, dict(outcome.numbers)) for outcome in Grammar.from_data(grammar).parse(code)]


@pytest.mark.parametrize(
    ("grammar", "code", "results"),
    [
        (OPTIONS, "AL1o1 Do1", [("attacker_loss", {"steps": 1}), ("option", {"steps": 1}),
                                ("defender_option", {"steps": 1})]),
        (OPTIONS, "Ae2 DL2o3DG", [("attacker", {}), ("exploit", {"ar": 2}), ("defender_loss", {"steps": 2}),
                                  ("option", {"steps": 3}), ("disorganised", {})]),
        (OPTIONS, "-", [("no_effect", {})]),
        (PERCENT, "0/10D", [("losses", {"attacker": 0, "defender": 10}), ("defender_retreats", {})]),
        (PERCENT, "45/5A", [("losses", {"attacker": 45, "defender": 5}), ("attacker_retreats", {})]),
        (RETREATS, "Dr2 0/1", [("defender_retreats", {"hexes": 2}),
                               ("attrition", {"attacker": 0, "defender": 1})]),
        (RETREATS, "DR3", [("defender_retreats", {"hexes": 3})]),
        (RETREATS, "Ex 1/0", [("exchange", {}), ("attrition", {"attacker": 1, "defender": 0})]),
        (FACILITY, "1x(5)", [("levels", {"levels": 1}), ("train", {}), ("check", {"number": 5})]),
    ],
)  # fmt: skip
def test_codes_of_published_tables_are_read(grammar: Json, code: str, results: Any) -> None:
    assert read(grammar, code) == results


def test_the_longest_pattern_counts_and_letters_go_before_numbers() -> None:
    assert read({"a": "A", "b": "AB"}, "AB") == [("b", {})]
    assert read({"any": "{n}", "one": "1"}, "1") == [("one", {})]
    assert read({"any": "{n}", "one": "1"}, "12") == [("any", {"n": 12})]


def test_a_result_gives_its_numbers_by_name() -> None:
    (outcome,) = Grammar.from_data(PERCENT).parse("5/25")
    assert (outcome["attacker"], outcome["defender"]) == (5, 25)
    assert Grammar.from_data(FACILITY).parse(3) == (Outcome("levels", {"levels": 3}),)


@pytest.mark.parametrize("code", ["", "  ", "AL", "AL1?", "ALx", "al1", "AL1 ¹", "1"])
def test_a_code_that_is_not_in_the_grammar_is_refused(code: str) -> None:
    with pytest.raises(Refused) as refused:
        Grammar.from_data(OPTIONS).parse(code, ("cells", 3))
    (fault,) = refused.value.diagnostics
    assert (fault.code, fault.path) == ("unknown-result", ("cells", 3))


@pytest.mark.parametrize(
    ("grammar", "code"),
    [
        (None, "wrong-type"), ({}, "wrong-type"), (["A"], "wrong-type"), ({"a": ""}, "bad-pattern"),
        ({"a": 3}, "bad-pattern"), ({"a": "A{"}, "bad-pattern"), ({"a": "A{}"}, "bad-pattern"),
        ({"a": "A{x}{y}"}, "bad-pattern"), ({"a": "{x}/{x}"}, "bad-pattern"), ({"a": "A}"}, "bad-pattern"),
        ({"a": "A", "b": "A"}, "listed-twice"), ({"a": "A{x}", "b": "A{y}"}, "listed-twice"),
    ],
)  # fmt: skip
def test_a_faulty_grammar_is_refused(grammar: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        Grammar.from_data(grammar)
    assert [fault.code for fault in refused.value.diagnostics] == [code]


@given(st.lists(st.sampled_from(["AL{}", "Do{}", "DG", "-"]), min_size=1, max_size=5), st.integers(0, 99))
def test_whatever_was_put_together_is_taken_apart_again(parts: list[str], number: int) -> None:
    names = {"AL{}": "attacker_loss", "Do{}": "defender_option", "DG": "disorganised", "-": "no_effect"}
    code = " ".join(part.format(number) for part in parts)
    assert [name for name, _ in read(OPTIONS, code)] == [names[part] for part in parts]


@given(st.text(max_size=8))
def test_any_text_is_read_or_refused(code: str) -> None:
    try:
        assert Grammar.from_data(OPTIONS).parse(code)
    except Refused as refused:
        assert refused.diagnostics[0].code == "unknown-result"
