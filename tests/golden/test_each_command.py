"""What each command says and writes, once for people and once as JSON, in a small game."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.cli.games import clock
from tests.cli.conftest import _here, started_open, table  # noqa: F401
from tests.cli.play import Table
from tests.cli.test_json import COMMANDS, WAYS, Desk
from tests.golden.at_a_desk import Terminal

CHECKOUT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(tmp_path, monkeypatch, "")


@pytest.fixture
def desk(at: Terminal, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:  # noqa: F811
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return Desk(table, tmp_path, monkeypatch)


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_what_each_command_says(
    words: tuple[str, ...],
    desk: Desk,
    at: Terminal,
    tmp_path_factory: pytest.TempPathFactory,
    golden: Callable[[str, str], None],
) -> None:
    """As JSON it is one text, and there is nothing beside it."""
    name = " ".join(words)
    assert name in WAYS, "a new command: say in test_json.py how it is called"
    args = WAYS[name](desk)
    for path in at.root.rglob("*"):
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    at.forget()
    kept = tmp_path_factory.mktemp("kept")
    shutil.copytree(at.root, kept, dirs_exist_ok=True)
    at.says("", *args, PBEM_PASSPHRASE="pst")
    for path in at.root.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(kept, at.root, dirs_exist_ok=True)
    before = len(at.lines)
    out = at.says("", *args, "--json", files=False, PBEM_PASSPHRASE="pst")
    assert json.loads(out) != {} and out.isascii()
    assert not any(line.startswith("  !") for line in at.lines[before:]), "notes are for people"
    text = "\n".join(at.lines).replace(f"{CHECKOUT}/", "").lstrip()
    golden(f"command-{'-'.join(words)}.txt", f"{text}\n")
