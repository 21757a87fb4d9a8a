"""Forged letters under a lock and between two: what a folder takes, refuses or keeps waiting (10, 13)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import gm_stage, link_due
from pbem.archive.receiving import receive as taking
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.statements import Statement
from tests.primer import SYSTEM
from tests.unit.archive.paper import last, put
from tests.unit.archive.table import Seat, Table, begun, chooser

ELSEWHERE = "ab" * 32
BID = "T1/initiative/bid"


def changed(one: Statement, sender: str | None = None, **members: Any) -> Statement:
    outer = {name: members.pop(name) for name in ("prev", "rev", "stage") if name in members}
    whole = {**one.data, **outer, "from": sender or one.sender, "body": put(one.body, **members)}
    return statements.build(whole)


def receive(reader: Seat, root: Path, signer: Seat, one: Statement, *, late: bool = False) -> str:
    """What a copy of a reader's folder makes of a statement: outcome and reason."""
    twin = reader.copy(root / f"{reader.name}-{one.sid[:8]}")
    receipts = taking.receive(twin.folder, [Signed.by(signer.signer, one.bytes)], late=late)
    mine = [receipt for receipt in receipts if receipt.sid in ("", one.sid)]
    assert len(mine) == 1, receipts
    kept = twin.folder.find(one.stage, one.sid) is not None
    assert kept == (mine[0].outcome == "taken"), "what is not taken is no part of the game"
    return f"{mine[0].outcome} {last(mine[0].reason)}".strip()


# --- locks ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    """Both have committed to a bid; the GM has not locked yet."""
    table = begun(tmp_path_factory.mktemp("ordered"), SYSTEM, by=(5, 5), dice="locked")
    for seat in table.asked():
        seat.answer_all(chooser(5))
    table.post()
    return table


