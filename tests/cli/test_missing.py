"""Late players at the command line: the clock is read here and nowhere below (product 6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.archive.deadlines import Deadlines
from pbem.cli import _clock as clock
from tests.cli.play import Table, pbem

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return monkeypatch


@pytest.fixture
def strict(tmp_path: Path, today: pytest.MonkeyPatch) -> Table:
    """A game with a week to answer, two days of grace, where the game goes on without who is late."""
    options = ("--absent", "skip", "--option", "answer_days=7", "--option", "grace_days=2")
    table = Table(tmp_path, "primer", ("north", "south"), *options)
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
    assert "2026-11-27 23:59 UTC" in strict.players["north"].pbem("report").out


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
    today.setattr(clock, "now", lambda: NOW + timedelta(days=10))
    strict.gm.pbem("adjudicate", "--forfeit", late)
    assert strict.gm.status["stage"] == 2
    strict.post()
    for seat in strict.everybody:
        assert "did not answer in time" in " ".join(seat.pbem("report").out.split())


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
    assert "(in 7 days)" in Path(strict.gm.pbem("remind", late).lines[-1]).read_text()
    seat = strict.players[late]
    strict.answer(seat)
    strict.post()
    strict.gm.pbem("ack")
    seat.pbem("protest", "the GM sleeps")
    strict.post()
    assert "the GM sleeps" in strict.gm.pbem("verify").out
    told = strict.gm.pbem("remind", code=1)
    assert "nobody is awaited" in told.err


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("answer_days=x", "wanted a number of days from 0 to 366"),
        ("grace_days=400", "wanted a number of days"),
        ("overdue=never", "wanted wait or default"),
    ],
)
def test_deadlines_that_make_no_sense_are_refused(tmp_path: Path, option: str, words: str) -> None:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "key")
    who = ("--name", "Gm", "--mail", "gm@example.org", "--key", tmp_path / "key")
    told = pbem("new", "primer/ford", tmp_path / "gm", *who, "--option", option, code=1)
    assert words in told.err and not (tmp_path / "gm").exists()


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
