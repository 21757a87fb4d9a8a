"""Invitation, joins and roster: who plays, with which keys, and what is refused before anybody signs."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import secrets
from typing import Any

import pytest

from pbem.text.canonical import dumps
from pbem.trust import keys, roster, sshsig
from pbem.trust.errors import BadRoster, BadSignature, BadStatement, TrustError
from pbem.trust.joining import accept_invitation, accept_join, invitation, join
from pbem.trust.keys import FileSigner, make_key
from pbem.trust.roster import Party, Pinned, Roster, Terms, make_roster, x25519_number

SECRET = bytes(range(32))
TERMS = Terms(
    salt=bytes(range(1, 33)),
    title="Ridge, again",
    module=Pinned("ridge", "0" * 64, "4.3+7"),
    scenario=Pinned("duel", "1" * 64),
    arbiter="gm",
    dice="swift",
    absent="stop",
    chain_length=64,
)


def signer() -> FileSigner:
    return FileSigner.load(make_key())


def party(id: str, role: Any = "player", **change: Any) -> Party:
    plays = role != "observer"
    made = Party(
        id,
        role,
        id.title(),
        f"{id}@example.org",
        signer().public,
        keys.seal_public(keys.load_seal_key(keys.seal_file(secrets.token_bytes(32)))) if plays else None,
        hashlib.sha256(id.encode()).digest() if plays else None,
    )
    return dataclasses.replace(made, **change)


@pytest.fixture(scope="module")
def table() -> dict[str, Party]:
    return {
        "gm": party("gm", "gm"),
        "north": party("north"),
        "south": party("south"),
        "west": party("west", "observer"),
    }


# --- the vectors ----------------------------------------------------------------------------------------


def test_the_roster_of_the_vectors(vectors: dict[str, Any], roster: Roster, secret: Any) -> None:
    raw = vectors["roster_canonical"].encode()
    assert (len(raw), hashlib.sha256(raw).hexdigest()) == (vectors["roster_len"], vectors["roster_sha256"])
    assert roster.game == vectors["game"]
    assert roster.terms.salt.hex() == vectors["salt"] == secret("salt").hex()
    assert roster.secret is not None and roster.secret.hex() == vectors["secret_commit"]
    assert (roster.everybody, roster.players) == (("gm", "north", "south"), ("north", "south"))
    assert roster.by_id["gm"].seal == bytes.fromhex(vectors["seal"]["recipient_public"])


def test_the_same_parties_and_terms_make_the_same_roster(vectors: dict[str, Any], roster: Roster) -> None:
    made = make_roster(roster.parties, roster.terms, bytes.fromhex(vectors["gm_secret"]))
    assert made == roster


def test_allowed_signers_names_every_party_for_this_namespace_only(roster: Roster) -> None:
    lines = roster.allowed_signers().splitlines()
    assert len(lines) == 3
    assert lines[1] == (
        'north@94901e555ec7 namespaces="pbem-v1" ssh-ed25519 '
        "AAAAC3NzaC1lZDI1NTE5AAAAILy++HkeflTtFB4DWQ3vsWfq7ZWvr0M7DywRqivZEjKP"
    )


def test_a_game_starts_when_all_have_signed_the_same_bytes(
    roster: Roster, signers: dict[str, FileSigner]
) -> None:
    signed = {name: signers[name].sign(roster.statement.bytes) for name in ("gm", "south")}
    assert roster.missing(signed) == ("north",)
    assert roster.missing({**signed, "north": signers["north"].sign(roster.statement.bytes)}) == ()
    with pytest.raises(BadSignature, match="north's signature of the roster"):
        roster.missing({**signed, "north": signers["north"].sign(roster.statement.bytes + b" ")})
    with pytest.raises(BadSignature, match="north's signature"):
        roster.missing({"north": signed["gm"]})
    with pytest.raises(BadSignature, match="east signed the roster, but is not in it"):
        roster.missing({"east": signed["gm"]})


# --- who contributes ------------------------------------------------------------------------------------


def test_in_swift_the_gm_and_those_asked_make_the_seed(table: dict[str, Party]) -> None:
    made = make_roster([table["south"], table["gm"], table["north"], table["west"]], TERMS, SECRET)
    assert made.contributors(["north"]) == ("gm", "north")
    assert made.contributors(["north", "south", "west"]) == ("south", "gm", "north")
    assert made.everybody == ("gm", "north", "south")
    locked = make_roster(made.parties, dataclasses.replace(TERMS, dice="locked"), SECRET)
    assert locked.contributors(["north"]) == ("south", "gm", "north")


def test_without_a_gm_both_players_make_the_seed(table: dict[str, Party]) -> None:
    terms = dataclasses.replace(TERMS, dice="pair", arbiter=None)
    made = make_roster([table["north"], table["south"]], terms)
    assert made.contributors(["south"]) == ("north", "south")
    assert made.secret is None


def same_key(seal: bytes) -> bytes:
    """An X25519 key in another spelling: the top bit says nothing."""
    return seal[:31] + bytes([seal[31] ^ 0x80])


@pytest.mark.parametrize("number", [0, 9, 18])
def test_a_small_number_and_the_same_beyond_the_prime_are_one_key(number: int) -> None:
    """RFC 7748: 2^255 - 19 is the prime, and what is not below it stands for the rest."""
    prime = 57896044618658097711785492504343953926634992332820282019728792003956564819949
    plain, beyond = number.to_bytes(32, "little"), (number + prime).to_bytes(32, "little")
    assert x25519_number(plain) == x25519_number(beyond) == x25519_number(same_key(plain)) == number
    assert x25519_number((prime - 1).to_bytes(32, "little")) == prime - 1


# --- what is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda t: {"north": dataclasses.replace(t["north"], id="south")}, "same id"),
        (
            lambda t: {"north": dataclasses.replace(t["north"], sign=t["gm"].sign)},
            "gm and north have the same sign",
        ),
        (
            lambda t: {"north": dataclasses.replace(t["north"], seal=t["gm"].seal)},
            "gm and north have the same seal",
        ),
        (
            lambda t: {"north": dataclasses.replace(t["north"], seal=same_key(t["gm"].seal))},
            "gm and north have the same seal",
        ),
        (lambda t: {"south": dataclasses.replace(t["south"], anchor=t["north"].anchor)}, "the same anchor"),
        (
            lambda t: {"west": dataclasses.replace(t["west"], sign=t["gm"].sign)},
            "gm and west have the same sign",
        ),
        (lambda t: {"north": dataclasses.replace(t["north"], seal=bytes(32))}, "nothing can be sealed"),
        (
            lambda t: {"north": dataclasses.replace(t["north"], role="gm")},
            "GM gm, north, where the arbiter is gm",
        ),
        (lambda t: {"gm": dataclasses.replace(t["gm"], role="player")}, "GM nobody, where the arbiter is gm"),
        (lambda t: {"north": dataclasses.replace(t["north"], proxy="south")}, "proxy south"),
        (lambda t: {"gm": dataclasses.replace(t["gm"], proxy="gm")}, "gm's entry has the proxy gm"),
        (lambda t: {"north": dataclasses.replace(t["north"], role="observer")}, "neither seal nor anchor"),
        (
            lambda t: {"north": dataclasses.replace(t["north"], seal=None, anchor=None)},
            "both seal and anchor",
        ),
    ],
)
def test_a_roster_that_nobody_should_sign_is_refused(change: Any, why: str, table: dict[str, Party]) -> None:
    make_roster(table.values(), TERMS, SECRET)
    with pytest.raises(BadRoster, match=why):
        make_roster({**table, **change(table)}.values(), TERMS, SECRET)


def test_a_refused_signing_key_cannot_get_into_a_roster(
    vectors: dict[str, Any], table: dict[str, Party]
) -> None:
    for key in vectors["refused_sign_keys"]:
        weak = dataclasses.replace(table["north"], sign=bytes.fromhex(key))
        with pytest.raises(TrustError, match="signing key"):
            make_roster([table["gm"], weak], TERMS, SECRET)
        with pytest.raises(BadRoster, match="signing key"):
            join(weak, TERMS)
        text = vectors["roster_canonical"].replace(
            vectors["small"]["north_sign"], sshsig.public_line(bytes.fromhex(key))
        )
        with pytest.raises(BadStatement, match=r"parties\.1\.sign"):
            Roster.parse(text.encode())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"dice": "pair"}, "pair need no arbiter"),
        ({"arbiter": None}, "swift need a GM"),
        ({"arbiter": "north"}, "GM gm, where the arbiter is north"),
        ({"dice": "locked", "absent": "skip"}, "absent skip needs dice swift"),
        ({"chain_length": 0}, "chain_length"),
        ({"chain_length": 65537}, "chain_length"),
        ({"title": "two\nlines"}, "title"),
        ({"title": ""}, "title"),
        ({"dice": "loaded"}, "dice"),
    ],
)
def test_terms_that_contradict_themselves_are_refused(
    change: dict[str, Any], why: str, table: dict[str, Party]
) -> None:
    with pytest.raises(TrustError, match=why):
        make_roster(table.values(), dataclasses.replace(TERMS, **change), SECRET)


def test_the_commitment_to_the_secret_is_there_when_there_is_a_gm(table: dict[str, Party]) -> None:
    with pytest.raises(BadRoster, match="commitment to the GM's secret"):
        make_roster(table.values(), TERMS)
    pair = dataclasses.replace(TERMS, dice="pair", arbiter=None)
    with pytest.raises(BadRoster, match="no secret"):
        make_roster([table["north"], table["south"]], pair, SECRET)
    with pytest.raises(BadRoster, match="3 players, but dice pair need exactly two"):
        make_roster([table["north"], table["south"], party("east")], pair)
    with pytest.raises(BadRoster, match="at least one player"):
        make_roster([table["gm"]], TERMS, SECRET)


@pytest.mark.parametrize("mail", ["north", "a b@c", "a@b\n", "a@b, c@d", "<a@b>", "@b", "a@", "a@b@c"])
def test_a_mail_address_cannot_break_a_header(mail: str, table: dict[str, Party]) -> None:
    odd = dataclasses.replace(table["north"], mail=mail)
    with pytest.raises(BadStatement, match=r"parties\.1\.mail"):
        make_roster([table["gm"], odd], TERMS, SECRET)


def test_another_statement_is_no_roster(vectors: dict[str, Any]) -> None:
    with pytest.raises(BadRoster, match="type order, not a roster"):
        Roster.parse(vectors["small"]["canonical"].encode())
    data = json.loads(vectors["roster_canonical"])
    for change in ({"stage": 0}, {"from": "gm"}, {"game": "0" * 64}):
        with pytest.raises(BadStatement, match="unknown member"):
            Roster.parse(dumps({**data, **change}))


# --- joining --------------------------------------------------------------------------------------------


def test_from_invitation_to_a_roster_all_have_signed() -> None:
    host = signer()
    invited = invitation(TERMS, "gm", host.public)
    terms, sender = accept_invitation(invited.bytes, host.sign(invited.bytes))
    assert (terms, sender) == (TERMS, "gm")

    people = {"gm": host, "north": signer(), "west": signer()}
    entries = [
        party("gm", "gm", sign=people["gm"].public),
        party("north", sign=people["north"].public, proxy="gm"),
        party("west", "observer", sign=people["west"].public),
    ]
    joins = {entry.id: join(entry, terms) for entry in entries}
    joined = [accept_join(joins[id].bytes, people[id].sign(joins[id].bytes), terms) for id in people]
    assert joined == entries

    made = make_roster(joined, terms, SECRET)
    again = Roster.parse(made.statement.bytes)
    assert again.parties == tuple(entries) and again.game == made.game
    assert made.missing({id: one.sign(made.statement.bytes) for id, one in people.items()}) == ()
    assert made.secret == roster.secret_commitment(TERMS.salt, SECRET)


def test_a_join_is_signed_by_its_own_key_and_answers_this_invitation() -> None:
    mine, other = signer(), signer()
    entry = party("north", sign=mine.public)
    made = join(entry, TERMS)
    with pytest.raises(BadSignature, match="not signed by the key in it"):
        accept_join(made.bytes, other.sign(made.bytes), TERMS)
    with pytest.raises(BadSignature):
        accept_join(made.bytes, mine.sign(b"something else"), TERMS)
    with pytest.raises(BadRoster, match="answers another invitation"):
        accept_join(made.bytes, mine.sign(made.bytes), dataclasses.replace(TERMS, salt=bytes(32)))
    invited = invitation(TERMS, "gm", mine.public)
    with pytest.raises(BadRoster, match="type invitation, not join"):
        accept_join(invited.bytes, mine.sign(invited.bytes), TERMS)
    with pytest.raises(BadRoster, match="at most 1048576"):
        accept_join(bytes(1024 * 1024 + 1), mine.sign(b""), TERMS)


def test_a_join_with_half_of_its_keys_or_another_id_is_refused() -> None:
    mine = signer()
    made = join(party("north", sign=mine.public), TERMS)
    data = json.loads(made.bytes)
    del data["body"]["seal"]
    raw = dumps(data)
    with pytest.raises(BadRoster, match="both seal and anchor"):
        accept_join(raw, mine.sign(raw), TERMS)
    data = json.loads(made.bytes)
    del data["body"]["anchor"]
    raw = dumps(data)
    assert accept_join(raw, mine.sign(raw), TERMS).role == "deputy"  # protocol-letters 1
    raw = dumps({**json.loads(made.bytes), "from": "south"})
    with pytest.raises(BadStatement, match=r"body\.id"):
        accept_join(raw, mine.sign(raw), TERMS)
    data = json.loads(made.bytes)
    data["body"]["role"] = "gm"
    raw = dumps(data)
    with pytest.raises(BadStatement, match="unknown member 'role'"):
        accept_join(raw, mine.sign(raw), TERMS)


def test_salts_are_fresh() -> None:
    assert len(roster.new_salt()) == 32 and roster.new_salt() != roster.new_salt()


@pytest.mark.parametrize("lacks", [(), ("proxy",), ("anchor",), ("seal", "anchor", "proxy")])
def test_an_entry_says_all_that_a_party_is(lacks: tuple[str, ...]) -> None:
    usual: dict[str, Any] = {"seal": b"s" * 32, "anchor": b"a" * 32, "proxy": "gm"}
    has = {name: None if name in lacks else value for name, value in usual.items()}
    party = Party("red", "player", "Ann", "ann@example.org", FileSigner.from_seed(b"k" * 32).public, **has)
    assert Party.of(party.entry(), "player") == party
