"""Odds to column to result: the same cell as counting columns and rows by hand, and the way in a working."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.odds import Odds
from pbem.board.tables import Table
from pbem.kit.odds import Modifier, line, net, read, total

HEADS = ["1:2", "1:1", "2:1", "3:1", "4:1"]
RATIOS = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(4)]
CRT = Table.from_data(
    {
        "table": "crt",
        "columns": {"by": "odds", "values": HEADS, "below": "first", "above": "last"},
        "rows": {"by": "d6", "below": "first", "above": "last"},
        "cells": {row: [f"{row}{column}" for column in "abcde"] for row in range(1, 7)},
    }
)
VALUES = st.lists(st.integers(-3, 3), max_size=3)


def named(values: list[int]) -> list[Modifier]:
    return [Modifier(f"number {n}", "1", value) for n, value in enumerate(values)]


@given(st.integers(1, 40), st.integers(1, 20), st.integers(1, 6), VALUES, VALUES)
def test_the_cell_is_the_one_that_counting_finds(
    attack: int, defence: int, die: int, shifts: list[int], modifiers: list[int]
) -> None:
    column = max(0, sum(ratio <= Fraction(attack, defence) for ratio in RATIOS) - 1)
    column = min(4, max(0, column + sum(shifts)))
    row = min(6, max(1, die + sum(modifiers)))
    found = read(CRT, Odds.of(attack, defence), die, shifts=named(shifts), modifiers=named(modifiers))
    assert found.cell.value == f"{row}{'abcde'[column]}"
    assert (found.working.column, found.working.row) == (HEADS[column], str(row))
    assert found.working.result == found.cell.value
    assert [each.value for each in found.working.shifts] == [value for value in shifts if value]


def test_the_working_says_the_way() -> None:
    found = read(CRT, Odds.of(7, 2), 5, shifts=[Modifier("river", "8.2", -1), Modifier("none", "8.3", 0)])
    working = found.working
    assert (working.table, working.odds, working.entered, working.column) == ("crt", "7:2", "3:1", "2:1")
    assert working.shifts == (Modifier("river", "8.2", -1),)


def test_the_net_shift_may_be_limited() -> None:
    far = [Modifier("air", "1", 2), Modifier("armour", "1", 2)]
    assert read(CRT, Odds.of(1, 2), 1, shifts=far).working.column == "4:1"
    assert read(CRT, Odds.of(1, 2), 1, shifts=far, most_shift=2).working.column == "2:1"
    assert (
        read(
            CRT, Odds.of(4, 1), 1, shifts=[replace(each, value=-each.value) for each in far], most_shift=2
        ).working.column
        == "2:1"
    )
    assert (net(far, most=3), net(far, least=5), net([])) == (3, 5, 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.lists(st.fractions(0, 4), max_size=3)), max_size=5))
def test_strengths_are_sums_of_products_never_rounded(units: list[tuple[int, list[Fraction]]]) -> None:
    lines = [line("u", "inf", "0101", sp, *((f, "") for f in factors)) for sp, factors in units]
    expected = Fraction(0)
    for sp, factors in units:
        product = Fraction(sp)
        for factor in factors:
            product = product * factor
        expected += product
    assert total(lines) == expected


def test_a_line_names_its_reasons() -> None:
    made = line("u", "inf", "0101", 3, (Fraction(1, 2), "across a river"), (2, "armour"), (1, ""))
    assert (made.factor, made.why, made.strength) == ("1", "across a river, armour", "3")
