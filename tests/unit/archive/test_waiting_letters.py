"""Letters that wait: a process that looks again and again reads each file once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.letters import waiting_letters
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
