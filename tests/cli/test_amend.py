"""Changing a running game from the command line: what is shown, what must be said, what comes out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.archive.verifying.verify import verify
from pbem.cli.main import cli
from pbem.engine import system as systems
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Table:
    """A game of the primer in its second stage, open if nothing else is asked; everybody has a key file."""
    known = {one.name: one for one in (SYSTEM, FOG)}
    usual = systems.find
    monkeypatch.setattr(systems, "find", lambda name: known[name] if name in known else usual(name))
    made = begun(tmp_path, getattr(request, "param", SYSTEM))
    made.play_stage(chooser(1))
    for seat in made.everybody:
        seed = hashlib.sha256(f"pbem test {seat.name}".encode()).digest()
        key = Ed25519PrivateKey.from_private_bytes(seed)
        data = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.OpenSSH, s.NoEncryption())
        key_of(seat).write_bytes(data)
    return made


def key_of(seat: Seat) -> Path:
    return seat.root / "private" / "id_ed25519"


def pbem(seat: Seat, *words: str, wants: int = 0) -> Result:
    done = CliRunner().invoke(cli, ["-C", str(seat.root), *words])
    assert done.exit_code == wants, (done.output, done.stderr, done.exception)
    return done


def signed(seat: Seat, *words: str) -> dict[str, Any]:
    done = pbem(seat, *words, "--yes", "--json", "--key", str(key_of(seat)))
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_a_change_is_proposed_shown_signed_by_all_and_holds(table: Table) -> None:
    south = table.players["south"]
    made = signed(table.gm, "amend", "option", "turns=3")
    assert made["amendment"]["missing"] == ["north", "south"]
    table.post()
    shown = pbem(south, "amend", "list").stdout
    assert (
        "turns is now 3" in shown and "signed by gm\n" in shown and "must still sign: north, south" in shown
    )
    assert "amendment" in pbem(south, "status").output
    for seat in table.players.values():
        done = signed(seat, "amend", "sign", made["amendment"]["sid"][:10])
        table.post()
    assert done["amendment"]["missing"] == []
    table.play_stage(chooser(2))
    assert "no amendment is proposed" in pbem(south, "amend", "list").stdout


def test_without_a_terminal_nothing_is_signed_unless_one_says_yes(table: Table) -> None:
    done = CliRunner().invoke(
        cli, ["-C", str(table.gm.root), "amend", "drop", "north", "--key", str(key_of(table.gm))]
    )
    assert done.exit_code != 0
    assert "north leaves the game" in done.output + done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["amend", "option", "turns=9"], "9"),
        (["amend", "drop", "east"], "not in the game"),
        (["amend", "sign", "ffff"], "no amendment"),
        (["rewind", "40"], "newest"),
        (["amend", "module"], "already uses the installed rules"),
        (["rule", "--reason", "x", "--move", "x9=0101"], "x9"),
        (["correct"], "nothing to correct"),
    ],
)
def test_what_cannot_be_is_refused_in_words(table: Table, words: list[str], said: str) -> None:
    yes = [] if words == ["correct"] else ["--yes"]
    done = CliRunner().invoke(cli, ["-C", str(table.gm.root), *words, *yes, "--key", str(key_of(table.gm))])
    assert done.exit_code in (1, 2) and said in done.output + done.stderr, done.output + done.stderr


def test_a_ruling_stands_in_every_report_from_then_on(table: Table) -> None:
    unit = next(iter(table.gm.folder.state().position.counters))
    words = ["rule", "--reason", "miscounted", "--set", f"{unit}.steps=2", "--track", "points/north=4"]
    signed(table.gm, *words)
    table.post()
    table.play_stage(chooser(2))
    table.play_stage(chooser(3))
    for seat in table.everybody:
        assert "the GM ruled in stage 2: miscounted" in pbem(seat, "report", "--json").stdout
    assert table.gm.folder.state().position.tracks["points"]["north"] >= 4  # type: ignore[index, call-overload]


def test_a_rewind_from_the_command_line(table: Table) -> None:
    table.play_stage(chooser(2))
    made = signed(table.gm, "rewind", "1")
    table.post()
    for seat in table.players.values():
        signed(seat, "amend", "sign", made["amendment"]["sid"][:12], "--aware")
        table.post()
    assert "next: pbem adjudicate" in pbem(table.gm, "status").output, "no order is waited for any more"
    pbem(table.gm, "adjudicate", "--key", str(key_of(table.gm)))
    table.post()
    assert {seat.folder.stage for seat in table.everybody} == {3}
    assert {seat.folder.progress.position for seat in table.everybody} == {1}
    pbem(table.players["north"], "verify")


def test_a_newcomer_takes_a_side_over_from_the_command_line(table: Table, tmp_path: Path) -> None:
    dora, key = tmp_path / "dora", str(tmp_path / "dora-key")
    run(["key", "new", "--no-passphrase", "--file", key])
    who = ["--name", "Dora", "--mail", "dora@example.org", "--key", key]
    run(["join", str(table.gm.root), str(dora), "--as", "south", *who])
    (entry,) = (dora / "outbox").glob("*.pbem.txt")
    made = signed(table.gm, "amend", "takeover", str(entry), "--aware")
    sid = made["amendment"]["sid"][:12]
    table.post()
    signed(table.players["north"], "amend", "sign", sid, "--aware")
    table.post()
    run(["-C", str(dora), "receive", *mails(table.gm), *mails(table.players["north"])])
    run(["-C", str(dora), "amend", "sign", sid, "--yes", "--key", key])
    mine = [str(path) for path in (dora / "outbox").glob("*amend*.eml")]
    pbem(table.gm, "receive", *mine)
    pbem(table.gm, "adjudicate", "--key", str(key_of(table.gm)))
    run(["-C", str(dora), "receive", *mails(table.gm)])
    status = json.loads(run(["-C", str(dora), "status", "--json"]).stdout)
    assert status["me"] == "south" and status["stage"] == 2
    found = verify(dora)
    assert found.ok and any("now plays south, replacing South" in str(one) for one in found.of("claimed"))


def run(words: list[str]) -> Result:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, (words, done.output, done.stderr, done.exception)
    return done


def mails(seat: Seat) -> list[str]:
    return [str(path) for path in sorted((seat.root / "outbox").glob("*.eml"))]


def test_who_has_ordered_is_told_what_closing_means_and_signs_without_an_error(table: Table) -> None:
    """No option is needed: the program says that others may know the dice, then asks as ever."""
    asked = table.asked()[0]
    asked.answer_all(chooser(1))
    table.post()
    made = signed(table.gm, "amend", "chain")
    table.post()
    done = pbem(asked, "amend", "sign", made["amendment"]["sid"][:12], "--yes", "--key", str(key_of(asked)))
    assert "others may know its dice" in done.output
