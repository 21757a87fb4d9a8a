"""The home of cryptography in the browser: the JavaScript libraries `@noble/*` behind a bridge.

They are audited, and the bridge gives bytes for bytes. This module adds only what they lack: the
two key files without a passphrase, and the way in which RFC 9180 combines key agreement, HMAC and
encryption.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Any, Protocol

from pbem.text.messages import Message
from pbem.trust.errors import NoKey, NotHere, NotOpened, OtherKind, TrustError
from pbem.trust.hashing import Reader, lp, u32


class Bridge(Protocol):
    """The functions of `@noble/*`; ValueError for what they refuse."""

    def ed25519_public(self, seed: bytes) -> bytes: ...
    def ed25519_sign(self, seed: bytes, message: bytes) -> bytes: ...
    def ed25519_verify(self, public: bytes, signature: bytes, message: bytes) -> bool: ...
    def x25519_public(self, private: bytes) -> bytes: ...
    def x25519(self, private: bytes, public: bytes) -> bytes: ...
    def chacha_encrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes: ...
    def chacha_decrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes: ...
    def scrypt(self, secret: bytes, salt: bytes, n: int) -> bytes: ...


class _Called:
    """The JavaScript module that the page registers as `pbem_noble`, called with bytes."""

    def __init__(self, module: Any, to_js: Any, fault: type[Exception]) -> None:
        self._module, self._to_js, self._fault = module, to_js, fault

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._module, name)

        def called(*values: bytes | int) -> bytes | bool:
            try:
                result = function(*(self._to_js(value) for value in values))
            except self._fault as fault:
                raise ValueError(name) from fault
            return result if isinstance(result, bool) else bytes(result.to_bytes())

        return called


def bridge() -> Bridge:
    """Return the bridge to the page's own module."""
    from importlib import import_module

    ffi: Any = import_module("pyodide.ffi")
    called: Any = _Called(import_module("pbem_noble"), ffi.to_js, ffi.JsException)
    module_bridge: Bridge = called
    return module_bridge


class Noble:
    """`@noble/*` behind the interface `Home` (pbem/trust/primitives.py), which says what each does."""

    def __init__(self, bridge: Bridge) -> None:
        self._js = bridge

    def public_of(self, seed: bytes) -> bytes:
        return self._js.ed25519_public(seed)

    def sign(self, seed: bytes, message: bytes) -> bytes:
        return self._js.ed25519_sign(seed, message)

    def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        try:
            return self._js.ed25519_verify(public, signature, message)
        except ValueError:
            return False

    def agreed_public_of(self, private: bytes) -> bytes:
        return self._js.x25519_public(private)

    def agree(self, private: bytes, public: bytes) -> bytes:
        return self._js.x25519(private, public)

    def seal(self, public: bytes, data: bytes, info: bytes) -> bytes:
        return self.seal_from(secrets.token_bytes(32), public, data, info)

    def seal_from(self, ephemeral: bytes, public: bytes, data: bytes, info: bytes, aad: bytes = b"") -> bytes:
        """Seal with a given key of the sender, which must be used for nothing else (RFC 9180, 6.1)."""
        enc = self._js.x25519_public(ephemeral)
        key, nonce = _schedule(self._js.x25519(ephemeral, public), enc + public, info)
        return enc + self._js.chacha_encrypt(key, nonce, data, aad)

    def open_sealed(self, private: bytes, blob: bytes, info: bytes, aad: bytes = b"") -> bytes:
        enc = blob[:32]
        try:
            shared = self._js.x25519(private, enc)
            key, nonce = _schedule(shared, enc + self._js.x25519_public(private), info)
            return self._js.chacha_decrypt(key, nonce, blob[32:], aad)
        except ValueError:
            raise NotOpened from None

    def encrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        return self._js.chacha_encrypt(key, nonce, data, aad)

    def decrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        try:
            return self._js.chacha_decrypt(key, nonce, data, aad)
        except ValueError:
            raise NotOpened from None

    def scrypt(self, secret: bytes, salt: bytes, n: int) -> bytes:
        return self._js.scrypt(secret, salt, n)

    def write_signing_key(self, seed: bytes, passphrase: bytes | None) -> bytes:
        if passphrase is not None:
            raise NotHere(Message("trust.noble.no-passphrases"))
        public = self.public_of(seed)
        blob = lp(_ED25519) + lp(public)
        check = secrets.token_bytes(4)
        private = check + check + blob + lp(seed + public) + lp(b"")
        private += bytes(range(1, 1 + -len(private) % _UNIT))
        data = _OPENSSH + lp(b"none") + lp(b"none") + lp(b"") + u32(1) + lp(blob) + lp(private)
        return _pem("OPENSSH PRIVATE KEY", data, 70)

    def read_signing_key(self, data: bytes, passphrase: bytes | None) -> bytes:
        reader = Reader(_unpem("OPENSSH PRIVATE KEY", data), _Damaged, "a key")
        try:
            if reader.take(len(_OPENSSH)) != _OPENSSH:
                raise NoKey
            cipher, kdf, _options = (reader.string() for _ in range(3))
            if (cipher, kdf) != (b"none", b"none"):
                raise NotHere(Message("trust.noble.no-passphrases"))
            if reader.number() != 1:
                raise NoKey
            blob, private = reader.string(), Reader(reader.string(), _Damaged, "a key")
            if private.take(4) != private.take(4):
                raise NoKey
            if private.string() != _ED25519:
                raise OtherKind
            public, both = private.string(), private.string()
        except _Damaged:
            raise NoKey from None
        seed = both[:32]
        if len(both) != 64 or both[32:] != public or self.public_of(seed) != public:
            raise NoKey
        if blob != lp(_ED25519) + lp(public):
            raise NoKey
        return seed

    def write_agreeing_key(self, private: bytes, passphrase: bytes | None) -> bytes:
        if passphrase is not None:
            raise NotHere(Message("trust.noble.no-passphrases"))
        return _pem("PRIVATE KEY", _PKCS8 + private, 64)

    def read_agreeing_key(self, data: bytes, passphrase: bytes | None) -> bytes:
        if b"-----BEGIN ENCRYPTED PRIVATE KEY-----" in data:
            raise NotHere(Message("trust.noble.no-passphrases"))
        der = _unpem("PRIVATE KEY", data)
        if len(der) != len(_PKCS8) + 32:
            raise NoKey
        if not der.startswith(_PKCS8):
            raise OtherKind
        return der[len(_PKCS8) :]


