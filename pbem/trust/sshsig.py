"""Detached OpenSSH signatures (SSHSIG) by Ed25519 keys, and refused keys (protocol 4.1, 5.2).

`ssh-keygen -Y verify -n pbem-v1` reads what is written here, and writes what is read here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from functools import lru_cache

from pbem.text.messages import Message
from pbem.trust.errors import BadKey, BadSignature
from pbem.trust.hashing import Reader, lp, u32
from pbem.trust.primitives import home

NAMESPACE = b"pbem-v1"
HASH_ALGORITHM = b"sha512"
KEY_TYPE = b"ssh-ed25519"
BEGIN = "-----BEGIN SSH SIGNATURE-----"
END = "-----END SSH SIGNATURE-----"

_MAGIC = b"SSHSIG"
_VERSION = 1
_LINE = 70
_MAX_ARMOUR = 4096
_P = 2**255 - 19
# y of the points whose order divides 8, those included that are not below the field's prime (4.1)
_SMALL_ORDER = frozenset(
    bytes.fromhex(text)
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)


# --- keys -----------------------------------------------------------------------------------------------


def check_key(public: bytes) -> None:
    """Check that a key can sign; BadKey for a wrong length, small order, or if not reduced (4.1)."""
    if len(public) != 32:
        raise BadKey(Message("trust.sshsig.signing-key-bytes-ed25519-key", count=len(public)))
    y = public[:31] + bytes([public[31] & 0x7F])
    if y in _SMALL_ORDER:
        raise BadKey(Message("trust.sshsig.signing-key-small-order-one"))
    if int.from_bytes(y, "little") >= _P:
        raise BadKey(Message("trust.sshsig.signing-key-not-written-in"))


def public_blob(public: bytes) -> bytes:
    """Return the key in SSH wire format."""
    return lp(KEY_TYPE) + lp(public)


def public_line(public: bytes) -> str:
    """Return the key as in the roster: two fields, no comment."""
    return f"{KEY_TYPE.decode()} {base64.b64encode(public_blob(public)).decode()}"


def parse_public_line(text: str) -> bytes:
    """Return the 32 bytes of an OpenSSH public key of two fields.

    BadKey if it is anything else or refused by 4.1.
    """
    fields = text.split(" ")
    if fields[0] != KEY_TYPE.decode():
        raise BadKey(Message("trust.sshsig.signing-key-type-only-ssh", fields=repr(fields[0][:40])))
    if len(fields) != 2:
        raise BadKey(Message("trust.sshsig.signing-key-must-two-fields"))
    try:
        blob = base64.b64decode(fields[1], validate=True)
    except (binascii.Error, ValueError):
        raise BadKey(Message("trust.sshsig.signing-key-second-field-not")) from None
    public = blob[-32:]
    if blob != public_blob(public) or public_line(public) != text:
        raise BadKey(Message("trust.sshsig.signing-key-not-canonical-base64"))
    check_key(public)
    return public


def read_public_file(text: str) -> bytes:
    """Return the key of a `.pub` file, which may have a comment; BadKey if there is none."""
    return parse_public_line(" ".join(text.split()[:2]))


# --- signatures -----------------------------------------------------------------------------------------


def signed_blob(message: bytes) -> bytes:
    """Return the bytes that the key really signs for a message (5.2)."""
    digest = hashlib.sha512(message).digest()
    return _MAGIC + lp(NAMESPACE) + lp(b"") + lp(HASH_ALGORITHM) + lp(digest)


def encode(public: bytes, signature: bytes) -> str:
    """Return the armoured signature; BadSignature if the lengths are not 32 and 64."""
    if len(public) != 32 or len(signature) != 64:
        raise BadSignature(
            Message("trust.sshsig.key-signature-bytes-ed25519-32", count=len(public), count_2=len(signature))
        )
    blob = _MAGIC + u32(_VERSION) + lp(public_blob(public)) + lp(NAMESPACE) + lp(b"") + lp(HASH_ALGORITHM)
    blob += lp(lp(KEY_TYPE) + lp(signature))
    text = base64.b64encode(blob).decode()
    lines = [text[i : i + _LINE] for i in range(0, len(text), _LINE)]
    return "\n".join([BEGIN, *lines, END, ""])


def decode_blob(blob: bytes) -> tuple[bytes, bytes]:
    """Return public key and signature of an SSHSIG without its armour.

    BadSignature unless it is exactly as in 5.2.
    """
    reader = Reader(blob, BadSignature, "an SSH signature")
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise BadSignature(Message("trust.sshsig.not-ssh-signature"))
    version = reader.number()
    if version != _VERSION:
        raise BadSignature(Message("trust.sshsig.ssh-signature-version-1-known", version=version))
    key, namespace, reserved, algorithm, signature = (reader.string() for _ in range(5))
    reader.end()
    if namespace != NAMESPACE:
        raise BadSignature(
            Message("trust.sshsig.signature-must", shown=_shown(namespace), shown_2=_shown(NAMESPACE))
        )
    if reserved:
        raise BadSignature(Message("trust.sshsig.ssh-signature-reserved-field-not"))
    if algorithm != HASH_ALGORITHM:
        raise BadSignature(
            Message(
                "trust.sshsig.signature-over-must-over",
                shown=_shown(algorithm),
                shown_2=_shown(HASH_ALGORITHM),
            )
        )
    return typed(key, 32, "key"), typed(signature, 64, "signature")


@lru_cache(maxsize=4096)
def decode(armour: str) -> tuple[bytes, bytes]:
    """Return public key and signature of an armoured SSHSIG.

    BadSignature unless every character is as `encode` has it.
    """
    if len(armour) > _MAX_ARMOUR:
        raise BadSignature(Message("trust.sshsig.ssh-signature-characters-some-300", count=len(armour)))
    lines = armour.split("\n")
    if len(lines) < 3 or lines[0] != BEGIN or lines[-2:] != [END, ""]:
        raise BadSignature(Message("trust.sshsig.ssh-signature-must-stand-between", begin=BEGIN, end=END))
    try:
        blob = base64.b64decode("".join(lines[1:-2]), validate=True)
    except (binascii.Error, ValueError):
        raise BadSignature(Message("trust.sshsig.ssh-signature-not-base64")) from None
    public, signature = decode_blob(blob)
    if encode(public, signature) != armour:
        raise BadSignature(Message("trust.sshsig.ssh-signature-not-base64-in", line=_LINE))
    return public, signature


def check_raw(public: bytes, signature: bytes, data: bytes) -> None:
    """Check a bare Ed25519 signature; BadKey or BadSignature if it does not hold."""
    check_key(public)
    if len(signature) != 64:
        raise BadSignature(Message("trust.sshsig.signature-bytes-ed25519-64", count=len(signature)))
    if not _holds(public, signature, data):
        raise BadSignature(Message("trust.sshsig.signature-does-not-fit-other"))


@lru_cache(maxsize=4096)  # an email carries each statement twice, and it is checked again when taken in
def _holds(public: bytes, signature: bytes, data: bytes) -> bool:
    return home().verify(public, signature, data)


def verify(public: bytes, armour: str, message: bytes) -> None:
    """Check the armoured signature of a message against the key from the roster.

    BadKey or BadSignature if bad.
    """
    embedded, signature = decode(armour)
    if embedded != public:
        raise BadSignature(
            Message(
                "trust.sshsig.signed-signature-must",
                fingerprint=fingerprint(embedded),
                fingerprint_2=fingerprint(public),
            )
        )
    check_raw(public, signature, signed_blob(message))


def fingerprint(public: bytes) -> str:
    """Return the key's fingerprint as `ssh-keygen -l` prints it."""
    digest = hashlib.sha256(public_blob(public)).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


def typed(data: bytes, length: int, what: str) -> bytes:
    """Return the bytes of a key or signature after its type name; BadSignature if it is not of Ed25519."""
    reader = Reader(data, BadSignature, f"a {what}")
    kind = reader.string()
    if kind != KEY_TYPE:
        raise BadSignature(Message("trust.sshsig.type-only-ssh-ed25519-known", what=what, shown=_shown(kind)))
    value = reader.string()
    reader.end()
    if len(value) != length:
        raise BadSignature(Message("trust.sshsig.bytes-ed25519", what=what, count=len(value), length=length))
    return value


def _shown(data: bytes) -> str:
    return repr(data[:40].decode("ascii", "replace"))
