"""Deadlines by the clock: what counts as a date, when it is soon and over, and what is refused before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli.games import clock
from pbem.stages.deadlines import Deadlines
from pbem.text.diagnostics import Refused

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NONE, AGREED = Deadlines(), Deadlines(answer_days=3, grace_days=2)


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "agreed", "made", "wanted"),
    [
        ("2026-11-23", NONE, None, "2026-11-23 23:59"),
        (" 2026-11-23 18:30 ", NONE, None, "2026-11-23 18:30"),
        ("2026-11-23T00:00 UTC", NONE, None, "2026-11-23 00:00"),
        ("2026-11-31", NONE, None, None),
        ("2026-11-23 18:30 CET", NONE, None, None),
        ("Sunday", NONE, NOW, None),
        ("", NONE, None, None),
        ("2026-11-23 23:59 UTC", AGREED, None, "2026-11-23 23:59"),
        ("2026-11-23 23:59 UTC; be quick", AGREED, NOW, "2026-11-23 23:59"),
        ("2026-11-23 18:30", AGREED, None, None),
        ("Sunday", AGREED, at("2026-11-19 08:15:30"), "2026-11-22 23:59"),
        ("Sunday", AGREED, None, None),
    ],
)
def test_which_words_are_a_deadline(
    words: str, agreed: Deadlines, made: datetime | None, wanted: str | None
) -> None:
    due = clock.due(words, agreed, made)
    assert (due.at if due else None) == (at(wanted) if wanted else None)
    if due is not None:
        assert due.grace - due.at == timedelta(days=agreed.grace_days) and due.now == NOW


@pytest.mark.parametrize(
    ("hours", "grace", "soon", "passed", "words"),
    [
        (72, 0, False, False, "in 3 days"),
        (25, 0, False, False, "in 1 day"),
        (24, 0, True, False, "in 1 day"),
        (23, 0, True, False, "today"),
        (0, 0, True, False, "today"),
        (-1, 0, True, True, "since today"),
        (-47, 0, True, True, "1 day ago"),
        (-48, 2, True, False, "2 days ago, grace until 2026-11-20 12:00 UTC"),
        (-49, 2, True, True, "2 days ago"),
    ],
)
def test_how_long_there_is(hours: int, grace: int, soon: bool, passed: bool, words: str) -> None:
    moment = NOW + timedelta(hours=hours)
    due = clock.Due(moment, moment + timedelta(days=grace), NOW)
    assert (due.soon, due.passed, str(due.words)) == (soon, passed, words)


@pytest.mark.parametrize(
    ("hours", "agreed", "refused"),
    [
        (1, NONE, "the deadline is 2026-11-20 13:00 UTC"),
        (0, NONE, "grace until 2026-11-20 12:00 UTC"),
        (-1, NONE, ""),
        (-1, AGREED, "2026-11-22 11:00 UTC"),
        (-49, AGREED, ""),
        (None, NONE, ""),
        (None, AGREED, "3 days"),
    ],
)
def test_nobody_goes_on_before_a_deadline_is_over(hours: int | None, agreed: Deadlines, refused: str) -> None:
    moment = NOW + timedelta(hours=hours or 0)
    due = clock.Due(moment, moment + timedelta(days=agreed.grace_days), NOW) if hours is not None else None
    if not refused:
        clock.check_over(due, agreed)
        return
    with pytest.raises(Refused) as fault:
        clock.check_over(due, agreed)
    (said,) = fault.value.diagnostics
    assert said.code == "too-early" and refused in said.message and said.help


def test_days_end_at_midnight() -> None:
    assert clock.in_days(0) == "2026-11-20 23:59 UTC" and clock.in_days(12) == "2026-12-02 23:59 UTC"
