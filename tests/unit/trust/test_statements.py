"""Statements: what each type may say, and everything a receiver refuses."""

from __future__ import annotations

import base64
import hashlib
import json
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.text.canonical import NotCanonical, dumps
from pbem.trust import records, statements
from pbem.trust.errors import BadStatement
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement, make, parse

H0, H1, H2 = "0" * 64, "1" * 64, "2" * 64
BLOB = base64.b64encode(bytes(304)).decode()
OPENING: Any = {"nonce": H0, "value": 3}
SIGN = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILy++HkeflTtFB4DWQ3vsWfq7ZWvr0M7DywRqivZEjKP"
MODULE: Any = {"name": "ridge", "version": "1", "sha256": H0}


# --- the vectors ----------------------------------------------------------------------------------------


def test_the_statements_of_the_vectors(vectors: dict[str, Any]) -> None:
    for text, sid in (
        (vectors["small"]["canonical"], vectors["small"]["sid"]),
        (vectors["statement_canonical"], vectors["statement"]["sid"]),
        (vectors["statement_south"]["canonical"], vectors["statement_south"]["sid"]),
        (vectors["amend"]["canonical"], vectors["amend"]["sid"]),
    ):
        statement = parse(text.encode())
        assert statement.sid == sid
        assert statement.bytes == text.encode()
        assert statements.build(statement.data) == statement
    whole = vectors["statement_canonical"].encode()
    assert len(whole) == vectors["statement"]["canonical_len"]
    assert hashlib.sha256(whole).hexdigest() == vectors["statement"]["canonical_sha256"]


def test_the_members_of_a_statement_can_be_asked_for(vectors: dict[str, Any], roster: Roster) -> None:
    statement = parse(vectors["statement_canonical"].encode())
    assert (statement.type, statement.sender, statement.stage, statement.rev) == ("order", "north", 1, 2)
    assert (statement.game, statement.prev) == (roster.game, vectors["record_0"]["head"])
    assert len(statement.body["orders"]) == 2  # type: ignore[arg-type]


def test_every_invalid_statement_of_the_vectors_is_refused(vectors: dict[str, Any]) -> None:
    assert len(vectors["invalid_statements"]) == 20
    for case in vectors["invalid_statements"]:
        with pytest.raises((NotCanonical, BadStatement)):
            parse(case["text"].encode("utf-8", "surrogatepass"))


def test_an_order_made_anew_has_the_bytes_of_the_vectors(
    vectors: dict[str, Any], game: SimpleNamespace
) -> None:
    small = vectors["small"]
    orders: Any = [{"unit": "n-12", "path": ["0612", "0713"], "do": "move"}]
    made = make("order", {"orders": orders}, game=game.game, sender="north", stage=1, prev=game.prev)
    assert (made.bytes, made.sid) == (small["canonical"].encode(), small["sid"])


# --- the envelope ---------------------------------------------------------------------------------------

ORDER: Any = {
    "pbem": 1,
    "type": "order",
    "game": H0,
    "from": "north",
    "stage": 1,
    "prev": H1,
    "rev": 1,
    "body": {"orders": []},
}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"pbem": 2}, "pbem: 2"),
        ({"pbem": True}, "pbem: True"),
        ({"pbem": ...}, "pbem: null"),
        ({"type": "move"}, "type: 'move'"),
        ({"type": ["order"]}, "type: a list of 1"),
        ({"type": ...}, "type: null"),
        ({"game": "0" * 63}, "game"),
        ({"from": "North"}, "from"),
        ({"from": "n" * 17}, "from"),
        ({"from": "1st"}, "from"),
        ({"from": ...}, "from is missing"),
        ({"stage": 0}, "stage: 0"),
        ({"stage": "1"}, "stage: '1'"),
        ({"stage": 2**31}, "stage"),
        ({"rev": 0}, "rev: 0"),
        ({"rev": True}, "rev: True"),
        ({"prev": ...}, "prev is missing"),
        ({"body": []}, "body: a list of 0 is not an object"),
        ({"body": ...}, "body is missing"),
        ({"salt": H0}, "unknown member 'salt'"),
    ],
)
def test_the_envelope_is_as_it_must_be(change: dict[str, Any], where: str) -> None:
    data = {name: value for name, value in {**ORDER, **change}.items() if value is not ...}
    with pytest.raises(BadStatement) as caught:
        parse(dumps(data))
    assert where in str(caught.value)


