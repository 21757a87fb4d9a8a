"""Unsigned email with orders in plain text: reported, never counted (protocol 5.3, 6.2)."""

from __future__ import annotations

import email
import re
from collections.abc import Iterable
from email.header import decode_header, make_header
from email.utils import parseaddr

from pbem.mail.mime import MAX_HEADER

_QUOTE = r"(?m)^[\s>|]{0,20}"
_HEADS = (
    re.compile(_QUOTE + r"""["']?answers["']?\s*:"""),
    re.compile(_QUOTE + r"""["']?standing["']?\s*:"""),
    re.compile(_QUOTE + r"""["']?stage["']?\s*:\s*\d{1,9}\b"""),
    re.compile(_QUOTE + r"""["']?game["']?\s*:\s*["']?[0-9a-f]{12,64}\b"""),
)
_LOOK = 1 << 18  # characters of a text that are looked at
_ADDRESS = re.compile(r"[^\s@<>,;:()\"\[\]\\]{1,64}@[^\s@<>,;:()\"\[\]\\]{1,253}")


def like_orders(texts: Iterable[str]) -> bool:
    """Return True if a text has at least two of the members at the start of an order file.

    Answers or standing must be among them.
    """
    return any(_like_orders(text[:_LOOK]) for text in texts)


def _like_orders(text: str) -> bool:
    answers, standing, stage, game = (head.search(text) is not None for head in _HEADS)
    return (answers or standing) and answers + standing + stage + game > 1


def sender(data: bytes) -> str:
    """Return the address in `From:`, in small letters, or "".

    It proves nothing.
    """
    head = data[: 8 * MAX_HEADER]
    try:
        value = str(email.message_from_bytes(head).get("From", ""))[:MAX_HEADER]
        address = parseaddr(value)[1].lower()
    except Exception:  # the standard library may raise anything on odd email
        return ""
    return address if _ADDRESS.fullmatch(address) else ""


def decoded(header: str) -> str:
    """Return a header as people read it; as it is if it is encoded in an unknown way."""
    try:
        return str(make_header(decode_header(header)))
    except Exception:  # as above
        return header


def automatic(data: bytes) -> bool:
    """Return True if a program wrote it, or a list passed it on: nobody answers such email (RFC 3834)."""
    try:
        head = email.message_from_bytes(data[: 8 * MAX_HEADER])
        how = str(head.get("Auto-Submitted", "no")).strip().lower()
        listed = any(head.get(name) is not None for name in ("List-Id", "Precedence", "List-Unsubscribe"))
    except Exception:
        return True
    return listed or not how.startswith("no")
