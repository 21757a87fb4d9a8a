"""Delivery reports: a mail server says that a letter did not reach somebody (RFC 3464).

Anybody can write one, so it changes nothing: the owner is told, and decides whether to send again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.mail.mime import MAX_HEADER, Entity
from pbem.text.dataclass import dataclass

_MOST = 50  # recipients per report
_MOST_PARTS = 20  # of a report
_EMPTY_LINE = re.compile(rb"\r?\n(?:[ \t]*\r?\n)+")
_REPORT = re.compile(rb"report-type\s*=\s*\"?delivery-status", re.IGNORECASE)
_OURS = re.compile(r"<[A-Za-z0-9-]{1,40}@pbem\.invalid>")
_ADDRESS = re.compile(r"[^\s@<>,;:()\"\[\]\\]{1,64}@[^\s@<>,;:()\"\[\]\\]{1,253}")


@dataclass(frozen=True)
class Returned:
    """A letter of ours, by the id of its email, that did not reach an address.

    `late`: the server is still trying.
    """

    where: str
    message_id: str
    address: str
    why: str
    late: bool = False


def returned(data: bytes, where: str) -> tuple[Returned, ...] | None:
    """Return a delivery report's entries for letters of pbem, or None if this is no such report.

    An empty tuple: a report of a delivery that went well.
    """
    if not _REPORT.search(data[: 8 * MAX_HEADER]):
        return None
    try:
        parts = list(_parts(Entity(data)))
        id_ = _letter(parts)
        return None if id_ is None else tuple(_failures(parts, where, id_))
    except Exception:  # the standard library may raise anything on odd email
        return None


def _parts(message: Entity) -> Iterator[Entity]:
    """Yield the parts of a report, and the message that it may give back."""
    for part, _ in zip(message.children(), range(_MOST_PARTS), strict=False):
        yield part
        if part.kind == "message/rfc822":
            yield from part.children()


def _letter(parts: list[Entity]) -> str | None:
    """Return the id of the returned email, from the headers in the report."""
    for part in parts:
        headers = part.payload()[: 8 * MAX_HEADER] if part.kind == "text/rfc822-headers" else b""
        match = _OURS.search(headers.decode("latin-1") or part.header("Message-ID"))
        if match is not None:
            return match[0]
    return None


def _failures(parts: list[Entity], where: str, id_: str) -> list[Returned]:
    failures = []
    for part in (status for status in parts if status.kind == "message/delivery-status"):
        for block in _EMPTY_LINE.split(part.payload(), maxsplit=_MOST + 1)[: _MOST + 1]:
            entity = Entity(block)
            action = entity.header("Action").strip().lower()
            address = _ADDRESS.search(
                (entity.header("Original-Recipient") or entity.header("Final-Recipient"))[:400]
            )
            if action in ("failed", "delayed") and address is not None:
                why = _words(entity.header("Diagnostic-Code") or entity.header("Status"))
                failures.append(Returned(where, id_, address[0].lower(), why, action == "delayed"))
    return failures


def _words(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]
