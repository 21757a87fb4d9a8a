"""Receiving: each statement gets a receipt, and only what may count is taken in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.archive.adjudicating import gm_stage
from pbem.archive.folder import layout
from pbem.archive.ordering import order_file, signing
from pbem.archive.receiving.following_up import follow_up
from pbem.archive.receiving.receive import receive
from pbem.mail.read import Reading, read_path
from pbem.stages.arrived_orders import collect
from pbem.stages.receipts import Receipt
from pbem.text import canonical
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed
from tests.primer import SYSTEM
from tests.unit.archive.mailing import asked, one, order_of, resigned, tree
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of, statements_in


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
    "belongs to another history": (lambda d: d.update(prev="ab" * 32), "newest one here"),
    "far ahead": (lambda d: d.update(stage=9), "the current stage is 1"),
    "without its seal": (lambda d: d["body"].pop("sealed"), "need a link"),
    "with an unknown member": (lambda d: d["body"].update(extra=1), "extra"),
    "an answer without a decision": (lambda d: d["body"].update(orders=[{"answer": 1}]), "orders.0"),
    "one decision twice": (
        lambda d: d["body"].update(orders=[{"answer": 1, "decision": "x"}, {"answer": 2, "decision": "x"}]),
        "answered twice",
    ),
    "reveals commitments": (
        lambda d: d["body"].update(openings={"x": {"nonce": "ab" * 32, "value": 1}}),
        "already has them",
    ),
    "an acknowledgement by a player": (
        lambda d: d.update(type="ack", body={"have": ["ab" * 32]}),
        "and can't send",
    ),
    "an amendment": (
        lambda d: d.update(type="amend", body={"ops": [{"op": "drop", "party": "gm"}]}),
        "not dropped",
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


def test_of_what_is_refused_the_signature_of_its_sender_is_kept_and_not_a_stranger_s(started: Table) -> None:
    seat = asked(started)
    own = resigned(order_of(seat), seat.name, lambda d: d["body"].update(extra=1))
    strange = resigned(own, "mallory", lambda d: None).signatures
    receipt = one(started.gm, Signed(own.data, (*strange, *own.signatures)))
    assert receipt.outcome == "refused"
    assert (started.gm.root / layout.INBOX / f"{receipt.sid}.sig").read_text() == own.signatures[0]


def test_what_counts_is_acknowledged_to_its_sender_and_what_is_refused_is_not(started: Table) -> None:
    seat = asked(started)
    good = order_of(seat)
    bad = resigned(good, seat.name, lambda d: d.update(prev="ab" * 32))
    for found, outcome, count in ((bad, "refused", 0), (good, "taken", 1)):
        receipt = one(started.gm, found)
        reading = Reading()
        reading.add("a mail", found)
        done = follow_up(started.gm.folder, reading, [receipt], "2026-11-20 12:00:00")
        assert (receipt.outcome, len(done.receipts)) == (outcome, count)


def test_what_is_known_of_another_stage_is_not_acknowledged_again(started: Table) -> None:
    """A mailbox that is read anew would send a receipt for every order of the game."""
    seat = asked(started)
    order = order_of(seat)
    here = one(started.gm, order)
    other = resigned(order, seat.name, lambda d: d.update(stage=2))
    for found, count in ((other, 0), (order, 1)):
        reading = Reading()
        reading.add("a mail", found)
        known = replace(here, outcome="duplicate", sid=statements.sid(found.data))
        done = follow_up(started.gm.folder, reading, [known], "2026-11-20 12:00:00")
        assert len(done.receipts) == count, "of the open stage it is, unless it was"


def test_an_order_whose_seal_does_not_open_is_unreadable_for_the_gm_alone(started: Table) -> None:
    seat = asked(started)
    order = order_of(seat)
    other = next(player for player in started.players.values() if player is not seat)

    def spoil(data: dict[str, Any]) -> None:
        sealed = data["body"]["sealed"]["gm"]
        data["body"]["sealed"]["gm"] = ("AAAA" if sealed[:4] != "AAAA" else "BBBB") + sealed[4:]

    found = resigned(order, seat.name, spoil)
    receipt = one(started.gm, found)
    assert receipt.outcome == "unreadable" and "can't be decrypted" in receipt.reason
    assert one(other, found).outcome == "taken"


def test_the_gm_acknowledges_what_he_has_and_names_what_he_cannot_read(started: Table) -> None:
    from pbem.archive.letters.acknowledging import acknowledge

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
    reading = Reading()
    reading.add("a mail", signed)
    known = Receipt("taken", "acknowledgement", "", statements.sid(signed.data))
    done = follow_up(started.gm.folder, reading, [known], "2026-11-20 12:00:00")
    assert done.receipts == (), "he writes none to himself"


def test_an_acknowledged_revision_that_is_left_out_proves_the_gm_wrong(tmp_path: Path) -> None:
    from pbem.archive.letters.acknowledging import acknowledge
    from pbem.archive.verifying.verify import verify

    table = begun(tmp_path, SYSTEM)
    north, south = table.players["north"], table.players["south"]
    first, second = order_of(north, 1), order_of(north, 2)
    receive(table.gm.folder, [first, second, order_of(south)])
    acknowledge(table.gm.folder, table.gm.signer)
    table.post()
    path = table.gm.root / layout.statement_name(1, statements.sid(second.data))
    path.unlink()
    path.with_suffix(".sig").unlink()
    gm_stage.adjudicate(table.gm.folder, table.gm.signer)
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
    (question,) = order_file.questions(folder) or [None]
    key = question.key if question else "card"
    sealed = order_file.Checked({key: order_file.Answer(deep, True)})
    written = signing.sign_orders(folder, sealed, seat.signer)
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
    assert result.run.record.accepted[seat.name] == statements.sid(second.data)


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
    result = gm_stage.adjudicate(started.gm.folder, started.gm.signer)
    assert result.run is not None
    smaller = min(statements.sid(order.data), statements.sid(twin.data))
    assert result.run.record.accepted[seat.name] == smaller


def test_somebody_who_is_not_asked_cannot_order(started: Table) -> None:
    started.play_stage(chooser(1))
    while len(started.asked()) > 1:
        started.play_stage(chooser(1))
    idle = next(seat for seat in started.players.values() if seat not in started.asked())
    busy = asked(started)
    found = resigned(order_of(busy), idle.name, lambda d: d.update({"from": idle.name}))
    receipt = one(started.gm, found)
    assert receipt.outcome == "refused" and "has no question in stage" in receipt.reason
    gm = started.gm.folder
    both = [(statements.parse(signed.data), signed) for signed in (order_of(busy), found)]
    counted = collect(both, gm.progress, gm.need_me("gm"), gm.private.seal_key)
    assert set(counted.orders) == {busy.name}, "nor where files are kept by hand"


def test_a_late_order_is_kept_aside_and_changes_nothing(started: Table) -> None:
    seat = asked(started)
    started.play_stage(chooser(1))
    late = resigned(order_of_stage(started, 1, seat.name), seat.name, lambda d: d.update(rev=2))
    head = started.gm.folder.progress.head
    receipt = one(started.gm, late)
    assert receipt.outcome == "late"
    assert (started.gm.root / layout.INBOX / f"{receipt.sid}.json").exists()
    assert started.gm.folder.progress.head == head


def order_of_stage(table: Table, number: int, party: str) -> Signed:
    return next(
        signed
        for found, signed in table.gm.folder.statements(number)
        if (found.type, found.sender) == ("order", party)
    )


def test_a_protest_is_kept_whatever_history_it_answers(started: Table) -> None:
    seat = asked(started)
    protest = resigned(
        order_of(seat),
        seat.name,
        lambda d: d.update(type="protest", prev="ab" * 32, body={"text": "my revision 3 is missing"}),
    )
    assert one(started.gm, protest).outcome == "taken"


def test_a_damaged_unseal_is_refused(started: Table) -> None:
    from pbem.archive.adjudicating.unsealing import unseal

    unseal(started.gm.folder, started.gm.signer, early=True)
    (signed,) = statements_in(*started.gm.mails())
    false = resigned(signed, "gm", lambda d: d["body"].update(secret="ab" * 32))
    receipt = one(started.players["north"], false)
    assert receipt.outcome == "refused" and "not the one that the roster commits to" in receipt.reason
    assert one(started.players["north"], signed).outcome == "taken"


def test_statements_before_the_roster_is_signed_by_all_wait(tmp_path: Path) -> None:
    from pbem.archive.setting_up import before_the_game

    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    table.post()
    before_the_game.sign_roster(table.gm.folder, table.gm.signer)
    table.post()
    north, south = table.players["north"], table.players["south"]
    before_the_game.sign_roster(north.folder, north.signer)
    before_the_game.sign_roster(south.folder, south.signer)
    signature_of_south = south.mails()
    table.gm.receive(*north.mails(), *signature_of_south)
    gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    found = [signed for path in table.gm.mails() for signed in read_path(path).signed]
    report = [one for one in found if b'"type":"report"' in one.data]  # what is left of a letter that was cut
    (receipt,) = receive(north.folder, report)
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
    from pbem.archive.folder import one_command

    before = tree(started.gm.root)
    with one_command.hold(started.gm.root), pytest.raises(Refused) as error:
        one(started.gm, order_of(asked(started)))
    assert error.value.diagnostics[0].code == "folder-busy"
    assert tree(started.gm.root) == before
    assert os.path.exists(started.gm.root / "private/lock")
