"""Published vectors for a home of cryptography (`pbem/trust/primitives.py`), and what two homes must share.

The same file runs on computers (test_primitives.py) and in WebAssembly (tests/browser/test_site.py).
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.trust.errors import NoKey, NotOpened, OtherKind
from pbem.trust.primitives import Home

H = bytes.fromhex
# RFC 8032, 7.1: private key, public key, message, signature
SIGNATURES = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
)
# RFC 7748, 5.2 (scalar, coordinate, result) and 6.1 (private, public of the other, shared)
AGREEMENTS = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
    (
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
        "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
    ),
)
# a signature whose R has a part of order 8: it holds only by the equation with the cofactor, not by ours
MIXED = (
    "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8",
    "b15bf26424d1b69dd33b7a9e57db5de4a2aadea4a2a051efd9bfd6af74165d2b1af8ddc701f1dd51c51fa19fe1a08c6bbfc33afa03f7aef8b962f555ad85f501",
    b"pbem",
)
# RFC 9180, A.2.1: keys of sender and recipient, info, aad, plaintext, enc, ciphertext
SEAL = (
    "f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600",
    "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb",
    "4f6465206f6e2061204772656369616e2055726e",
    "436f756e742d30",
    "4265617574792069732074727574682c20747275746820626561757479",
    "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a",
    "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28",
)
# RFC 7914, 12: the first 32 bytes for N = 16384, r = 8, p = 1
SCRYPT = (
    b"pleaseletmein",
    b"SodiumChloride",
    16384,
    "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2",
)
# RFC 8439, 2.8.2: key, nonce, aad, plaintext, ciphertext with its tag
ENCRYPTED = (
    "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
    "070000004041424344454647",
    "50515253c0c1c2c3c4c5c6c7",
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it.",
    "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
    "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
    "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691",
)


def check(home: Home) -> list[str]:
    """Run all vectors against a home; return the names of those that fail."""
    found = [f"RFC 8032, {n}" for n, one in enumerate(SIGNATURES, 1) if not _signs(home, *one)]
    found += [
        f"RFC 7748, {n}"
        for n, (private, public, shared) in enumerate(AGREEMENTS, 1)
        if home.agree(H(private), H(public)).hex() != shared
    ]
    tests = {
        "cofactor": not home.verify(H(MIXED[0]), H(MIXED[1]), MIXED[2]),
        "RFC 7914": home.scrypt(*SCRYPT[:3]).hex() == SCRYPT[3],
        "RFC 8439": _encrypts(home),
        "zero": _refuses_zero(home),
        "seal": _seals(home),
        "keys": _keeps_keys(home),
    }
    return [*found, *(name for name, good in tests.items() if not good)]


def _signs(home: Home, seed: str, public: str, message: str, signature: str) -> bool:
    """Return True for a vector that is signed, holds, and holds no more with any of three bits changed."""
    data, signed = H(message), home.sign(H(seed), H(message))
    changed = [bytes([*signed[:at], signed[at] ^ 1, *signed[at + 1 :]]) for at in (0, 40, 63)]
    beyond = signed[:32] + (int.from_bytes(signed[32:], "little") + _ORDER).to_bytes(32, "little")
    return (
        home.public_of(H(seed)).hex() == public
        and signed.hex() == signature
        and home.verify(H(public), signed, data)
        and not home.verify(H(public), signed, data + b"x")
        and not any(home.verify(H(public), one, data) for one in (*changed, beyond, signed[:63], b""))
        and not home.verify(H(public)[:31], signed, data)
    )


_ORDER = 2**252 + 27742317777372353535851937790883648493


def _encrypts(home: Home) -> bool:
    key, nonce, aad, plain, secret = (one if isinstance(one, bytes) else H(one) for one in ENCRYPTED)
    if home.encrypt(key, nonce, plain, aad) != secret or home.decrypt(key, nonce, secret, aad) != plain:
        return False
    return _opens_not(lambda: home.decrypt(key, nonce, secret, aad + b"x"), NotOpened)


def _refuses_zero(home: Home) -> bool:
    return _opens_not(lambda: home.agree(H(SEAL[1]), bytes(32)), ValueError) and _opens_not(
        lambda: home.seal(bytes(32), b"data", b"info"), ValueError
    )


def _seals(home: Home) -> bool:
    private = H(SEAL[1])
    blob = home.seal(home.agreed_public_of(private), b"data", b"info")
    again = home.seal(home.agreed_public_of(private), b"data", b"info")
    altered = blob[:-1] + bytes([blob[-1] ^ 1])
    return (
        blob != again
        and home.open_sealed(private, blob, b"info") == b"data"
        and _opens_not(lambda: home.open_sealed(private, blob, b"other"), NotOpened)
        and _opens_not(lambda: home.open_sealed(private, altered, b"info"), NotOpened)
        and _opens_not(lambda: home.open_sealed(private, b"", b"info"), NotOpened)
        and _opens_not(lambda: home.open_sealed(private, bytes(64), b"info"), NotOpened)
    )


def _keeps_keys(home: Home) -> bool:
    seed, private = H(SIGNATURES[0][0]), H(SEAL[1])
    signing, agreeing = home.write_signing_key(seed, None), home.write_agreeing_key(private, None)
    return (
        home.read_signing_key(signing, None) == seed
        and home.read_agreeing_key(agreeing, None) == private
        and _opens_not(lambda: home.read_signing_key(agreeing, None), NoKey)
        and _opens_not(lambda: home.read_signing_key(signing[:200], None), NoKey)
        and _opens_not(lambda: home.read_agreeing_key(signing, None), NoKey, OtherKind)
        and _opens_not(lambda: home.read_agreeing_key(b"", None), NoKey)
    )


def _opens_not(what: Callable[[], bytes], *faults: type[Exception]) -> bool:
    try:
        what()
    except faults:
        return True
    return False
