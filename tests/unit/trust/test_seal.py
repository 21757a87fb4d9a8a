"""Seals: only the recipient reads them, and only where they belong."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text import canonical
from pbem.trust import keys, seal
from pbem.trust.errors import BadKey, BadSeal
from pbem.trust.roster import Roster
from pbem.trust.seal import Openings

GAME = bytes(range(32))
KEY = bytes(range(1, 33))


def test_the_sealed_openings_of_the_vectors(vectors: dict[str, Any], roster: Roster) -> None:
    want = vectors["seal"]
    blob = base64.b64decode(want["sealed_base64"])
    private = bytes.fromhex(want["recipient_private"])
    assert keys.seal_public(private).hex() == want["recipient_public"]
    assert seal.info(roster.game_id, 1, "openings", "north", "gm").hex() == want["info"]
    data = seal.unseal(blob, private, roster.game_id, 1, "openings", "north", "gm")
    assert data.decode() == want["plaintext"]
    assert hashlib.sha256(seal.pad(data, "openings")).hexdigest() == want["padded_plaintext_sha256"]
    content = Openings.unpack(data)
    assert content.link is not None and content.link.hex() == vectors["seed"]["links"]["north"]
    assert content.openings["initiative-bid"].value == 3
    assert content.pack() == data
    again = seal.seal(data, keys.seal_public(private), roster.game_id, 1, "openings", "north", "gm")
    assert len(again) == want["sealed_len"] and again != blob


def test_the_sealed_view_of_the_vectors(vectors: dict[str, Any], roster: Roster) -> None:
    want = vectors["view"]
    blob = base64.b64decode(want["sealed_base64"])
    assert len(blob) == want["sealed_len"]
    assert seal.info(roster.game_id, 1, "view", "gm", "south").hex() == want["info"]
    data = seal.unseal(
        blob, bytes.fromhex(want["recipient_private"]), roster.game_id, 1, "view", "gm", "south"
    )
    assert canonical.dumps(seal.unpack_view(data)).decode() == want["plaintext"]


def test_a_seal_opens_in_its_own_context_only() -> None:
    blob = seal.seal(b"data", keys.seal_public(KEY), GAME, 7, "openings", "north", "gm")
    assert seal.unseal(blob, KEY, GAME, 7, "openings", "north", "gm") == b"data"
    for change in (
        (blob, bytes(range(2, 34)), GAME, 7, "openings", "north", "gm"),
        (blob, KEY, bytes(32), 7, "openings", "north", "gm"),
        (blob, KEY, GAME, 8, "openings", "north", "gm"),
        (blob, KEY, GAME, 7, "view", "north", "gm"),
        (blob, KEY, GAME, 7, "openings", "south", "gm"),
        (blob, KEY, GAME, 7, "openings", "north", "south"),
        (blob[:-1] + bytes([blob[-1] ^ 1]), KEY, GAME, 7, "openings", "north", "gm"),
        (bytes(32) + blob[32:], KEY, GAME, 7, "openings", "north", "gm"),
        (blob[:-1], KEY, GAME, 7, "openings", "north", "gm"),
        (blob + b"\0", KEY, GAME, 7, "openings", "north", "gm"),
        (b"", KEY, GAME, 7, "openings", "north", "gm"),
    ):
        with pytest.raises(BadSeal):
            seal.unseal(*change)


@settings(max_examples=20, deadline=None)
@given(st.binary(max_size=600), st.sampled_from(["openings", "view"]))
def test_the_size_of_a_seal_tells_little(data: bytes, kind: str) -> None:
    blob = seal.seal(data, keys.seal_public(KEY), GAME, 1, kind, "a", "b")
    steps = {"openings": (256, 1024), "view": (4096,)}[kind]
    assert len(blob) - 48 == next(step for step in steps if step >= 4 + len(data))
    assert seal.unseal(blob, KEY, GAME, 1, kind, "a", "b") == data


def test_what_is_built_is_not_told_by_the_size_of_the_order() -> None:
    """306, 561 and 816 bytes told how much; a whole war's orders now have four sizes."""
    sizes = {len(seal.pad(bytes(n), "openings")) for n in range(0, 16_000, 7)}
    assert sorted(sizes) == [256, 1024, 4096, 16384]