def test_what_is_no_object_is_refused() -> None:
    for data in (b"[]", b"1", b'"order"', b"null", b"{}"):
        with pytest.raises(BadStatement):
            parse(data)
    for data in (b"", b"{", b"\xff", b"[" * 100_000, b"9" * 100_000, b'{"a":1,"a":1}'):
        with pytest.raises(NotCanonical):
            parse(data)


def test_sizes_are_limited_by_who_may_send_the_type() -> None:
    text: Any = ["x" * 1000] * 1100
    with pytest.raises(BadStatement, match="a statement of type order may have at most 1048576"):
        parse(dumps({**ORDER, "body": {"orders": text}}))
    assert statements.size_limit("report") == 8 * statements.size_limit("report", from_gm=False)
    assert statements.size_limit("order") == statements.MAX_FROM_PLAYER
    with pytest.raises(BadStatement, match="at most 8388608"):
        parse(b" " * (statements.MAX_FROM_GM + 1))


# --- bodies ---------------------------------------------------------------------------------------------

GOOD: dict[str, list[Any]] = {
    "order": [
        {"orders": []},
        {"orders": [{"do": "pass"}, "x", 3]},
        {"orders": [], "commits": {"bid": H0}, "sealed": {"gm": BLOB}},
        {"orders": [], "openings": {"plan": {**OPENING, "stage": 1}}, "standing": [{"when": {}}]},
        {"orders": [], "link": H0, "answers": H1},
    ],
    "standing": [
        {"standing": []},
        {"standing": [{"when": {}}]},
        {"commits": {"standing/later": H0}, "sealed": {"gm": BLOB}},
    ],
    "ack": [{}, {"have": [H0, H1]}, {"unreadable": [H0]}],
    "lock": [
        {"accepted": {"north": H0, "south": None}, "forfeits": ["south"]},
        {"accepted": {}, "forfeits": []},
    ],
    "link": [
        {"answers": H0, "link": H1},
        {"answers": H0, "link": H1, "openings": {"bid": OPENING}, "head": H2},
        {"answers": H0, "link": H1, "sealed": {"gm": BLOB}},
    ],
    "view": [{"head": H0, "view": BLOB}],
    "amend": [
        {"ops": [{"op": "key", "party": "north", "sign": SIGN, "seal": H0}]},
        {"ops": [{"op": "key", "party": "north", "proxy": None}]},
        {"ops": [{"op": "option", "name": "absent", "value": "skip"}]},
        {"ops": [{"op": "module", "module": MODULE}]},
        {"ops": [{"op": "ruling", "reason": "two\nlines", "changes": [{"unit": "n-07"}]}]},
        {"ops": [{"op": "ruling", "reason": "fog", "commit": H0}]},
        {"ops": [{"op": "chain", "party": "north", "anchor": H0}, {"op": "drop", "party": "south"}]},
        {
            "ops": [
                {
                    "op": "party",
                    "party": "gm",
                    "name": "New",
                    "mail": "n@example.org",
                    "sign": SIGN,
                    "seal": H0,
                    "anchor": H1,
                    "secret": H2,
                }
            ]
        },
        {"ops": [{"op": "rewind", "to": 0}]},
    ],
    "protest": [{"text": "where is\tmy order?"}, {"text": "lost", "about": [H0]}],
    "unseal": [
        {"secret": H0},
        {"openings": {H0: {"bid": OPENING}}},
        {"secret": H0, "openings": {H0: {"bid": OPENING}}},
    ],
}
BAD: dict[str, list[tuple[Any, str]]] = {
    "order": [
        ({}, "body: member orders is missing"),
        ({"orders": {}}, "body.orders"),
        ({"orders": [], "commits": {}}, "body.commits: empty"),
        ({"orders": [], "commits": {"bid": "x"}}, "body.commits.bid"),
        ({"orders": [], "sealed": {}}, "body.sealed: empty"),
        ({"orders": [], "sealed": {"GM": BLOB}}, "body.sealed.GM"),
        ({"orders": [], "sealed": {"gm": BLOB + "\n"}}, "body.sealed.gm"),
        ({"orders": [], "sealed": {"gm": "AAB="}}, "body.sealed.gm"),
        ({"orders": [], "sealed": {"gm": "AA"}}, "body.sealed.gm"),
        ({"orders": [], "sealed": {"gm": ""}}, "body.sealed.gm"),
        ({"orders": [], "openings": {}}, "body.openings: empty"),
        ({"orders": [], "openings": {"bid": {"value": 3}}}, "nonce is missing"),
        ({"orders": [], "openings": {"bid": {**OPENING, "salt": H0}}}, "unknown member 'salt'"),
        ({"orders": [], "standing": []}, "body.standing: empty"),
        ({"orders": [], "head": H0}, "unknown member 'head'"),
        ({"orders": [], "link": None}, "body.link: null"),
    ],
    "standing": [
        ({}, "use either standing, or commits with sealed"),
        ({"standing": [], "commits": {"standing/later": H0}, "sealed": {"gm": BLOB}}, "either standing"),
        ({"commits": {"standing/later": H0}}, "either standing"),
        ({"standing": [], "sealed": {"gm": BLOB}}, "either standing"),
        ({"commits": {"standing": H0}, "sealed": {"gm": BLOB}}, "unknown member 'standing'"),
    ],
    "ack": [({"have": []}, "body.have: empty"), ({"have": [H0, H0]}, "twice")],
    "lock": [
        ({"accepted": {"south": None}, "forfeits": []}, "must be in forfeits"),
        ({"accepted": {}, "forfeits": ["south"]}, "was not asked"),
        ({"accepted": {"b": H0, "a": H0}, "forfeits": ["b", "a"]}, "ascending"),
        ({"accepted": {}}, "forfeits is missing"),
    ],
    "link": [({"link": H0}, "answers is missing"), ({"answers": H0}, "link is missing")],
    "view": [({"head": H0}, "view is missing"), ({"head": H0, "view": "*"}, "body.view")],
    "amend": [
        ({"ops": []}, "body.ops: empty"),
        ({"ops": ["drop"]}, "body.ops.0"),
        ({"ops": [{"op": "kill", "party": "north"}]}, "body.ops.0.op: 'kill'"),
        ({"ops": [{"op": []}]}, "body.ops.0.op"),
        ({"ops": [{"op": "key", "party": "north"}]}, "changes nothing"),
        ({"ops": [{"op": "key", "party": "north", "sign": SIGN + " me"}]}, "body.ops.0.sign"),
        ({"ops": [{"op": "ruling", "reason": "x"}]}, "either changes or their commitment"),
        ({"ops": [{"op": "ruling", "reason": " \n", "commit": H0}]}, "body.ops.0.reason"),
        ({"ops": [{"op": "ruling", "reason": "x", "commit": H0, "changes": []}]}, "either changes"),
        (
            {"ops": [{"op": "drop", "party": "a"}, {"op": "ruling", "reason": "x", "commit": H0}]},
            "can't be combined with",
        ),
        ({"ops": [{"op": "rewind", "to": -1}]}, "body.ops.0.to: -1"),
        ({"ops": [{"op": "chain", "party": "north"}]}, "anchor is missing"),
    ],
    "protest": [
        ({}, "text is missing"),
        ({"text": ""}, "body.text"),
        ({"text": "x", "about": []}, "about: empty"),
    ],
    "unseal": [
        ({}, "reveals nothing"),
        ({"openings": {}}, "body.openings: empty"),
        ({"openings": {"bid": OPENING}}, "body.openings.bid"),
        ({"openings": {H0: {"bid": {**OPENING, "stage": 1}}}}, "unknown member 'stage'"),
    ],
}


