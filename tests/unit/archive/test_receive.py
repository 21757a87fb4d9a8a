"""Receiving: each statement gets a receipt, and only what may count is taken in."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.archive import layout, orders, signing, stage
from pbem.archive.receive import Receipt, receive
from pbem.text import canonical
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.groups import state_hash
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, chooser, signer_of, statements_in


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def resigned(signed: Signed, signer: str, change: Callable[[dict[str, Any]], None]) -> Signed:
    """The same statement with something changed, signed by whoever."""
    data = json.loads(signed.data)
    change(data)
    raw = canonical.dumps(data)
    return Signed(raw, (signer_of(signer).sign(raw),))


def order_of(seat: Seat, choose: int = 1) -> Signed:
    (signed,) = statements_in(seat.answer_all(chooser(choose)))
    return signed


def one(seat: Seat, *found: Signed) -> Receipt:
    (receipt,) = receive(seat.folder, found)
    return receipt


def asked(table: Table) -> Seat:
    return table.asked()[0]


def test_an_order_is_taken_once_and_then_known(started: Table) -> None:
    seat = asked(started)
    order = order_of(seat)
    first = one(started.gm, order)
    assert (first.outcome, first.words) == ("taken", f"order of {seat.name} for stage 1")
    before = tree(started.gm.root)
    assert one(started.gm, order).outcome == "duplicate"
    assert tree(started.gm.root) == before


def test_what_nobody_signed_is_named_and_not_kept(started: Table) -> None:
    order = order_of(asked(started))
    before = tree(started.gm.root)
    for found in (
        resigned(order, "mallory", lambda data: None),
        Signed(order.data + b" ", order.signatures),
        Signed(b"\xff\x00garbage", order.signatures),
        Signed(order.data, ()),
    ):
        assert one(started.gm, found).outcome == "unsigned"
    assert tree(started.gm.root) == before


WRONG: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "for another game": (lambda d: d.update(game="ab" * 32), "game"),
    "from somebody else": (lambda d: d.update({"from": "gm"}), "signed it"),
    "answers another history": (lambda d: d.update(prev="ab" * 32), "newest one here"),
    "far ahead": (lambda d: d.update(stage=9), "stage 1 is the open one"),
    "without its seal": (lambda d: d["body"].pop("sealed"), "without its link"),
    "with an unknown member": (lambda d: d["body"].update(extra=1), "extra"),
    "an answer without a decision": (lambda d: d["body"].update(orders=[{"answer": 1}]), "orders.0"),
    "one decision twice": (
        lambda d: d["body"].update(orders=[{"answer": 1, "decision": "x"}, {"answer": 2, "decision": "x"}]),
        "answered twice",
    ),
    "opens commitments": (
        lambda d: d["body"].update(openings={"x": {"nonce": "ab" * 32, "value": 1}}),
        "holds already",
    ),
    "an acknowledgement by a player": (
        lambda d: d.update(type="ack", body={"have": ["ab" * 32]}),
        "who cannot send",
    ),
    "an amendment": (
        lambda d: d.update(type="amend", body={"ops": [{"op": "drop", "party": "south"}]}),
        "not in this version",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_signed_statement_that_cannot_count_is_kept_with_the_reason(started: Table, name: str) -> None:
    seat = asked(started)
    change, reason = WRONG[name]
    found = resigned(order_of(seat), seat.name, change)
    receipt = one(started.gm, found)
    assert receipt.outcome == "refused"
    assert reason in receipt.reason
    inbox = started.gm.root / layout.INBOX
    assert (inbox / f"{receipt.sid}.json").read_bytes() == found.data
    assert reason in (inbox / f"{receipt.sid}.txt").read_text()
    assert one(started.gm, found).outcome in ("duplicate", "refused")
    assert started.gm.folder.stage == 0


def test_an_order_whose_seal_does_not_open_is_unreadable_for_the_gm_alone(started: Table) -> None:
    seat = asked(started)
    order = order_of(seat)
    other = next(player for player in started.players.values() if player is not seat)

    def spoil(data: dict[str, Any]) -> None:
        sealed = data["body"]["sealed"]["gm"]
        data["body"]["sealed"]["gm"] = ("AAAA" if sealed[:4] != "AAAA" else "BBBB") + sealed[4:]

    found = resigned(order, seat.name, spoil)
    receipt = one(started.gm, found)
    assert receipt.outcome == "unreadable" and "does not open" in receipt.reason
    assert one(other, found).outcome == "taken"


def test_the_gm_acknowledges_what_he_has_and_names_what_he_cannot_read(started: Table) -> None:
    from pbem.archive.ack import acknowledge

    with pytest.raises(Refused) as error:
        acknowledge(started.gm.folder, started.gm.signer)
    assert error.value.diagnostics[0].code == "nothing-here"
    first, second = started.players.values()
    good = order_of(first)
    bad = resigned(
        order_of(second),
        second.name,
        lambda d: d["body"]["sealed"].update(gm="AAAA" + d["body"]["sealed"]["gm"][4:]),
    )
    receive(started.gm.folder, [good, bad])
    for rev in (1, 2):
        acknowledge(started.gm.folder, started.gm.signer)
        (signed,) = statements_in(*started.gm.mails())
        data = json.loads(signed.data)
        assert data["rev"] == rev
        assert data["body"] == {
            "have": [statements.sid(good.data)],
            "unreadable": [statements.sid(bad.data)],
        }
        assert one(first, signed).outcome == "taken"


def test_an_acknowledged_revision_that_is_left_out_proves_the_gm_wrong(tmp_path: Path) -> None:
    from pbem.archive.ack import acknowledge
    from pbem.archive.verify import verify

    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    table.start()
    north, south = table.players["north"], table.players["south"]
    first, second = order_of(north, 1), order_of(north, 2)
    receive(table.gm.folder, [first, second, order_of(south)])
    acknowledge(table.gm.folder, table.gm.signer)
    table.post()
    path = table.gm.root / layout.statement_name(1, statements.sid(second.data))
    path.unlink()
    path.with_suffix(".sig").unlink()
    stage.adjudicate(table.gm.folder, table.gm.signer)
    north.receive(*table.gm.mails(), late=True)
    found = verify(north.root)
    assert found.first_bad is not None
    assert (found.first_bad.code, found.first_bad.stage, found.first_bad.party) == ("acknowledged", 1, "gm")


def test_an_answer_nested_too_deep_to_be_recorded_is_refused(started: Table) -> None:
    seat = asked(started)
    deep: Any = 1
    for _ in range(26):
        deep = [deep]
    found = resigned(
        order_of(seat), seat.name, lambda d: d["body"].update(orders=[{"answer": deep, "decision": "x"}])
    )
    receipt = one(started.gm, found)
    assert receipt.outcome == "refused" and "nested more than 24 deep" in receipt.reason
    folder = seat.folder
    (question,) = orders.questions(folder) or [None]
    key = question.key if question else "card"
    sealed = orders.Checked({key: orders.Answer(deep, True)})
    written = signing.sign(folder, sealed, seat.signer)
    (receipt,) = started.gm.receive(*[path for path in written if path.name.endswith(".pbem.txt")])
    assert receipt.outcome == "unreadable" and "nested more than 24 deep" in receipt.reason


def test_a_commitment_without_its_opening_is_unreadable(started: Table) -> None:
    seat = asked(started)
    found = resigned(
        order_of(seat), seat.name, lambda d: d["body"].setdefault("commits", {}).update(extra="ab" * 32)
    )
    receipt = one(started.gm, found)
    assert receipt.outcome == "unreadable" and "extra" in receipt.reason


def test_the_higher_revision_counts_whatever_comes_first(started: Table) -> None:
    seat = asked(started)
    first, second = order_of(seat, 1), order_of(seat, 2)
    assert json.loads(second.data)["rev"] == 2
    assert one(started.gm, second).outcome == "taken"
    older = one(started.gm, first)
    assert older.outcome == "taken" and "revision 2 is here already" in older.reason
    started.post()
    for other in started.asked():
        if other is not seat:
            other.answer_all(chooser(3))
    started.post()
    result = started.run()
    assert result.run is not None
    assert result.run.record["accepted"][seat.name] == statements.sid(second.data)  # type: ignore[index,call-overload]


def test_two_statements_with_one_revision_are_both_kept_as_proof(started: Table) -> None:
    seat = asked(started)
    order = order_of(seat)
    filed = [{"decision": "card", "answer": "calm"}]
    twin = resigned(order, seat.name, lambda d: d["body"].update(standing=filed))
    receipts = receive(started.gm.folder, [order, twin])
    assert [r.outcome for r in receipts] == ["taken", "taken"]
    assert "both are kept as proof" in receipts[1].reason
    for other in started.asked():
        if other is not seat:
            other.answer_all(chooser(3))
    started.post()
    result = stage.adjudicate(started.gm.folder, started.gm.signer)
    assert result.run is not None
    smaller = min(statements.sid(order.data), statements.sid(twin.data))
    assert result.run.record["accepted"][seat.name] == smaller  # type: ignore[index,call-overload]


def test_somebody_who_is_not_asked_cannot_order(started: Table) -> None:
    started.play_stage(chooser(1))
    while len(started.asked()) > 1:
        started.play_stage(chooser(1))
    idle = next(seat for seat in started.players.values() if seat not in started.asked())
    busy = asked(started)
    found = resigned(order_of(busy), idle.name, lambda d: d.update({"from": idle.name}))
    receipt = one(started.gm, found)
    assert receipt.outcome == "refused" and "not asked in stage" in receipt.reason


def test_a_late_order_is_kept_aside_and_changes_nothing(started: Table) -> None:
    seat = asked(started)
    started.play_stage(chooser(1))
    late = resigned(order_of_stage(started, 1, seat.name), seat.name, lambda d: d.update(rev=2))
    head = started.gm.folder.line.head
    receipt = one(started.gm, late)
    assert receipt.outcome == "late"
    assert (started.gm.root / layout.INBOX / f"{receipt.sid}.json").exists()
    assert started.gm.folder.line.head == head


def order_of_stage(table: Table, number: int, party: str) -> Signed:
    return next(
        signed
        for found, signed in table.gm.folder.statements(number)
        if (found.type, found.sender) == ("order", party)
    )


def test_an_early_order_waits_for_its_stage(started: Table) -> None:
    """South has seen the report of stage 1 and orders already; north gets that mail before the report."""
    north, south = started.players["north"], started.players["south"]
    for seat in started.asked():
        seat.answer_all(chooser(1))
    started.post()
    stage.adjudicate(started.gm.folder, started.gm.signer)
    report = started.gm.mails()
    south.receive(*report)
    folder = south.folder
    answers = {q.key: chooser(2)(south, q) for q in orders.questions(folder)}
    standing = json.dumps({**json.loads(south.file(answers)), "standing": [{"decision": "bid", "answer": 2}]})
    alone = json.loads(standing)
    del alone["answers"]
    checked = orders.check(folder, orders.load(folder, json.dumps(alone), "standing.yaml"))
    written = signing.sign(folder, checked, south.signer)
    (receipt,) = north.receive(*[path for path in written if path.name.endswith(".pbem.txt")])
    assert receipt.outcome == "early" and "waits for stage 2" in receipt.reason
    receipts = north.receive(*report)
    assert north.folder.stage == 1
    assert any(r.sid == receipt.sid and r.outcome == "taken" for r in receipts)
    assert not list((north.root / layout.EARLY).glob("*"))


def test_a_report_waits_for_the_orders_it_names(started: Table) -> None:
    north = started.players["north"]
    for seat in started.asked():
        started.gm.receive(seat.answer_all(chooser(1)))
    stage.adjudicate(started.gm.folder, started.gm.signer)
    found = statements_in(*started.gm.mails())
    reports = [signed for signed in found if json.loads(signed.data)["type"] in ("report", "view")]
    others = [signed for signed in found if signed not in reports]
    receipts = receive(north.folder, reports)
    assert {r.outcome for r in receipts} <= {"waiting", "early"} and north.folder.stage == 0
    assert any("is not here" in r.reason for r in receipts)
    receive(north.folder, others)
    assert north.folder.stage == 1


def test_all_mails_of_a_game_at_once_in_any_order_give_the_same_folder(started: Table) -> None:
    """South was away: the GM plays on with him by his own mails, north reads nothing until the end."""
    started.play(chooser(5))
    last = started.gm.folder.stage
    for seed in (1, 2):
        mails = list(started.sent)
        random.Random(seed).shuffle(mails)
        away = started.players["north"]
        backup = tree(away.root)
        for number in range(2, last + 1):
            for path in sorted((away.root / layout.stage_name(number)).rglob("*"), reverse=True):
                path.unlink() if path.is_file() else path.rmdir()
        for name in ("state.yaml", "private/state-copy.yaml", "private/facts.json", "private/view.yaml"):
            (away.root / name).unlink(missing_ok=True)
        _wind_back(started, away, 1)
        receive(away.folder, statements_in(*mails))
        assert away.folder.stage == last
        assert away.folder.head(last) == started.gm.folder.head(last)
        for name, data in backup.items():
            if name.startswith("stages") and name.endswith((".json", ".bin", ".txt")):
                assert (away.root / name).read_bytes() == data, name


def _wind_back(table: Table, seat: Seat, number: int) -> None:
    """Give a folder back the state it had after a stage, by receiving that stage again."""
    for found in range(number + 1):
        for path in sorted((seat.root / layout.stage_name(found)).rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()


def test_two_reports_of_one_stage_stop_everything(started: Table) -> None:
    north = started.players["north"]
    report = next(s for f, s in started.gm.folder.statements(0) if f.type == "report")
    other = resigned(report, "gm", lambda d: d["body"].update(next={"by": "Sunday"}))
    receipt = one(north, other)
    assert receipt.outcome == "fork" and "two different reports of stage 0" in receipt.reason
    with pytest.raises(Refused) as error:
        north.answer_all(chooser(1))
    assert error.value.diagnostics[0].code == "fork"
    assert (north.root / layout.statement_name(0, receipt.sid)).exists()


def test_a_correction_says_that_it_is_not_there_yet(started: Table) -> None:
    report = next(s for f, s in started.gm.folder.statements(0) if f.type == "report")
    other = resigned(report, "gm", lambda d: d.update(rev=2))
    receipt = one(started.players["north"], other)
    assert receipt.outcome == "refused" and "not in this version" in receipt.reason


def _false_report(table: Table, change: Callable[[dict[str, Any]], None]) -> list[Signed]:
    """The GM runs a stage honestly, then signs something else."""
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    stage.adjudicate(table.gm.folder, table.gm.signer)
    found = statements_in(*table.gm.mails())
    report = next(s for s in found if json.loads(s.data)["type"] == "report")
    false = resigned(report, "gm", change)
    return [false if signed is report else signed for signed in found]


LIES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another seed": (lambda d: d["body"]["record"].update(seed="ab" * 32), "seed"),
    "another link of the GM": (lambda d: d["body"]["record"]["links"].update(gm="ab" * 32), "anchor"),
    "nobody is asked": (lambda d: d["body"]["record"].update(asked={}), "asked differs"),
    "another state": (lambda d: d["body"]["record"].update(state="ab" * 32), "not that of the groups"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_player_of_an_open_game_takes_no_false_report(tmp_path: Path, name: str) -> None:
    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    table.start()
    change, reason = LIES[name]
    north = table.players["north"]
    receipts = receive(north.folder, _false_report(table, change))
    (bad,) = [r for r in receipts if r.outcome == "refused"]
    assert reason in bad.reason
    assert north.folder.stage == 0


def fit_state(data: dict[str, Any]) -> None:
    """Let the state hash be that of the groups again."""
    record = data["body"]["record"]
    listed = record["groups"]
    record["state"] = state_hash(bytes.fromhex(data["game"]), record["stage"], listed).hex()


def test_a_player_with_fog_takes_no_view_that_is_not_in_the_state(tmp_path: Path) -> None:
    table = Table(tmp_path, FOG, "ford", ["north", "south"], chain_length=64)
    table.start()

    def lie(data: dict[str, Any]) -> None:
        groups = data["body"]["record"]["groups"]
        next(g for g in groups if g[0] == ["gm", "north"])[1] = "ab" * 32
        fit_state(data)

    north, south = table.players["north"], table.players["south"]
    found = _false_report(table, lie)
    (bad,) = [r for r in receive(north.folder, found) if r.outcome == "refused"]
    assert "is not in the state of stage 1" in bad.reason
    assert north.folder.stage == 0
    assert not [r for r in receive(south.folder, found) if r.outcome == "refused"]  # it is not his group


def test_a_view_that_leaves_out_a_group_is_refused(tmp_path: Path) -> None:
    table = Table(tmp_path, FOG, "ford", ["north", "south"], chain_length=64)
    table.start()

    def more(data: dict[str, Any]) -> None:
        groups = data["body"]["record"]["groups"]
        groups.append([["north"], "ab" * 32])
        groups.sort(key=lambda g: canonical.dumps(g[0]))
        fit_state(data)

    (bad,) = [
        r
        for r in receive(table.players["north"].folder, _false_report(table, more))
        if r.outcome == "refused"
    ]
    assert "leaves out" in bad.reason


def test_a_report_that_takes_an_older_revision_asks_whether_i_was_late(started: Table) -> None:
    seat = asked(started)
    seat.answer_all(chooser(1))
    for other in started.asked():
        if other is not seat:
            other.answer_all(chooser(1))
    started.post()
    seat.answer_all(chooser(2))  # revision 2 stays on this machine
    stage.adjudicate(started.gm.folder, started.gm.signer)
    mails = started.gm.mails()
    waiting = [r for r in seat.receive(*mails) if r.outcome == "waiting"]
    assert waiting and "you have signed revision 2" in waiting[0].reason
    assert seat.folder.stage == 0
    seat.receive(*mails, late=True)
    assert seat.folder.stage == 1


def test_a_protest_is_kept_whatever_history_it_answers(started: Table) -> None:
    seat = asked(started)
    protest = resigned(
        order_of(seat),
        seat.name,
        lambda d: d.update(type="protest", prev="ab" * 32, body={"text": "my revision 3 is missing"}),
    )
    assert one(started.gm, protest).outcome == "taken"


def test_a_damaged_unseal_is_refused(started: Table) -> None:
    from pbem.archive.unseal import unseal

    unseal(started.gm.folder, started.gm.signer, early=True)
    (signed,) = statements_in(*started.gm.mails())
    false = resigned(signed, "gm", lambda d: d["body"].update(secret="ab" * 32))
    receipt = one(started.players["north"], false)
    assert receipt.outcome == "refused" and "not the one the roster commits to" in receipt.reason
    assert one(started.players["north"], signed).outcome == "taken"


def test_statements_before_the_roster_is_signed_by_all_wait(tmp_path: Path) -> None:
    from pbem.archive import setup

    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    table.post()
    setup.sign_roster(table.gm.folder, table.gm.signer)
    table.post()
    north, south = table.players["north"], table.players["south"]
    setup.sign_roster(north.folder, north.signer)
    setup.sign_roster(south.folder, south.signer)
    signature_of_south = south.mails()
    table.gm.receive(*north.mails(), *signature_of_south)
    stage.adjudicate(table.gm.folder, table.gm.signer)
    (receipt,) = north.receive(*table.gm.mails())
    assert receipt.outcome == "waiting" and "not signed yet by south" in receipt.reason
    north.receive(*signature_of_south)
    assert north.folder.stage == 0


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_that_is_received_raises(started: Table, data: st.DataObject) -> None:
    """Whatever members a signed statement has, it gets a receipt."""
    seat = asked(started)
    order = order_of_cached(seat)
    value = st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-9, 9)
        | st.sampled_from(["order", "card", "ab" * 32, "gm", ""]),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
        ),
        max_leaves=6,
    )
    members = json.loads(order.data)
    where = data.draw(
        st.sampled_from(["orders", "commits", "standing", "sealed", "stage", "prev", "rev", "type"])
    )
    if where in members:
        members[where] = data.draw(value)
    else:
        members["body"][where] = data.draw(value)
    raw = canonical.dumps(members)
    (receipt,) = receive(started.gm.folder, [Signed(raw, (signer_of(seat.name).sign(raw),))])
    assert receipt.outcome in ("taken", "refused", "unreadable", "duplicate", "early", "late")


_cache: dict[str, Signed] = {}


def order_of_cached(seat: Seat) -> Signed:
    key = str(seat.root)
    if key not in _cache:
        _cache[key] = order_of(seat)
    return _cache[key]


def test_one_command_at_a_time(started: Table) -> None:
    from pbem.archive import lock

    before = tree(started.gm.root)
    with lock.hold(started.gm.root), pytest.raises(Refused) as error:
        one(started.gm, order_of(asked(started)))
    assert error.value.diagnostics[0].code == "folder-busy"
    assert tree(started.gm.root) == before
    assert os.path.exists(started.gm.root / "private/lock")
