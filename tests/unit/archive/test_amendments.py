"""The life of real games: lost chains, new keys and owners, people who leave, going back; all by mail."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import new_rules, proposing
from pbem.archive.amending.proposing import Proposed
from pbem.archive.folder import layout
from pbem.archive.folder.game_folder import Folder
from pbem.archive.ordering import undoing
from pbem.archive.receiving.receive import Receipt, receive
from pbem.archive.verifying.verify import verify
from pbem.engine import resolve
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.stages.amendments import proposals
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.trust import sshsig
from pbem.trust.armour import Signed
from tests.tools.independent_audit import Audit
from tests.unit.archive.mailing import resigned
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of, statements_in

NEW_CHAIN = "5a" * 32


def propose(seat: Seat, *ops: Any, extra: Any = (), aware: bool = False) -> Proposed:
    return proposing.propose(seat.folder, ops, [seat.signer, *extra], aware=aware)


def co_sign(seat: Seat, proposed: Proposed, aware: bool = False) -> Proposed:
    sid = proposed.proposal.statement.sid
    return proposing.co_sign(seat.folder, sid[:12], [seat.signer], aware=aware)


def agreed(table: Table, by: Seat, *ops: Any, **how: Any) -> Proposed:
    """Everybody else signs what one proposes; each by mail."""
    made = propose(by, *ops, **how)
    good(table.post())
    for seat in table.everybody:
        if seat is not by:
            co_sign(seat, made, aware=True)
            good(table.post())
    return made


def good(receipts: list[Receipt]) -> None:
    bad = [receipt for receipt in receipts if not receipt.good]
    assert not bad, bad


def is_sound(table: Table, *, to_the_end: bool = False) -> None:
    """The game goes on, for two stages or to its end; every folder verifies, before and after the unseal."""
    table.play_on(chooser(7), 60 if to_the_end else 2)
    assert table.progress.over or not to_the_end
    for seat in table.everybody:
        verified = verify(seat.root, own=seat.folder.private)
        assert verified.ok, verified.findings
    unseal(table.gm.folder, table.gm.signer, early=not table.progress.over)
    good(table.post())
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.findings
        assert "results" in {finding.code for finding in verified.of("proved")}, verified.findings


def refused(call: Any, *args: Any, **more: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*args, **more)
    return caught.value.diagnostics[0].code


@pytest.fixture
def running(tmp_path: Path, system: System) -> Table:
    return begun(tmp_path, system, by=(3, 3, 3))


def test_a_key_of_ones_own_changes_and_the_stage_is_played_as_usual(running: Table) -> None:
    north, new = running.players["north"], signer_of("north, later")
    op = {"op": "key", "party": "north", "sign": sshsig.public_line(new.public), "mail": "new@example.org"}
    made = propose(north, op, extra=[new])
    assert made.proposal.complete
    assert "new@example.org" in made.written[0].parent.parent.joinpath("outbox").as_posix() or made.written
    good(running.post())
    result = running.play_stage(chooser(1))
    assert result.run is not None and result.run.record.amends == (made.proposal.statement.sid,)
    for seat in running.everybody:
        assert seat.folder.need_roster().by_id["north"].sign == new.public
        assert seat.folder.need_roster().by_id["north"].mail == "new@example.org"
    north.signer = new
    is_sound(running, to_the_end=True)


def test_a_lost_chain_is_replaced_in_a_stage_of_its_own(running: Table) -> None:
    north = running.players["north"]
    op = new_chain(north)
    before = running.gm.folder.view("gm").position
    made = agreed(running, running.gm, op)
    assert made.proposal.closes
    result = running.run()
    assert result.run is not None and set(result.run.record.data) == {"stage", "prev", "amends"}
    assert set(result.asked) == {"north", "south"}, "the first dice on a new anchor have everybody's links"
    assert running.gm.folder.view("gm").position == before
    running.play_stage(chooser(1))
    is_sound(running)


def new_chain(seat: Seat) -> Any:
    """What `pbem amend chain` does: a fresh start on the private side, its anchor to be agreed on."""
    from pbem.archive.amending.new_keys import fresh_chain

    return fresh_chain(seat.folder)


def test_orders_that_came_before_it_do_not_count_in_a_closed_stage(running: Table) -> None:
    seats = running.asked()
    for seat in seats:
        seat.answer_all(chooser(1))
    good(running.post())
    assert refused(propose, seats[0], {"op": "rewind", "to": running.gm.folder.stage}) == "dice-known"
    back = running.gm.folder.stage
    agreed(running, seats[0], {"op": "rewind", "to": back}, aware=True)
    assert refused(seats[0].answer_all, chooser(1)) == "stage-closing"
    result = running.run()
    assert set(result.asked) == {seat.name for seat in seats}
    is_sound(running)


def test_play_goes_on_from_an_earlier_stage_with_the_next_number(running: Table) -> None:
    early = {seat.name: seat.folder.view().facts for seat in running.everybody}
    back = running.gm.folder.stage
    for _ in range(3):
        running.play_stage(chooser(2))
    agreed(running, running.players["south"], {"op": "rewind", "to": back})
    result = running.run()
    assert result.stage == back + 4
    for seat in running.everybody:
        now = seat.folder.view().facts
        events = [name for name in {**now, **early[seat.name]} if name.startswith("event/")]
        assert {k: v for k, v in now.items() if k not in events} == {
            k: v for k, v in early[seat.name].items() if k not in events
        }
    is_sound(running)


def test_going_back_behind_a_stage_that_went_back(running: Table) -> None:
    back = running.gm.folder.stage
    running.play_stage(chooser(2))
    agreed(running, running.gm, {"op": "rewind", "to": back})
    running.run()
    running.play_stage(chooser(5))
    agreed(running, running.gm, {"op": "rewind", "to": back + 2})
    running.run()
    assert running.gm.folder.progress.position == back
    is_sound(running)


def test_a_player_is_dropped_and_his_decisions_take_their_defaults(running: Table) -> None:
    gm, south = running.gm, running.players["south"]
    made = propose(gm, {"op": "drop", "party": "north"})
    assert made.proposal.missing == ("south",)
    good(running.post())
    co_sign(south, made)
    good(running.post())
    running.run()
    assert south.folder.need_roster().players == ("south",)
    assert set(gm.folder.progress.asked) == {"south"}
    del running.players["north"]
    is_sound(running)


def test_who_is_out_of_the_game_says_nothing_any_more(running: Table) -> None:
    north, south = running.players["north"], running.players["south"]
    made = propose(running.gm, {"op": "drop", "party": "north"})
    good(running.post())
    co_sign(south, made)
    good(running.post())
    running.run()
    assert refused(propose, north, {"op": "rewind", "to": 0}) == "dropped"


def test_the_option_changes_from_the_next_stage_on(running: Table) -> None:
    agreed(running, running.gm, {"op": "option", "name": "turns", "value": 3})
    running.play_stage(chooser(1))
    assert running.gm.folder.state().options["turns"] == 2
    running.play_stage(chooser(1))
    assert running.gm.folder.state().options["turns"] == 3
    is_sound(running)


def test_an_amendment_with_a_signature_missing_does_not_count(running: Table) -> None:
    made = propose(running.gm, {"op": "option", "name": "absent", "value": "skip"})
    good(running.post())
    result = running.play_stage(chooser(1))
    assert result.run is not None and not result.run.record.amends
    assert refused(co_sign, running.players["north"], made) == "no-amendment", "it is proposed anew"


@pytest.mark.parametrize(
    "op",
    [
        {"op": "rewind", "to": 40},
        {"op": "option", "name": "turns", "value": 9},
        {"op": "option", "name": "moon", "value": "full"},
        {"op": "drop", "party": "gm"},
        {"op": "drop", "party": "east"},
        {"op": "key", "party": "south", "proxy": "north"},
    ],
)
def test_what_cannot_be_is_refused_before_anybody_signs(running: Table, op: Any) -> None:
    assert refused(propose, running.gm, op) == "bad-amendment"


def test_an_archive_with_amendments_is_read_by_a_stranger(running: Table, tmp_path: Path) -> None:
    agreed(running, running.gm, {"op": "rewind", "to": 1})
    running.run()
    folder = Folder.open(running.players["north"].root)
    fresh = folder.progress
    folder.refresh()
    assert folder.progress == fresh
    signers = (running.gm.root / "allowed_signers").read_text()
    assert signers == fresh.roster.allowed_signers()
    assert gm_stage.adjudicate(running.gm.folder, running.gm.signer).missing


# --- cheating with amendments -----------------------------------------------------------------------------


def test_a_record_that_names_an_amendment_without_all_signatures_is_taken_by_nobody(running: Table) -> None:
    """The GM puts something into the record that south has never signed."""
    made = propose(running.gm, {"op": "option", "name": "absent", "value": "skip"})
    good(running.post())
    co_sign(running.players["north"], made)
    good(running.post())
    for seat in running.asked():
        seat.answer_all(chooser(1))
    good(running.post())
    sid = made.proposal.statement.sid
    gm_stage.adjudicate(running.gm.folder, running.gm.signer)
    (mail,) = [path for path in running.gm.mails() if "report" in path.name]
    signed_parts = statements_in(mail)
    report = next(each for each in signed_parts if b'"type":"report"' in each.data)
    forged = resigned(report, "gm", lambda d: d["body"]["record"].update(amends=[sid]))
    others = [each for each in signed_parts if each is not report]
    receipts = receive(running.players["south"].folder, [*others, forged])
    reasons = [each.reason for each in receipts if each.outcome == "refused"]
    assert any("lacks the signatures of south" in reason for reason in reasons), reasons


def test_a_signature_that_is_taken_away_or_altered_is_found_by_verify(running: Table) -> None:
    made = agreed(running, running.gm, {"op": "rewind", "to": 1})
    closed = running.run().stage
    sid = made.proposal.statement.sid
    folder = running.gm.root / f"stages/{closed:04d}"
    sig = folder / f"{sid}.south.sig"
    (folder / f"{sid}.north.sig").write_text(sig.read_text())
    bad = verify(running.gm.root).first_bad
    assert bad is not None and (bad.code, bad.stage, bad.party) == ("signature", closed, "north")
    (folder / f"{sid}.north.sig").unlink()
    bad = verify(running.gm.root).first_bad
    assert bad is not None and (bad.code, bad.party) == ("unsigned-amend", "north")


def test_what_says_which_keys_hold_is_compared(running: Table) -> None:
    agreed(running, running.gm, {"op": "rewind", "to": 1})
    closed = running.run().stage
    path = running.gm.root / f"stages/{closed:04d}/in-force.json"
    path.write_text(path.read_text().replace('"fresh": false', '"fresh": true'))
    bad = verify(running.gm.root).first_bad
    assert bad is not None and (bad.code, bad.stage) == ("derived", closed)


def test_nobody_has_an_amendment_signed_for_him_by_somebody_else(running: Table) -> None:
    made = propose(running.gm, {"op": "rewind", "to": 0})
    stranger = signer_of("a stranger").sign(made.proposal.statement.bytes)
    receive(running.gm.folder, [Signed(made.proposal.statement.bytes, (stranger,))])
    (found,) = proposals(running.gm.folder.progress, running.gm.folder)
    assert set(found.signatures) == {"gm"}
    assert set(found.missing) == {"north", "south"}


# --- new rules --------------------------------------------------------------------------------------------


def revised(running: Table, monkeypatch: pytest.MonkeyPatch) -> System:
    """Everybody installs another revision of the rules."""
    changed = copy(running.system)
    for name in ("file_hashes", "files_digest", "digest"):
        changed.__dict__.pop(name, None)
    changed.revision = running.system.revision + 1
    changed.__dict__["file_hashes"] = [*running.system.file_hashes, ["new.yaml", "0" * 64]]
    changed._data = dict(running.system._data)
    changed._worlds = {}
    changed._data["changelog.yaml"] = {"revisions": [{"revision": 2, "changes": ["2.1: storms are over"]}]}
    usual = systems.find
    monkeypatch.setattr(systems, "find", lambda name: changed if name == changed.name else usual(name))
    for seat in running.everybody:
        seat.folder._systems.clear()
    return changed


def test_play_goes_on_with_a_new_revision_of_the_rules_and_no_order_is_sent_again(
    running: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old pin stops everybody until all have agreed to the new one; the stage keeps its orders and its
    dice."""
    first, *others = running.asked()
    first.answer_all(chooser(1))
    good(running.post())
    sent = {one.sid for one, _ in running.gm.folder.statements(running.gm.folder.progress.open_stage)}
    changed = revised(running, monkeypatch)
    assert refused(first.answer_all, chooser(1)) == "other-rules"
    ops = new_rules.module_ops(running.gm.folder)
    assert [op["op"] for op in ops] == ["module"]
    assert new_rules.changes(running.gm.folder) == ["2.1: storms are over"]
    said = new_rules.differences(running.gm.folder)
    assert "all 4 stages give the same results" in said[0], said
    made = agreed(running, running.gm, *ops)
    for seat in others:
        seat.answer_all(chooser(1))
    good(running.post())
    result = running.run()
    assert result.run is not None and result.run.record.amends == (made.proposal.statement.sid,)
    assert sent <= {sid for sid in result.run.record.accepted.values() if sid}, "an order was sent again"
    assert result.run.record.seed is not None, "the stage was closed"
    assert {seat.folder.terms.module.sha256 for seat in running.everybody} == {changed.digest}
    assert {seat.folder.system.digest for seat in running.everybody} == {changed.digest}
    running.play_stage(chooser(1))
    is_sound(running)


