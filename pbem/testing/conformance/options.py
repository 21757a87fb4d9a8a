"""Tests that options keep their order: `python -m pbem.testing SYSTEM FOLDER` writes it down."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from pbem.engine.system import System
from pbem.testing.conformance.over import snapshots_of
from pbem.testing.listing import at_start, file_of, in_examples

PROGRAM = """
import sys
from hashlib import sha256
from pbem.testing.listing import snapshot, system_of
print(sha256(snapshot(system_of(sys.argv[1])).encode()).hexdigest())
"""


def command_for(system: System) -> str:
    """Return the command that writes the snapshot of a system."""
    return f"python -m pbem.testing {system.name} FOLDER"


def test_options_are_listed_as_the_snapshot_has_them(system: System, request: pytest.FixtureRequest) -> None:
    """Check that the options of each entry in the snapshot are unchanged; new examples may be missing."""
    path = file_of(system, snapshots_of(request))
    assert path.is_file(), f"there is no {path}: `{command_for(system)}` writes it"
    kept = json.loads(path.read_text("utf-8"))
    now = {"at the start": at_start(system), "in examples": in_examples(system, kept["in examples"])}
    for part in kept:
        changed = [name for name in kept[part] if kept[part][name] != now[part].get(name)]
        assert not changed, f"look, then run `{command_for(system)}`: {changed}"
    assert set(kept["at the start"]) == set(now["at the start"])


def test_the_snapshot_has_something_in_it(system: System) -> None:
    assert at_start(system) and all(entry["count"] for entry in at_start(system).values())


def test_the_order_does_not_hang_on_the_process(system: System) -> None:
    """Check that hash seeds, which change the order of sets, do not change the order of options.

    A third process, the one that compares with the snapshot, has a seed of its own.
    """
    name = next(
        f"{system.package}:{name}"
        for name, item in vars(sys.modules[system.package]).items()
        if isinstance(item, System) and item.name == system.name
    )
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", PROGRAM, name]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        seen.add(done.stdout)
    assert len(seen) == 1
