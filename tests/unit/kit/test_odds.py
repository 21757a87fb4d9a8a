"""Odds to column to result: the same cell as counting columns and rows by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.odds import Odds
from pbem.board.tables import Table
from pbem.kit.odds import Modifier, chances_of, line, net, sums_of, total

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
    cell = CRT.at(Odds.of(attack, defence), die + net(named(modifiers)), shift=net(named(shifts)))
    assert cell.value == f"{row}{'abcde'[column]}"
    assert cell.column is not None and cell.column.head == HEADS[column]
    assert cell.row is not None and cell.row.head == str(row)


def test_the_net_of_modifiers_may_be_limited() -> None:
    far = [Modifier("air", "1", 2), Modifier("armour", "1", 2)]
    assert (net(far), net(far, most=3), net(far, most=4), net(far, least=5), net([])) == (4, 3, 4, 5, 0)
    assert net(far, least=-2, most=2) == 2
    assert net([Modifier("river", "8.2", -5)], least=-2, most=2) == -2


@pytest.mark.parametrize(
    ("dice", "sums"),
    [("d3", {1: 1, 2: 1, 3: 1}), ("2d3", {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}), ("3d2", {3: 1, 4: 3, 5: 3, 6: 1})],
)
def test_every_total_of_dice_has_its_chance(dice: str, sums: dict[int, int]) -> None:
    ways = sum(sums.values())
    assert sums_of(dice) == tuple((total, Fraction(count, ways)) for total, count in sums.items())


def test_results_have_chances_in_the_order_in_which_they_come() -> None:
    assert chances_of(["DR", "AE", "DR", "DE"]) == (
        ("DR", Fraction(1, 2)),
        ("AE", Fraction(1, 4)),
        ("DE", Fraction(1, 4)),
    )


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
