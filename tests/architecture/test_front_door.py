"""The command line meets the game folder at one door, `pbem.archive`, which loads what is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys

import pbem.archive
from tests.architecture.code import ROOT, modules
from tests.tools.syntax import nodes


def test_commands_take_every_name_of_the_archive_at_the_door() -> None:
    found = [
        f"{module.file}:{one.line}: {one.module}"
        for module in modules()
        if module.room == "cli"
        for one in module.imports()
        if one.module.startswith("pbem.archive.")
    ]
    assert not found, "wanted: from pbem.archive import ...\n" + "\n".join(found)


def test_whoever_checks_types_and_whoever_runs_find_the_same_names() -> None:
    (module,) = [one for one in modules() if one.name == "pbem.archive"]
    for_types = {
        alias.name: node.module
        for node in nodes(module.tree)
        if isinstance(node, ast.ImportFrom) and node.col_offset
        for alias in node.names
    }
    assert len(for_types) > 60, "the names were not found"
    when_run = {
        name: f"pbem.archive.{where if attribute else where.rpartition('.')[0]}"
        for name, (where, attribute) in pbem.archive.WHERE.items()
    }
    assert for_types == when_run
    assert all(getattr(pbem.archive, name) is not None for name in when_run)
    assert set(when_run) <= set(dir(pbem.archive))


def test_the_door_loads_nothing_that_nobody_asked_for() -> None:
    program = "import pbem.archive, sys; print(*(name for name in sys.modules if name.startswith('pbem')))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["pbem", "pbem.archive"], done.stderr
