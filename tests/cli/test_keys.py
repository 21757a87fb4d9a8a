"""Keys: made, shown, found where they usually lie, encrypted, in an agent; backups of the private side."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import SEATS
from tests.cli.play import Table, pbem, tree

WHO = ("--name", "Ann", "--mail", "ann@example.org")


def test_key_new_writes_an_openssh_key_for_its_owner_alone(tmp_path: Path) -> None:
    said = pbem("key", "new", "--no-passphrase", "--file", tmp_path / "k" / "id")
    assert said.lines == [str(tmp_path / "k" / "id")]
    assert (tmp_path / "k" / "id").read_text().startswith("-----BEGIN OPENSSH PRIVATE KEY-----")
    assert (tmp_path / "k" / "id.pub").read_text().startswith("ssh-ed25519 AAAA")
    assert os.name == "nt" or stat.S_IMODE((tmp_path / "k" / "id").stat().st_mode) == 0o600
    assert "PRIVATE" not in said.out + said.err


def test_key_new_never_replaces_a_key(tmp_path: Path) -> None:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "id")
    before = tree(tmp_path)
    assert "error[key-exists]" in pbem("key", "new", "--no-passphrase", "--file", tmp_path / "id", code=1).err
    assert tree(tmp_path) == before


def test_key_show_gives_fingerprint_and_public_key(tmp_path: Path) -> None:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "id")
    line = (tmp_path / "id.pub").read_text().strip()
    said = pbem("key", "show", "--key", tmp_path / "id")
    assert said.lines[1] == line and said.lines[0].startswith("SHA256:")
    assert pbem("key", "show", "--key", tmp_path / "id", "--json").json["key"] == line


def test_the_key_of_key_new_is_found_without_naming_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (path,) = pbem("key", "new", "--no-passphrase").lines
    assert path.startswith(str(tmp_path))
    assert pbem("key", "show", "--json").json["file"] == path


def test_a_key_made_on_purpose_comes_before_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    login = tmp_path / ".ssh" / "id_ed25519"
    pbem("key", "new", "--no-passphrase", "--file", login)
    assert pbem("key", "show", "--json").json["file"] == str(login)
    (made,) = pbem("key", "new", "--no-passphrase").lines
    assert pbem("key", "show", "--json").json["file"] == made
    pbem("new", "primer/ford", tmp_path / "game", *WHO)
    assert made in (tmp_path / "game" / "private" / "me.json").read_text()
    Path(made).write_text("damaged")
    said = pbem("key", "show", code=1)
    assert made in said.err, "another key took its place in silence"


def test_a_usual_key_that_cannot_sign_here_is_passed_over(
    tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    login = tmp_path / ".ssh" / "id_ed25519"
    login.parent.mkdir()
    login.write_text("-----BEGIN RSA PRIVATE KEY-----\n")
    assert pbem("key", "show", "--json", SSH_AUTH_SOCK=agent).json["file"] is None
    login.unlink()
    pbem("key", "new", "--no-passphrase", "--file", login)
    assert pbem("key", "show", "--json", SSH_AUTH_SOCK=agent).json["file"] == str(login)
    said = pbem("key", "show", code=1, HOME=str(tmp_path / "nobody"))
    assert "pbem key new" in said.err and "--key FILE" in said.err


def test_an_encrypted_key_is_opened_with_the_passphrase_of_the_environment(tmp_path: Path) -> None:
    key = tmp_path / "id"
    pbem("key", "new", "--file", key, PBEM_PASSPHRASE="open sesame")
    new = ("new", "primer/ford", tmp_path / "game", *WHO, "--key", key)
    assert "passphrase" in pbem(*new, code=1).err
    assert "passphrase" in pbem(*new, code=1, PBEM_PASSPHRASE="wrong").err
    assert not (tmp_path / "game").exists()
    pbem(*new, PBEM_PASSPHRASE="open sesame")


def test_encrypted_game_secrets_need_their_passphrase(tmp_path: Path) -> None:
    table = Table(tmp_path, "primer", SEATS)
    seat = tmp_path / "north"
    key = ("--key", tmp_path / "keys" / "north")
    pbem("join", table.invitation, seat, "--as", "north", "--encrypt", *WHO, *key, PBEM_PASSPHRASE="pst")
    assert "private/secrets.json" not in tree(seat)
    assert b"chain" not in tree(seat)["private/secrets.asc"]


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[str]:
    """A real ssh-agent that holds one new key, whose file is gone."""
    if shutil.which("ssh-agent") is None or shutil.which("ssh-add") is None:
        pytest.skip("ssh-agent or ssh-add is not installed")
    socket = str(tmp_path / "agent")
    process = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
    try:
        pbem("key", "new", "--no-passphrase", "--file", tmp_path / "agents")
        for _ in range(50):
            added = subprocess.run(
                ["ssh-add", "-q", str(tmp_path / "agents")], env={**os.environ, "SSH_AUTH_SOCK": socket}
            )
            if added.returncode == 0:
                break
        (tmp_path / "agents").unlink()
        yield socket
    finally:
        process.terminate()
        process.wait()


def test_a_key_in_the_agent_signs_though_its_file_is_gone(tmp_path: Path, agent: str) -> None:
    shown = pbem("key", "show", "--json", SSH_AUTH_SOCK=agent).json
    assert shown["file"] is None
    assert shown["key"] == (tmp_path / "agents.pub").read_text().strip()
    pbem("new", "primer/ford", tmp_path / "game", *WHO, SSH_AUTH_SOCK=agent)
    assert "key_file" not in (tmp_path / "game" / "private" / "me.json").read_text()


def test_a_key_that_is_lost_for_good_leads_to_the_way_back(table: Table) -> None:
    seat = table.gm
    mine = seat.root / "private" / "me.json"
    known = json.loads(mine.read_text())
    named = f"{known['key_file']}-lost"
    mine.write_text(json.dumps({**known, "key_file": named}))
    said = seat.pbem("ack", code=1).err
    assert str(named) in said and "--key FILE" in said
    assert "pbem amend takeover" in said and "docs/changing-a-game.md" in said


# ---- backups -------------------------------------------------------------------------------------------


def test_a_backup_brings_the_private_side_back(table: Table, tmp_path: Path) -> None:
    seat = table.players["north"]
    before = {name: data for name, data in tree(seat.root).items() if name != "private/lock"}
    backup = tmp_path / "north.backup"
    seat.pbem("key", "backup", backup, PBEM_PASSPHRASE="pst")
    shutil.rmtree(seat.root / "private")
    seat.pbem("key", "restore", backup, PBEM_PASSPHRASE="pst")
    assert {name: data for name, data in tree(seat.root).items() if name != "private/lock"} == before
    assert os.name == "nt" or stat.S_IMODE((seat.root / "private" / "seal.pem").stat().st_mode) == 0o600


def test_a_backup_shows_nothing_and_replaces_nothing(table: Table, tmp_path: Path) -> None:
    seat = table.players["north"]
    backup = tmp_path / "north.backup"
    seat.pbem("key", "backup", backup, PBEM_PASSPHRASE="pst")
    secrets = (seat.root / "private" / "secrets.json").read_text()
    assert not [word for word in secrets.split('"') if len(word) == 64 and word in backup.read_text()]
    assert "error[file-exists]" in seat.pbem("key", "backup", backup, code=1, PBEM_PASSPHRASE="pst").err


def test_a_backup_needs_its_passphrase_and_its_game(table: Table, fog: Table, tmp_path: Path) -> None:
    seat = table.players["north"]
    backup = tmp_path / "north.backup"
    assert "PBEM_PASSPHRASE" in seat.pbem("key", "backup", backup, code=2).err
    seat.pbem("key", "backup", backup, PBEM_PASSPHRASE="pst")
    before = tree(seat.root)
    assert "passphrase" in seat.pbem("key", "restore", backup, "--force", code=1, PBEM_PASSPHRASE="x").err
    assert "error[private-exists]" in seat.pbem("key", "restore", backup, code=1, PBEM_PASSPHRASE="pst").err
    other = fog.players["north"].pbem("key", "restore", backup, "--force", code=1, PBEM_PASSPHRASE="pst")
    assert "error[other-game]" in other.err
    assert tree(seat.root) == before
