"""Whole games between folders that share nothing but mails."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from tests.unit.archive.table import begun


def test_a_game_is_played_to_its_end_by_mail_alone(tmp_path: Path, system: System) -> None:
    table = begun(tmp_path, system, over=7)
    last = table.progress.stage
    assert last > 4
    heads = {seat.folder.head(last) for seat in table.everybody}
    assert len(heads) == 1


def test_verify_proves_what_can_be_proved_before_and_after_the_unseal(tmp_path: Path, system: System) -> None:
    table = begun(tmp_path, system, over=7)
    for seat in table.everybody:
        found = verify(seat.root, own=seat.folder.private)
        assert found.ok, found.findings
        assert bool(found.of("consistent")) == table.system.hidden
    unseal(table.gm.folder, table.gm.signer)
    receipts = table.post()
    assert [one.outcome for one in receipts] == ["taken", "taken"]
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, found.findings
        assert not found.of("consistent")
        assert "results" in {one.code for one in found.of("proved")}
