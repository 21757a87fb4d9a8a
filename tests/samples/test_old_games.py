"""Games that earlier revisions wrote: their archives verify, and games in the middle are played on.

`tests/fixtures` holds one folder for each revision of which games are kept. They are never made anew.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.verifying.verify import verify
from pbem.engine import system as systems
from pbem.model import state as states
from pbem.text.diagnostics import Refused
from pbem.text.json_first import read_state_text
from tests.fixtures.foundation.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, chooser

FOUNDATION = Path(__file__).parents[1] / "fixtures/foundation"
HEAD = "34c8921e0f9b170ed8792c82a0cc9d8bab524b281360139a32282b5956f501a3"


def unpacked(name: str, where: Path) -> Path:
    with tarfile.open(FOUNDATION / f"{name}.tar.xz") as archive:
        archive.extractall(where, filter="data")
    return where


@pytest.fixture
def _old_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The primer's rules as they were installed when the games began."""
    monkeypatch.setattr(systems, "find", lambda name: {SYSTEM.name: SYSTEM, FOG.name: FOG}[name])


@pytest.fixture(params=["primer", "primer-fog"])
def table(request: pytest.FixtureRequest, tmp_path: Path, _old_rules: None) -> Iterator[Table]:
    """The folders of a game as three people left them; north's orders are in the mail."""
    root = unpacked("ford", tmp_path) / request.param
    twin = object.__new__(Table)
    twin.system, twin.sent = systems.find(request.param), []
    twin.gm = Seat(root / "gm", "gm")
    twin.players = {name: Seat(root / name, name) for name in ("north", "south")}
    for seat in twin.everybody:
        seat.mails()  # sent long ago, but for
    twin.players["north"].seen -= set((root / "north/outbox").glob("stage-0003-*"))
    yield twin


def test_an_archive_of_the_first_revision_has_nothing_false_in_it(tmp_path: Path) -> None:
    """With rules that have changed since, results may go unproved; signatures, history and dice never do."""
    root = unpacked("victory-sarn-strait", tmp_path) / "victory-sarn-strait"
    found = verify(root)
    assert found.ok, found.of("false")
    assert (found.stage, found.head) == (67, HEAD)
    codes = {one.code for one in found.of("proved")}
    assert {"roster", "statements", "dice"} <= codes


def test_a_game_of_the_first_revision_is_opened_and_played_to_its_end(table: Table) -> None:
    assert [seat.folder.stage for seat in table.everybody] == [2, 2, 2]
    assert all(verify(seat.root).ok for seat in table.everybody)
    table.post()
    for seat in table.asked():
        if seat.name != "north":
            seat.answer_all(chooser(7))
    receipts = table.post()
    assert all(one.good for one in receipts), receipts
    table.run()
    assert table.play(chooser(7)) > 3
    unseal(table.gm.folder, table.gm.signer)
    assert all(one.good for one in table.post())
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, found.of("false")
        assert found.head == verify(table.gm.root).head


def test_a_state_of_a_revision_to_come_is_refused_and_says_so(table: Table) -> None:
    gm = table.gm.folder
    file = gm.root / gm.state_name
    text = file.read_text().replace("pbem-state/1", "pbem-state/2")
    file.write_text(text)
    with pytest.raises(Refused):
        gm.state()
    with pytest.raises(Refused) as error:
        states.from_json(read_state_text(text.encode(), "state.yaml").data)
    assert "expected format pbem-state/1, found format 'pbem-state/2'" in error.value.diagnostics[0].message
