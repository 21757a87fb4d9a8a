"""Key files that are damaged, forged or of another kind: both homes of cryptography refuse them alike."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.trust import sshsig
from pbem.trust.commit import commitment
from pbem.trust.errors import BadSignature, NoKey, NotHere, OtherKind
from pbem.trust.hashing import lp, u32
from pbem.trust.native import Native
from pbem.trust.noble import Noble
from tests.unit.trust.bridged import Bridged

SEED, PRIVATE = bytes(range(32)), bytes(range(1, 33))
NATIVE, NOBLE = Native(), Noble(Bridged())
PUBLIC = NATIVE.public_of(SEED)
OTHER = NATIVE.public_of(PRIVATE)
KIND = b"ssh-ed25519"


def key_file(
    *,
    magic: bytes = b"openssh-key-v1\0",
    cipher: bytes = b"none",
    count: int = 1,
    blob: bytes = lp(KIND) + lp(PUBLIC),
    checks: tuple[bytes, bytes] = (b"abcd", b"abcd"),
    kind: bytes = KIND,
    public: bytes = PUBLIC,
    both: bytes = SEED + PUBLIC,
) -> bytes:
    """A signing key as OpenSSH writes it, without a passphrase."""
    private = b"".join(checks) + lp(kind) + lp(public) + lp(both) + lp(b"")
    private += bytes(range(1, 1 + -len(private) % 8))
    data = magic + lp(cipher) + lp(b"none") + lp(b"") + u32(count) + lp(blob) + lp(private)
    return pem("OPENSSH PRIVATE KEY", data)


def pem(label: str, data: bytes) -> bytes:
    return f"-----BEGIN {label}-----\n{base64.b64encode(data).decode()}\n-----END {label}-----\n".encode()


def test_the_undamaged_key_is_read() -> None:
    for home in (NATIVE, NOBLE):
        assert home.read_signing_key(key_file(), None) == SEED


DAMAGED: dict[str, Callable[[], bytes]] = {
    "no key": lambda: b"hello",
    "no end": lambda: key_file().replace(b"-----END", b"-----AND"),
    "another format": lambda: key_file(magic=b"openssh-key-v2\0"),
    "two keys": lambda: key_file(count=2),
    "another passphrase": lambda: key_file(checks=(b"abcd", b"abce")),
    "another public half outside": lambda: key_file(blob=lp(KIND) + lp(OTHER)),
    "another public half inside": lambda: key_file(public=OTHER),
    "a seed too short": lambda: key_file(both=SEED[:-1] + PUBLIC),
    "cut off": lambda: pem("OPENSSH PRIVATE KEY", b"openssh-key-v1\0" + lp(b"none")),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_signing_key_is_no_key(case: str) -> None:
    for home in (NATIVE, NOBLE):
        with pytest.raises(NoKey):
            home.read_signing_key(DAMAGED[case](), None)


def test_a_browser_reads_no_seed_beside_the_public_half_of_another_and_no_stray_letters() -> None:
    for forged in (
        key_file(both=SEED + OTHER, public=OTHER, blob=lp(KIND) + lp(OTHER)),
        key_file(both=SEED + OTHER),
        key_file().replace(b"\n", b"\n*", 1),
    ):
        with pytest.raises(NoKey):
            NOBLE.read_signing_key(forged, None)


def test_keys_of_another_kind_are_named_as_such() -> None:
    curve = ec.generate_private_key(ec.SECP256R1())
    ssh = curve.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    for home in (NATIVE, NOBLE):
        with pytest.raises(OtherKind):
            home.read_signing_key(ssh, None)
    pkcs8 = curve.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(OtherKind):
        NATIVE.read_agreeing_key(pkcs8, None)
    good = NATIVE.write_agreeing_key(PRIVATE, None)
    ed25519 = base64.b64decode(good.split(b"\n")[1])
    ed25519 = ed25519.replace(bytes.fromhex("2b656e"), bytes.fromhex("2b6570"))
    for home in (NATIVE, NOBLE):
        with pytest.raises(OtherKind):
            home.read_agreeing_key(pem("PRIVATE KEY", ed25519), None)


def test_a_damaged_seal_key_is_no_key() -> None:
    good = base64.b64decode(NATIVE.write_agreeing_key(PRIVATE, None).split(b"\n")[1])
    for data in (good[:-1], b"", good[:16]):
        for home in (NATIVE, NOBLE):
            with pytest.raises(NoKey):
                home.read_agreeing_key(pem("PRIVATE KEY", data), None)


def test_a_browser_reads_no_encrypted_key() -> None:
    with pytest.raises(NotHere):
        NOBLE.read_signing_key(key_file(cipher=b"aes256-ctr"), None)


def test_a_browser_takes_no_signature_that_its_library_refuses() -> None:
    class Refusing(Bridged):
        def ed25519_verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
            raise ValueError("not a point")

    assert Noble(Refusing()).verify(PUBLIC, bytes(64), b"x") is False
    assert NOBLE.verify(PUBLIC, NATIVE.sign(SEED, b"x"), b"x") is True
    assert NOBLE.verify(PUBLIC, NATIVE.sign(SEED, b"x"), b"y") is False


@pytest.mark.parametrize("size", [0, 63, 65, 128])
def test_a_signature_has_64_bytes(size: int) -> None:
    with pytest.raises(BadSignature, match=str(size)):
        sshsig.check_raw(PUBLIC, bytes(size), b"x")


@pytest.mark.parametrize(("game", "nonce"), [(31, 32), (33, 32), (32, 31), (32, 33), (32, 0)])
def test_a_commitment_has_a_game_and_a_nonce_of_32_bytes(game: int, nonce: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(game), 1, "north", "bid", bytes(nonce), 1)
