"""A GM who tells two stories, or a false one: it is proved, and nothing is signed on it."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive.git.merging import merge
from pbem.archive.verifying.verify import verify
from pbem.cli.main import cli
from pbem.text.diagnostics import Refused
from pbem.trust.armour import Signed
from tests.adversary.forge import parsed, sid_of
from tests.adversary.play import Game, honest_orders, unbegin
from tests.unit.archive.table import chooser, statements_in

# --- two stories ------------------------------------------------------------------------------------------


def _stopped(game: Game, name: str) -> None:
    """Nothing is signed in this folder any more."""
    seat = game.seat(name)
    with pytest.raises(Refused) as error:
        seat.answer_all(chooser(2))
    assert error.value.diagnostics[0].code == "fork"


def test_status_says_so(game: Game) -> None:
    one, other = _two(game)
    for name, mail in (("north", [*one, *other]), ("south", one)):
        game.give(name, *mail)
    (first,) = [s for s in unbegin(game) if parsed(s)["type"] == "report"]
    again = parsed(first)
    again["body"]["record"]["state"] = "00" * 32
    game.give("south", first, game.gm.says("report", again["body"], stage=0, prev=game.gm.game))
    for name in ("north", "south"):
        done = CliRunner().invoke(cli, ["-C", str(game.seat(name).root), "status", "--json"])
        assert any("two different reports" in text for text in json.loads(done.stdout)["warnings"])


def _status(game: Game, name: str) -> Any:
    done = CliRunner().invoke(cli, ["-C", str(game.seat(name).root), "status", "--json"])
    return json.loads(done.stdout)


def test_after_a_fork_status_says_to_talk_and_not_to_bid(game: Game) -> None:
    """After a fork it said `next: pbem bid`."""
    one, other = _two(game)
    game.give("north", *one)
    assert _status(game, "north")["due"] == "Sunday" and _status(game, "north")["next"].startswith("pbem ")
    game.give("north", *other)
    said = _status(game, "north")
    assert said["mine"] == [] and said["next"] == "read inbox/fork-0001.txt, and talk to all other players"
    assert said["due"] == "Sunday"  # that of the report that was taken


def test_the_deadline_is_that_of_the_report_that_was_taken_not_of_the_smaller_sid(game: Game) -> None:
    game.answer()
    report = game.report()
    report.data["body"]["next"] = {"by": "Monday"}
    true = report.mail()
    taken = next(one for one in true if parsed(one)["type"] == "report")
    report.record["seed"] = "00" * 32
    for day in range(100):
        report.data["body"]["next"] = {"by": f"day {day}"}
        lie = report.mail()
        if sid_of(next(one for one in lie if parsed(one)["type"] == "report")) < sid_of(taken):
            break
    game.give("north", *true)
    assert "fork" in [one.outcome for one in game.give("north", *lie)]
    assert _status(game, "north")["due"] == "Monday"


def _two(game: Game) -> tuple[list[Signed], list[Signed]]:
    """Two mails about stage 1; only the first tells the truth."""
    game.answer()
    report = game.report()
    report.data["body"]["next"] = {"by": "Sunday"}
    true = report.mail()
    report.record["state"] = "00" * 32
    return true, report.mail()


def _twice(game: Game) -> tuple[list[Signed], list[Signed]]:
    """Two honest runs of stage 1: the same head and events, with other seals and another line for people."""
    game.answer()
    root = game.gm.root
    before = root.with_name("gm-before")
    shutil.copytree(root, before)
    seen = set(game.table.gm.seen)
    first = game.report().mail()
    shutil.rmtree(root)
    shutil.copytree(before, root)
    game.table.gm.seen = seen
    report = game.report()
    report.data["body"]["next"] = {"by": "Sunday"}
    second = report.mail()
    heads = [_said(mail, "report")["body"]["record"] for mail in (first, second)]
    assert heads[0] == heads[1]
    return first, second


def _said(mail: list[Signed], type_: str) -> Any:
    return next(parsed(one) for one in mail if parsed(one)["type"] == type_)


@pytest.mark.parametrize("how", ["one mail", "one after the other", "while the first waits"])
def test_two_honest_runs_of_one_stage_are_one_report(game: Game, how: str) -> None:
    """They were called a fork, and the table stopped."""
    first, second = _twice(game)
    if how == "one mail":
        receipts = game.give("north", *first, *second)
    elif how == "one after the other":
        receipts = game.give("north", *first) + game.give("north", *second)
    else:
        receipts = game.give("north", *[one for one in first if parsed(one)["type"] == "report"])
        receipts += game.give("north", *second)
    assert not [
        one for one in receipts if one.outcome not in ("taken", "duplicate", "noted", "waiting", "early")
    ]
    folder = game.seat("north").folder
    assert folder.stage == 1 and folder.fork() is None
    assert len(folder.of(1, "report")) == 1
    assert game.verify("north") == []
    game.seat("north").answer_all(chooser(2))


def test_an_archive_with_both_runs_is_sound_and_names_no_equivocation(game: Game) -> None:
    first, second = _twice(game)
    game.give("north", *first)
    for one in second:
        if parsed(one)["type"] == "report":
            path = game.seat("north").root / f"stages/0001/{sid_of(one)}.json"
            path.write_bytes(one.data)
            path.with_suffix(".sig").write_text(one.signatures[0])
    found = verify(game.seat("north").root)
    assert found.ok, found.of("false")
    assert "equivocation" not in {one.code for one in found.findings}


def test_archives_with_a_run_each_are_merged_without_a_fork(game: Game) -> None:
    first, second = _twice(game)
    game.give("north", *first)
    game.give("south", *second)
    done = merge(game.seat("north").folder, game.seat("south").root)
    assert done.forks == [] and any("under another seal" in text for text in done.passed_over)
    assert game.seat("north").folder.fork() is None and game.verify("north") == []


def test_two_reports_in_one_mail_are_a_fork(game: Game) -> None:
    one, other = _two(game)
    assert [r.outcome for r in game.give("north", *one, *other)].count("fork") == 2
    assert game.seat("north").folder.stage == 0
    _stopped(game, "north")


def test_a_second_report_after_the_first_was_taken_is_a_fork(game: Game) -> None:
    one, other = _two(game)
    game.give("north", *one)
    assert game.seat("north").folder.stage == 1
    assert [r.outcome for r in game.give("north", *other)].count("fork") == 1
    _stopped(game, "north")


def test_a_second_report_while_the_first_one_waits_is_a_fork(game: Game) -> None:
    game.give("gm", *honest_orders(game))
    report = game.report()
    first = [one for one in report.mail() if parsed(one)["type"] in ("report", "view")]
    assert {r.outcome for r in game.give("north", *first)} <= {"waiting", "early"}
    report.record["state"] = "00" * 32
    assert "fork" in [r.outcome for r in game.give("north", *report.mail())]
    _stopped(game, "north")


@pytest.mark.parametrize("what", ["false", "another history", "far ahead"])
def test_a_report_that_was_refused_still_proves_the_fork(game: Game, what: str) -> None:
    game.answer()
    report = game.report()
    true = report.mail()
    if what == "false":
        report.record["seed"] = "00" * 32
        lie = report.mail()
    else:
        report.record["prev"] = report.data["prev"] = "ab" * 32
        lie = report.mail()
    first = unbegin(game) if what == "far ahead" else []
    receipts = game.give("north", *lie)
    assert "fork" not in [r.outcome for r in receipts]
    receipts = game.give("north", *true)
    receipts += game.give("north", *first)
    assert "fork" in [r.outcome for r in receipts], receipts
    assert game.seat("north").folder.stage == 0
    _stopped(game, "north")
    assert any("two different reports" in text for text in game.verify("north"))


def test_after_a_fork_no_further_report_is_taken(game: Game) -> None:
    one, other = _two(game)
    game.give("north", *one)
    game.give("north", *other)
    game.give("south", *one)
    orders = [game.north.order(), game.south.order()]
    game.give("south", *orders)
    _sign_on(game, one)
    game.give("gm", *orders)
    following = game.report().mail()
    told = [r for r in game.give("north", *orders, *following) if r.outcome == "waiting"]
    assert "two different reports" in told[0].reason
    assert game.seat("north").folder.stage == 1
    game.give("south", *following)
    assert game.seat("south").folder.stage == 2


def _sign_on(game: Game, mail: list[Signed]) -> None:
    """The GM goes on from the report in this mail, not from the one his folder holds."""
    report = next(one for one in mail if parsed(one)["type"] == "report")
    for path in (game.gm.root / "stages/0001").glob("*.json"):
        if len(path.stem) == 64 and parsed(Signed(path.read_bytes(), ()))["type"] == "report":
            path.write_bytes(report.data)
            path.rename(path.with_name(f"{sid_of(report)}.json"))


def test_a_correction_counts_though_the_report_before_it_never_came(game: Game) -> None:
    """Who lacks the first revision takes the second; the first one, when it comes, changes nothing."""
    game.answer()
    report = game.report()
    game.give("north", *report.mail(rev=2))
    assert game.seat("north").folder.stage == 1
    head = game.seat("north").folder.head(1)
    report.data["rev"] = 1
    game.give("north", *report.mail(rev=1))
    assert game.seat("north").folder.head(1) == head


def test_a_report_that_skips_a_stage_waits_and_is_then_refused(game: Game) -> None:
    game.answer()
    report = game.report()
    ahead = game.gm.says("report", {**report.data["body"], "record": {**report.record, "stage": 2}}, stage=2)
    data = parsed(ahead)
    data["body"]["record"]["prev"] = data["prev"]
    ahead = game.gm.says("report", data["body"], stage=2, prev=data["prev"])
    assert game.one("north", ahead).outcome == "early"
    game.give("north", *report.mail())
    assert game.seat("north").folder.stage == 1
    assert (game.seat("north").root / f"inbox/{sid_of(ahead)}.txt").exists()


# --- what is signed ---------------------------------------------------------------------------------------


def test_nothing_is_signed_on_a_report_that_is_not_right(game: Game) -> None:
    """Neither an order nor standing orders (5.6); the inbox says why."""
    game.answer("north")
    game.give("gm", game.south.order())
    report = game.report()
    report.record["seed"] = "00" * 32
    game.give("south", *report.mail())
    seat = game.seat("south")
    for standing in (None, [{"decision": "bid", "answer": 1}]):
        with pytest.raises(Refused) as error:
            seat.order({}, standing)
        assert error.value.diagnostics[0].code == "false-report"
    (note,) = (seat.root / "inbox").glob("false-0001.txt")
    assert "seed" in note.read_text()


def test_my_order_was_there_and_the_report_takes_an_older_one(game: Game) -> None:
    first, second = game.south.order(rev=1), game.south.order(rev=2)
    game.answer("north")
    game.give("gm", first)
    mail = game.report().mail()
    game.give("south", first, second)
    (told,) = [r for r in game.give("south", *mail) if r.outcome == "waiting"]
    assert "uses revision 1 of your orders, you signed revision 2" in told.reason
    assert game.seat("south").folder.stage == 0
    game.give("south", *mail, late=True)
    assert game.seat("south").folder.stage == 1


# --- answers ----------------------------------------------------------------------------------------------


def test_who_follows_another_history_is_sent_the_report_at_hand(game: Game) -> None:
    """South has not got the report of stage 1 and signs for it once more: a stage ahead of himself."""
    game.answer()
    sent = game.report().mail()
    game.give("north", *sent)
    lost = game.south.order(stage=2, prev=game.south.head)
    receipt = game.one("north", lost)
    assert receipt.outcome == "refused" and receipt.mail
    mail = game.seat("north").root / receipt.mail
    assert "another report, or none" in mail.read_text()
    game.give("south", *[one for one in sent if parsed(one)["type"] == "view"])
    game.give("south", *statements_in(mail))
    assert game.seat("south").folder.head(1) == game.seat("north").folder.head(1)
    header = mail.with_name(mail.name.removesuffix(".pbem.txt") + ".eml").read_text()
    assert "To: South <south@example.org>" in header and "Cc:" not in header


def test_the_gm_tells_each_sender_why_his_statement_does_not_count(clear: Game) -> None:
    bad = clear.south.order(change=lambda b, i: i.update(link="00" * 32))
    receipt = clear.one("gm", bad)
    text = (clear.gm.root / receipt.mail).read_text()
    assert "does not lead back to the anchor" in text and "higher revision" in text
    assert clear.one("north", clear.south.order(prev="00" * 32)).mail
    assert not clear.one("north", clear.south.says("order", {"orders": []})).mail, "that is for the GM to say"
    assert not clear.one("south", clear.south.order(prev="00" * 32)).mail, "nobody writes to himself"
