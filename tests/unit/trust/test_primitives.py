"""Both homes of cryptography do the same: published vectors, and what one writes the other opens."""

from __future__ import annotations

import secrets

import pytest

from pbem.trust import keys
from pbem.trust.errors import BadKey, NoKey, NotHere, OtherKind
from pbem.trust.native import Native
from pbem.trust.noble import Noble
from pbem.trust.primitives import Home, home
from tests.unit.trust.bridged import Bridged
from tests.unit.trust.primitives_vectors import SEAL, H, check

HOMES: list[Home] = [Native(), Noble(Bridged())]
BOTH = pytest.mark.parametrize(("one", "other"), [HOMES, HOMES[::-1]], ids=["native", "noble"])
SEED, PRIVATE = bytes(range(32)), bytes(range(1, 33))


@pytest.mark.parametrize("where", HOMES, ids=["native", "noble"])
def test_the_published_vectors_hold(where: Home) -> None:
    assert check(where) == []


def test_a_fault_in_a_home_is_seen() -> None:
    class Careless(Noble):
        def verify(self, public: bytes, signature: bytes, message: bytes) -> bool:
            return True

    assert {"RFC 8032, 1", "cofactor"} <= set(check(Careless(Bridged())))


def test_hpke_is_put_together_as_its_vectors_say() -> None:
    ephemeral, private, info, aad, plain, enc, secret = map(H, SEAL)
    noble = Noble(Bridged())
    blob = noble.seal_from(ephemeral, noble.agreed_public_of(private), plain, info, aad)
    assert blob == enc + secret
    assert noble.open_sealed(private, blob, info, aad) == plain


@BOTH
def test_what_one_home_seals_the_other_opens(one: Home, other: Home) -> None:
    blob = one.seal(one.agreed_public_of(PRIVATE), b"data" * 99, b"info")
    assert other.open_sealed(PRIVATE, blob, b"info") == b"data" * 99


@BOTH
def test_key_files_of_one_home_are_read_by_the_other(one: Home, other: Home) -> None:
    assert other.read_signing_key(one.write_signing_key(SEED, None), None) == SEED
    written = one.write_agreeing_key(PRIVATE, None)
    assert other.read_agreeing_key(written, None) == PRIVATE
    assert written == other.write_agreeing_key(PRIVATE, None)


def test_the_browser_refuses_key_files_under_a_passphrase_and_names_the_way_out() -> None:
    native, noble = HOMES
    with pytest.raises(NotHere, match="pbem key backup"):
        noble.read_signing_key(native.write_signing_key(SEED, b"correct horse"), b"correct horse")
    with pytest.raises(NotHere, match="pbem key backup"):
        noble.read_agreeing_key(native.write_agreeing_key(PRIVATE, b"correct horse"), b"correct horse")
    for write in (noble.write_signing_key, noble.write_agreeing_key):
        with pytest.raises(NotHere, match="pbem key backup"):
            write(SEED, b"correct horse")


def test_a_key_that_a_browser_encrypts_opens_on_a_computer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the format of a key backup, as no browser has bcrypt."""
    monkeypatch.setattr(keys, "home", lambda: Noble(Bridged()))
    signing, sealing = (
        keys.make_key("correct horse"),
        keys.seal_file(secrets.token_bytes(32), "correct horse"),
    )
    again = keys.locked(keys.make_key(), "correct horse")
    for one in (HOMES[1], HOMES[0]):
        monkeypatch.setattr(keys, "home", lambda one=one: one)
        public = keys.public_of(signing)
        assert keys.is_locked(signing) and keys.is_locked(again)
        assert keys.FileSigner.load(signing, lambda name: "correct horse").public == public
        assert len(keys.load_seal_key(sealing, lambda name: "correct horse")) == 32
        for wrong in ("another", ""):
            with pytest.raises(BadKey):
                keys.FileSigner.load(signing, lambda name, wrong=wrong: wrong)
            with pytest.raises(BadKey):
                keys.load_seal_key(sealing, lambda name, wrong=wrong: wrong)
    assert b"PRIVATE KEY" not in signing + sealing


def test_damaged_keys_are_none() -> None:
    noble = Noble(Bridged())
    whole = noble.write_signing_key(SEED, None)
    for at in range(40, len(whole) - 40, 7):
        changed = whole[:at] + (b"A" if whole[at : at + 1] != b"A" else b"B") + whole[at + 1 :]
        try:
            assert noble.read_signing_key(changed, None) == SEED  # the number to check, and the filling
        except (NoKey, NotHere, OtherKind):
            pass


def test_on_computers_the_home_is_the_library() -> None:
    assert isinstance(home(), Native)
