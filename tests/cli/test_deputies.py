"""A deputy by commands: joined from an archive, named, handed over, ready, charged; acts and hands back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.games import clock
from tests.cli.test_amend import key_of, pbem, signed, table  # noqa: F401
from tests.unit.archive.table import Seat, Table, chooser
from tests.unit.archive.test_deputies import Deputised


def by(seat: Seat, *words: str, wants: int = 0) -> str:
    """What a command prints that signs."""
    return pbem(seat, *words, "--key", str(key_of(seat)), wants=wants).output


@pytest.fixture
def deputised(table: Table, tmp_path: Path) -> Deputised:  # noqa: F811
    """All have named dora."""
    import hashlib

    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    table.__class__ = Deputised
    assert isinstance(table, Deputised)
    dora = Seat(tmp_path / "dora", "dora")
    seed = hashlib.sha256(b"pbem test dora").digest()
    data = Ed25519PrivateKey.from_private_bytes(seed).private_bytes(
        s.Encoding.PEM, s.PrivateFormat.OpenSSH, s.NoEncryption()
    )
    key = tmp_path / "dora_key"
    key.write_bytes(data)
    words = ["--deputy", "--as", "dora", "--name", "Dora", "--mail", "dora@example.org", "--key", str(key)]
    from click.testing import CliRunner

    from pbem.cli.main import cli

    done = CliRunner().invoke(cli, ["join", str(table.players["south"].root), str(dora.root), *words])
    assert done.exit_code == 0, done.output
    key_of(dora).write_bytes(data)
    (entry,) = (dora.root / "outbox").glob("join-dora.pbem.txt")
    assert "deputy" in entry.read_text("utf-8")
    made = signed(table.gm, "amend", "deputy", str(entry))
    assert set(made["amendment"]["missing"]) == {"north", "south", "dora.new"}
    table.deputy = dora
    dora.mails()
    table.post()
    for seat in (*table.players.values(), dora):
        done_ = signed(seat, "amend", "sign", made["amendment"]["sid"][:10])
        table.post()
    assert done_["amendment"]["missing"] == []
    table.play_stage(chooser(2))
    return table


def test_every_step_of_a_deputy_is_a_command(deputised: Deputised) -> None:
    gm, dora, south = deputised.gm, deputised.deputy, deputised.players["south"]
    assert "pbem deputy handover" in pbem(gm, "status").output
    assert "not ready yet" in pbem(south, "status").output
    told = by(gm, "deputy", "handover")
    assert "to nobody else" in told
    (mail,) = [path for path in gm.mails() if "handover" in path.name]
    assert pbem(dora, "receive", str(mail)).exit_code == 0
    assert "pbem deputy ready" in pbem(dora, "status").output
    by(dora, "deputy", "ready")
    deputised.post()
    assert "(dora) is the deputy, ready" in pbem(south, "status").output
    refused = by(dora, "adjudicate", wants=1)
    assert "no charge" in refused
    by(gm, "deputy", "charge")
    (charge,) = (gm.root / "outbox").glob("*charge*.eml")
    said = pbem(dora, "receive", str(charge))
    assert said.exit_code == 0, f"she is not in the roster that all signed first: {said.output}"
    deputised.post()
    assert "in charge since stage" in pbem(south, "status").output
    for seat in deputised.asked():
        seat.answer_all(chooser(3))
    deputised.post()
    assert "pbem adjudicate" in pbem(dora, "status").output
    by(dora, "adjudicate")
    pbem(south, "receive", *map(str, (dora.root / "outbox").glob("*dora-report.pbem.txt")))
    deputised.post()
    text = pbem(south, "report").output
    assert "Dora, the deputy, ran this stage for the GM" in text
    assert pbem(south, "verify").exit_code == 0
    by(dora, "deputy", "return")
    deputised.post()
    deputised.play_stage(chooser(4))
    assert "the deputy, ran this stage" not in pbem(south, "report").output
    found = pbem(south, "verify").output
    assert "on the GM's charge of stage" in found
    ended = signed(gm, "amend", "deputy", "--end")
    assert ended["amendment"]["missing"] == []


def test_a_deputy_takes_over_only_after_the_agreed_days_of_silence(
    deputised: Deputised, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm, dora = deputised.gm, deputised.deputy
    made = signed(gm, "amend", "option", "deputy_days=5")
    deputised.post()
    for seat in deputised.players.values():
        signed(seat, "amend", "sign", made["amendment"]["sid"][:10])
        deputised.post()
    deputised.play_stage(chooser(5))
    by(gm, "deputy", "handover")
    deputised.post()
    by(dora, "deputy", "ready")
    assert "5 days of silence" in by(dora, "deputy", "takeover", wants=1)
    later = clock.now() + timedelta(days=5, minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    by(dora, "deputy", "takeover")
    deputised.post()
    assert "own word" in pbem(gm, "status").output


def test_a_postmaster_with_a_standing_charge_is_the_deputy(deputised: Deputised) -> None:
    """The club's machine holds the deputy's folder: it confirms and runs; the GM's own machine lets it."""
    from pbem.cli.club.serving import serve

    gm, dora = deputised.gm, deputised.deputy
    assert [str(one) for one in serve(dora.folder, ["ruling"], -2).did] == []
    by(gm, "deputy", "handover")
    deputised.post()
    known: dict[str, Any] = {"key_file": str(key_of(dora))}
    note_key(dora, known["key_file"])
    note_key(gm, str(key_of(gm)))
    assert "confirmed" in " ".join(serve(dora.folder, [], -2).did)
    deputised.post()
    by(gm, "deputy", "charge")
    deputised.post()
    for seat in deputised.asked():
        seat.answer_all(chooser(3))
    deputised.post()
    stage = deputised.progress.open_stage
    assert serve(gm.folder, [], -2).did == []
    assert "ran stage" in " ".join(serve(dora.folder, [], -2).did)
    deputised.post()
    assert [one.sender for one in gm.folder.of(stage, "report")] == ["dora"]


def note_key(seat: Seat, file: str) -> None:
    import json

    path = seat.root / "private" / "me.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "key_file": file}), "utf-8")
