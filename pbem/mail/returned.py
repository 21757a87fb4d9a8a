"""Delivery reports: a mail server says that a letter did not reach somebody (RFC 3464).

Anybody can write one, so it changes nothing: the owner is told, and a letter goes again only if he says so.
"""

from __future__ import annotations

import email
import re
from email.message import Message
from email.policy import compat32

from pbem.mail.parts import MAX_HEADER
from pbem.text.dataclass import dataclass

_MOST = 50  # people of one report
_LOOK = 4 << 20  # bytes of a report that are looked at; what is returned with it may be long
_REPORT = re.compile(rb"report-type\s*=\s*\"?delivery-status", re.IGNORECASE)
_OURS = re.compile(r"<[A-Za-z0-9-]{1,40}@pbem\.invalid>")
_ADDRESS = re.compile(r"[^\s@<>,;:()\"\[\]\\]{1,64}@[^\s@<>,;:()\"\[\]\\]{1,253}")


@dataclass(frozen=True)
class Returned:
    """A letter of ours, by the id of its mail, that did not reach an address; `late`: it is still tried."""

    where: str
    message_id: str
    address: str
    why: str
    late: bool = False


def returned(data: bytes, where: str) -> tuple[Returned, ...] | None:
    """What a delivery report says of letters that pbem wrote; None where this is no such report.

    An empty tuple: a report of a delivery that went well.
    """
    if not _REPORT.search(data[: 8 * MAX_HEADER]):
        return None
    try:
        message = email.message_from_bytes(data[:_LOOK], policy=compat32)
        id_ = _letter(message)
        return None if id_ is None else tuple(_failures(message, where, id_))
    except Exception:  # the standard library raises anything at all on odd mail
        return None


def _letter(message: Message) -> str | None:
    """The id of the mail that came back: in the headers that are returned with the report."""
    for part in message.walk():
        kind = part.get_content_type()
        text = str(part.get_payload()) if kind == "text/rfc822-headers" else str(part.get("Message-ID", ""))
        found = _OURS.search(text[: 8 * MAX_HEADER])
        if part is not message and found is not None:
            return found[0]
    return None


def _failures(message: Message, where: str, id_: str) -> list[Returned]:
    found = []
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        fields = part.get_payload()
        blocks = fields[:_MOST] if isinstance(fields, list) else []
        for one in (block for block in blocks if isinstance(block, Message)):
            action = str(one.get("Action", "")).strip().lower()
            address = _ADDRESS.search(
                str(one.get("Original-Recipient", one.get("Final-Recipient", "")))[:400]
            )
            if action in ("failed", "delayed") and address is not None:
                why = _words(str(one.get("Diagnostic-Code", one.get("Status", ""))))
                found.append(Returned(where, id_, address[0].lower(), why, action == "delayed"))
    return found


def _words(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]
