"""A stage that was adjudicated wrongly is reported once more: same orders and dice, right results."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.archive.adjudicating import correcting
from pbem.archive.folder.game_folder import Folder
from pbem.archive.letters.last_head import compared, lines
from pbem.archive.ordering import order_file, signing
from pbem.archive.ordering.overtaken import orders_to_sign_again
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from pbem.model.facts import Fact
from tests.unit.archive.mailing import one, resigned
from tests.unit.archive.table import Table, chooser, statements_in
from tests.unit.archive.test_amendments import good, is_sound, refused, running  # noqa: F401


@contextmanager
def a_bug(system: System) -> Iterator[None]:
    """While it is there, everybody's program sees a moon that is not in the rules."""
    usual = System.facts
    System.facts = lambda self, game: [*usual(self, game), Fact("track/moon", "full")]  # type: ignore[method-assign]
    try:
        yield
    finally:
        System.facts = usual  # type: ignore[method-assign]


@pytest.fixture
def wrong(running: Table) -> Table:  # noqa: F811
    """The newest stage was adjudicated by a program with a bug."""
    with a_bug(running.system):
        running.play_stage(chooser(3))
    return running


def corrected(table: Table) -> int:
    result = correcting.correct(table.gm.folder, table.gm.signer)
    assert result.run is not None
    good(table.post())
    return result.stage


def test_a_correction_takes_the_place_of_the_report(wrong: Table) -> None:
    stage, before = wrong.gm.folder.stage, wrong.gm.folder.head(wrong.gm.folder.stage)
    assert corrected(wrong) == stage
    for seat in wrong.everybody:
        # a letter from before it names the head that was, and warns nobody
        assert compared(seat.folder, ["\n".join(lines(stage, before))]) == ""
        assert "a different history" in compared(seat.folder, ["\n".join(lines(stage, "ab" * 32))])
        assert seat.folder.head(stage) != before
        assert "track/moon" not in seat.folder.view().facts
        verified = verify(seat.root, own=seat.folder.private)
        assert verified.ok, verified.findings
        assert "corrected" in {each.code for each in verified.of("claimed")}
    is_sound(wrong)


def test_orders_sent_on_the_wrong_report_are_signed_once_more(wrong: Table) -> None:
    seats = wrong.asked()
    for seat in seats:
        seat.answer_all(chooser(5))
    good(wrong.post())
    corrected(wrong)
    assert set(correcting_missing(wrong)) == {seat.name for seat in seats}
    for seat in seats:
        order = orders_to_sign_again(seat.folder)
        assert order is not None and order.rev == 1
        text = json.dumps(correcting.written_again(seat.folder, order))
        checked = order_file.check(seat.folder, order_file.load(seat.folder, text, "again"))
        assert checked.ok, checked.diagnostics
        signing.sign_orders(seat.folder, checked, seat.signer)
        assert orders_to_sign_again(seat.folder) is None
    good(wrong.post())
    wrong.run()
    is_sound(wrong)


def test_after_a_correction_its_deadline_counts(wrong: Table) -> None:
    from pbem.archive.folder.counting_reports import deadline_in, report_taken

    assert deadline_in(report_taken(wrong.gm.folder, wrong.gm.folder.stage)) == ""
    correcting.correct(wrong.gm.folder, wrong.gm.signer, by="the day after")
    good(wrong.post())
    for seat in wrong.everybody:
        assert deadline_in(report_taken(seat.folder, seat.folder.stage)) == "the day after"


def test_a_report_that_corrects_nothing_is_refused_by_name(wrong: Table) -> None:
    """One that is older than what is here, and one for a stage that is over."""
    from pbem.trust.errors import NotAccepted

    stage = wrong.gm.folder.stage
    (old,) = wrong.gm.folder.of(stage, "report")
    (older,) = wrong.gm.folder.of(stage - 1, "report")
    corrected(wrong)
    for report in (old, older):
        with pytest.raises(NotAccepted) as caught:
            correcting.check_correction(wrong.players["north"].folder, report)
        assert caught.value.code == "correction"


def correcting_missing(table: Table) -> dict[str, str]:
    from pbem.archive.adjudicating import gm_stage as stage

    return dict(stage.adjudicate(table.gm.folder, table.gm.signer).missing)


def test_a_stage_that_was_right_is_not_reported_again(running: Table) -> None:  # noqa: F811
    assert refused(correcting.correct, running.gm.folder, running.gm.signer) == "nothing-to-correct"


def test_a_correction_with_other_orders_or_dice_is_refused(wrong: Table) -> None:
    stage = wrong.gm.folder.stage
    correcting.correct(wrong.gm.folder, wrong.gm.signer)
    (mail,) = [path for path in wrong.gm.mails() if "rev2" in path.name]
    seat = wrong.players["north"]
    report = next(each for each in statements_in(mail) if b'"type":"report"' in each.data)
    forged = resigned(report, "gm", lambda d: d["body"]["record"].update(seed="ab" * 32))
    receipt = one(seat, forged)
    assert (receipt.outcome, "a correction keeps orders" in receipt.reason) == ("refused", True)
    assert seat.folder.stage == stage


def test_a_report_corrected_after_the_next_stage_comes_too_late(wrong: Table) -> None:
    before = shutil.copytree(wrong.gm.root, wrong.gm.root.parent / "gm-before")
    wrong.play_stage(chooser(1))
    folder = Folder.open(before)
    written = correcting.correct(folder, wrong.gm.signer).written
    mail = next(path for path in written if path.name.endswith("rev2.pbem.txt"))
    outcomes = {each.words: each for each in receive(wrong.players["north"].folder, statements_in(mail))}
    report = next(each for words, each in outcomes.items() if "report" in words)
    assert report.outcome == "refused" and "too late" in report.reason
