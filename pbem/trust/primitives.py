"""The interface to cryptography, with one implementation for computers and one for the browser.

On computers that is `pbem/trust/native.py`, which alone imports `cryptography`. In the browser,
which lacks that library, it is `pbem/trust/noble.py`. Nothing is loaded before the first use.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

from pbem.text.browser import in_browser


class Home(Protocol):
    """The cryptography that `trust` needs; keys are bytes, private keys of both kinds have 32."""

    def public_of(self, seed: bytes) -> bytes:
        """Return the public half of an Ed25519 key (RFC 8032)."""

    def sign(self, seed: bytes, message: bytes) -> bytes:
        """Return the Ed25519 signature, 64 bytes."""

    def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        """Return True if an Ed25519 signature holds by the equation without the cofactor."""

    def agreed_public_of(self, private: bytes) -> bytes:
        """Return the public half of an X25519 key (RFC 7748)."""

    def agree(self, private: bytes, public: bytes) -> bytes:
        """Return the secret that two X25519 keys share; ValueError if it would be zero."""

    def seal(self, public: bytes, data: bytes, info: bytes) -> bytes:
        """Seal data to an X25519 key by HPKE, base mode, ChaCha20-Poly1305 (RFC 9180).

        ValueError as `agree`.
        """

    def open_sealed(self, private: bytes, blob: bytes, info: bytes) -> bytes:
        """Open what `seal` made; NotOpened if that cannot be."""

    def encrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        """Encrypt by ChaCha20-Poly1305 (RFC 8439)."""

    def decrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        """Decrypt what `encrypt` made; NotOpened if that cannot be."""

    def scrypt(self, secret: bytes, salt: bytes, n: int) -> bytes:
        """Return a key of 32 bytes from a passphrase by scrypt with r = 8, p = 1 (RFC 7914)."""

    def write_signing_key(self, seed: bytes, passphrase: bytes | None) -> bytes:
        """Return an Ed25519 key in the format of OpenSSH; NotHere if it cannot be encrypted."""

    def read_signing_key(self, data: bytes, passphrase: bytes | None) -> bytes:
        """Return the seed in an OpenSSH key; NoKey (or a wrong passphrase), OtherKind or NotHere."""

    def write_agreeing_key(self, private: bytes, passphrase: bytes | None) -> bytes:
        """Return an X25519 key as PKCS#8 PEM; NotHere if it cannot be encrypted."""

    def read_agreeing_key(self, data: bytes, passphrase: bytes | None) -> bytes:
        """Return the private bytes in a PKCS#8 PEM; NoKey (or a wrong passphrase), OtherKind or NotHere."""


@cache
def home() -> Home:
    """Return the home of cryptography in this process."""
    if in_browser():
        from pbem.trust.noble import Noble, bridge

        return Noble(bridge())
    from pbem.trust.native import Native

    return Native()