class _Damaged(TrustError):
    """A key file whose parts are not as long as they say."""


_ED25519 = b"ssh-ed25519"
_OPENSSH = b"openssh-key-v1\0"
_UNIT = 8
# RFC 8410: version 0, the algorithm 1.3.101.110, and 32 bytes in an octet string within one
_PKCS8 = bytes.fromhex("302e020100300506032b656e04220420")
_KEM = b"KEM\x00\x20"
_SUITE = b"HPKE\x00\x20\x00\x01\x00\x03"


def _schedule(shared: bytes, both: bytes, info: bytes) -> tuple[bytes, bytes]:
    """Return key and nonce of a seal (RFC 9180, ExtractAndExpand of 4.1 and the key schedule of 5.1)."""
    secret = _expand(_extract(b"", _KEM, b"eae_prk", shared), _KEM, b"shared_secret", both, 32)
    context = b"\0" + _extract(b"", _SUITE, b"psk_id_hash", b"") + _extract(b"", _SUITE, b"info_hash", info)
    prk = _extract(secret, _SUITE, b"secret", b"")
    return _expand(prk, _SUITE, b"key", context, 32), _expand(prk, _SUITE, b"base_nonce", context, 12)


def _extract(salt: bytes, suite: bytes, label: bytes, data: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + data, hashlib.sha256)


def _expand(prk: bytes, suite: bytes, label: bytes, info: bytes, size: int) -> bytes:
    """Return at most 32 bytes: one block of HKDF is enough for a key and a nonce."""
    labelled = size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(prk, labelled + b"\x01", hashlib.sha256)[:size]


def _pem(label: str, data: bytes, width: int) -> bytes:
    text = base64.b64encode(data).decode()
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode()


def _unpem(label: str, data: bytes) -> bytes:
    _, begun, rest = data.partition(f"-----BEGIN {label}-----".encode())
    body, ended, _ = rest.partition(f"-----END {label}-----".encode())
    if not begun or not ended:
        raise NoKey
    try:
        return base64.b64decode(b"".join(body.split()), validate=True)
    except (binascii.Error, ValueError):
        raise NoKey from None
