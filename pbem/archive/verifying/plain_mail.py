"""The orders of an archive that the GM wrote down from unsigned email (protocol-letters 6, 7)."""

from __future__ import annotations

from pbem.archive.verifying.read_archive import Archive
from pbem.text.messages import Message
from pbem.trust.said import PLAIN
from pbem.trust.statements import Statement


def say_plain(archive: Archive, stage: int) -> None:
    """Name the parties whose orders of a stage come from unsigned email; once unsealed, with both texts."""
    for sid in archive.record(stage).sids:
        order = archive.find(stage, sid)
        if order is not None and order.said.plain is not None:
            archive.notes.claimed("plain", _words(archive, order), stage, order.sender)


def _words(archive: Archive, statement: Statement) -> Message:
    for unseal in archive.unseals:
        opening = unseal.unseal.opened.get(statement.sid, {}).get(PLAIN)
        if opening is not None and isinstance(opening.value, dict):
            understood, text = (_line(opening.value.get(name)) for name in ("said", "text"))
            return Message(
                "archive.verifying.plain-opened", party=statement.sender, said=understood, text=text
            )
    return Message("archive.verifying.plain", party=statement.sender)


_LONGEST = 300


def _line(value: object) -> str:
    """Return a text of a stranger on one line, fit to print."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
