"""Letters by their test vectors: every byte, and everything that must be refused (protocol-letters 8)."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.trust import keys, letters, seal
from pbem.trust.accept import accept
from pbem.trust.errors import BadOpening, BadSeal, NotAccepted
from pbem.trust.keys import FileSigner
from pbem.trust.letters import Content
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement, make, parse

_VECTORS = Path(__file__).parents[2] / "data/protocol-letters-vectors.json"
NOT_LETTERS = ("refused", "refused_padding", "sizes_of_data")


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_VECTORS.read_text("utf-8"))["letters"]
    return data


@pytest.fixture
def heard(roster: Roster, signers: dict[str, FileSigner]) -> Any:
    def hear(vector: dict[str, Any]) -> Statement:
        data = vector["canonical"].encode()
        sender = json.loads(data)["from"]
        return accept(
            data,
            vector.get("signature") or signers[sender].sign(data),
            parties=roster.parties,
            game=roster.game,
            dice="swift",
        )

    return hear


def opened(letter: Statement, to: str, secret: Any) -> Content:
    shown = letters.unsealed(letter, to, secret(f"x25519 {to}"))
    return letters.check(letter, shown, "gm")


def test_every_letter_of_the_vectors_is_accepted_with_its_bytes(told: dict[str, Any], heard: Any) -> None:
    for name, vector in told.items():
        if name in NOT_LETTERS:
            continue
        one = heard(vector)
        assert (one.type, one.sid, len(one.bytes)) == ("letter", vector["sid"], vector["bytes"]), name


def test_the_seals_of_the_vectors_open_for_their_readers(
    told: dict[str, Any], heard: Any, secret: Any, roster: Roster
) -> None:
    for name in ("private", "second", "grey_in"):
        vector, one = told[name], heard(told[name])
        for each in vector["seals"]:
            to = each["to"]
            assert seal.info(roster.game_id, one.stage, "letter", one.sender, to).hex() == each["info"]
            shown = letters.unsealed(one, to, secret(f"x25519 {to}"))
            data = letters.pack(one.letter.n, shown)
            assert data.decode() == each["plaintext"]
            padded = seal.pad(data, "letter")
            assert len(padded) == each["padded_len"]
            assert hashlib.sha256(padded).hexdigest() == each["padded_sha256"]
            assert len(one.letter.sealed[to]) == each["blob_len"]
            made = letters.commitment(roster.game_id, one.stage, one.sender, one.letter.n, shown)
            assert made == vector["commit"] == one.body["commit"]
    assert opened(heard(told["private"]), "south", secret).text == "Leave 0713 and I leave 0612."
    assert opened(heard(told["grey_in"]), "gm", secret).grey == "public"
    assert heard(told["grey_out"]).letter.grey == told["grey_in"]["commit"]
    second = opened(heard(told["second"]), "gm", secret)
    assert second.re == told["private"]["sid"]


def test_the_letters_of_the_vectors_can_be_made(told: dict[str, Any], secret: Any, roster: Roster) -> None:
    shown = Shown(secret("nonce letter 1").hex(), Content("Leave 0713 and I leave 0612.").value())
    assert letters.commitment(roster.game_id, 2, "north", 1, shown) == told["private"]["commit"]
    public = roster.by_id["south"].seal
    assert public == keys.seal_public(secret("x25519 south"))
    blobs = letters.sealed(roster.game_id, 2, "north", 1, shown, {"south": public})
    made = make(
        "letter",
        {
            "n": 1,
            "to": ["south"],
            "commit": told["private"]["commit"],
            "sealed": {to: base64.b64encode(blob).decode() for to, blob in blobs.items()},
        },
        game=roster.game,
        sender="north",
        stage=2,
        prev=parse(told["private"]["canonical"].encode()).prev,
    )
    assert opened(made, "south", secret).text == "Leave 0713 and I leave 0612."
    clear = told["public"]
    again = make(
        "letter",
        {"n": 1, "text": "To all: the ridge is ours.\nNorth"},
        game=roster.game,
        sender="north",
        stage=2,
        prev=made.prev,
    )
    assert again.bytes.decode() == clear["canonical"]


def test_what_must_be_refused_is(told: dict[str, Any], heard: Any, secret: Any) -> None:
    refused = told["refused"]
    assert len(refused) == 11
    for vector in refused:
        code, reason = vector["code"], vector["reason"]
        if code == "schema":
            with pytest.raises(NotAccepted) as caught:
                heard(vector)
            assert caught.value.code == code, reason
            continue
        one = heard(vector)
        assert one.letter.to is not None
        (to,) = one.letter.to
        error = BadSeal if code == "seal" else BadOpening
        with pytest.raises(error):
            opened(one, to, secret)


def test_a_seal_of_another_size_does_not_open(told: dict[str, Any], secret: Any, roster: Roster) -> None:
    vector = told["refused_padding"]
    blob = base64.b64decode(vector["blob"])
    with pytest.raises(BadSeal):
        seal.unseal(blob, secret("x25519 south"), roster.game_id, 2, "letter", "north", "south")


def test_the_sizes_of_what_is_sealed(told: dict[str, Any]) -> None:
    for size, padded in told["sizes_of_data"].items():
        data = bytes(int(size))
        if padded == "refused":
            with pytest.raises(BadSeal):
                seal.pad(data, "letter")
        else:
            assert len(seal.pad(data, "letter")) == padded
            assert seal.unpad(seal.pad(data, "letter"), "letter") == data


def test_the_end_of_the_game_opens_a_letter_of_the_vectors(roster: Roster, told: dict[str, Any]) -> None:
    vector = json.loads(_VECTORS.read_text("utf-8"))["letters_opened"]
    one = accept(
        vector["canonical"].encode(),
        vector["signature"],
        parties=roster.parties,
        game=roster.game,
        dice="swift",
    )
    assert (one.sid, len(one.bytes)) == (vector["sid"], vector["bytes"])
    private = parse(told["private"]["canonical"].encode())
    (shown,) = one.unseal.opened[private.sid].values()
    assert letters.check(private, shown, "gm").text == "Leave 0713 and I leave 0612."


@pytest.mark.parametrize(
    "value",
    [
        {"text": ""},
        {"text": " \n\t"},
        {"text": "x", "more": 1},
        {"re": "0" * 64},
        {"text": "x", "re": "0"},
        {"text": "x", "grey": "public"},  # not to the GM alone
        ["x"],
        "x",
    ],
)
def test_a_letter_says_some_text_and_nothing_else(value: Any, roster: Roster) -> None:
    shown = Shown("1" * 64, value)
    commit = letters.commitment(roster.game_id, 1, "north", 1, shown)
    made = make(
        "letter",
        {"n": 1, "to": ["south"], "commit": commit, "sealed": {"south": "AAAA"}},
        game=roster.game,
        sender="north",
        stage=1,
        prev="0" * 64,
    )
    with pytest.raises(BadOpening):
        letters.check(made, shown, "gm")


@pytest.mark.parametrize("grey", [[], ["south", "north"], "all", [1], ["south", "south"]])
def test_a_letter_to_be_sent_on_names_readers_in_order(grey: Any) -> None:
    with pytest.raises(Exception, match=r"value\.grey"):
        Content.of({"text": "x", "grey": grey}, ("gm",), "gm")
    assert Content.of({"text": "x", "grey": ["north", "south"]}, ("gm",), "gm").grey == ("north", "south")
