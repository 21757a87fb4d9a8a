"""Statements as text in email: writing the armour and finding it again in damaged text (protocol 6).

The signature decides about every repair: `read` returns all candidates, `sound` what was signed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass
from pbem.trust import sshsig
from pbem.trust.errors import BadKey, BadSignature
from pbem.trust.repairs import decodings, defused, mark_base64, marks, opens, single_dashes, variants

if TYPE_CHECKING:
    from pbem.trust.keys import Signer

__all__ = ["Found", "Signed", "armour", "defused", "opens", "read", "single_dashes", "sound", "write"]

STATEMENT = "PBEM STATEMENT"
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
        """Return a statement signed with this key."""
        return cls(data, (signer.sign(data),))


@dataclass(frozen=True)
class Found:
    """An armour in a text: the candidates for its statement, and the signatures under it.

    No signatures: none was there, or none that could be read.
    """

    statements: tuple[bytes, ...]
    signatures: tuple[str, ...]

    def digest(self) -> bytes:
        """Return a hash of all of it: two with one digest are alike."""
        made = hashlib.sha256()
        for part in (*self.statements, *map(str.encode, self.signatures)):
            made.update(b"%d:" % len(part) + hashlib.sha256(part).digest())
        return made.digest()


def armour(signed: Signed) -> str:
    """Return statement and signatures as text (6.1)."""
    return mark_base64(STATEMENT, signed.data) + "".join(signed.signatures)


def write(readable: str, items: Iterable[Signed]) -> str:
    """Return the text of a `.pbem.txt` file and mail body: the readable part, then the armour (6.1)."""
    text = defused(readable).rstrip("\n")
    blocks = "\n".join(armour(item) for item in items)
    return f"{text}\n\n{blocks}" if text else blocks


def read(text: str, *, flowed: bool = False, delsp: bool = False) -> tuple[Found, ...]:
    """Return every armour that `search` finds in a text."""
    return tuple(search(text, flowed=flowed, delsp=delsp))


def search(text: str, *, flowed: bool = False, delsp: bool = False) -> Iterator[Found]:
    """Yield every armour that may be in a text, repaired in several ways; to hold none is no error.

    `flowed` and `delsp` are what the email says of its format. Text beyond MAX_TEXT is not looked at, and no
    more than MAX_STATEMENTS armours are taken from one reading of the text.
    """
    known: set[bytes] = set()
    for variant in variants(text[:MAX_TEXT], flowed=flowed, delsp=delsp):
        for block in _armours(variant):
            digest = block.digest()
            if digest not in known:
                known.add(digest)
                yield block
        del variant  # free the memory for the next one


def sound(blocks: Iterable[Found], keys: Collection[bytes] | None = None) -> tuple[Signed, ...]:
    """Return the statements with a good signature, each once with all of them, in order of appearance.

    A signature is judged by the public key inside it; with `keys` only these are believed. Whose key it is,
    and what the statement says, is for the caller to check (5.3).
    """
    good: dict[bytes, dict[str, None]] = {}
    for block in blocks:
        for data in block.statements:
            fitting = [signature for signature in block.signatures if _fits(data, signature, keys)]
            if fitting:
                good.setdefault(data, {}).update(dict.fromkeys(fitting))
                break
    return tuple(Signed(data, tuple(signatures)) for data, signatures in list(good.items())[:MAX_STATEMENTS])


def signatures(text: str) -> tuple[str, ...]:
    """Return the SSH signatures in a text, such as a `.sig` file, with line ends as `sshsig` wants."""
    armours: dict[str, None] = {}
    begin = -1
    for mark in marks((SIGNATURE,), text):
        if mark.begins:
            begin = mark.end
        elif begin >= 0:
            armours.update(dict.fromkeys(_signatures(text[begin : mark.start])))
            begin = -1
    return tuple(armours)


def _armours(text: str) -> Iterator[Found]:
    """Yield the armours of one reading of a text; a marker that lost its partner costs no other armour."""
    count, statements, signed = 0, tuple[bytes, ...](), dict[str, None]()
    begin_statement = begin_signature = -1
    for mark in marks((STATEMENT, SIGNATURE), text):
        if begin_statement >= 0 and not (mark.name == STATEMENT and mark.begins):
            if statements:
                yield Found(statements, tuple(signed))
            if count == MAX_STATEMENTS:
                return
            count, statements, signed = count + 1, decodings(text[begin_statement : mark.start]), {}
            begin_statement = -1
        if mark.name == STATEMENT:
            begin_statement, begin_signature = (mark.end if mark.begins else -1), -1
        elif mark.begins:
            begin_signature = mark.end
        elif begin_signature >= 0 and count:
            if len(signed) < MAX_SIGNATURES:
                signed.update(dict.fromkeys(_signatures(text[begin_signature : mark.start])))
            begin_signature = -1
    if statements:
        yield Found(statements, tuple(signed))


def _signatures(inner: str) -> Sequence[str]:
    signatures = []
    for blob in decodings(inner):
        try:
            signatures.append(sshsig.encode(*sshsig.decode_blob(blob)))
        except BadSignature:
            continue
    return signatures


def _fits(data: bytes, signature: str, keys: Collection[bytes] | None) -> bool:
    public, _ = sshsig.decode(signature)
    if keys is not None and public not in keys:
        return False
    try:
        sshsig.verify(public, signature, data)
    except (BadKey, BadSignature):
        return False
    return True
