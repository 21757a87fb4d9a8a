"""The primer, open and with fog, as if it were installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.engine import system as systems
from pbem.engine.system import System
from tests.copying import copied
from tests.golden.conftest import FILES
from tests.nightly import IN_CI
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Table, begun

if TYPE_CHECKING:
    from tests.unit.archive.reported_games import Reported


@pytest.fixture(autouse=True, scope="session")
def _installed() -> Iterator[None]:
    known = {one.name: one for one in (SYSTEM, FOG)}
    usual = systems.find
    systems.find = lambda name: known[name] if name in known else usual(name)
    yield
    systems.find = usual


FOG_ALONE = (
    "test_amendments.py",
    "test_corrections.py",
    "test_stage.py",
    "test_takeovers.py",
    "test_verify_files.py",
)
"""Games of several stages each: with fog there is all that an open game has, and more; CI runs both."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """What is open is left to CI, but for tests that say themselves which systems they want."""
    if item.path.name not in FOG_ALONE or not isinstance(item, pytest.Function):
        return
    chosen = any("system" in mark.args[0] for mark in item.iter_markers("parametrize"))
    if not chosen and hasattr(item, "callspec") and item.callspec.params.get("system") is SYSTEM:
        for mark in IN_CI:
            item.add_marker(mark)


@pytest.fixture(params=[SYSTEM, FOG], ids=["open", "fog"])
def system(request: pytest.FixtureRequest) -> System:
    chosen: System = request.param
    return chosen


@pytest.fixture
def table(tmp_path: Path, system: System) -> Table:
    return Table(tmp_path, system, "ford", ["north", "south"], chain_length=64)


@pytest.fixture
def started(tmp_path: Path, system: System) -> Table:
    """A table whose game has begun: stage 1 is open."""
    return begun(tmp_path, system)


Played = Callable[[System], Table]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Played:
    """A game played to its end and unsealed, once for all tests: they copy it before they change it."""
    tables: dict[str, Table] = {}

    def game(system: System) -> Table:
        if system.name not in tables:
            root = tmp_path_factory.mktemp(system.name)
            made = begun(root, system, over=4, absent="skip", options={"turns": 1})
            unseal(made.gm.folder, made.gm.signer)
            made.post()
            tables[system.name] = made
        return tables[system.name]

    return game


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Reported:
    """Games for tests of what becomes of reports; each is made when a test asks for it first."""
    from tests.unit.archive.reported_games import Reported

    return Reported(tmp_path_factory.mktemp("reported"))


@pytest.fixture
def archive(tmp_path: Path, played: Played, system: System) -> Path:
    """A copy of the GM's folder of a finished game."""
    return copied(played(system).gm.root, tmp_path / "copy", "outbox", "lock")


@pytest.fixture
def golden_block(request: pytest.FixtureRequest) -> Callable[[str, list[str], str, list[str]], None]:
    """Compare lines with those below a title in a golden file; `--update-golden` writes them (tests/golden).

    The titles of all blocks come with it, so that the file keeps their order and loses what is no case.
    """
    update = bool(request.config.getoption("--update-golden", default=False))

    def compare(name: str, titles: list[str], title: str, lines: list[str]) -> None:
        path = FILES / name
        text = path.read_text("utf-8") if path.exists() else ""
        parts = [part.partition("\n") for part in f"\n{text}".split("\n-- ")[1:]]
        blocks = {head: body.splitlines() for head, _, body in parts}
        if update:
            blocks[title] = lines
            whole = [line for head in titles if head in blocks for line in (f"-- {head}", *blocks[head])]
            path.write_text("\n".join(whole) + "\n", "utf-8")
            return
        assert lines == blocks.get(title), f"see {name}; `pytest --update-golden tests/golden FILE` writes it"

    return compare
