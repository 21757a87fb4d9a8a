"""What a GM, a deputy and players hold at some points of a game, and what is written or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import correcting, gm_stage
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.earlier import view_at
from pbem.archive.letters import sending_on
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.ordering.overtaken import orders_to_sign_again
from pbem.archive.verifying.verify import verify
from pbem.trust import statements
from tests.primer import SYSTEM
from tests.unit.archive.mailing import resigned, tree
from tests.unit.archive.reported_games import Reported
from tests.unit.archive.table import Seat, chooser
from tests.unit.archive.test_deputies import with_deputy
from tests.unit.archive.test_refusals import asked


def test_a_deputy_sees_what_the_gm_sees_once_it_is_handed_over(reported: Reported) -> None:
    gm, deputy = reported.handed.gm.folder, reported.handed.deputy.folder
    assert deputy.view().facts == gm.view().facts
    assert len(gm.view().facts) > len(gm.view(public=True).facts)
    assert reported.named.deputy.folder.view().facts != reported.named.gm.folder.view().facts


def test_a_lock_on_trial_is_told_and_not_signed(reported: Reported) -> None:
    table = reported.told[0].copy(reported.place())
    gm = reported.alone(table.gm)
    for path in list((gm.root / "stages/0003").glob("*.json")):
        if b'"type":"lock"' in path.read_bytes():
            path.unlink()
            path.with_suffix(".sig").unlink()
    before = tree(gm.root)
    tried = gm_stage.adjudicate(gm.folder, gm.signer, dry_run=True)
    assert (tried.stage, tried.done, tried.locked, list(tried.written)) == (3, True, True, [])
    assert tree(gm.root) == before


def test_orders_are_unacknowledged_until_the_gm_lists_them(reported: Reported) -> None:
    table = reported.later.copy(reported.place())
    gm, seat = table.gm, asked(table)
    assert not sending_on.unacknowledged(gm.folder)
    seat.answer_all(chooser(5))
    table.post()
    assert sending_on.unacknowledged(gm.folder)
    acknowledge(gm.folder, gm.signer)
    assert not sending_on.unacknowledged(gm.folder)
    seat.answer_all(chooser(6))
    table.post()
    assert sending_on.unacknowledged(gm.folder), "a newer revision is not in the list"


@pytest.mark.parametrize("name", ["open", "fog"])
@pytest.mark.parametrize("standing", [None, [{"decision": "bid", "answer": 2}]], ids=["alone", "with more"])
def test_orders_that_a_correction_overtook_are_written_again_as_they_were(
    reported: Reported, name: str, standing: list[Any] | None
) -> None:
    table, parts = reported.wrong if name == "open" else reported.wrong_fog
    seat: Seat = reported.alone(asked(table))
    questions = dict.fromkeys(seat.folder.progress.asked[seat.name])
    questions.pop("ready", None)
    answers = {key: _answer(seat, key) for key in questions}
    before = json.loads(seat.file(answers, standing))
    seat.order(answers, standing)
    seat.receive_signed(*parts)
    order = orders_to_sign_again(seat.folder)
    assert order is not None
    assert correcting.written_again(seat.folder, order) == before


def _answer(seat: Seat, key: str) -> Any:
    from pbem.archive.ordering import order_file

    (question,) = (one for one in order_file.questions(seat.folder) if one.key == key)
    return chooser(5)(seat, question)


def test_a_deputy_corrects_nothing_in_the_stage_in_which_she_was_named(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, SYSTEM, by=(3,))
    gm, north = table.gm.folder, table.players["north"]
    stage, head = gm.stage, gm.head(gm.stage)
    (report,) = [pair for one, pair in gm.statements(stage) if one.type == "report"]
    second = resigned(report, "dora", lambda data: data.update({"from": "dora", "rev": 2}))
    (receipt,) = north.receive_signed(second)
    assert receipt.outcome == "refused" and "no charge" in receipt.reason
    assert [one.sender for one in north.folder.of(stage, "report")] == ["gm"]
    assert north.folder.head(stage) == head
    changes = Changes()
    changes.keep(stage, statements.sid(second.data), second)
    north.folder.commit(changes)
    found = verify(north.root)
    assert ("charge", stage, "dora") in {(one.code, one.stage, one.party) for one in found.of("false")}


def test_an_earlier_stage_is_shown_to_whom_the_folder_may_show_it(reported: Reported) -> None:
    def shown(seat: Seat, reader: str | None) -> bool:
        return view_at(seat.folder, 1, reader) is not None

    for table, others in ((reported.later, True), (reported.fog, False)):
        north, gm = table.players["north"], table.gm
        assert [shown(north, reader) for reader in (None, "north", "south", "nobody")] == [
            True,
            True,
            others,
            False,
        ]
        assert [shown(gm, reader) for reader in (None, "gm", "south", "nobody")] == [True, True, True, False]
        folder = north.folder
        mine, all_ = view_at(folder, 1, "north"), view_at(folder, 1, None)
        assert mine is not None and all_ is not None
        assert (len(mine.facts) > len(all_.facts)) == (table is reported.fog)
