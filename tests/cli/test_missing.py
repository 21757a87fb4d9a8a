"""Late players at the command line: the clock is read here and nowhere below (product 6)."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.folder import layout
from pbem.cli.games import clock as clock
from pbem.stages.deadlines import Deadlines, forfeit_fault, parse
from pbem.text.diagnostics import Refused
from tests.cli.play import Table, pbem

AGREED = ("--absent", "skip", "--option", "answer_days=7", "--option", "grace_days=2")
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return monkeypatch


@pytest.fixture
def strict(tmp_path: Path, today: pytest.MonkeyPatch) -> Table:
    """A game with a week to answer, two days of grace, where the game goes on without who is late."""
    table = Table(tmp_path, "primer", ("north", "south"), *AGREED)
    table.join()
    table.post()
    for seat in table.everybody:
        seat.pbem("sign", "--yes")
        table.post()
    table.gm.pbem("adjudicate")
    table.post()
    return table


def asked_twice(table: Table) -> str:
    """Play stage 1; in stage 2 all but one of those asked answer. Gives the one."""
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()
    table.gm.pbem("adjudicate")
    table.post()
    late, *others = [one["id"] for one in table.gm.status["parties"] if one["awaited"]]
    for name in others:
        table.answer(table.players[name])
    table.post()
    assert isinstance(late, str)
    return late


def test_the_days_agreed_become_the_deadline_in_the_signed_report(strict: Table) -> None:
    for seat in strict.everybody:
        assert seat.status["due"] == "2026-11-27 23:59 UTC"
        assert "due: 2026-11-27 23:59 UTC (in 7 days)" in seat.pbem("status").out
    assert "Deadline: Fri 27 Nov 2026, 23:59 UTC" in strict.players["north"].pbem("report").out


def test_status_tells_the_gm_what_may_follow(strict: Table) -> None:
    late = asked_twice(strict)
    said = strict.gm.pbem("status").out
    assert f"pbem remind {late}" in said
    assert f"pbem adjudicate --forfeit {late}" in said
    (party,) = [one for one in strict.gm.status["parties"] if one["awaited"]]
    assert [step["what"] for step in party["next"]] == ["wait", "remind", "forfeit", "amend"]
    assert party["since"] == 2 and party["owes"]


def test_nobody_forfeits_before_deadline_and_grace_have_passed(
    strict: Table, today: pytest.MonkeyPatch
) -> None:
    late = asked_twice(strict)
    for days, words in ((0, "in 7 days"), (8, "since today, grace until 2026-11-29 23:59 UTC")):
        today.setattr(clock, "now", lambda days=days: NOW + timedelta(days=days, hours=1))
        assert words in strict.gm.pbem("status").out
        told = strict.gm.pbem("adjudicate", "--forfeit", late, code=1)
        assert "the deadline is 2026-11-27 23:59 UTC" in told.err and "--deadline-passed" in told.err
        assert told.err.startswith("error[too-early]")
    today.setattr(clock, "now", lambda: NOW + timedelta(days=10))
    strict.gm.pbem("adjudicate", "--forfeit", late)
    assert strict.gm.status["stage"] == 2
    strict.post()
    for seat in strict.everybody:
        assert "missed the deadline" in " ".join(seat.pbem("report").out.split())


def test_words_of_the_gm_never_shorten_what_all_have_signed(
    tmp_path: Path, today: pytest.MonkeyPatch
) -> None:
    """`adjudicate --by "Sunday, 20:00"` in a game with a week to answer: the week stays (17.20)."""
    for words in ("Sunday, 20:00", "2026-11-20 12:30", "2026-11-21 23:59 UTC"):
        table = Table(tmp_path / words[-3:], "primer", ("north", "south"), *AGREED)
        table.join()
        table.post()
        for seat in table.everybody:
            seat.pbem("sign", "--yes")
            table.post()
        table.gm.pbem("adjudicate", "--by", words)
        table.post()
        for seat in table.players.values():
            table.answer(seat)
        table.post()
        table.gm.pbem("adjudicate", "--by", words)
        table.post()
        late = next(one["id"] for one in table.gm.status["parties"] if one["awaited"])
        assert table.players[late].status["due"] == f"2026-11-27 23:59 UTC; {words}"
        assert "in 7 days" in table.gm.pbem("status").out
        told = table.gm.pbem("adjudicate", "--forfeit", late, code=1)
        assert "the deadline is 2026-11-27 23:59 UTC, with grace until 2026-11-29" in told.err
        today.setattr(clock, "now", lambda: NOW + timedelta(days=10))
        table.gm.pbem("adjudicate", "--forfeit", late)
        today.setattr(clock, "now", lambda: NOW)


def test_a_report_without_the_agreed_date_is_judged_by_when_it_was_made(
    strict: Table, today: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports of an earlier version say the GM's words alone."""
    from pbem.cli.games import running

    with monkeypatch.context() as patch:
        patch.setattr(clock, "next_deadline", lambda terms, words: "Sunday")
        assert running
        late = asked_twice(strict)
    report = next((strict.gm.root / "stages/0001").glob("*.json"))
    for file in report.parent.glob("*.json"):
        os.utime(file, (NOW.timestamp(), NOW.timestamp()))
    assert strict.gm.status["due"] == "Sunday"
    told = strict.gm.pbem("adjudicate", "--forfeit", late, code=1)
    assert "the deadline is 2026-11-27 23:59 UTC" in told.err
    today.setattr(clock, "now", lambda: NOW + timedelta(days=10))
    strict.gm.pbem("adjudicate", "--forfeit", late)


