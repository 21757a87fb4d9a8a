"""A bridge to the primitives of `cryptography` in place of the browser's, for tests of `trust/noble.py`."""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.trust.native import Native


class Bridged:
    """Bytes for bytes, and ValueError for what is refused, as the JavaScript module does."""

    def ed25519_public(self, seed: bytes) -> bytes:
        return Native().public_of(seed)

    def ed25519_sign(self, seed: bytes, message: bytes) -> bytes:
        return Native().sign(seed, message)

    def ed25519_verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
        return Native().verify(public, signature, message)

    def x25519_public(self, private: bytes) -> bytes:
        return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()

    def x25519(self, private: bytes, public: bytes) -> bytes:
        return X25519PrivateKey.from_private_bytes(private).exchange(
            X25519PublicKey.from_public_bytes(public)
        )

    def chacha_encrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        return ChaCha20Poly1305(key).encrypt(nonce, data, aad)

    def chacha_decrypt(self, key: bytes, nonce: bytes, data: bytes, aad: bytes) -> bytes:
        try:
            return ChaCha20Poly1305(key).decrypt(nonce, data, aad)
        except InvalidTag:
            raise ValueError("altered") from None

    def scrypt(self, secret: bytes, salt: bytes, n: int) -> bytes:
        return Native().scrypt(secret, salt, n)