def say(type: str, body: Any, **change: Any) -> Statement:
    envelope: Any = {"game": H0, "sender": "north", "stage": 3, "prev": H1, **change}
    return make(type, body, **envelope)


@pytest.mark.parametrize(("type", "body"), [(type, body) for type, bodies in GOOD.items() for body in bodies])
def test_good_bodies_pass(type: str, body: Any) -> None:
    statement = say(type, body)
    assert (statement.type, statement.body) == (type, body)
    assert parse(statement.bytes) == statement


@pytest.mark.parametrize(
    ("type", "body", "where"), [(type, body, where) for type, bodies in BAD.items() for body, where in bodies]
)
def test_bad_bodies_are_refused_and_the_place_named(type: str, body: Any, where: str) -> None:
    with pytest.raises(BadStatement) as caught:
        say(type, body)
    assert where in str(caught.value)


@pytest.mark.parametrize(("type", "body"), [(type, bodies[-1]) for type, bodies in GOOD.items()])
def test_no_body_takes_an_unknown_member(type: str, body: Any) -> None:
    with pytest.raises(BadStatement, match="unknown member 'x-more'"):
        say(type, {**body, "x-more": 1})


@pytest.mark.parametrize("type", ["lock", "amend", "protest", "unseal"])
def test_what_cannot_be_revised_has_revision_1(type: str) -> None:
    with pytest.raises(BadStatement, match="rev: 2"):
        say(type, GOOD[type][0], rev=2)
    assert say("order", {"orders": []}, rev=7).rev == 7


