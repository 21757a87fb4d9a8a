"""Whole games in dice modes `locked` and `pair`: folders that share nothing but mails (protocol 10, 13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.verify import verify
from pbem.engine.system import System
from tests.primer import SYSTEM
from tests.unit.archive.table import Table, chooser


def heads(table: Table) -> set[str]:
    return {seat.folder.line.head for seat in table.everybody}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_with_locks_ends_with_one_head(tmp_path: Path, system: System, seed: int) -> None:
    table = Table(tmp_path, system, "ford", ["north", "south"], chain_length=64, dice="locked")
    table.start()
    table.play(chooser(seed))
    assert len(heads(table)) == 1
    assert all(seat.folder.line.over for seat in table.everybody)
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, found.first_bad


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_game_of_two_without_a_gm_ends_with_one_head(tmp_path: Path, seed: int) -> None:
    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64, dice="pair")
    table.start()
    table.play(chooser(seed))
    assert len(heads(table)) == 1
    assert all(seat.folder.line.over for seat in table.everybody)
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, found.first_bad
