"""What computes a game keeps the rules D1 to D8: kit, board, engine (systems: the conformance suite)."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.engine.linting.lint import lint_files
from pbem.text.diagnostics import Diagnostic
from tests.architecture.code import ROOT, Module, modules

ROOMS = ("kit", "board", "engine")
# code that runs before a game or beside it, and may do what rules may not: (file, code) -> why
EXCUSED = {
    ("pbem/engine/package.py", "D1"): "finds and reads the data files of a package",
    ("pbem/engine/package.py", "D3"): "`/` joins paths there",
    ("pbem/engine/package.py", "D4"): "what modules register does not change while a program runs",
    ("pbem/engine/system.py", "D4"): "what is installed does not change while a program runs",
    ("pbem/engine/pins.py", "D1"): "hashes the files of a package; no game runs through it",
    ("pbem/engine/pins.py", "D4"): "a changelog does not change while a program runs",
    ("pbem/engine/installed.py", "D1"): "finds what is installed; no game runs through it",
    ("pbem/engine/linting/lint.py", "D1"): "reads the sources it checks; no game runs through it",
}


@cache
def found() -> list[Diagnostic]:
    return lint_files([module.path for module in modules() if _room(module) in ROOMS], ROOT)


def _room(module: Module) -> str:
    return module.room.split("/")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_is_overlooked(room: str) -> None:
    assert any(_room(module) == room for module in modules())


def test_nothing_differs_between_machines_runs_or_moments() -> None:
    breaches = [
        f"{one.span.file}:{one.span.line}: {one.rule} {one.message}"
        for one in found()
        if one.span and (one.span.file, one.rule) not in EXCUSED
    ]
    assert not breaches, "\n".join(breaches)


def test_every_excuse_is_still_needed() -> None:
    used = {(one.span.file, one.rule) for one in found() if one.span}
    assert set(EXCUSED) <= used, f"no longer needed: {set(EXCUSED) - used}"
