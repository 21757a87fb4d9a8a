"""The systems that the guide for authors shows (docs/toss, docs/isles) load, are clean, and are played."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.bot.games import play
from pbem.cli.games.table import Table
from pbem.engine.system import System
from pbem.testing import examples, run
from pbem.testing.gate import faults
from tests.architecture.code import ROOT
from tests.nightly import in_ci

PAGE = ROOT / "docs" / "adding-a-rules-system.md"
SHOWN = re.compile(r"^\*\*([a-z_./]+)\*\*\n\n```[a-z]+\n(.*?)```$", re.MULTILINE | re.DOTALL)
SUITE = """
from {name} import SYSTEM
from pbem.testing.conformance import *

SYSTEMS = [SYSTEM]
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder with toss and isles, ready to be imported."""
    for name in ("toss", "isles"):
        shutil.copytree(
            ROOT / "docs" / name / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] in ("toss", "isles")]:
        del sys.modules[name]


def system_in(name: str) -> System:
    found = importlib.import_module(name).SYSTEM
    assert isinstance(found, System)
    return found


def test_the_page_shows_the_rules_of_toss_as_they_are() -> None:
    shown = SHOWN.findall(PAGE.read_text("utf-8"))
    assert [name for name, _ in shown] == ["toss/rules/__init__.py"]
    assert all(text == (ROOT / "docs" / "toss" / name).read_text("utf-8") for name, text in shown)


@pytest.mark.parametrize("name", ["toss", "isles"])
def test_it_is_clean(written: Path, name: str) -> None:
    assert faults(system_in(name)) == []


def test_its_examples_are_found_and_come_out(written: Path) -> None:
    isles = system_in("isles")
    results = {name: run(isles, example) for name, example in examples(isles)}
    assert len(results) == 4 and not any(results.values()), results


def test_toss_is_played_to_its_end(written: Path) -> None:
    played = play(system_in("toss"), "three", None, "toy")
    tracks = played.last.position.tracks
    assert played.last.finished and tracks["turn"] == 3


def test_isles_is_played_to_its_end_and_keeps_its_invariants(written: Path) -> None:
    isles = system_in("isles")
    played = play(isles, "five", None, "toy")
    assert played.last.finished and not played.refused
    assert played.stages[0].outcome.pending == (), "cards are shuffled before anybody is asked"
    kinds = {told.event["event"] for stage in played.stages for told in stage.outcome.told}
    assert {"cards-played", "sailed", "won"} <= kinds


@pytest.mark.parametrize(("name", "scenario"), [("toss", "three"), ("isles", "five")])
def test_it_is_played_by_mail(
    written: Path, name: str, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `pbem demo` does it with a package that is installed."""
    from pbem.engine import system as systems

    system, known = system_in(name), systems.find
    monkeypatch.setattr(systems, "find", lambda wanted: system if wanted == name else known(wanted))
    monkeypatch.setattr("pbem.stages.scenario_terms.find", systems.find, raising=False)
    root = written / "table"
    root.mkdir()
    table = Table(root, system, scenario)
    table.sit_down("A game")
    assert table.play(4)


@in_ci
def test_the_conformance_suite_runs_over_a_package_of_its_own(written: Path) -> None:
    """With the lines that the guide gives, and snapshots beside the test."""
    (written / "test_isles.py").write_text(SUITE.format(name="isles"), "utf-8")
    environment = {"PYTHONPATH": f"{written}:{ROOT}", "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}

    def done(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *words]
        return subprocess.run(command, cwd=written, env=environment, capture_output=True, text=True)

    kept = done("pbem.testing", "isles:SYSTEM", "snapshots")
    assert kept.returncode == 0 and (written / "snapshots" / "isles-options.json").is_file(), kept.stderr
    ran = done("pytest", "-q", "-p", "no:cacheprovider", "-x", "test_isles.py")
    assert ran.returncode == 0, ran.stdout
    (written / "isles" / "examples" / "landing.yaml").write_text(
        (written / "isles" / "examples" / "landing.yaml")
        .read_text("utf-8")
        .replace("gone: [b2]", "gone: [r1]"),
        "utf-8",
    )
    ran = done("pytest", "-q", "-p", "no:cacheprovider", "-k", "worked_example", "test_isles.py")
    assert ran.returncode == 1 and "1 failed" in ran.stdout, ran.stdout
