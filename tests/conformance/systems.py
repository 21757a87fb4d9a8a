"""The systems under test."""

from __future__ import annotations

import pytest

from pbem.engine.system import find, installed
from tests.primer import FOG, SYSTEM

INSTALLED = [find(name) for name in sorted(installed())]
ALL = [*INSTALLED, SYSTEM, FOG]

over_installed = pytest.mark.parametrize("system", INSTALLED, ids=lambda system: system.name)
over_all = pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
over_scenarios = pytest.mark.parametrize(
    ("system", "scenario"),
    [(system, name) for system in ALL for name in system.scenarios()],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
