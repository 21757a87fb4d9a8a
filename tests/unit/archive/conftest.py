"""The primer, open and with fog, as if it were installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine import system as systems
from pbem.engine.system import System
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Table


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {one.name: one for one in (SYSTEM, FOG)}
    monkeypatch.setattr(systems, "find", lambda name: known[name])


@pytest.fixture(params=[SYSTEM, FOG], ids=["open", "fog"])
def system(request: pytest.FixtureRequest) -> System:
    chosen: System = request.param
    return chosen


@pytest.fixture
def table(tmp_path: Path, system: System) -> Table:
    return Table(tmp_path, system, "ford", ["north", "south"], chain_length=64)
