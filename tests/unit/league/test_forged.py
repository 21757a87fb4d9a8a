"""Certificates with one claim changed by their own issuer: each is refused with what does not hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli.league.certificate import check
from pbem.text.canonical import dumps, loads
from pbem.text.diagnostics import Refused
from pbem.trust.armour import Signed, read, write
from pbem.trust.keys import FileSigner
from tests.unit.league.games import certificate


@pytest.fixture(scope="module")
def parts() -> list[Signed]:
    return [Signed(part.statements[0], part.signatures) for part in read(certificate())]


def _seats(claims: Any, n: int, **new: Any) -> list[Any]:
    return [{**seat, **new} if at == n else seat for at, seat in enumerate(claims["seats"])]


SHAPES: dict[str, Any] = {
    "kind": ["league", None],
    "game": [7, None],
    "head": [None],
    "title": [["The Sarn Strait"], None],
    "system": [None],
    "scenario": [7, None],
    "by": [None],
    "stage": ["12", None],
    "result": ["Red won.", None],
    "seats": [{}, None, [7], [{"id": "red", "name": "Rosa"}]],
    "history": [{}, None],
}
CLAIMS = {
    "another game": ({"game": "0" * 64}, "different games"),
    "another title": ({"title": "The Sarn Straits"}, "different games"),
    "another system": ({"system": "wbts"}, "different games"),
    "another scenario": ({"scenario": "sarn_straits"}, "different games"),
    "another head": ({"head": "0" * 64}, "head"),
    "another stage": ({"stage": 3}, "head"),
    "a stranger": ({"by": "mallory"}, "mallory"),
    "another issuer": ({"by": "red"}, "red"),
}


def signed(claims: Any) -> Signed:
    gm = FileSigner.load((Path(__file__).parents[2] / "data/keys/gm").read_bytes(), lambda _: "")
    return Signed.by(gm, dumps(claims))


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in SHAPES for value in SHAPES[name]])
def test_claims_of_another_shape_are_unreadable(parts: list[Signed], name: str, value: Any) -> None:
    claims: Any = loads(parts[0].data)
    claims = {**claims, name: value} if value is not None else {k: v for k, v in claims.items() if k != name}
    if name == "history" and value is None:
        assert check(write("", [signed(claims), *parts[1:]])).issuer == "gm"
        return
    with pytest.raises(Refused, match="cannot be read: certificate"):
        check(write("", [signed(claims), *parts[1:]]))


@pytest.mark.parametrize("what", CLAIMS)
def test_claims_that_the_last_report_does_not_bear_out_are_refused(parts: list[Signed], what: str) -> None:
    changed, words = CLAIMS[what]
    claims: Any = loads(parts[0].data)
    with pytest.raises(Refused, match=words):
        check(write("", [signed({**claims, **changed}), *parts[1:]]))


@pytest.mark.parametrize("what", ["a seat twice", "a seat missing", "id", "name", "key"])
def test_the_seats_are_those_of_the_roster(parts: list[Signed], what: str) -> None:
    claims: Any = loads(parts[0].data)
    seats = {
        "a seat twice": [*claims["seats"], claims["seats"][0]],
        "a seat missing": claims["seats"][1:],
    }.get(what) or _seats(claims, 1, **{what: "x"})
    with pytest.raises(Refused, match="seats"):
        check(write("", [signed({**claims, "seats": seats}), *parts[1:]]))


def test_only_whoever_holds_the_best_seats_is_first_by_the_word_of_the_issuer(parts: list[Signed]) -> None:
    claims: Any = loads(parts[0].data)
    assert [seat["first"] for seat in claims["seats"]] == [
        seat["id"] in ("blue", "green") for seat in claims["seats"]
    ]
