"""The clock: deadlines from days agreed, and whether one has passed. Nothing below the commands reads it.

A deadline is words that the GM signed into his report. Words that are a date can be compared with this
computer's clock; all others are for people.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.archive.deadlines import Deadlines
    from pbem.archive.folder import Folder

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?(?: UTC)?")
_LAST = (23, 59)


@dataclass(frozen=True)
class Due:
    """A deadline as a time: when it is, when the days of grace after it end, and what the clock says."""

    at: datetime
    grace: datetime
    now: datetime

    @property
    def passed(self) -> bool:
        """Deadline and grace are over."""
        return self.now > self.grace

    @property
    def words(self) -> str:
        """`in 3 days`; `2 days ago, grace until 2026-11-30`; `5 days ago`."""
        days = abs((self.at - self.now).days if self.at >= self.now else (self.now - self.at).days)
        if self.at >= self.now:
            return "today" if days == 0 else f"in {_days(days)}"
        ago = "since today" if days == 0 else f"{_days(days)} ago"
        return ago if self.passed else f"{ago}, grace until {self.grace:%Y-%m-%d %H:%M} UTC"


def now() -> datetime:
    """What this computer's clock says."""
    return datetime.now(UTC)


def in_days(days: int) -> str:
    """The end of the day that many days from now, as words of a report."""
    return f"{now() + timedelta(days=days):%Y-%m-%d} 23:59 UTC"


def due(words: str, agreed: Deadlines) -> Due | None:
    """The deadline of a report as a time; None if its words are no date."""
    match = _DATE.fullmatch(words.strip())
    if match is None:
        return None
    year, month, day = (int(part) for part in match.group(1, 2, 3))
    hour, minute = (int(match[4]), int(match[5])) if match[4] else _LAST
    try:
        at = datetime(year, month, day, hour, minute, tzinfo=UTC)
        return Due(at, at + timedelta(days=agreed.grace_days), now())
    except (ValueError, OverflowError):
        return None


def due_words(folder: Folder, words: str) -> str:
    """The deadline with how far away it is, where its words are a date."""
    from pbem.archive import deadlines

    found = due(words, deadlines.of(folder.need_roster().terms))
    return f"{words} ({found.words})" if found else words


def agreed_days(folder: Folder) -> str | None:
    """The next deadline as the parties agreed on it; None if they agreed on none."""
    from pbem.archive import deadlines

    days = deadlines.of(folder.need_roster().terms).answer_days
    return in_days(days) if days else None


def check_passed(folder: Folder) -> None:
    """Refused while the deadline of the newest report, and the grace after it, are not over."""
    from pbem.archive import deadlines
    from pbem.cli._telling import deadline
    from pbem.text.diagnostics import Diagnostic, Refused

    found = due(deadline(folder), deadlines.of(folder.need_roster().terms))
    if found is None or found.passed:
        return
    message = (
        f"the deadline is {found.at:%Y-%m-%d %H:%M} UTC, with grace until {found.grace:%Y-%m-%d %H:%M} UTC, "
        f"and by this computer's clock it is {found.now:%Y-%m-%d %H:%M} UTC"
    )
    help_ = ("wait, or say --deadline-passed if that clock is wrong",)
    raise Refused(Diagnostic("too-early", message, help=help_))


def _days(count: int) -> str:
    return f"{count} day{'s' if count != 1 else ''}"
