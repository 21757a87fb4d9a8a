"""Dates in reports are read by people: with the day of the week, the month by its name."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from pbem.report.dates import in_words, weekday
from pbem.report.language import language
from pbem.report.wording import Wording


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("2026-11-22 20:00 UTC", "en", "Sun 22 Nov 2026, 20:00 UTC"),
        ("2026-11-22 20:00 UTC", "de", "So 22. Nov. 2026, 20:00 UTC"),
        ("2026-03-01", "en", "Sun 1 Mar 2026"),
        ("2024-02-29 23:59 UTC; or earlier", "en", "Thu 29 Feb 2024, 23:59 UTC; or earlier"),
        ("next Sunday", "en", "next Sunday"),
        ("2026-13-01", "en", "2026-13-01"),
    ],
)
def test_a_date_is_said_as_people_write_it(text: str, lang: str, said: str) -> None:
    assert in_words(text, Wording(language=language(lang))) == said


def test_the_day_of_the_week_is_that_of_the_calendar() -> None:
    first = date(1999, 12, 25)
    for days in range(0, 11_000, 7 * 13 + 1):
        day = first + timedelta(days)
        assert weekday(day.year, day.month, day.day) == day.isoweekday() % 7
