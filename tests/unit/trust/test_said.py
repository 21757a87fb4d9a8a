"""What a statement says is read once, into types that nobody can change."""

from __future__ import annotations

import base64
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from pbem.trust import statements
from pbem.trust.records import Shown
from pbem.trust.said import Answer
from pbem.trust.statements import Statement

H0, H1, H2 = "00" * 32, "11" * 32, "22" * 32
BLOB = base64.b64encode(b"sealed").decode()


def made(type: str, body: dict[str, Any], stage: int = 2) -> Statement:
    return statements.make(type, body, game=H0, sender="north", stage=stage, prev=H1)


def test_an_order_says_its_answers_commitments_seals_and_openings() -> None:
    body = {
        "orders": [{"decision": "a", "answer": 1}, {"decision": "b", "answer": [2], "question": "q"}],
        "commits": {"c": H2},
        "sealed": {"gm": BLOB},
        "openings": {"d": {"nonce": H0, "value": 4, "stage": 1}},
        "standing": [{"e": 5}],
        "link": H1,
        "answers": H2,
    }
    said = made("order", body).order
    assert said.given == (Answer("a", 1), Answer("b", [2], "q"))
    assert said.answered == {"a", "b", "c"}
    assert (said.commits, said.sealed) == ({"c": H2}, {"gm": b"sealed"})
    assert said.openings == {"d": Shown(H0, 4, 1)} and said.openings["d"].data() == body["openings"]["d"]
    assert said.standing == ({"e": 5},)
    assert (said.link, said.answers) == (bytes.fromhex(H1), H2)


def test_what_is_left_out_is_empty() -> None:
    said = made("order", {"orders": []}).order
    assert (said.given, said.commits, said.sealed, said.openings) == ((), {}, {}, {})
    assert said.standing is None and said.link is None and said.answers is None


def test_answers_that_no_run_could_read_are_none() -> None:
    assert made("order", {"orders": [3, {"decision": "a"}, {"decision": "b", "answer": 0}]}).order.given == (
        Answer("b", 0),
    )


def test_locks_links_unseals_and_amendments() -> None:
    lock = made("lock", {"accepted": {"north": H1, "south": None}, "forfeits": ["south"]}).lock
    assert (lock.accepted, lock.forfeits) == ({"north": H1, "south": None}, ("south",))
    link = made("link", {"answers": H1, "link": H2, "head": H0})
    assert (link.given_link.head, link.said.answers, link.said.link) == (H0, H1, bytes.fromhex(H2))
    unseal = made("unseal", {"secret": H2, "openings": {H1: {"a": {"nonce": H0, "value": True}}}}).unseal
    assert unseal.secret == bytes.fromhex(H2) and unseal.opened == {H1: {"a": Shown(H0, True)}}
    ops = [{"op": "rewind", "to": 1}, {"op": "drop", "party": "south"}]
    assert made("amend", {"ops": ops}).amendment.rewinds_to == 1
    assert made("amend", {"ops": ops[1:]}).amendment.rewinds_to is None


def test_a_statement_says_nothing_of_another_type_and_is_read_once() -> None:
    order = made("order", {"orders": []})
    assert order.said is order.said
    with pytest.raises(AssertionError, match="of type order"):
        _ = order.lock
    with pytest.raises(FrozenInstanceError):
        order.said.link = b""  # type: ignore[misc]