@pytest.fixture(scope="module")
def locked(ordered: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The GM has locked, all have the lock, and nobody has answered it."""
    table = ordered.copy(tmp_path_factory.mktemp("locked"))
    assert gm_stage.adjudicate(table.gm.folder, table.gm.signer).locked
    table.post()
    return table


@pytest.fixture(scope="module")
def link(locked: Table, tmp_path_factory: pytest.TempPathFactory) -> Statement:
    """South's true answer to the lock."""
    south = locked.players["south"].copy(tmp_path_factory.mktemp("south") / "south")
    link_due.give_link(south.folder, south.signer)
    (given,) = south.folder.of(3, "link")
    return given


def opening(link: Statement, **members: Any) -> dict[str, Any]:
    shown: Any = link.body["openings"]
    return {BID: put(shown[BID], **members)}


UNDER_A_LOCK: dict[str, tuple[dict[str, Any], str]] = {
    "as it is": ({}, "taken"),
    "another lock": ({"answers": ELSEWHERE}, "refused it-answers-another-lock"),
    "another link of the chain": ({"link": ELSEWHERE}, "refused link-stage-does-not-lead"),
    "another head": ({"prev": ELSEWHERE}, "refused it-follows-another-record"),
    "nothing opened": ({"openings": ...}, "refused it-does-not-open-all"),
}


@pytest.mark.parametrize("case", UNDER_A_LOCK)
@pytest.mark.parametrize("reader", ["gm", "north"])
def test_a_link_answers_the_lock_that_is_out(
    locked: Table, link: Statement, tmp_path: Path, reader: str, case: str
) -> None:
    seat = locked.gm if reader == "gm" else locked.players[reader]
    change, wanted = UNDER_A_LOCK[case]
    assert receive(seat, tmp_path, locked.players["south"], changed(link, **change)) == wanted


@pytest.mark.parametrize(("member", "value"), [("value", 1), ("nonce", ELSEWHERE)])
def test_a_link_opens_the_bid_that_was_locked(
    locked: Table, link: Statement, tmp_path: Path, member: str, value: Any
) -> None:
    forged = changed(link, openings=opening(link, **{member: value}))
    for seat in (locked.gm, locked.players["north"]):
        got = receive(seat, tmp_path, locked.players["south"], forged)
        assert got == "refused its-opening-is-not-what-was-committed"


def test_a_link_that_somebody_else_signs_is_nobodys(locked: Table, link: Statement, tmp_path: Path) -> None:
    assert receive(locked.gm, tmp_path / "a", locked.players["north"], link) == "refused sender"
    assert receive(locked.gm, tmp_path / "b", Seat(tmp_path / "eve", "eve"), link) == "unsigned signer"


def test_a_link_without_its_lock_waits_for_a_player_and_is_nothing_to_the_gm(
    ordered: Table, link: Statement, tmp_path: Path
) -> None:
    south = ordered.players["south"]
    got = receive(ordered.players["north"], tmp_path, south, link)
    assert got == "waiting it-answers-lock-that-is-not-here-yet"
    assert receive(ordered.gm, tmp_path, south, link) == "refused it-answers-another-lock"


LOCKS: dict[str, tuple[dict[str, Any], str]] = {
    "as it is": ({}, "taken"),
    "another head": ({"prev": ELSEWHERE}, "refused it-follows-another-record"),
    "without one who was asked": (
        {"accepted": {"south": ELSEWHERE}},
        "refused lock-is-not-about-exactly-those-asked",
    ),
}


@pytest.mark.parametrize("case", LOCKS)
def test_a_player_answers_no_forged_lock(ordered: Table, locked: Table, tmp_path: Path, case: str) -> None:
    (lock,) = locked.gm.folder.of(3, "lock")
    change, wanted = LOCKS[case]
    assert receive(ordered.players["south"], tmp_path, ordered.gm, changed(lock, **change)) == wanted


def test_a_lock_that_leaves_my_order_out_waits_until_i_agree(
    ordered: Table, locked: Table, tmp_path: Path
) -> None:
    (lock,) = locked.gm.folder.of(3, "lock")
    out = changed(lock, accepted=put(lock.lock.accepted, south=None), forfeits=["south"])
    south = ordered.players["south"]
    assert receive(south, tmp_path / "a", ordered.gm, out) == "waiting lock-takes-other-orders"
    assert receive(south, tmp_path / "b", ordered.gm, out, late=True) == "taken"
    assert receive(ordered.players["north"], tmp_path / "c", ordered.gm, out) == "taken", "it is not north's"


def test_a_lock_with_orders_that_are_not_here_waits(ordered: Table, locked: Table, tmp_path: Path) -> None:
    (lock,) = locked.gm.folder.of(3, "lock")
    unknown = changed(lock, accepted=put(lock.lock.accepted, north=ELSEWHERE))
    assert receive(ordered.players["south"], tmp_path, ordered.gm, unknown).startswith("waiting ")


# --- two without a GM -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    """South has committed to a bid and north has answered; south's link is to come."""
    table = begun(tmp_path_factory.mktemp("answered"), SYSTEM, by=(5, 5), dice="pair")
    for name in ("south", "north"):
        table.players[name].answer_all(chooser(5))
        table.post()
    return table


@pytest.fixture(scope="module")
def end(answered: Table, tmp_path_factory: pytest.TempPathFactory) -> Statement:
    """South's true last link."""
    south = answered.players["south"].copy(tmp_path_factory.mktemp("end") / "south")
    link_due.give_link(south.folder, south.signer)
    (given,) = south.folder.of(3, "link")
    return given


LAST: dict[str, tuple[dict[str, Any], str]] = {
    "as it is": ({}, "taken"),
    "another link of the chain": ({"link": ELSEWHERE}, "refused link-stage-does-not-lead"),
    "another order answered": ({"answers": ELSEWHERE}, "waiting it-answers-no-order-here"),
    "nothing opened": ({"openings": ...}, "refused it-does-not-open-all"),
    "another head": ({"head": ELSEWHERE}, "fork sender-computed-head-for-stage"),
}


@pytest.mark.parametrize("case", LAST)
def test_the_last_link_of_two_is_run_before_it_is_believed(
    answered: Table, end: Statement, tmp_path: Path, case: str
) -> None:
    change, wanted = LAST[case]
    north, south = answered.players["north"], answered.players["south"]
    assert receive(north, tmp_path, south, changed(end, **change)) == wanted


def test_the_last_link_of_two_opens_nothing_that_was_never_committed(
    answered: Table, end: Statement, tmp_path: Path
) -> None:
    """South had no card; the openings of an earlier stage must be its own."""
    shown = opening(end) | {"T1/cards/card": {"nonce": ELSEWHERE, "value": "storm", "stage": 1}}
    north, south = answered.players["north"], answered.players["south"]
    got = receive(north, tmp_path, south, changed(end, openings=shown))
    assert got.startswith("refused "), got


def test_an_order_opens_nothing_that_its_sender_never_committed(answered: Table, tmp_path: Path) -> None:
    (order,) = [one for one in answered.players["south"].folder.of(3, "order") if one.sender == "south"]
    shown = {"T1/cards/card": {"nonce": ELSEWHERE, "value": "storm", "stage": 1}}
    forged = changed(order, rev=2, openings=shown)
    north, south = answered.players["north"], answered.players["south"]
    assert receive(north, tmp_path, south, forged) == "refused it-opens-what-sender-did-not-commit"
