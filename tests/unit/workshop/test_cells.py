"""Cells of tables are named as in a spreadsheet."""

from __future__ import annotations

import pytest

from pbem.workshop.cells import letters


@pytest.mark.parametrize(
    ("column", "name"),
    [(1, "A"), (2, "B"), (26, "Z"), (27, "AA"), (52, "AZ"), (53, "BA"), (702, "ZZ"), (703, "AAA")],
)
def test_columns_are_named_as_in_a_spreadsheet(column: int, name: str) -> None:
    assert letters(column) == name
