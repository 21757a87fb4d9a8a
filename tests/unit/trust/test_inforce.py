"""The roster in force: what amendments change and may not change, and that it can be written down."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import pytest

from pbem.text.canonical import dumps, loads
from pbem.trust import inforce, keys, sshsig
from pbem.trust.errors import BadStatement
from pbem.trust.keys import FileSigner, make_key
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement, make, parse

H0 = "0" * 64
NEW = FileSigner.load(make_key())
SEAL = keys.seal_public(keys.load_seal_key(keys.seal_file(secrets.token_bytes(32)))).hex()
ANCHOR = hashlib.sha256(b"anchor").hexdigest()
ENTRY: dict[str, Any] = {
    "op": "party",
    "party": "north",
    "name": "New",
    "mail": "new@example.org",
    "sign": sshsig.public_line(NEW.public),
    "seal": SEAL,
    "anchor": ANCHOR,
}
MODULE = {"name": "ridge", "version": "2", "sha256": "2" * 64}


def amendment(*ops: Any, stage: int = 4) -> Statement:
    return make("amend", {"ops": list(ops)}, game=H0, sender="gm", stage=stage, prev=H0)


def changed(roster: Roster, *ops: Any) -> Roster:
    return inforce.apply(roster, amendment(*ops), 4)


def test_the_new_anchor_of_the_vectors_holds_from_the_next_stage(
    vectors: dict[str, Any], roster: Roster
) -> None:
    new = inforce.apply(roster, parse(vectors["amend"]["canonical"].encode()), 2)
    assert new.by_id["north"].anchor != roster.by_id["north"].anchor
    assert dict(new.since) == {"north": 2}
    assert new.by_id["south"] == roster.by_id["south"]
    assert new.game == roster.game


def test_a_new_key_a_new_owner_and_a_dropped_player(roster: Roster) -> None:
    own = changed(roster, {"op": "key", "party": "north", "mail": "n@example.org", "proxy": "gm"})
    assert (own.by_id["north"].mail, own.by_id["north"].proxy) == ("n@example.org", "gm")
    new = changed(own, ENTRY)
    assert (new.by_id["north"].sign, new.by_id["north"].proxy, new.since["north"]) == (NEW.public, None, 4)
    old = sshsig.public_line(roster.by_id["north"].sign)
    assert old in new.allowed_signers() and ENTRY["sign"] in new.allowed_signers()
    left = changed(new, {"op": "drop", "party": "south"})
    assert (left.players, left.everybody) == (("north",), ("gm", "north", "south"))
    assert "south" not in left.contributors(["north", "south"])
    assert [party.id for party in left.active] == ["gm", "north"]


def test_a_new_game_master_brings_a_secret_and_the_old_one_keeps_his_stages(roster: Roster) -> None:
    new = changed(roster, {**ENTRY, "party": "gm", "secret": "5" * 64})
    assert new.secret_at(4) == roster.secret
    assert new.secret_at(5) == bytes.fromhex("5" * 64)


def test_terms_and_options(roster: Roster) -> None:
    name = roster.terms.scenario.name
    new = changed(roster, {"op": "option", "name": "turns", "value": 3})
    new = changed(
        new, {"op": "option", "name": "fog", "value": True}, {"op": "option", "name": "turns", "value": 4}
    )
    assert new.terms.scenario.name == f"{name} fog=true turns=4"
    module = {**MODULE, "name": roster.terms.module.name}
    assert changed(roster, {"op": "module", "module": module}).terms.module.sha256 == "2" * 64
    locked = changed(
        roster,
        {"op": "option", "name": "absent", "value": "stop"},
        {"op": "option", "name": "dice", "value": "locked"},
    )
    assert locked.terms.dice == "locked"


@pytest.mark.parametrize(
    ("ops", "why"),
    [
        ([{"op": "drop", "party": "gm"}], "not dropped"),
        ([{"op": "drop", "party": "east"}], "not in the game"),
        ([{"op": "drop", "party": "south"}, {"op": "drop", "party": "south"}], "not in the game"),
        ([{"op": "drop", "party": "south"}, {"op": "drop", "party": "north"}], "at least one player"),
        (
            [ENTRY, {"op": "chain", "party": "south", "anchor": ANCHOR}],
            "new anchor key is one that north has",
        ),
        ([{**ENTRY, "party": "gm"}], "must bring the commitment"),
        ([{**ENTRY, "secret": H0}], "must bring no secret"),
        ([{"op": "key", "party": "north", "proxy": "south"}], "only the GM can be a proxy"),
        ([{"op": "key", "party": "gm", "proxy": "gm"}], "only the GM can be a proxy"),
        ([{"op": "option", "name": "dice", "value": "pair"}], "dice can only change"),
        ([{"op": "option", "name": "absent", "value": "never"}], "absent can only be"),
        ([{"op": "option", "name": "turns", "value": "2 x=1"}], "impossible value"),
        ([{"op": "module", "module": MODULE}], "but the game uses"),
        (
            [
                {"op": "option", "name": "dice", "value": "locked"},
                {"op": "option", "name": "absent", "value": "skip"},
            ],
            "absent skip needs dice swift",
        ),
    ],
)
def test_what_cannot_be(ops: list[Any], why: str, roster: Roster) -> None:
    module = {**MODULE, "name": "another"}
    ops = [op if op.get("module") != MODULE else {**op, "module": module} for op in ops]
    with pytest.raises(BadStatement, match=why):
        changed(roster, *ops)


def test_a_key_of_the_past_never_comes_back(roster: Roster) -> None:
    old = roster.by_id["north"]
    assert old.seal is not None and old.anchor is not None
    new = changed(roster, ENTRY)
    for what in (
        {"sign": sshsig.public_line(old.sign)},
        {"seal": old.seal.hex()},
        {"seal": (old.seal[:-1] + bytes([old.seal[-1] | 0x80])).hex()},
    ):
        with pytest.raises(BadStatement, match="has or had in this game"):
            changed(new, {"op": "key", "party": "south", **what})
    with pytest.raises(BadStatement, match="has or had in this game"):
        changed(new, {"op": "chain", "party": "north", "anchor": old.anchor.hex()})


def test_the_roster_in_force_survives_being_written_down(roster: Roster) -> None:
    new = changed(roster, ENTRY, {"op": "option", "name": "turns", "value": 3})
    new = inforce.apply(new, amendment({**ENTRY, "party": "gm", "secret": "5" * 64, **fresh_keys()}), 6)
    new = inforce.apply(new, amendment({"op": "drop", "party": "south"}), 7)
    read = inforce.from_json(roster, loads(dumps(inforce.to_json(new))))  # type: ignore[arg-type]
    assert (read, read.by_id) == (new, new.by_id)


def fresh_keys() -> dict[str, str]:
    return {
        "sign": sshsig.public_line(FileSigner.load(make_key()).public),
        "seal": keys.seal_public(keys.load_seal_key(keys.seal_file(secrets.token_bytes(32)))).hex(),
        "anchor": hashlib.sha256(b"another").hexdigest(),
    }
