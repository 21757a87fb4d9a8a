"""The primer as if it were installed, nobody's real keys in reach, games at their first questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.engine import system as systems
from tests import luck
from tests.cli.play import Table
from tests.primer import FOG, SYSTEM
from tests.small_pictures import small_pictures as small_pictures
from tests.unit.engine.congress import SYSTEM as CONGRESS

SEATS = ("north", "south")
After = Callable[[str, int], Table]


@pytest.fixture(scope="session", autouse=True)
def _here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home without keys, no agent, no passphrase; the primer beside what is installed."""
    known = {one.name: one for one in (SYSTEM, FOG, CONGRESS)}
    real_find, real_installed = systems.find, systems.installed
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "find", lambda name: known.get(name) or real_find(name))
        patch.setattr(systems, "installed", lambda: real_installed() | dict.fromkeys(known))
        for name in ("SSH_AUTH_SOCK", "PBEM_PASSPHRASE", "PBEM_DEBUG", "NO_COLOR"):
            patch.delenv(name, raising=False)
        for name, folder in (("HOME", home), ("XDG_DATA_HOME", home / "data"), ("USERPROFILE", home)):
            patch.setenv(name, str(folder))
        yield


def _started(tmp_path_factory: pytest.TempPathFactory, system: str) -> Table:
    table = Table(tmp_path_factory.mktemp(system), system, SEATS)
    table.start()
    return table


@pytest.fixture(scope="session")
def started_open(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Do not change it: copy it."""
    return _started(tmp_path_factory, "primer")


@pytest.fixture(scope="session")
def started_fog(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Do not change it: copy it."""
    return _started(tmp_path_factory, "primer-fog")


@pytest.fixture(scope="session")
def _further(
    tmp_path_factory: pytest.TempPathFactory, started_open: Table, started_fog: Table
) -> Callable[[str, int], Table]:
    """The same two games after some stages, each played once. Do not change them: copy them."""
    tables = {("open", 0): started_open, ("fog", 0): started_fog}

    def after(name: str, stages: int) -> Table:
        if (name, stages) not in tables:
            table = after(name, stages - 1).copy(tmp_path_factory.mktemp(f"{name}-{stages}"))
            with luck.drawn_for(f"{name} after {stages}"):
                table.play_stage()
            tables[name, stages] = table
        return tables[name, stages]

    return after


@pytest.fixture
def after(_further: Callable[[str, int], Table], tmp_path: Path) -> After:
    """A game after some stages: `after("open", 3)`, `after("fog", 2)`."""
    return lambda name, stages: _further(name, stages).copy(tmp_path / name)


@pytest.fixture
def table(started_open: Table, tmp_path: Path) -> Table:
    """A game that hides nothing, at its first question."""
    return started_open.copy(tmp_path / "open")


@pytest.fixture
def fog(started_fog: Table, tmp_path: Path) -> Table:
    """A game with hidden units, at its first question."""
    return started_fog.copy(tmp_path / "fog")
