"""Dates as people read them: `Sun 23 Nov 2026, 20:00 UTC` for the `2026-11-23 20:00 UTC` of files."""

from __future__ import annotations

import re

from pbem.report.wording import Wording

_DATE = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[ T](\d\d:\d\d))?( UTC)?")
_SHIFTS = (0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4)
"""By how many days of the week each month begins later than January, March being the first of the year."""


def in_words(text: str, words: Wording) -> str:
    """Return a text with each date in it as people read it."""

    def told(match: re.Match[str]) -> str:
        year, month, day = (int(part) for part in match.group(1, 2, 3))
        names = words.say("weekdays").split(), words.say("months").split()
        date = words.say(
            "date", weekday=names[0][weekday(year, month, day)], day=day, month=names[1][month - 1], year=year
        )
        return f"{date}, {match[4]}{match[5] or ''}" if match[4] else date + (match[5] or "")

    return _DATE.sub(told, text)


def weekday(year: int, month: int, day: int) -> int:
    """Return the day of the week of a date of the Gregorian calendar; 0 is Sunday."""
    year -= month < 3
    return (year + year // 4 - year // 100 + year // 400 + _SHIFTS[month - 1] + day) % 7
