"""Offering repairs of an order file: each is named and shown, and made only if the owner agrees."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.console import agrees, is_terminal, note, result, wants_json
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.mail.mend import Mended

_LIMIT = (256 << 10) + 1
_SHOWN = 60  # lines of a diff to show


def offer(name: str, yes: bool) -> tuple[Mended, bool]:
    """Show what would be mended. Return it, and True if the file was written beside the old one."""
    from pbem.mail.mend import mend

    path = Path(name)
    with path.open("rb") as file:
        source = file.read(_LIMIT)
    mended = mend(source, name)
    if not mended.repairs:
        note(Message("cli.mending.no-damage"))
        return mended, False
    if not wants_json():
        _show(name, source, mended)
    if not _agreed(yes):
        note(Message("cli.mending.yes-writes-it") if not yes else "")
        return mended, False
    _write(path, source, mended.text)
    note(Message("cli.mending.mended", path=path.name))
    return mended, True


def data(mended: Mended, written: bool) -> dict[str, Any]:
    """Return the offer for programs."""
    return {
        "repairs": [
            {"code": r.code, "words": r.words, "line": r.line, "column": r.column, "count": r.count}
            for r in mended.repairs
        ],
        "written": written,
    }


def _show(name: str, source: bytes, mended: Mended) -> None:
    for change in mended.repairs:
        repair = Message("cli.mending.repair", what=change.words, count=change.count)
        result(repair, before=f"{name}:{change.line}:{change.column}: ")
    old = source.decode("utf-8", "replace").splitlines()
    diff = list(difflib.unified_diff(old, mended.text.splitlines(), name, "mended", lineterm="", n=0))
    for line in diff[2 : _SHOWN + 2]:
        result(f"  {safe(line)}")
    if len(diff) > _SHOWN + 2:
        result(Message("cli.mending.more-lines", count=len(diff) - _SHOWN - 2), before="  ")


def _agreed(yes: bool) -> bool:
    if yes:
        return True
    if not is_terminal() or wants_json():
        return False
    return agrees(Message("cli.mending.write-it-like-this"))


def _write(path: Path, source: bytes, text: str) -> None:
    """Write the mended text, and the old one beside it; only the owner may read both."""
    from pbem.text.writing import write_all

    old = path.with_name(f"{path.name}.orig")
    write_all({old: source, path: text.encode()}, private=[old, path])
