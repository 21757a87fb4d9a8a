"""Starting the program costs nothing that the command does not use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.code import ROOT
from tests.architecture.commands import paths

HEAVY = (
    "cryptography", "jsonschema", "referencing", "rpds", "ruamel", "rich", "platformdirs", "email", "http",
    "ssl", "sqlite3", "asyncio", "multiprocessing", "hypothesis", "pytest",
)  # fmt: skip
PROGRAM = """
import sys
from pbem.cli.main import cli
for arguments in {runs!r}:
    try:
        cli.main(arguments, prog_name="pbem", standalone_mode=False)
    except SystemExit:
        pass
print("MODULES", *sorted(sys.modules))
"""


def loaded(*runs: list[str]) -> set[str]:
    """The modules of a fresh interpreter that has run the program with these arguments, one after another."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM.format(runs=list(runs))]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("MODULES ")[2].split())


def heavy(names: set[str]) -> list[str]:
    return sorted({name.split(".")[0] for name in names} & set(HEAVY))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["reprot"]], ids=" ".join)
def test_help_version_and_mistakes_import_nothing_heavy(arguments: list[str]) -> None:
    if arguments == ["reprot"]:
        command = [sys.executable, "-X", "importtime", "-m", "pbem.cli.main", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert "did you mean 'report'" in done.stderr
        timed = [
            line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "import time:" in line
        ]
        assert "click.core" in timed, "the imports were not read"
        assert heavy(set(timed)) == []
    else:
        names = loaded(arguments)
        assert "click" in names and heavy(names) == []
        rooms = {name.split(".")[1] for name in names if name.startswith("pbem.")}
        assert rooms <= {"cli", "text"}, f"help needs no {rooms - {'cli', 'text'}}"


def test_the_help_of_no_command_imports_anything_heavy() -> None:
    names = loaded(*([*path, "--help"] for path in paths()))
    assert {path[0] for path in paths()} <= {one.rpartition(".")[2] for one in names if ".commands." in one}
    assert heavy(names) == []


def test_the_check_would_see_a_heavy_library(tmp_path: Path) -> None:
    program = "import sys, rich.console; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert "rich" in heavy(set(done.stdout.split()))


@pytest.mark.parametrize("game", sorted(path.parent.name for path in ROOT.glob("sample_games/*/game.yaml")))
def test_only_the_system_that_is_played_is_imported_and_read(game: str) -> None:
    program = """
import sys
read = []
sys.addaudithook(lambda name, args: read.append(str(args[0])) if name == "open" else None)
from pbem.cli.main import cli
for arguments in (["status"], ["map", "--words"]):
    try:
        cli.main(["-C", sys.argv[1], *arguments], prog_name="pbem", standalone_mode=False)
    except SystemExit:
        pass
print("NAMES", *(name for name in sys.modules if name.startswith("pbem.systems.")), *read, sep="\\n")
"""
    command = [sys.executable, "-c", program, str(ROOT / "sample_games" / game)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = done.stdout.rpartition("NAMES")[2].replace("/", ".").split("\n")
    systems = {name.partition("pbem.systems.")[2].partition(".")[0] for name in names} - {"", "__init__"}
    (played,) = [one for one in systems if game.startswith(one.replace("_", "-"))]
    schemas = [name for name in names if name.endswith(".schema.json") and f"schemas.{played}." not in name]
    assert (systems, schemas) == ({played}, [])
