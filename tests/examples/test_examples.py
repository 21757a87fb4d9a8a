"""Every worked example of every bundled system, one test each."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.system import find, installed
from pbem.testing import examples, run

ALL = [(name, find(system), data) for system in sorted(installed()) for name, data in examples(find(system))]


@pytest.mark.parametrize(("system", "example"), [(s, d) for _, s, d in ALL], ids=[name for name, _, _ in ALL])
def test_worked_example(system: Any, example: dict[str, Any]) -> None:
    faults = run(system, example)
    assert not faults, "\n".join(faults)
