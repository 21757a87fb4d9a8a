"""The system that the guide for authors shows in full is complete: it loads, is clean, and is played."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.bot.games import play
from pbem.cli._table import Table
from pbem.engine.lint import lint_folder
from pbem.engine.system import System
from pbem.report.wording import faults
from tests.architecture.code import ROOT

SHOWN = re.compile(r"^\*\*([a-z_./]+)\*\*\n\n```[a-z]+\n(.*?)```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def toss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """The package written from the page, imported."""
    page = (ROOT / "docs" / "adding-a-rules-system.md").read_text("utf-8")
    for name, text in SHOWN.findall(page):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("toss").SYSTEM
    for name in [name for name in sys.modules if name.split(".")[0] == "toss"]:
        del sys.modules[name]


def test_it_is_clean(toss: System) -> None:
    assert lint_folder(toss.folder) == []
    assert faults(toss.wording, toss.registry.events, toss.registry.decisions) == []


def test_it_is_played_to_its_end(toss: System) -> None:
    played = play(toss, "three", None, "toy")
    tracks = played.last.position.tracks
    assert played.last.finished and tracks["turn"] == 3


def test_it_is_played_by_mail(toss: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `pbem demo` does it with a package that is installed."""
    from pbem.engine import system as systems

    known = systems.find
    monkeypatch.setattr(systems, "find", lambda name: toss if name == "toss" else known(name))
    monkeypatch.setattr("pbem.archive.names.find", systems.find, raising=False)
    root = tmp_path / "table"
    root.mkdir()
    table = Table(root, toss, "three")
    table.sit_down("Three tosses")
    assert table.play(3)