@pytest.mark.parametrize("size", [0, 200, 252, 253, 508, 509, 700, 1020, 1021, 5000])
def test_a_seal_of_the_first_revisions_opens(size: int) -> None:
    """They were padded to the next multiple of 256."""
    data = bytes(range(256)) * 20
    data = data[:size]
    framed = len(data).to_bytes(4, "big") + data
    old = framed + bytes(-len(framed) % 256)
    assert seal.unpad(old, "openings") == data
    assert seal.unpad(seal.pad(data, "openings"), "openings") == data
    with pytest.raises(BadSeal):
        seal.unpad(old + bytes(256 * 64), "openings")


@pytest.mark.parametrize(
    "padded",
    [
        b"",
        b"\0\0\0",
        bytes(255),
        bytes(512),
        b"\0\0\0\x01" + bytes(251) + b"x",
        b"\0\0\xff\xff" + bytes(252),
        b"\xff\xff\xff\xff" + bytes(252),
    ],
)
def test_padding_has_one_form_only(padded: bytes) -> None:
    with pytest.raises(BadSeal):
        seal.unpad(padded, "openings")


def test_a_key_that_nothing_can_be_sealed_to_is_refused() -> None:
    seal.check_seal_key(keys.seal_public(KEY))
    for bad in (bytes(32), b"\1" + bytes(31), (2**255 - 20).to_bytes(32, "little"), bytes(31)):
        with pytest.raises(BadKey):
            seal.check_seal_key(bad)


# --- pyhpke as oracle -----------------------------------------------------------------------------------


def oracle() -> Any:
    pyhpke = pytest.importorskip("pyhpke", reason="no pyhpke here to compare with")
    return pyhpke, pyhpke.CipherSuite.new(
        pyhpke.KEMId.DHKEM_X25519_HKDF_SHA256, pyhpke.KDFId.HKDF_SHA256, pyhpke.AEADId.CHACHA20_POLY1305
    )


def test_another_implementation_opens_our_seal() -> None:
    _, suite = oracle()
    blob = seal.seal(b"openings of mine", keys.seal_public(KEY), GAME, 3, "openings", "north", "gm")
    info = seal.info(GAME, 3, "openings", "north", "gm")
    recipient = suite.create_recipient_context(blob[:32], suite.kem.deserialize_private_key(KEY), info=info)
    assert seal.unpad(recipient.open(blob[32:], aad=b""), "openings") == b"openings of mine"


def test_we_open_the_seal_of_another_implementation() -> None:
    _, suite = oracle()
    info = seal.info(GAME, 3, "view", "gm", "north")
    public = suite.kem.deserialize_public_key(keys.seal_public(KEY))
    enc, sender = suite.create_sender_context(public, info=info)
    blob = enc + sender.seal(seal.pad(b"view of yours", "view"), aad=b"")
    assert seal.unseal(blob, KEY, GAME, 3, "view", "gm", "north") == b"view of yours"


# --- what is sealed -------------------------------------------------------------------------------------


def test_empty_openings_leave_their_member_out() -> None:
    assert Openings(None).pack() == b"{}"
    assert Openings(bytes(32)).pack() == b'{"link":"' + b"0" * 64 + b'"}'
    assert Openings.unpack(b"{}") == Openings(None, {})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"link":7}',
        b'{"link":null}',
        b'{"openings":{}}',
        b'{"openings":{"bid":{"value":3}}}',
        b'{"openings":{"bid":{"nonce":"00","value":3}}}',
        b'{"other":1}',
        b'{"link": "' + b"0" * 64 + b'"}',
    ],
)
def test_a_seal_with_something_else_in_it_is_refused(data: bytes) -> None:
    with pytest.raises(BadSeal):
        Openings.unpack(data)


def test_a_view_is_compressed_and_cannot_explode(monkeypatch: pytest.MonkeyPatch) -> None:
    view: Any = {"stage": 1, "groups": [{"facts": {f"unit/{i}": "0713" for i in range(500)}}]}
    packed = seal.pack_view(view)
    assert len(packed) < len(json.dumps(view)) / 3
    assert seal.unpack_view(packed) == view
    monkeypatch.setattr(seal, "MAX_VIEW", 1000)
    with pytest.raises(BadSeal, match="more than 1000 bytes"):
        seal.unpack_view(zlib.compress(b'"' + b"a" * 2_000_000 + b'"'))


@pytest.mark.parametrize(
    "data", [b"", b"junk", zlib.compress(b"{}")[:-1], zlib.compress(b"{}") + b"x", zlib.compress(b'{"a": 1}')]
)
def test_a_damaged_view_is_refused(data: bytes) -> None:
    with pytest.raises(BadSeal):
        seal.unpack_view(data)
