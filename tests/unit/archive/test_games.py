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
        verified = verify(seat.root, own=seat.folder.private)
        assert verified.ok, verified.findings
        assert bool(verified.of("consistent")) == table.system.hidden
    unseal(table.gm.folder, table.gm.signer)
    receipts = table.post()
    assert [receipt.outcome for receipt in receipts] == ["taken", "taken"]
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.findings
        assert not verified.of("consistent")
        assert "results" in {finding.code for finding in verified.of("proved")}
