"""Every worked example of a system, one test each."""

from __future__ import annotations

from typing import Any

from pbem.engine.system import System
from pbem.testing.runner import run


def test_worked_example(system: System, example: dict[str, Any]) -> None:
    faults = run(system, example)
    assert not faults, "\n".join(faults)
