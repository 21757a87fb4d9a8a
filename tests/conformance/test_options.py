"""Options come in the order they always came in; see `tests/conformance/options.py` for how to change it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from pbem.engine.system import System
from tests.architecture.code import ROOT
from tests.conformance.options import SNAPSHOTS, at_start, file_of, snapshot
from tests.conformance.systems import ALL, over_all

EVERY = 10_000
PROGRAM = """
from tests.conformance.options import snapshot
from tests.conformance.systems import ALL
import hashlib
print(*[hashlib.sha256(snapshot(one).encode()).hexdigest() for one in ALL])
"""


@over_all
def test_options_are_listed_as_the_snapshot_has_them(system: System) -> None:
    """A new example need not be in the snapshot; one that is there must be as it was."""
    kept = json.loads(file_of(system).read_text("utf-8"))
    now = json.loads(snapshot(system, most=EVERY))
    for part in kept:
        changed = [name for name in kept[part] if kept[part][name] != now[part].get(name)]
        assert not changed, f"look, then run `python -m tests.conformance.options`: {changed}"
    assert set(kept["at the start"]) == set(now["at the start"])


@over_all
def test_the_snapshot_has_something_in_it(system: System) -> None:
    assert at_start(system) and all(entry["count"] for entry in at_start(system).values())


def test_every_snapshot_belongs_to_a_system() -> None:
    assert {path.name for path in SNAPSHOTS.iterdir()} == {file_of(system).name for system in ALL}


def test_the_order_does_not_hang_on_the_process() -> None:
    """Hashes of strings differ from process to process, and with them the order of sets."""
    seen = set()
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        seen.add(done.stdout)
    assert len(seen) == 1
