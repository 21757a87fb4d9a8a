"""The encrypted copy of a game's private side, as text that survives email and paper (protocol 4.1).

The key comes from the passphrase by scrypt; ChaCha20-Poly1305 encrypts, with the parameters as its aad.
"""

from __future__ import annotations

import secrets
import unicodedata

from pbem.text.messages import Message
from pbem.trust.errors import BadBackup, NotOpened
from pbem.trust.primitives import home
from pbem.trust.repairs import base64_block, mark_base64

_BLOCK = "PBEM KEY BACKUP"
_MAGIC = b"pbem-backup/1\n"
_LOG_N = 16  # 64 MiB and a fifth of a second
_MAX_LOG_N = 17
_SALT, _NONCE = 16, 12


def backup(data: bytes, passphrase: str) -> str:
    """Encrypt `data`; every call gives another text."""
    head = _MAGIC + bytes([_LOG_N]) + secrets.token_bytes(_SALT) + secrets.token_bytes(_NONCE)
    key = _key(passphrase, head)
    return mark_base64(_BLOCK, head + home().encrypt(key, head[-_NONCE:], data, head))


def restore(text: str, passphrase: str) -> bytes:
    """Return what `backup` encrypted; BadBackup for damaged text or a wrong passphrase."""
    blob = base64_block(_BLOCK, text)
    if blob is None:
        raise BadBackup(Message("trust.backup.no-in-text", block=_BLOCK))
    size = len(_MAGIC) + 1 + _SALT + _NONCE
    head = blob[:size]
    if len(head) < size or not head.startswith(_MAGIC):
        raise BadBackup(Message("trust.backup.no-key-backup-version-known"))
    if not 1 <= head[len(_MAGIC)] <= _MAX_LOG_N:
        raise BadBackup(Message("trust.backup.key-backup-asks-more-memory"))
    try:
        return home().decrypt(_key(passphrase, head), head[-_NONCE:], blob[size:], head)
    except NotOpened:
        raise BadBackup(Message("trust.backup.passphrase-another-one-key-backup")) from None


def _key(passphrase: str, head: bytes) -> bytes:
    if not passphrase:
        raise BadBackup(Message("trust.backup.empty-passphrase-one-least-character"))
    at = len(_MAGIC)
    salt = head[at + 1 : at + 1 + _SALT]
    # two systems may compose the accents of one passphrase differently
    secret = unicodedata.normalize("NFC", passphrase).encode()
    return home().scrypt(secret, salt, 1 << head[at])
