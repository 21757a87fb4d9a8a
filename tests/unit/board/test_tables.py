"""Tables: the right cell, the way to it, what happens off the edge, and that a faulty table is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.axes import Found
from pbem.board.odds import Odds
from pbem.board.results import Grammar
from pbem.board.tables import Table
from pbem.text.canonical import Json
from pbem.text.diagnostics import Refused

HEADS: list[Json] = ["1-3", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "8-1", "9-1"]


def crt(**changes: Json) -> dict[str, Json]:
    """A CRT whose cells tell their own row and column: "6 at 3-2" is "r6c4"."""
    found: dict[str, Json] = {
        "table": "crt",
        "rule": "5.4",
        "source": "made up",
        "columns": {"by": "odds", "values": HEADS, "below": "first", "above": "last"},
        "rows": {"by": "d6", "below": "first", "above": "last"},
        "cells": {str(row): [f"r{row}c{column}" for column in range(1, 12)] for row in range(1, 7)},
    }
    return found | changes


def one_row(axis: Json, cells: Json) -> Table:
    return Table.from_data({"table": "t", "columns": axis, "cells": cells})


def faults(data: dict[str, Json], grammar: Grammar | None = None) -> list[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(Refused) as refused:
        Table.from_data(data, grammar)
    return [(fault.code, fault.path) for fault in refused.value.diagnostics]


@pytest.mark.parametrize(
    ("odds", "column", "off"),
    [
        ((35, 6), "5-1", None), ((7, 1), "6-1", None), ((9, 1), "9-1", None), ((3, 2), "3-2", None),
        ((19, 10), "3-2", None), ((1, 3), "1-3", None), ((2, 5), "1-3", None), ((1, 4), "1-3", "below"),
        ((12, 1), "9-1", "above"), ((4, 0), "9-1", "above"), ((0, 4), "1-3", "below"),
    ],
)  # fmt: skip
def test_the_column_is_the_highest_that_is_not_above_the_odds(
    odds: tuple[int, int], column: str, off: str | None
) -> None:
    cell = Table.from_data(crt()).at(Odds.of(*odds), 1)
    assert cell.column is not None
    assert (cell.column.head, cell.column.off_edge) == (column, off)


def test_a_look_up_shows_its_way() -> None:
    cell = Table.from_data(crt()).at(Odds.of(35, 6), 7, shift=-2)
    assert cell.value == "r6c6"
    assert cell.column == Found("35:6", "5-1", -2, "3-1", 5)
    assert cell.row == Found("7", "6", 0, "6", 5, "above")
    assert str(cell) == "crt: column 35:6 in 5-1, 2 left: 3-1, row 7 above 6 = r6c6"


def test_a_shift_off_the_table_stays_at_its_edge_and_says_so() -> None:
    table = Table.from_data(crt())
    right = table.at(Odds.of(8, 1), 1, shift=3)
    assert right.value == "r1c11"
    assert right.column is not None and right.column.shifted_off == "above" and right.column.off_edge is None
    left = table.at(Odds.of(1, 9), 1, shift=-1)
    assert left.value == "r1c1"
    assert left.column is not None and (left.column.off_edge, left.column.shifted_off) == ("below", "below")


def test_odds_off_the_table_are_brought_to_its_edge_before_they_are_shifted() -> None:
    assert Table.from_data(crt()).at(Odds.of(30, 1), 1, shift=-2).value == "r1c9"


@given(st.integers(0, 60), st.integers(1, 60), st.integers(-9, 20), st.integers(-20, 20))
@settings(max_examples=60)
def test_every_question_has_an_answer_from_the_grid(attack: int, defence: int, die: int, shift: int) -> None:
    table = Table.from_data(crt())
    cell = table.at(Odds.of(attack, defence), die, shift=shift)
    heads = [Odds.parse(str(head)) for head in HEADS]
    entered = max((n for n, head in enumerate(heads) if head <= Odds.of(attack, defence)), default=0)
    column = min(max(entered + shift, 0), 10) + 1
    assert cell.value == f"r{min(max(die, 1), 6)}c{column}"


def test_ranges_numbers_and_limits_find_their_heads() -> None:
    percent = one_row(
        {"by": "range", "values": ["0-50", "51..75", 76, "77+"], "below": "never"}, list("abcd")
    )
    assert [percent.at(n).value for n in (0, 50, 51, 75, 76, 77, 1000)] == list("aabbcdd")
    below = one_row({"by": "range", "values": ["-4-", "-3..-1", "0-2"], "above": "last"}, list("abc"))
    assert [below.at(n).value for n in (-9, -4, -3, -1, 0, 2, 3)] == list("aabbccc")
    least = one_row({"by": "at_least", "values": [1, 5, 11], "below": {"value": "none"}}, list("abc"))
    assert [least.at(n).value for n in (0, 1, 4, 5, 11, 99)] == ["none", "a", "a", "b", "c", "c"]
    most = one_row({"by": "at_most", "values": [1, 3, 4], "above": "last"}, list("abc"))
    assert [most.at(n).value for n in (0, 1, Fraction(5, 4), 3, Fraction(13, 4), 9)] == list("aabbcc")
    number = one_row({"by": "number", "values": [-1, 0, 1], "below": "first", "above": "last"}, list("abc"))
    assert [number.at(n).value for n in (-7, -1, 0, 1, 2)] == list("aabcc")
    name = one_row({"by": "name", "values": ["clear", "woods"]}, [1, 2])
    assert (name.at("clear").value, name.at("woods").value) == (1, 2)


def test_a_die_table_of_one_column_with_ranges_of_totals() -> None:
    """OCS T-SUPPLY-ROLL."""
    rows: Json = {"by": "2d6", "below": "never", "above": "never"}
    table = Table.from_data(
        {"table": "supply", "rows": rows, "cells": {"2-3": 2, "4-5": 3, "6-8": 4, "9-10": 5, "11-12": 6}}
    )
    assert [table.at(row=total).value for total in range(2, 13)] == [2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6]
    with pytest.raises(ValueError, match="is above"):
        table.at(row=13)


def test_rows_of_letters_and_several_lines_of_heads_over_one_body() -> None:
    """The form of the OCS combat table: odds of open and of close terrain over the same columns."""
    heads: Json = {"open": ["1:1", "2:1", "3:1"], "close": ["1:2", "3:1", "6:1"]}
    data = crt(
        columns={"by": "odds", "values": heads, "below": "first", "above": "last"},
        codes={"a": "AL2", "b": "-", "c": "DG"},
        cells={"1": "aab", "2": "abb", "3": "bbb", "4": "bbc", "5": "bcc", "6": "ccc"},
    )  # fmt: skip
    table = Table.from_data(data)
    assert table.at(Odds.of(2, 1), 4, heads="open").value == "-"
    assert table.at(Odds.of(2, 1), 1, heads="close").value == "AL2"
    assert table.at(Odds.of(9, 1), 4, heads="close").value == "DG"
    with pytest.raises(ValueError, match="no heads 'woods'"):
        table.at(Odds.of(2, 1), 4, heads="woods")


def test_a_value_beyond_the_edge_stands_for_the_whole_column() -> None:
    table = Table.from_data(
        crt(columns={"by": "odds", "values": HEADS, "below": {"value": "AE"}, "above": "last"})
    )
    cell = table.at(Odds.of(1, 5), 3, shift=2)
    assert cell.value == "AE"
    assert cell.column is not None and cell.column.index is None and cell.column.off_edge == "below"
    assert table.at(Odds.of(1, 3), 3, shift=-1).value == "AE"


def test_cells_are_read_by_the_grammar_of_results() -> None:
    grammar = Grammar.from_data({"cell": "r{row}c{column}", "eliminated": "AE"})
    cell = Table.from_data(crt(), grammar).at(Odds.of(1, 1), 4)
    (outcome,) = cell.outcomes
    assert (outcome.name, outcome["row"], outcome["column"]) == ("cell", 4, 3)
    assert Table.from_data(crt()).at(Odds.of(1, 1), 4).outcomes == ()


def test_a_cell_that_does_not_parse_is_told_with_its_row() -> None:
    grammar = Grammar.from_data({"cell": "r{row}c{column}"})
    cells: Any = {str(row): [f"r{row}c{column}" for column in range(1, 12)] for row in range(1, 7)}
    cells["4"][2] = "r4c?"
    columns: Json = {"by": "odds", "values": HEADS, "below": {"value": "AE"}, "above": "last"}
    assert faults(crt(columns=columns, cells=cells), grammar) == [
        ("unknown-result", ("columns",)),
        ("unknown-result", ("cells", "4")),
    ]


def test_keys_of_rows_may_be_numbers() -> None:
    table = Table.from_data({"table": "t", "rows": {"by": "d6", "below": "first", "above": "last"},
                             "cells": {n: f"r{n}" for n in range(1, 7)}})  # fmt: skip
    assert table.at(row=9).value == "r6"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda t: t.at(3, 1), "expected odds"),
        (lambda t: t.at(Odds.of(1, 1), "1"), "whole number"),
        (lambda t: t.at(Odds.of(1, 1), True), "whole number"),
        (lambda t: t.at(Odds.of(1, 1), Fraction(1, 2)), "whole number"),
        (lambda t: t.at(Odds.of(1, 1)), "wants a row"),
        (lambda t: t.at(row=3), "wants a column"),
        (lambda t: one_row({"by": "name", "values": ["a"]}, [1]).at("b"), "expected one of a"),
        (lambda t: one_row({"by": "name", "values": ["a"]}, [1]).at("a", 3), "has no rows"),
    ],
)
def test_a_question_of_the_wrong_kind_is_our_own_mistake(ask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask(Table.from_data(crt()))


def without(row: str) -> dict[str, Json]:
    cells = crt()["cells"]
    assert isinstance(cells, dict)
    return {key: line for key, line in cells.items() if key != row}


def axis(by: Any, values: Json = None, below: Json = "first", above: Json = "last") -> Json:
    found: dict[str, Json] = {"by": by, "values": values, "below": below, "above": above}
    return {key: value for key, value in found.items() if value is not None}


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"table": ""}, "missing-key", ("table",)),
        ({"rule": 9}, "missing-key", ("rule",)),
        ({"colums": {}}, "unknown-key", ("colums",)),
        ({"cells": None}, "wrong-type", ("cells",)),
        ({"cells": ["a"]}, "wrong-type", ("cells",)),
        ({"cells": without("6") | {"6": ["a", "b"]}}, "hole", ("cells", "6")),
        ({"cells": without("6") | {"6": [*"abcdefghij", None]}}, "hole", ("cells", "6")),
        ({"cells": without("6") | {"6": "abcdefghijk"}}, "hole", ("cells", "6")),
        ({"codes": {"a": 1}, "cells": without("6") | {"6": "aaaaaaaaaab"}}, "unknown-result", ("cells", "6")),
        ({"cells": without("3")}, "hole", ("rows", "values")),
        ({"cells": without("6"), "rows": axis("d6", None, "never", "never")}, "hole", ("rows", "above")),
        ({"rows": axis("number", [1, 2, 3, 4, 5, 6, 7])}, "hole", ("cells",)),
        ({"rows": axis("number", [1, 2, 3, 4, 5])}, "unknown-row", ("cells", "6")),
    ],
)
def test_a_table_with_holes_or_strange_keys_is_refused(changes: Any, code: str, path: Any) -> None:
    assert (code, path) in faults(crt(**changes))


@pytest.mark.parametrize(
    ("rows", "code", "path"),
    [
        ("d6", "wrong-type", ("rows",)),
        (axis("d6", None, None), "missing-key", ("rows", "below")),
        (axis("d6", None, "last"), "missing-key", ("rows", "below")),
        (axis("d6", None, {"value": None}), "missing-key", ("rows", "below")),
        (axis("die"), "not-one-of", ("rows", "by")),
        (axis("0d6"), "not-one-of", ("rows", "by")),
        (axis(None), "not-one-of", ("rows", "by")),
        ({"by": "d6", "above": "last", "below": "first", "beside": 1}, "unknown-key", ("rows", "beside")),
        ({"by": "name", "values": {"x": ["a"]}}, "wrong-type", ("rows", "values")),
    ],
)
def test_rows_that_are_not_said_plainly_are_refused(rows: Json, code: str, path: tuple[str, ...]) -> None:
    assert (code, path) in faults(crt(rows=rows))


@pytest.mark.parametrize(
    ("columns", "code", "key"),
    [
        (axis("odds", ["2:1", "1:1"]), "out-of-order", "values"),
        (axis("odds", ["1:1", "two"]), "bad-head", "values"),
        (axis("odds"), "missing-key", "values"),
        (axis("range", ["0-5", "7-9"]), "hole", "values"),
        (axis("range", ["0-5", "5-9"]), "hole", "values"),
        (axis("range", ["5+", "6-9"]), "hole", "values"),
        (axis("range", ["9-5"]), "out-of-order", "values"),
        (axis("range", ["1-x"]), "bad-head", "values"),
        (axis("range", ["0-5", "6+"]), "unneeded-key", "above"),
        (axis("at_least", [5, 1]), "out-of-order", "values"),
        (axis("at_most", [1, "2"]), "out-of-order", "values"),
        (axis("name", ["a", "a"]), "listed-twice", "values"),
        (axis("name", {"x": ["a"], "y": ["a", "b"]}, None, None), "uneven-rows", "values"),
    ],
)
def test_columns_out_of_order_or_with_holes_are_refused(columns: Json, code: str, key: str) -> None:
    assert (code, ("columns", key)) in faults(crt(columns=columns))


def test_several_faults_are_told_together() -> None:
    cells: Json = {"1": [*"abcdefghij"], "2": [*"abcdefghijk"], "4": [*"abcdefghijk"]}
    found = faults(
        crt(
            extra=1,
            cells=cells,
            rows={"by": "number", "values": [1, 2, 3], "below": "first", "above": "last"},
        )
    )
    assert [code for code, _ in found] == ["unknown-key", "unknown-row", "hole", "hole"]


def test_a_table_needs_columns_or_rows() -> None:
    assert faults({"table": "t", "cells": ["a"]}) == [("wrong-type", ("cells",))]
