"""Single statements for tests: made, changed, handed over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.archive.receiving.receive import Receipt, receive
from pbem.text import canonical
from pbem.trust.armour import Signed
from tests.unit.archive.table import Seat, Table, chooser, signer_of, statements_in


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def resigned(signed: Signed, signer: str, change: Callable[[dict[str, Any]], None]) -> Signed:
    """The same statement with something changed, signed by whoever."""
    data = json.loads(signed.data)
    change(data)
    raw = canonical.dumps(data)
    return Signed(raw, (signer_of(signer).sign(raw),))


def order_of(seat: Seat, choose: int = 1) -> Signed:
    (signed,) = statements_in(seat.answer_all(chooser(choose)))
    return signed


def one(seat: Seat, *found: Signed) -> Receipt:
    (receipt,) = receive(seat.folder, found)
    return receipt


def asked(table: Table) -> Seat:
    return table.asked()[0]
