"""Plain replies by their test vectors (protocol-letters 6 and 8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.trust import commit
from pbem.trust.accept import accept
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import FileSigner
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.statements import make, parse

_VECTORS = Path(__file__).parents[2] / "data/protocol-letters-vectors.json"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_VECTORS.read_text("utf-8"))["plain"]
    return data


def test_the_commitment_and_the_codes_are_those_of_the_vectors(
    told: dict[str, Any], roster: Roster, secret: Any
) -> None:
    shown = Shown(told["nonce"], told["value"])
    assert commit.plain_commitment(roster.game_id, 1, "north", shown) == told["plain"]
    for stage, name in ((1, "reply_code"), (2, "reply_code_stage_2")):
        code = commit.reply_code(secret("gm secret"), roster.game_id, stage, "north")
        assert code == told[name]


def test_the_order_of_the_vectors_has_its_bytes_and_its_commitment(told: dict[str, Any]) -> None:
    order = told["order"]
    one = parse(order["canonical"].encode())
    assert (one.sid, len(one.bytes)) == (order["sid"], order["bytes"])
    assert one.said.plain == told["plain"] and one.said.commits == {}


def test_only_orders_and_standing_orders_have_one(
    told: dict[str, Any], game: Any, roster: Roster, signers: dict[str, FileSigner]
) -> None:
    here = {"game": game.game, "prev": game.prev, "stage": game.stage, "sender": "north"}
    plain = told["plain"]
    make("standing", {"standing": [], "plain": plain}, **here)
    for type_, body in (
        ("order", {"orders": [], "plain": plain[:-1]}),
        ("ack", {"have": [], "plain": plain}),
    ):
        data = make("order", {"orders": []}, **here).bytes
        said = json.loads(data) | {"type": type_, "body": body}
        text = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
        with pytest.raises(NotAccepted) as refused:
            accept(text, signers["north"].sign(text), parties=roster.parties, game=roster.game, dice="swift")
        assert refused.value.code in ("schema", "role")
