"""Signed statements in `inbox/` that do not count, with the reason (protocol 5.3, 17.16)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.archive.folder import layout
from pbem.archive.folder.parts import Readable
from pbem.text.dataclass import dataclass
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement

_REASON_LIMIT = 4096


@dataclass(frozen=True)
class Aside:
    """A statement that was kept aside, and why, in the words its sender was told."""

    statement: Statement
    signed: Signed
    reason: str


def kept_aside(folder: Readable, containing: bytes = b"") -> Iterator[Aside]:
    """Yield the readable statements in `inbox/`, in order of name; only files that contain certain bytes.

    Statements that a party signed and that are none of this protocol have no place here.
    """
    root, roster = folder.root, folder.need_roster()
    for entry in layout.entries(root / layout.INBOX):
        if not entry.name.endswith(".json"):
            continue
        name = f"{layout.INBOX}/{entry.name.removesuffix('.json')}"
        data = layout.read(root, f"{name}.json", layout.GM_LIMIT) or b""
        if containing not in data:
            continue
        sig = (layout.read(root, f"{name}.sig", layout.SIG_LIMIT) or b"").decode("ascii", "replace")
        try:
            statement = accept(data, sig, parties=roster.active, game=roster.game, dice=roster.terms.dice)
        except NotAccepted:
            continue
        reason = (layout.read(root, f"{name}.txt", _REASON_LIMIT) or b"").decode("utf-8", "replace")
        yield Aside(statement, Signed(data, (sig,)), reason.partition("\n")[2].strip())
