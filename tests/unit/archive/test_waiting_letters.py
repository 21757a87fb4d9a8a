"""Letters that wait: a process that looks again and again reads each file once."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.folder import layout
from pbem.archive.letters import waiting_letters
from pbem.archive.letters.waiting_letters import Waiting, undelivered
from tests.primer import SYSTEM
from tests.unit.archive.table import begun, chooser


def test_each_letter_is_read_once_and_again_only_if_it_was_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, SYSTEM)
    north = table.players["north"]
    north.answer_all(chooser(1))
    folder, read = north.folder, list[str]()
    real = waiting_letters.layout.read

    def counting(root: Path, name: str, limit: int) -> Any:
        if name.endswith(".eml"):
            read.append(name)
        return real(root, name, limit)

    monkeypatch.setattr(waiting_letters.layout, "read", counting)
    ledger = waiting_letters.book(folder)
    first = waiting_letters.letters(folder, ledger)
    assert first and read == [one.name for one in first]
    assert waiting_letters.letters(folder, ledger) == first
    assert len(read) == len(first)
    orders = next(one for one in first if "orders" in one.name)
    path = folder.root / orders.name
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data.replace(b"To: ", b"To: Bert <new@example.org>, ", 1))
    (again,) = (one for one in waiting_letters.letters(folder, ledger) if one.name == orders.name)
    assert read[len(first) :] == [orders.name]
    assert "new@example.org" in again.to and again.digest != orders.digest


def test_what_did_not_arrive_is_told_until_its_stage_is_closed() -> None:
    folder: Any = SimpleNamespace(roster=None, stage=2)
    refused = ("ann@example.org", "550 no such user")
    waiting = [
        Waiting(f"outbox/stage-000{stage}-gm-report-rev1", "", "partly", "", (), (), refused=(refused,))
        for stage in (1, 2)
    ]
    (line,) = undelivered(folder, waiting)
    assert "stage-0002" in line and "550 no such user" in line


def test_the_tenth_revision_takes_the_place_of_the_ninth() -> None:
    files = [f"outbox/stage-0001-north-orders-rev{rev}.eml" for rev in (1, 10, 9)]
    assert waiting_letters._newest(files) == {"outbox/stage-0001-north-orders": 10}


@pytest.mark.parametrize(("stage", "state"), [(2, "over"), (3, "ready")])
@pytest.mark.parametrize("place", [layout.RECEIPTS, layout.OWN_LETTERS])
def test_a_receipt_of_a_closed_stage_is_not_sent(place: str, stage: int, state: str) -> None:
    folder: Any = SimpleNamespace(roster=SimpleNamespace(), stage=3)
    ledger: Any = SimpleNamespace(is_new=False)
    name = f"{place}/stage-000{stage}-north-abcdef01-received-order"
    assert waiting_letters._by_name(folder, ledger, name, {}) == state


@pytest.mark.parametrize(("coming_in", "state"), [(True, "ready"), (False, "old")])
def test_who_joins_a_running_game_sends_the_letter_that_joins(coming_in: bool, state: str) -> None:
    folder: Any = SimpleNamespace(stage=3, coming_in=coming_in)
    ledger: Any = SimpleNamespace(is_new=True)
    assert waiting_letters._by_name(folder, ledger, "outbox/join-east", {}) == state
