"""Games of the primer at their first question, copied for every test; nobody trusts anybody."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.cli.games.table import Table as DemoTable
from pbem.engine import system as systems
from pbem.engine.system import System
from tests.adversary.play import Game, Pending
from tests.copying import copied
from tests.primer import FOG, SYSTEM
from tests.small_pictures import small_pictures as small_pictures
from tests.unit.archive.table import Seat, Table, begun

Start = Callable[..., Game]


@pytest.fixture(autouse=True, scope="session")
def _installed() -> Iterator[None]:
    known = {one.name: one for one in (SYSTEM, FOG)}
    usual = systems.find
    systems.find = lambda name: known[name] if name in known else usual(name)
    yield
    systems.find = usual


@pytest.fixture(autouse=True, scope="session")
def _unsynced() -> Iterator[None]:
    """Nothing is forced to the disk here: that is for power cuts, and takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def _begun(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Callable[[System, str], Table]:
    tables: dict[tuple[str, str], Table] = {}

    def opened(system: System, absent: str) -> Table:
        if (system.name, absent) not in tables:
            root = tmp_path_factory.mktemp(f"{system.name}-{absent}")
            tables[system.name, absent] = begun(root, system, absent=absent)
        return tables[system.name, absent]

    return opened


@pytest.fixture
def start(tmp_path: Path, _begun: Callable[[System, str], Table]) -> Start:
    """Makes a game whose stage 1 is open: `start(FOG)`, `start(SYSTEM, absent="skip")`."""
    made: list[Game] = []

    def game(system: System = SYSTEM, *, absent: str = "stop") -> Game:
        root = tmp_path / f"game{len(made)}"
        made.append(Game(_copy(_begun(system, absent), root)))
        return made[-1]

    return game


@pytest.fixture(scope="session")
def _ended(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    table = begun(tmp_path_factory.mktemp("ended"), FOG, over=7)
    unseal(table.gm.folder, table.gm.signer)
    table.post()
    return table


@pytest.fixture
def over(_ended: Table, tmp_path: Path) -> Game:
    """A game with hidden units that was played to its end and unsealed."""
    return Game(_copy(_ended, tmp_path / "over"))


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory, _begun: Callable[[System, str], Table]) -> Game:
    """A game that hides nothing, for tests that change nothing but inbox/ and outbox/."""
    return Game(_copy(_begun(SYSTEM, "stop"), tmp_path_factory.mktemp("still")))


@pytest.fixture(scope="module", params=[SYSTEM, FOG], ids=["open", "fog"])
def pending(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    _begun: Callable[[System, str], Table],
) -> Pending:
    """A game whose players wait for the report of stage 1, which the forger has in hand."""
    return Pending(Game(_copy(_begun(request.param, "stop"), tmp_path_factory.mktemp("pending"))))


@pytest.fixture(params=[SYSTEM, FOG], ids=["open", "fog"])
def game(request: pytest.FixtureRequest, start: Start) -> Game:
    """A game whose stage 1 is open, one that hides nothing and one with hidden units."""
    return start(request.param)


@pytest.fixture
def fog(start: Start) -> Game:
    return start(FOG)


@pytest.fixture
def clear(start: Start) -> Game:
    """A game that hides nothing."""
    return start(SYSTEM)


@pytest.fixture(scope="session")
def battle(tmp_path_factory: pytest.TempPathFactory, _unsynced: None) -> DemoTable:
    """Some stages of `victory`, with hidden blocks, sealed orders and bids; orders for the next one are in.

    Do not change it.
    """
    root, system = tmp_path_factory.mktemp("battle"), systems.find("victory")
    table = DemoTable(root, system, "sarn_strait", seed="secrets")
    table.sit_down("Secrets")
    for _ in range(5):
        table.play_stage()
    mails = [mail for party in table.gm.folder.progress.asked for mail in table.answer(table.seats[party])]
    for seat in table.seats.values():
        seat.take(mails)
    return table


def _copy(table: Table, root: Path) -> Table:
    twin = object.__new__(Table)
    twin.system, twin.sent = table.system, []
    twin.gm = Seat(root / "gm", "gm")
    twin.players = {name: Seat(root / name, name) for name in table.players}
    for old, new in zip(table.everybody, twin.everybody, strict=True):
        copied(old.root, new.root)
        new.mails()
    return twin
