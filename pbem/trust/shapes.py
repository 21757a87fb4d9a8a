"""Small checks that are put together to say what a JSON object of the protocol must look like.

A check takes a value and the path to it, and raises BadShape at the first fault. Engine data inside (orders,
events, values) is only bound to the canonical form, which the reader has checked before.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping

from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.errors import BadKey, BadShape, Path
from pbem.trust.hashing import is_hex32

Check = Callable[[object, Path], None]

MAX_NUMBER = 2**31 - 1  # stages and revisions (protocol 3)
_SHOWN = 40


def members(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """Return a check for an object with these members and no others."""
    known = {**required, **(optional or {})}

    def check(value: object, path: Path) -> None:
        if not isinstance(value, dict):
            raise BadShape(Message("trust.bodies.object-wanted", shown=shown(value)), path)
        for name in value:
            if name not in known:
                raise BadShape(
                    Message(
                        "trust.shapes.unknown-member-known", shown=shown(name), known=tuple(sorted(known))
                    ),
                    path,
                )
        for name in required:
            if name not in value:
                raise BadShape(Message("trust.shapes.member-missing", name=name), path)
        for name, member in value.items():
            known[name](member, (*path, name))

    return check


def table(key: Check, value: Check, *, empty: bool = False) -> Check:
    """Return a check for an object with keys and values of one kind each.

    Unless `empty`, it needs at least one (17.1).
    """

    def check(members: object, path: Path) -> None:
        if not isinstance(members, dict):
            raise BadShape(Message("trust.bodies.object-wanted", shown=shown(members)), path)
        if not members and not empty:
            raise BadShape(Message("trust.shapes.empty-must-left-out"), path)
        for name, member in members.items():
            key(name, (*path, name))
            value(member, (*path, name))

    return check


def array(item: Check, *, empty: bool = False, unique: bool = False, ascending: bool = False) -> Check:
    """Return a check for a list of one kind; `unique` and `ascending` are for strings."""

    def check(value: object, path: Path) -> None:
        if not isinstance(value, list):
            raise BadShape(Message("trust.shapes.list-wanted", shown=shown(value)), path)
        if not value and not empty:
            raise BadShape(Message("trust.shapes.empty-must-left-out"), path)
        for i, entry in enumerate(value):
            item(entry, (*path, i))
        if (unique or ascending) and len(set(value)) != len(value):
            raise BadShape(Message("trust.shapes.something-stands-in-twice"), path)
        if ascending and value != sorted(value):
            raise BadShape(Message("trust.shapes.not-in-ascending-order"), path)

    return check


def word(pattern: str, refusal: str) -> Check:
    """Return a check for a string that matches a pattern as a whole; `refusal`: a message id."""
    regex = re.compile(pattern)

    def check(value: object, path: Path) -> None:
        if not isinstance(value, str) or not regex.fullmatch(value):
            raise BadShape(Message(refusal, shown=shown(value)), path)

    return check


def number(least: int, most: int = MAX_NUMBER) -> Check:
    """Return a check for an integer within bounds, both included."""

    def check(value: object, path: Path) -> None:
        if type(value) is not int or not least <= value <= most:
            raise BadShape(
                Message("trust.shapes.number-from-wanted", shown=shown(value), least=least, most=most), path
            )

    return check


def one_of(*values: str | int) -> Check:
    """Return a check for one of a few strings or numbers."""

    def check(value: object, path: Path) -> None:
        if type(value) not in (str, int) or value not in values:
            raise BadShape(Message("trust.shapes.not-allowed", shown=shown(value), allowed=values), path)

    return check


def nullable(inner: Check) -> Check:
    """Return a check for null, or what `inner` allows."""

    def check(value: object, path: Path) -> None:
        if value is not None:
            inner(value, path)

    return check


def anything(value: object, path: Path) -> None:
    """Accept any value that canonical JSON can have."""


def hex32(value: object, path: Path) -> None:
    """Check a hash, id, nonce, link, salt or X25519 key."""
    if not is_hex32(value):
        raise BadShape(Message("trust.shapes.64-lower-case-hex-digits", shown=shown(value)), path)


def blob(value: object, path: Path) -> None:
    """Check sealed bytes: base64 with padding, no line breaks."""
    try:
        fits = (
            isinstance(value, str)
            and base64.b64encode(base64.b64decode(value, validate=True)) == value.encode()
        )
    except (binascii.Error, ValueError):
        fits = False
    if not fits or not value:
        raise BadShape(Message("trust.shapes.base64-padding-without-line-breaks", shown=shown(value)), path)


def signing_key(value: object, path: Path) -> None:
    """Check an OpenSSH public key of two fields that protocol 4.1 does not refuse."""
    if not isinstance(value, str):
        raise BadShape(Message("trust.shapes.openssh-public-key-wanted", shown=shown(value)), path)
    try:
        sshsig.parse_public_line(value)
    except BadKey as fault:
        raise BadShape(str(fault), path) from None


def shown(value: object) -> str:
    """Return a value as a diagnostic quotes it: short, and unable to repaint a terminal."""
    if isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'object'} of {len(value)}"
    if value is None:
        return "null"
    text = ascii(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


HEX32: Check = hex32
BLOB: Check = blob
ANY: Check = anything
SIGN: Check = signing_key
PARTY = word(r"[a-z][a-z0-9-]{0,15}", "trust.shapes.party-id-wanted")
KEY = word(r"[A-Za-z0-9_./:-]{1,100}", "trust.shapes.id-wanted")
LINE = word(r"\S[^\n\t]*", "trust.shapes.line-wanted")
TEXT = word(r"(?s)\s*\S.*", "trust.shapes.text-wanted")
MAIL = word(r"""[^\s@<>,;:()"\[\]\\]+@[^\s@<>,;:()"\[\]\\]+""", "trust.shapes.mail-wanted")
STAGE = number(0)
LATER_STAGE = number(1)

OPENING = members({"nonce": HEX32, "value": ANY}, {"stage": LATER_STAGE})
OPENINGS = table(KEY, OPENING)
MODULE = members({"name": LINE, "version": LINE, "sha256": HEX32})
SCENARIO = members({"name": LINE, "sha256": HEX32})
