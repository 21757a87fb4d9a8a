"""Amendments: who must have signed, and what closes the stage."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from pbem.trust import amend, sshsig
from pbem.trust.errors import BadStatement
from pbem.trust.keys import FileSigner, make_key
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement, make, parse

H0 = "0" * 64
NEW = FileSigner.load(make_key())
ENTRY: Any = {
    "name": "New",
    "mail": "new@example.org",
    "sign": sshsig.public_line(NEW.public),
    "seal": hashlib.sha256(b"seal").hexdigest(),
    "anchor": H0,
}


def amendment(*ops: Any) -> Statement:
    return make("amend", {"ops": list(ops)}, game=H0, sender="north", stage=2, prev=H0)


def test_the_amendment_of_the_vectors_has_all_its_signatures(vectors: dict[str, Any], roster: Roster) -> None:
    statement = parse(vectors["amend"]["canonical"].encode())
    assert amend.closes(statement)
    needed = amend.needed_keys(statement, roster.parties, "swift")
    assert needed == {party.sign for party in roster.parties}
    armours = vectors["amend"]["signatures"]
    assert amend.signed_by(statement, armours.values(), needed) == needed
    assert amend.signed_by(statement, [armours["gm"]], needed) == {roster.by_id["gm"].sign}
    other = vectors["statement"]["signature"]
    assert amend.signed_by(statement, [other, "nonsense", NEW.sign(statement.bytes)], needed) == set()


@pytest.mark.parametrize(
    ("op", "who", "closes"),
    [
        ({"op": "key", "party": "north", "mail": "n@example.org"}, "north", False),
        ({"op": "key", "party": "north", "sign": ENTRY["sign"]}, "north new", False),
        ({"op": "option", "name": "absent", "value": "skip"}, "gm north south", False),
        ({"op": "module", "module": {"name": "a", "version": "1", "sha256": H0}}, "gm north south", False),
        ({"op": "ruling", "reason": "x", "changes": 1}, "gm", False),
        ({"op": "chain", "party": "north", "anchor": H0}, "gm north south", True),
        ({"op": "party", "party": "north", **ENTRY}, "gm south new", True),
        ({"op": "drop", "party": "north"}, "gm south", True),
        ({"op": "rewind", "to": 1}, "gm north south", True),
    ],
)
def test_who_must_sign_what(op: Any, who: str, closes: bool, roster: Roster) -> None:
    statement = amendment(op)
    keys = {**{party.id: party.sign for party in roster.parties}, "new": NEW.public}
    assert amend.needed_keys(statement, roster.parties, "swift") == {keys[name] for name in who.split()}
    assert amend.closes(statement) == closes


def test_one_op_that_closes_is_enough() -> None:
    stays, shuts = {"op": "option", "name": "absent", "value": "skip"}, {"op": "rewind", "to": 1}
    assert amend.closes(amendment(stays, shuts)) and amend.closes(amendment(shuts, stays))
    assert not amend.closes(amendment(stays, stays))


def test_between_two_players_the_old_key_signs_too(roster: Roster) -> None:
    players = [party for party in roster.parties if party.role == "player"]
    both = {party.sign for party in players}
    assert amend.needed_keys(
        amendment({"op": "party", "party": "north", **ENTRY}), players, "pair"
    ) == both | {NEW.public}
    assert (
        amend.needed_keys(amendment({"op": "ruling", "reason": "x", "changes": 1}), players, "pair") == both
    )
    with pytest.raises(BadStatement, match="a game of two can't drop"):
        amend.needed_keys(amendment({"op": "drop", "party": "north"}), players, "pair")


def test_nobody_is_changed_who_is_not_there(roster: Roster) -> None:
    with pytest.raises(BadStatement, match=r"body\.ops\.1\.party: east is not in the game"):
        amend.needed_keys(
            amendment({"op": "rewind", "to": 0}, {"op": "drop", "party": "east"}), roster.parties, "swift"
        )