def test_a_key_of_small_order_is_refused_in_an_amendment(vectors: dict[str, Any]) -> None:
    from pbem.trust import sshsig

    for key in vectors["refused_sign_keys"]:
        sign = sshsig.public_line(bytes.fromhex(key))
        with pytest.raises(BadStatement, match="sign: the signing key"):
            say("amend", {"ops": [{"op": "key", "party": "north", "sign": sign}]})


# --- reports --------------------------------------------------------------------------------------------


def record(events: Any, **change: Any) -> Any:
    return {
        "stage": 3,
        "prev": H1,
        "accepted": {"north": H0},
        "forfeits": [],
        "links": {"gm": H0},
        "seed": H0,
        "events": records.events_hash(events).hex(),
        "groups": [[["gm", "north"], H0]],
        "state": H0,
        "asked": {},
        **change,
    }


ZERO: Any = {
    "stage": 0,
    "prev": H0,
    "groups": [[["gm", "north"], H0]],
    "state": H0,
    "asked": {"north": ["ready"]},
}
CLOSED: Any = {"stage": 3, "prev": H1, "amends": [H2]}


def test_reports_carry_their_record_and_the_events_it_names() -> None:
    events: Any = [{"event": "moved"}]
    say(
        "report",
        {"record": record(events), "events": events, "views": {"north": H0}, "next": {"by": "Friday"}},
    )
    say("report", {"record": record([]), "events": []}, rev=2)
    say("report", {"record": ZERO}, stage=0, prev=H0)
    say("view", {"head": H2, "view": BLOB}, stage=0, prev=H0)
    say("report", {"record": CLOSED, "events": []})


@pytest.mark.parametrize(
    ("body", "change", "where"),
    [
        ({"record": record([1]), "events": [2]}, {}, "not the events that the record names"),
        ({"record": record([])}, {}, "events is missing"),
        ({"record": record([], stage=4), "events": []}, {}, "body.record.stage"),
        ({"record": record([], prev=H2), "events": []}, {}, "body.record.prev"),
        ({"record": record([], asked={"north": []}), "events": []}, {}, "body.record.asked.north: empty"),
        ({"record": record([]), "events": [], "views": {}}, {}, "body.views: empty"),
        ({"record": record([]), "events": [], "next": {}}, {}, "by is missing"),
        ({"record": ZERO, "events": []}, {"stage": 0, "prev": H0}, "has no events"),
        ({"record": {**ZERO, "prev": H1}}, {"stage": 0, "prev": H1}, "only the game id"),
        ({"record": CLOSED, "events": [1]}, {}, "nothing happens"),
        ({"record": CLOSED}, {}, "events is missing"),
        ({"record": 7, "events": []}, {}, "body.record: a record must be an object"),
        ({"events": []}, {}, "record is missing"),
    ],
)
def test_reports_that_contradict_themselves_are_refused(body: Any, change: Any, where: str) -> None:
    with pytest.raises(BadStatement) as caught:
        say("report", body, **change)
    assert where in str(caught.value)


def test_a_view_of_stage_0_follows_the_game_id() -> None:
    with pytest.raises(BadStatement, match="prev: before stage 0"):
        say("view", {"head": H2, "view": BLOB}, stage=0, prev=H1)


# --- text from strangers --------------------------------------------------------------------------------


def test_a_refusal_cannot_repaint_the_terminal() -> None:
    data = json.dumps(
        {"pbem": 1, "type": "\u200f\u00e4" * 50}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    with pytest.raises(BadStatement) as caught:
        parse(data.encode())
    assert str(caught.value).isascii()
    assert len(str(caught.value)) < 250
