"""Game folders under git: what `git add` takes is safe for everybody, and a clone verifies on any machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import After
from tests.cli.play import Seat, Table, pbem

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

ARCHIVE = re.compile(
    r"roster\.json|roster\.[a-z0-9-]+\.sig|allowed_signers|module\.lock|scenario\.json|game\.yaml|state\.yaml"
    r"|\.gitignore|\.gitattributes"
    r"|stages/[0-9]{4}/(?:[0-9a-f]{64}\.json|[0-9a-f]{64}(?:\.[a-z0-9-]+)?\.sig|record\.json|events\.json"
    r"|[a-z0-9-]+-[a-z]+-[0-9]+-[0-9a-f]{8}\.txt|report\.txt|views/[a-z0-9-]+\.bin)"
    r"|inbox/[A-Za-z0-9/_.-]+"
)
"""The names of protocol 12.2 and product 4, and git's own two."""


def git(where: Path, *args: str) -> str:
    identity = {f"GIT_{who}_{what}": "x@y.z" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    config = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *args], cwd=where, env={**os.environ, **identity, **config}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(params=["open", "hidden"])
def played(request: pytest.FixtureRequest, after: After) -> Table:
    """Some stages of a game, with an order file in the wrong place, a backup and a note left about."""
    chosen = after("open" if request.param == "open" else "fog", 3)
    for seat in chosen.everybody:
        seat.pbem("key", "backup", seat.root / "mine.pbem-backup", PBEM_PASSPHRASE="pst")
        (seat.root / "notes.txt").write_text("attack at dawn")
        (seat.root / "stages" / ".pbem-0.tmp").write_text("left by a crash")
        if seat.owes:
            seat.pbem("orders", "new", "-o", seat.root / "orders.yaml")
    return chosen


def _added(seat: Seat) -> list[str]:
    git(seat.root, "init", "-q")
    git(seat.root, "add", "--all")
    return git(seat.root, "ls-files", "-z").split("\0")[:-1]


def _secrets(seat: Seat) -> Iterator[str]:
    """Everything on the private side that must be nowhere else."""
    private = seat.root / "private"
    held: dict[str, Any] = json.loads((private / "secrets.json").read_text())
    yield from (held[name] for name in ("chain", "gm") if name in held)
    yield from (private / "seal.pem").read_text().splitlines()[1:2]
    yield "attack at dawn"


def test_only_files_of_the_archive_are_added(played: Table) -> None:
    for seat in played.everybody:
        names = _added(seat)
        assert [name for name in names if not ARCHIVE.fullmatch(name)] == []
        assert {"roster.json", "game.yaml", "state.yaml", "stages/0001/record.json"} <= set(names)
        assert git(seat.root, "status", "--short", "--untracked-files=all").count("??") == 0


def test_nothing_that_is_added_tells_a_secret(played: Table) -> None:
    for seat in played.everybody:
        added = {name: (seat.root / name).read_bytes() for name in _added(seat)}
        for one in played.everybody:
            for secret in _secrets(one):
                assert [name for name, data in added.items() if secret.encode() in data] == []


def test_everything_that_verify_needs_is_added(played: Table, tmp_path: Path) -> None:
    for number, seat in enumerate(played.everybody):
        _added(seat)
        git(seat.root, "commit", "-q", "-m", "stage 3")
        clone = tmp_path / f"clone{number}"
        git(tmp_path, "clone", "-q", "--no-local", str(seat.root), str(clone))
        assert pbem("verify", clone, "--json").json["head"] == seat.pbem("verify", "--json").json["head"]


@pytest.mark.parametrize("there", ["true", "input", "false"])
def test_line_ends_stay_as_they_are_whatever_git_is_told(after: After, tmp_path: Path, there: str) -> None:
    fog = after("fog", 1)
    root = fog.gm.root
    git(root, "init", "-q")
    git(root, "config", "core.autocrlf", "true")
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "stage 1")
    settings = ("-c", f"core.autocrlf={there}", *(("-c", "core.eol=crlf") if there != "input" else ()))
    git(tmp_path, *settings, "clone", "-q", "--no-local", str(root), str(tmp_path / "clone"))
    for name in git(root, "ls-files", "-z").split("\0")[:-1]:
        assert (tmp_path / "clone" / name).read_bytes() == (root / name).read_bytes(), name
    assert pbem("verify", tmp_path / "clone").code == 0


def test_results_of_files_kept_by_hand_keep_the_secrets_out_of_git_too(fog: Table, tmp_path: Path) -> None:
    mails = []
    for seat in fog.players.values():
        if seat.owes:
            fog.answer(seat)
        mails += seat.mails()
    private = fog.gm.root / "private"
    pbem("adjudicate", private / "state.yaml", *mails, "--out", tmp_path / "next", "--private", private)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "--all")
    assert not [name for name in git(tmp_path, "ls-files").split() if "private" in name]
