"""Entries of the roster and what changes them: who has which keys, and what nobody can change in whom."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pbem.text.canonical import NotCanonical, dumps
from pbem.trust import inforce, joining, seal, sshsig
from pbem.trust.errors import BadRoster, BadSeal, BadSignature, BadStatement
from pbem.trust.keys import FileSigner, seal_public
from pbem.trust.roster import Party, Roster, make_roster, secret_commitment
from pbem.trust.statements import MAX_FROM_PLAYER, make

H0 = "0" * 64
SECRET = bytes(range(32))


def key(word: str) -> FileSigner:
    return FileSigner.from_seed(word.encode().ljust(32, b"-"))


def sealing(word: str) -> bytes:
    return seal_public(word.encode().ljust(32, b"+"))


def someone(id: str, role: Any, **change: Any) -> Party:
    made = Party(
        id,
        role,
        id.title(),
        f"{id}@example.org",
        key(id).public,
        sealing(id) if role != "observer" else None,
        id.encode().ljust(32, b"*") if role in ("gm", "player") else None,
    )
    return replace(made, **change)


@pytest.fixture(scope="module")
def whole(roster: Roster) -> Roster:
    """A roster with somebody in each role."""
    roles = {"gm": "gm", "north": "player", "south": "player", "olga": "observer", "dora": "deputy"}
    return make_roster([someone(id, role) for id, role in roles.items()], roster.terms, SECRET)


def changed(roster: Roster, *ops: dict[str, Any]) -> Roster:
    body: Any = {"ops": list(ops)}
    return inforce.apply(roster, make("amend", body, game=H0, sender="gm", stage=4, prev=H0), 4)


NEW: dict[str, Any] = {
    "name": "New",
    "mail": "new@example.org",
    "sign": sshsig.public_line(key("new").public),
    "seal": sealing("new").hex(),
    "anchor": "ab" * 32,
}
DEPUTY = {name: value for name, value in NEW.items() if name != "anchor"}
LINE, SEAL = NEW["sign"], NEW["seal"]

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a seal key of an observer": ({"op": "key", "party": "olga", "seal": SEAL}, "olga"),
    "a chain of an observer": ({"op": "chain", "party": "olga", "anchor": "ab" * 32}, "olga"),
    "a chain of a deputy": ({"op": "chain", "party": "dora", "anchor": "ab" * 32}, "dora"),
    "another observer": ({"op": "party", "party": "olga", **NEW}, "olga"),
    "another deputy in her place": ({"op": "party", "party": "dora", **NEW}, "dora"),
    "a deputy dropped as a player is": ({"op": "drop", "party": "dora"}, "dora"),
    "a player ended as a deputy": ({"op": "deputy", "party": "north"}, "north"),
    "a deputy who is not there": ({"op": "deputy", "party": "emil"}, "emil"),
    "a second deputy": ({"op": "deputy", "party": "emil", **DEPUTY}, "dora"),
    "a deputy with the id of a player": ({"op": "deputy", "party": "north", **DEPUTY}, "north"),
    "a signing key that an observer has": (
        {"op": "key", "party": "north", "sign": sshsig.public_line(key("olga").public)},
        "olga",
    ),
    "a seal key that a deputy has": ({"op": "key", "party": "north", "seal": sealing("dora").hex()}, "dora"),
    "an anchor that the GM has": (
        {"op": "chain", "party": "north", "anchor": b"gm".ljust(32, b"*").hex()},
        "gm",
    ),
    "an option that is a list": ({"op": "option", "name": "turns", "value": [1]}, "turns"),
    "an option that is empty": ({"op": "option", "name": "turns", "value": ""}, "turns"),
    "an option of two words": ({"op": "option", "name": "turns", "value": "1 2"}, "turns"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_nobody_can_change_is_refused_by_name(whole: Roster, case: str) -> None:
    op, word = REFUSED[case]
    with pytest.raises(BadStatement, match=word):
        changed(whole, op)


def test_each_change_of_an_entry_leaves_the_others_as_they_are(whole: Roster) -> None:
    for op, changes in (
        ({"op": "key", "party": "olga", "sign": LINE}, {"sign": key("new").public}),
        ({"op": "key", "party": "dora", "seal": SEAL}, {"seal": sealing("new")}),
        ({"op": "key", "party": "north", "name": "Nora"}, {"name": "Nora"}),
        ({"op": "key", "party": "north", "mail": "n@example.org"}, {"mail": "n@example.org"}),
        ({"op": "key", "party": "north", "proxy": "gm"}, {"proxy": "gm"}),
        ({"op": "chain", "party": "north", "anchor": "ab" * 32}, {"anchor": b"\xab" * 32}),
    ):
        made, id = changed(whole, op), op["party"]
        assert made.by_id == {**whole.by_id, id: replace(whole.by_id[id], **changes)}
        assert made.parties == tuple(made.by_id[party.id] for party in whole.parties)
        assert [(gone.until, gone.party, gone.secret) for gone in made.former] == [(4, whole.by_id[id], None)]
        assert dict(made.since) == ({id: 4} if op["op"] == "chain" else {})
        assert (made.dropped, made.secret, made.terms) == (frozenset(), whole.secret, whole.terms)
    back = changed(
        changed(whole, {"op": "key", "party": "north", "proxy": "gm"}),
        {
            "op": "key",
            "party": "north",
            "proxy": None,
        },
    )
    assert back.by_id["north"].proxy is None


def test_who_takes_a_seat_over_is_in_the_game_again_and_a_new_gm_ends_the_deputy(whole: Roster) -> None:
    left = changed(whole, {"op": "drop", "party": "south"})
    new = changed(left, {"op": "party", "party": "south", **NEW})
    assert (new.dropped, new.players, dict(new.since)) == (frozenset(), ("north", "south"), {"south": 4})
    gm = changed(left, {"op": "party", "party": "gm", "secret": "5" * 64, **NEW})
    assert gm.dropped == {"south", "dora"} and gm.deputy is None
    assert [gm.secret_at(stage) for stage in (1, 4, 5)] == [whole.secret, whole.secret, b"\x55" * 32]
    assert gm.by_id["gm"].role == "gm" and gm.by_id["gm"].anchor == b"\xab" * 32
    again = changed(
        gm,
        {
            "op": "deputy",
            "party": "emil",
            **DEPUTY,
            "sign": sshsig.public_line(key("emil").public),
            "seal": sealing("emil").hex(),
        },
    )
    assert again.deputy is not None and again.deputy.id == "emil"
    assert [party.id for party in again.active] == ["gm", "north", "olga", "emil"]
    with pytest.raises(BadStatement, match="dora"):
        changed(gm, {"op": "deputy", "party": "dora"})


def test_options_are_written_as_they_are_typed() -> None:
    assert [inforce.option_text(value) for value in (True, False, 2, "Fast")] == [
        "true",
        "false",
        "2",
        "Fast",
    ]
    assert inforce.with_option("ford", "turns", "2") == "ford turns=2"
    assert inforce.with_option("ford turns=1 card=b", "alarm", "x=y") == "ford alarm=x=y card=b turns=1"
    assert inforce.with_option("ford turns=1 card=b", "turns", "3") == "ford card=b turns=3"


# --- joining --------------------------------------------------------------------------------------------


def test_an_invitation_is_signed_by_the_key_in_it_and_is_no_join(roster: Roster) -> None:
    host, other = key("gm"), key("other")
    made = joining.invitation(roster.terms, "gm", host.public, "gm@example.org", {"a": 1})
    assert joining.accept_invitation(made.bytes, host.sign(made.bytes)) == (roster.terms, "gm")
    assert (made.data["mail"], made.data["whole"]) == ("gm@example.org", {"a": 1})
    bare = joining.invitation(roster.terms, "gm", host.public)
    assert {"mail", "whole"}.isdisjoint(bare.data)
    with pytest.raises(BadSignature, match="not signed by the key in it"):
        joining.accept_invitation(made.bytes, other.sign(made.bytes))
    entry = joining.join(someone("north", "player"), roster.terms)
    with pytest.raises(BadRoster, match="type join, not invitation"):
        joining.accept_invitation(entry.bytes, key("north").sign(entry.bytes))
    long = b" " * MAX_FROM_PLAYER
    with pytest.raises(BadRoster, match=str(MAX_FROM_PLAYER)):
        joining.accept_invitation(long + b" ", host.sign(long + b" "))
    with pytest.raises(NotCanonical):
        joining.accept_invitation(long, host.sign(long))


@pytest.mark.parametrize("role", ["gm", "player", "observer", "deputy"])
def test_what_somebody_is_to_be_is_seen_by_the_keys_of_the_entry(roster: Roster, role: str) -> None:
    party = someone("gm" if role == "gm" else "dora", role)
    made = joining.join(party, roster.terms)
    assert joining.accept_join(made.bytes, key(party.id).sign(made.bytes), roster.terms) == party
    assert joining.secret_of(made.bytes) is None
    with_secret = joining.join(party, roster.terms, SECRET)
    assert joining.secret_of(with_secret.bytes) == secret_commitment(roster.terms.salt, SECRET).hex()


def test_an_entry_that_lacks_a_key_of_its_role_is_never_signed(roster: Roster) -> None:
    for role, lacks, words in (
        ("gm", {"anchor": None}, "both seal and anchor"),
        ("player", {"seal": None}, "both seal and anchor"),
        ("observer", {"seal": sealing("x")}, "neither seal nor anchor"),
        ("observer", {"anchor": SECRET}, "neither seal nor anchor"),
        ("deputy", {"seal": None}, "a seal"),
        ("deputy", {"anchor": SECRET}, "a seal"),
    ):
        with pytest.raises(BadRoster, match=words):
            joining.join(someone("x", role, **lacks), roster.terms)


# --- padding --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["view", "handover", "letter"])
def test_the_padding_of_the_first_revisions_is_for_orders_alone(kind: str) -> None:
    block = {"view": 4096, "handover": 4096, "letter": 1024}[kind]
    for size in (0, 1, block - 4, block - 3, block + 1):
        data = b"x" * size
        padded = seal.pad(data, kind)
        assert seal.unpad(padded, kind) == data
        for longer in (bytes(block), b"\0"):
            with pytest.raises(BadSeal):
                seal.unpad(padded + longer, kind)
        with pytest.raises(BadSeal):
            seal.unpad(padded[:-1], kind)
    framed = (2000).to_bytes(4, "big") + b"x" * 2000
    old = framed + bytes(-len(framed) % 1024)
    assert len(old) == 2048
    if kind == "letter":
        with pytest.raises(BadSeal):
            seal.unpad(old, kind)


def test_a_letter_that_is_too_long_is_not_sealed() -> None:
    assert len(seal.pad(bytes(seal.MAX_LETTER), "letter")) == 16384
    with pytest.raises(BadSeal, match=str(seal.MAX_LETTER)):
        seal.pad(bytes(seal.MAX_LETTER + 1), "letter")
    assert len(seal.pad(bytes(20_000), "openings")) == 65536


def test_a_roster_whose_bytes_are_of_another_game_has_another_id(whole: Roster) -> None:
    other = {**json.loads(whole.statement.bytes), "title": "Another"}
    assert Roster.parse(dumps(other)).game != whole.game == Roster.parse(whole.statement.bytes).game
