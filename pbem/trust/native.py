"""Cryptography on computers: the library `cryptography`, which is imported nowhere else."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature, InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from pbem.trust.errors import NoKey, NotHere, NotOpened, OtherKind


class Native:
    """`cryptography` behind the interface `Home` (pbem/trust/primitives.py), which says what each does."""

    def public_of(self, seed: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()

    def sign(self, seed: bytes, message: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(seed).sign(message)

    def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def agreed_public_of(self, private: bytes) -> bytes:
        return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()

    def agree(self, private: bytes, public: bytes) -> bytes:
        return X25519PrivateKey.from_private_bytes(private).exchange(
            X25519PublicKey.from_public_bytes(public)
        )

    def seal(self, public: bytes, data: bytes, info: bytes) -> bytes:
        return _suite().encrypt(data, X25519PublicKey.from_public_bytes(public), info=info)

    def open_sealed(self, private: bytes, blob: bytes, info: bytes) -> bytes:
        key = X25519PrivateKey.from_private_bytes(private)
        try:
            return _suite().decrypt(blob, key, info=info)
        except (InvalidTag, ValueError):
            raise NotOpened from None

    def encrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        return ChaCha20Poly1305(key).encrypt(nonce, data, aad)

    def decrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        try:
            return ChaCha20Poly1305(key).decrypt(nonce, data, aad)
        except InvalidTag:
            raise NotOpened from None

    def scrypt(self, secret: bytes, salt: bytes, n: int) -> bytes:
        return Scrypt(salt=salt, length=32, n=n, r=8, p=1).derive(secret)

    def write_signing_key(self, seed: bytes, passphrase: bytes | None) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(seed).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, _encryption(passphrase)
        )

    def read_signing_key(self, data: bytes, passphrase: bytes | None) -> bytes:
        try:
            private = serialization.load_ssh_private_key(data, passphrase)
        except UnsupportedAlgorithm as fault:
            raise NotHere(str(fault)) from None
        except (ValueError, TypeError):
            raise NoKey from None
        if not isinstance(private, Ed25519PrivateKey):
            raise OtherKind
        return private.private_bytes_raw()

    def write_agreeing_key(self, private: bytes, passphrase: bytes | None) -> bytes:
        return X25519PrivateKey.from_private_bytes(private).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, _encryption(passphrase)
        )

    def read_agreeing_key(self, data: bytes, passphrase: bytes | None) -> bytes:
        try:
            private = serialization.load_pem_private_key(data, passphrase)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise NoKey from None
        if not isinstance(private, X25519PrivateKey):
            raise OtherKind
        return private.private_bytes_raw()


def _encryption(passphrase: bytes | None) -> serialization.KeySerializationEncryption:
    if passphrase is None:
        return serialization.NoEncryption()
    return serialization.BestAvailableEncryption(passphrase)


def _suite() -> Suite:
    return Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
