"""Receiving reports: nothing false is taken, nothing early is lost, in whatever order mails come."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.folder import layout
from pbem.archive.ordering import order_file, signing
from pbem.archive.receiving.receive import receive
from pbem.engine.system import System
from pbem.text import canonical
from pbem.text.diagnostics import Refused
from pbem.trust import records
from pbem.trust.armour import Signed
from pbem.trust.groups import state_hash
from tests.primer import FOG, SYSTEM
from tests.unit.archive.mailing import asked, one, resigned, tree
from tests.unit.archive.table import Seat, Table, begun, chooser, statements_in


def test_an_early_order_waits_for_its_stage(started: Table) -> None:
    """South has seen the report of stage 1 and orders already; north gets that mail before the report."""
    north, south = started.players["north"], started.players["south"]
    for seat in started.asked():
        seat.answer_all(chooser(1))
    started.post()
    gm_stage.adjudicate(started.gm.folder, started.gm.signer)
    report = started.gm.mails()
    south.receive(*report)
    folder = south.folder
    answers = {q.key: chooser(2)(south, q) for q in order_file.questions(folder)}
    standing = json.dumps({**json.loads(south.file(answers)), "standing": [{"decision": "bid", "answer": 2}]})
    alone = json.loads(standing)
    del alone["answers"]
    checked = order_file.check(folder, order_file.load(folder, json.dumps(alone), "standing.yaml"))
    written = signing.sign_orders(folder, checked, south.signer)
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
    gm_stage.adjudicate(started.gm.folder, started.gm.signer)
    signed_parts = statements_in(*started.gm.mails())
    reports = [signed for signed in signed_parts if json.loads(signed.data)["type"] in ("report", "view")]
    others = [signed for signed in signed_parts if signed not in reports]
    receipts = receive(north.folder, reports)
    assert {r.outcome for r in receipts} <= {"waiting", "early"} and north.folder.stage == 0
    assert any(" of south is missing; ask" in r.reason for r in receipts)
    receive(north.folder, others)
    assert north.folder.stage == 1


def test_all_mails_of_a_game_at_once_in_any_order_give_the_same_folder(
    tmp_path: Path, system: System
) -> None:
    """South was away: the GM plays on with him by his own mails, north reads nothing until the end."""
    started = begun(tmp_path, system, over=7)
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
    other = resigned(report, "gm", lambda d: d["body"]["record"].update(state="00" * 32))
    receipt = one(north, other)
    assert receipt.outcome == "fork" and "two different reports of stage 0" in receipt.reason
    with pytest.raises(Refused) as error:
        north.answer_all(chooser(1))
    assert error.value.diagnostics[0].code == "fork"
    assert (north.root / layout.statement_name(0, receipt.sid)).exists()


def test_the_start_position_is_not_corrected(started: Table) -> None:
    report = next(s for f, s in started.gm.folder.statements(0) if f.type == "report")
    other = resigned(report, "gm", lambda d: d.update(rev=2))
    receipt = one(started.players["north"], other)
    assert receipt.outcome == "refused" and "nothing was played in it" in receipt.reason


def _false_report(table: Table, change: Callable[[dict[str, Any]], None]) -> list[Signed]:
    """The GM runs a stage honestly, then signs something else."""
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    signed_parts = statements_in(*table.gm.mails())
    report = next(s for s in signed_parts if json.loads(s.data)["type"] == "report")
    false = resigned(report, "gm", change)
    head = records.head(json.loads(false.data)["body"]["record"]).hex()
    told = []
    for signed in signed_parts:
        if json.loads(signed.data)["type"] == "view":
            signed = resigned(signed, "gm", lambda d: d["body"].update(head=head))
        told.append(false if signed is report else signed)
    return told


LIES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another seed": (lambda d: d["body"]["record"].update(seed="ab" * 32), "seed"),
    "another link of the GM": (lambda d: d["body"]["record"]["links"].update(gm="ab" * 32), "anchor"),
    "nobody is asked": (lambda d: d["body"]["record"].update(asked={}), "asked differs"),
    "another state": (lambda d: d["body"]["record"].update(state="ab" * 32), "does not match the groups"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_player_of_an_open_game_takes_no_false_report(tmp_path: Path, name: str) -> None:
    table = begun(tmp_path, SYSTEM)
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
    table = begun(tmp_path, FOG)

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
    table = begun(tmp_path, FOG)

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
    gm_stage.adjudicate(started.gm.folder, started.gm.signer)
    mails = started.gm.mails()
    waiting = [r for r in seat.receive(*mails) if r.outcome == "waiting"]
    assert waiting and "you signed revision 2" in waiting[0].reason
    assert seat.folder.stage == 0
    seat.receive(*mails, late=True)
    assert seat.folder.stage == 1
