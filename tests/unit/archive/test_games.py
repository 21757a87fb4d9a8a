"""Whole games between folders that share nothing but mails."""

from __future__ import annotations

from tests.unit.archive.table import Table, chooser


def test_a_game_is_played_to_its_end_by_mail_alone(table: Table) -> None:
    table.start()
    last = table.play(chooser(1))
    assert last > 4
    heads = {seat.folder.head(last) for seat in table.everybody}
    assert len(heads) == 1
