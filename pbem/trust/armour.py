"""Statements as text in mail: writing the armour and finding it again in damaged text (protocol 6).

The signature is the judge of every repair: `read` returns what may have been sent, `sound` what was signed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass
from pbem.trust import sshsig
from pbem.trust.errors import BadKey, BadSignature
from pbem.trust.repairs import decodings, defused, mark_base64, marks, opens, single_dashes, variants

if TYPE_CHECKING:
    from pbem.trust.keys import Signer

__all__ = ["Found", "Signed", "armour", "defused", "opens", "read", "single_dashes", "sound", "write"]

STATEMENT = "PBEM STATEMENT"
AS_SIGNED = "Statements as they were signed, with signatures (pbem 1):"
_MAX_LABEL = 4000  # bytes before that line
SIGNATURE = "SSH SIGNATURE"
MAX_STATEMENTS = 64
MAX_SIGNATURES = 32
MAX_TEXT = 25 * 1024 * 1024


@dataclass(frozen=True)
class Signed:
    """The bytes of a statement and the armoured signatures over them."""

    data: bytes
    signatures: tuple[str, ...]

    @classmethod
    def by(cls, signer: Signer, data: bytes) -> Signed:
        """A statement signed by whoever has this key."""
        return cls(data, (signer.sign(data),))


@dataclass(frozen=True)
class Found:
    """An armour as it was found: what the statement may have been, and which signatures stand under it.

    No signatures: none was there, or none that could be read.
    """

    statements: tuple[bytes, ...]
    signatures: tuple[str, ...]


def armour(signed: Signed) -> str:
    """Statement and signatures as text (6.1)."""
    return mark_base64(STATEMENT, signed.data) + "".join(signed.signatures)


def write(readable: str, items: Iterable[Signed]) -> str:
    """The text of a `.pbem.txt` file and mail body: what people read, then the armour that counts (6.1)."""
    text = defused(readable).rstrip("\n")
    blocks = "\n".join(armour(item) for item in items)
    return f"{text}\n\n{blocks}" if text else blocks


def write_as_signed(readable: str, items: Iterable[Signed]) -> str:
    """The same without base64, for what no relay touches: each statement as it was signed, a line, and its
    signatures. Packed it has three quarters of the bytes and less, for what is sealed is base64 already."""
    text = defused(readable).rstrip("\n")
    blocks = "".join(f"{item.data.decode()}\n{''.join(item.signatures)}" for item in items)
    return f"{text}\n\n{AS_SIGNED}\n{blocks}"


def in_armour(data: bytes) -> bytes:
    """What `write_as_signed` made as `write` would have made it; anything else as it is."""
    head, mark, rest = data.partition(AS_SIGNED.encode())
    if not mark or len(head) > _MAX_LABEL:
        return data
    items: list[tuple[bytes, list[bytes]]] = []
    for line in rest.split(b"\n")[1:]:
        if line.startswith(b"{"):
            items.append((line.strip(b"\r\n"), []))
        elif items:
            items[-1][1].append(line.rstrip(b"\r\n") + b"\n")
    texts = (Signed(one, (b"".join(lines).decode("ascii", "replace"),)) for one, lines in items)
    return write(head.decode("utf-8", "replace"), texts).encode()


def read(text: str, *, flowed: bool = False, delsp: bool = False) -> tuple[Found, ...]:
    """Every armour that may be in a text, repaired in several ways; of no text is it an error to hold none.

    `flowed` and `delsp` are what the mail says of its format. Text beyond MAX_TEXT is not looked at, and no
    more than MAX_STATEMENTS armours are taken from one reading of the text.
    """
    found: dict[Found, None] = {}
    for variant in variants(text[:MAX_TEXT], flowed=flowed, delsp=delsp):
        for one in _armours(variant):
            found[one] = None
    return tuple(found)


def sound(found: Iterable[Found], keys: Collection[bytes] | None = None) -> tuple[Signed, ...]:
    """The statements that carry a good signature, each once, with all its good signatures, in order of
    appearance.

    A signature is judged by the public key inside it; with `keys` only these are believed. Whose key it is,
    and what the statement says, is for the caller to check (5.3).
    """
    good: dict[bytes, dict[str, None]] = {}
    for one in found:
        for data in one.statements:
            fitting = [each for each in one.signatures if _fits(data, each, keys)]
            if fitting:
                good.setdefault(data, {}).update(dict.fromkeys(fitting))
                break
    return tuple(Signed(data, tuple(each)) for data, each in list(good.items())[:MAX_STATEMENTS])


def signatures(text: str) -> tuple[str, ...]:
    """The SSH signatures in a text, such as a `.sig` file with changed line ends, in the form `sshsig`
    wants.
    """
    found: dict[str, None] = {}
    begin = -1
    for mark in marks((SIGNATURE,), text):
        if mark.begins:
            begin = mark.end
        elif begin >= 0:
            found.update(dict.fromkeys(_signatures(text[begin : mark.start])))
            begin = -1
    return tuple(found)


def _armours(text: str) -> list[Found]:
    """The armours of one reading of a text; a marker that lost its partner costs no other armour."""
    armours: list[tuple[tuple[bytes, ...], dict[str, None]]] = []
    begin_statement = begin_signature = -1
    for mark in marks((STATEMENT, SIGNATURE), text):
        if begin_statement >= 0 and not (mark.name == STATEMENT and mark.begins):
            if len(armours) == MAX_STATEMENTS:
                break
            armours.append((decodings(text[begin_statement : mark.start]), {}))
            begin_statement = -1
        if mark.name == STATEMENT:
            begin_statement, begin_signature = (mark.end if mark.begins else -1), -1
        elif mark.begins:
            begin_signature = mark.end
        elif begin_signature >= 0 and armours:
            if len(armours[-1][1]) < MAX_SIGNATURES:
                armours[-1][1].update(dict.fromkeys(_signatures(text[begin_signature : mark.start])))
            begin_signature = -1
    return [Found(data, tuple(each)) for data, each in armours if data]


def _signatures(inner: str) -> Sequence[str]:
    found = []
    for blob in decodings(inner):
        try:
            found.append(sshsig.encode(*sshsig.decode_blob(blob)))
        except BadSignature:
            continue
    return found


def _fits(data: bytes, signature: str, keys: Collection[bytes] | None) -> bool:
    public, _ = sshsig.decode(signature)
    if keys is not None and public not in keys:
        return False
    try:
        sshsig.verify(public, signature, data)
    except (BadKey, BadSignature):
        return False
    return True
