"""A deputy by commands: joined from an archive, named, handed over, ready, charged; acts and hands back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.games import clock
from pbem.mail.envelope import envelope
from tests.cli.play import pbem as program
from tests.cli.test_amend import key_of, pbem, signed, table  # noqa: F401
from tests.primer import FOG
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


class Sides:
    """The computers of the GM and the deputy, each with a postmaster, a mailbox and settings of its own."""

    def __init__(self, game: Deputised, root: Path) -> None:
        self.table, self.root, self.sent = game, root, set[Path]()
        self.out = root / "out"
        self.out.mkdir()
        for seat in (game.gm, game.deputy):
            note_key(seat, str(key_of(seat)))
            seat.mails()
            for part in ("cur", "new", "tmp"):
                (self.box(seat) / part).mkdir(parents=True)
            (seat.root / "private" / "mail.yaml").write_text(
                f"in: {{way: files, paths: [{self.box(seat)}]}}\nout: {{way: folder, folder: {self.out}}}\n"
            )
            program("-C", seat.root, "mail", "out", **self.home(seat), code=None)
        for path in self.out.iterdir():
            path.unlink()  # it went out before

    def box(self, seat: Seat) -> Path:
        return self.root / "mail" / seat.name

    def home(self, seat: Seat) -> dict[str, str]:
        place = self.root / "homes" / seat.name
        return {"XDG_DATA_HOME": str(place / "data"), "XDG_CONFIG_HOME": str(place / "config")}

    def look(self, seat: Seat) -> str:
        """Let this side's postmaster look once, and deliver what left; gives its state page."""
        said = program("postmaster", "--in", seat.root, "--once", **self.home(seat))
        self.deliver()
        return said.out

    def deliver(self) -> None:
        """Everyone on To and Cc gets what is out; a player's program receives it at once."""
        for path in sorted(set(self.out.iterdir()) - self.sent):
            self.sent.add(path)
            self.give(path)

    def give(self, path: Path) -> None:
        to = envelope(path.read_bytes()).everybody
        for seat in (self.table.gm, self.table.deputy):
            if f"{seat.name}@example.org" in to:
                (self.box(seat) / "new" / f"{path.name}.{seat.name}").write_bytes(path.read_bytes())
        for name, seat in self.table.players.items():
            if f"{name}@example.org" in to:
                program("-C", seat.root, "receive", path, code=None)

    def order(self, seed: int) -> None:
        """All who are asked send their orders, to both sides."""
        for seat in self.table.asked():
            mail = seat.answer_all(chooser(seed))
            self.give(mail.with_name(mail.name.replace(".pbem.txt", ".eml")))

    def ran(self, stage: int) -> list[str]:
        """Who signed the reports of a stage, as each folder has it."""
        seats = (self.table.gm, self.table.deputy, *self.table.players.values())
        return [one.sender for seat in seats for one in seat.folder.of(stage, "report")]


@pytest.mark.parametrize("table", [FOG], indirect=True)
def test_with_postmasters_on_both_sides_a_deputy_takes_over_a_hidden_game_and_hands_back(
    deputised: Deputised, tmp_path: Path
) -> None:
    sides, gm, dora = Sides(deputised, tmp_path), deputised.gm, deputised.deputy
    by(gm, "deputy", "handover")
    sides.look(gm)
    sides.look(dora)  # takes it in, compares every stage and says so
    by(gm, "deputy", "charge")
    sides.look(gm)
    stage = deputised.progress.open_stage
    sides.order(3)
    sides.look(gm)
    assert sides.ran(stage) == [], "the GM is away"
    sides.look(dora)
    sides.look(gm)
    assert sides.ran(stage) == ["dora"] * 4
    by(gm, "deputy", "return")
    sides.look(gm)
    sides.look(dora)
    sides.order(4)
    sides.look(dora)
    assert sides.ran(stage + 1) == [], "the GM is back"
    sides.look(gm)
    sides.look(dora)
    assert sides.ran(stage + 1) == ["gm"] * 4
    for seat in (gm, dora, *deputised.players.values()):
        assert "on the GM's charge of stage" in pbem(seat, "verify").output


def note_key(seat: Seat, file: str) -> None:
    import json

    path = seat.root / "private" / "me.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "key_file": file}), "utf-8")
