"""Every worked example of every system, one test each: what it says, and the line of digests of all else."""

from __future__ import annotations

from typing import Any

from pbem.engine.system import System
from pbem.testing.conformance.over import pytest_generate_tests
from tests.conformance.systems import ALL
from tests.golden.recorded import faults_in

__all__ = ["pytest_generate_tests"]
SYSTEMS = ALL


def test_worked_example(system: System, example: dict[str, Any]) -> None:
    faults = faults_in(system, str(example["example"]), example)
    assert not faults, "\n".join(faults)