def test_a_gm_with_files_by_hand_says_himself_that_the_days_agreed_on_have_passed(
    strict: Table, tmp_path: Path
) -> None:
    late = asked_twice(strict)
    gm = strict.gm.root
    (mail,) = (gm / "outbox").glob("stage-0001-gm-report.pbem.txt")
    where = ("--out", tmp_path / "next", "--private", gm / "private")
    args = ("adjudicate", gm / "state.yaml", mail, *where, "--forfeit", late)
    told = pbem(*args, code=1)
    assert "players agreed on 7 days to answer" in told.err and "--deadline-passed" in told.err
    said = pbem(*args, "--deadline-passed", code=None)
    assert "7 days to answer" not in said.err


def test_a_clock_that_is_wrong_stops_nobody_who_says_so(strict: Table, today: pytest.MonkeyPatch) -> None:
    late = asked_twice(strict)
    today.setattr(clock, "now", lambda: datetime(1970, 1, 1, tzinfo=UTC))
    strict.gm.pbem("adjudicate", "--forfeit", late, code=1)
    strict.gm.pbem("adjudicate", "--forfeit", late, "--deadline-passed")
    strict.post()
    for seat in strict.everybody:
        assert seat.pbem("verify").code == 0


def test_reminder_ack_and_protest_are_mails_ready_to_send(strict: Table) -> None:
    late = asked_twice(strict)
    (mail,) = strict.gm.pbem("remind", "--json").json["files"][:1]
    assert f"reminder-{late}" in mail
    reminder = Path(strict.gm.pbem("remind", late).lines[-1]).read_text()
    assert "(in 7 days)" in reminder
    assert "accepted since" not in reminder, "this is the first stage in which nothing came"
    seat = strict.players[late]
    strict.answer(seat)
    strict.post()
    strict.gm.pbem("ack")
    seat.pbem("protest", "the GM sleeps")
    strict.post()
    assert "the GM sleeps" in strict.gm.pbem("verify").out
    told = strict.gm.pbem("remind", code=1)
    assert "the game waits for nobody" in told.err


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("answer_days=x", "give a number of days from 0 to 366"),
        ("grace_days=400", "give a number of days"),
        ("overdue=never", "use wait or default"),
    ],
)
def test_deadlines_that_make_no_sense_are_refused(tmp_path: Path, option: str, words: str) -> None:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "key")
    who = ("--name", "Gm", "--mail", "gm@example.org", "--key", tmp_path / "key")
    told = pbem("new", "primer/ford", tmp_path / "gm", *who, "--option", option, code=1)
    assert words in told.err and not (tmp_path / "gm").exists()


def test_a_gm_is_silent_since_his_first_report_of_the_stage_where_no_days_were_agreed_on(
    tmp_path: Path,
) -> None:
    reports = [SimpleNamespace(sid=sid) for sid in ("aa" * 32, "bb" * 32)]
    for report, hour in zip(reports, (9, 17), strict=True):
        file = tmp_path / layout.statement_name(4, report.sid)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        os.utime(file, (NOW.replace(hour=hour).timestamp(),) * 2)
    folder: Any = SimpleNamespace(
        root=tmp_path,
        stage=4,
        of=lambda stage, type: reports if (stage, type) == (4, "report") else [],
        need_roster=lambda: SimpleNamespace(terms=SimpleNamespace(scenario=SimpleNamespace(name="ford"))),
    )
    assert clock.silent_since(folder) == NOW.replace(hour=9)


@pytest.mark.parametrize(("hours", "soon"), [(25, False), (23, True), (-1, True)])
def test_a_deadline_is_soon_a_day_before(hours: int, soon: bool) -> None:
    at = NOW + timedelta(hours=hours)
    assert clock.Due(at, at, NOW).soon is soon


@pytest.mark.parametrize(("dice", "may"), [("locked", True), ("swift", False)])
def test_under_locked_dice_who_sends_nothing_is_skipped_without_a_word_agreed(dice: str, may: bool) -> None:
    terms: Any = SimpleNamespace(scenario=SimpleNamespace(name="ford"), dice=dice, absent="wait")
    assert (forfeit_fault(terms, "north", has_order=False, fresh=False) is None) is may


def test_a_leap_year_of_days_is_the_most_that_can_be_agreed_on() -> None:
    assert parse(["answer_days=366", "grace_days=0"]) == Deadlines(366, 0)
    with pytest.raises(Refused):
        parse(["answer_days=367"])


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("2026-11-27", (2026, 11, 27, 23, 59)),
        ("2026-11-27 20:00", (2026, 11, 27, 20, 0)),
        ("2026-11-27T20:00 UTC", (2026, 11, 27, 20, 0)),
        ("Sunday, 20:00", None),
        ("2026-13-27", None),
        ("9999-12-31", None),
    ],
)
def test_a_deadline_in_words_is_compared_only_where_it_is_a_date(
    today: pytest.MonkeyPatch, words: str, at: tuple[int, ...] | None
) -> None:
    found = clock.due(words, Deadlines(grace_days=1))
    assert (found and tuple(found.at.timetuple()[:5])) == at