def test_a_stage_whose_answers_the_new_rules_refuse_begins_again(
    running: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seat in running.asked():
        seat.answer_all(chooser(1))
    good(running.post())
    revised(running, monkeypatch)
    whole = resolve.faults_of

    def refusing(*args: Any, **more: Any) -> Any:
        return [Diagnostic("E-1", "not any more"), *whole(*args, **more)]

    monkeypatch.setattr(resolve, "faults_of", refusing)
    assert refused(new_rules.module_ops, running.gm.folder) == "stage-affected"
    ops = new_rules.module_ops(running.gm.folder, restart=True)
    assert [op["op"] for op in ops] == ["module", "rewind"]
    monkeypatch.undo()
    revised(running, monkeypatch)
    agreed(running, running.gm, *ops, aware=True)
    running.run()
    running.play_stage(chooser(1))
    is_sound(running)


def test_nobody_signs_new_rules_that_refuse_an_answer_which_came_after_the_proposal(
    running: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game master looks at the answers that are there when they sign, not when it was proposed."""
    first, *others = running.asked()
    revised(running, monkeypatch)
    proposer = others[0] if others else running.asked()[0]
    made = propose(proposer, *new_rules.module_ops(proposer.folder))
    monkeypatch.undo()
    for seat in running.everybody:
        seat.folder._systems.clear()
    first.answer_all(chooser(1))
    good(running.post())
    revised(running, monkeypatch)
    whole = resolve.faults_of

    def refusing(*args: Any, **more: Any) -> Any:
        return [Diagnostic("E-1", "not any more"), *whole(*args, **more)]

    monkeypatch.setattr(resolve, "faults_of", refusing)
    assert refused(co_sign, running.gm, made) == "stage-affected"


def test_a_proposal_is_taken_back_until_somebody_else_has_signed_it(running: Table) -> None:
    made = propose(running.gm, new_chain(running.players["north"]))
    stage, sid = running.gm.folder.progress.open_stage, made.proposal.statement.sid
    assert layout.statement_name(stage, sid) in undoing.last_signed(running.gm.folder).names
    good(running.post())
    co_sign(running.players["north"], made, aware=True)
    good(running.post())
    with pytest.raises(Refused) as error:
        undoing.last_signed(running.gm.folder)
    assert error.value.diagnostics[0].code == "nothing-to-undo"


def test_an_auditor_without_pbem_follows_amendments(running: Table) -> None:
    """Written from the protocol alone: signatures, new chains and what is fresh after them."""
    agreed(running, running.gm, new_chain(running.players["north"]))
    running.run()
    running.play_stage(chooser(1))
    agreed(running, running.gm, {"op": "rewind", "to": 2}, aware=True)
    closed = running.run().stage
    running.play_stage(chooser(2))
    audit = Audit(running.gm.root)
    audit.run()
    assert audit.faults == []
    (sig, *_) = sorted((running.gm.root / f"stages/{closed:04d}").glob("*.south.sig"))
    sig.unlink()
    audit = Audit(running.gm.root)
    audit.run()
    assert any("signature of south" in fault for fault in audit.faults)
