"""The clock: deadlines from agreed days, and whether one has passed.

Nothing below the commands reads it.

A deadline is words that the GM signed into the report. Words that are a date can be compared with this
computer's clock; all others are for people.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.stages.deadlines import Deadlines
    from pbem.trust.roster import Terms

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?(?: UTC)?")
_AGREED = re.compile(r"(\d{4}-\d\d-\d\d 23:59 UTC)(?:; .*)?", re.DOTALL)
"""What this tool writes in a game whose days were agreed on; the GM's own words follow it."""
_LAST = (23, 59)


@dataclass(frozen=True)
class Due:
    """A deadline as a time: when it is, when its days of grace end, and the present time."""

    at: datetime
    grace: datetime
    now: datetime

    @property
    def passed(self) -> bool:
        """Return True if deadline and grace are over."""
        return self.now > self.grace

    @property
    def soon(self) -> bool:
        """Return True if the deadline is less than a day away, or over."""
        return self.now >= self.at - timedelta(days=1)

    @property
    def words(self) -> str:
        """Return `in 3 days`; `2 days ago, grace until 2026-11-30`; `5 days ago`."""
        days = abs((self.at - self.now).days if self.at >= self.now else (self.now - self.at).days)
        if self.at >= self.now:
            return Message("cli.clock.due-in", days=days)
        grace = "" if self.passed else f"{self.grace:%Y-%m-%d %H:%M}"
        return Message("cli.clock.was-due", days=days, grace=grace)


def now() -> datetime:
    """Return the time of this computer's clock."""
    return datetime.now(UTC)


def in_days(days: int) -> str:
    """Return the end of the day that many days from now, as words of a report."""
    return f"{now() + timedelta(days=days):%Y-%m-%d} 23:59 UTC"


def due(words: str, agreed: Deadlines, made: datetime | None = None) -> Due | None:
    """Return the deadline of a report as a time, or None if it is not known.

    Where days were agreed on they alone count, whatever else the GM wrote (17.20): then `made` says when the
    report was, if its words do not. Otherwise the GM's words count if they are a date.
    """
    if agreed.answer_days:
        written = _AGREED.fullmatch(words.strip())
        if written is None:
            return _at(_end_of(made + timedelta(days=agreed.answer_days)), agreed) if made else None
        words = written[1]
    match = _DATE.fullmatch(words.strip())
    if match is None:
        return None
    year, month, day = (int(part) for part in match.group(1, 2, 3))
    hour, minute = (int(match[4]), int(match[5])) if match[4] else _LAST
    try:
        return _at(datetime(year, month, day, hour, minute, tzinfo=UTC), agreed)
    except (ValueError, OverflowError):
        return None


def _at(at: datetime, agreed: Deadlines) -> Due:
    return Due(at, at + timedelta(days=agreed.grace_days), now())


def _end_of(day: datetime) -> datetime:
    return day.replace(hour=_LAST[0], minute=_LAST[1], second=0, microsecond=0)


def due_in(folder: Folder) -> Due | None:
    """Return the deadline of the newest report in a folder as a time, or None if it is not known."""
    from pbem.cli.games.telling import deadline
    from pbem.stages import deadlines

    agreed = deadlines.of(folder.need_roster().terms)
    return due(deadline(folder), agreed, _reported(folder))


def _reported(folder: Folder) -> datetime | None:
    """Return when the GM signed the newest report, from the GM's own folder.

    Others know only when it came.
    """
    from pbem.archive import layout, report_taken

    report = report_taken(folder, folder.stage) if folder.is_gm else None
    if report is None:
        return None
    file = folder.root / layout.statement_name(report.stage, report.sid)
    return datetime.fromtimestamp(file.stat().st_mtime, UTC)


def due_words(folder: Folder) -> str:
    """Return the deadline as the GM wrote it, with the time left if known."""
    from pbem.cli.games.telling import deadline

    words, due = deadline(folder), due_in(folder)
    return f"{words} ({due.words})" if words and due else words


def next_deadline(terms: Terms, words: str | None) -> str | None:
    """Return the deadline in the next report: the agreed days, and the GM's words."""
    from pbem.stages import deadlines

    days = deadlines.of(terms).answer_days
    if not days:
        return words
    return f"{in_days(days)}; {words}" if words else in_days(days)


def check_passed(folder: Folder) -> None:
    """Check that the newest report's deadline and its grace are over; Refused if not."""
    from pbem.stages import deadlines

    check_over(due_in(folder), deadlines.of(folder.need_roster().terms))


def check_silent(folder: Folder) -> None:
    """Check that the GM has been silent for the days agreed on, by this clock; Refused if not.

    They count from when the answers were due, or without answer days from the newest report.
    """
    from pbem.stages import deadlines
    from pbem.text.diagnostics import Diagnostic, Refused

    agreed = deadlines.of(folder.need_roster().terms)
    since = silent_since(folder)
    if not agreed.deputy_days or since is None:
        return  # that nothing was agreed is said where the charge is made
    until = since + timedelta(days=agreed.deputy_days)
    if now() >= until:
        return
    message = Message(
        "cli.clock.gm-not-silent-long-enough",
        days=agreed.deputy_days,
        until=f"{until:%Y-%m-%d %H:%M}",
        now=f"{now():%Y-%m-%d %H:%M}",
    )
    raise Refused(Diagnostic("too-early", message))


def silent_since(folder: Folder) -> datetime | None:
    """Return from when on the GM's silence counts: when answers were due, or when the report came."""
    from pbem.archive import layout
    from pbem.stages import deadlines

    if deadlines.of(folder.need_roster().terms).answer_days:
        due_at = due_in(folder)
        if due_at is not None:
            return due_at.at
    times = [
        (folder.root / layout.statement_name(folder.stage, statement.sid)).stat().st_mtime
        for statement in folder.of(folder.stage, "report")
    ]
    return datetime.fromtimestamp(min(times), UTC) if times else None


def check_over(due: Due | None, agreed: Deadlines) -> None:
    """Check that a deadline is over; Refused if not, or if an agreed one is unknown.

    One in words is for people.
    """
    from pbem.text.diagnostics import Diagnostic, Refused

    if due is None and agreed.answer_days:
        message = Message("cli.clock.last-report-not-known", days=agreed.answer_days)
        help_ = (Message("cli.clock.say-if-deadline-passed"),)
        raise Refused(Diagnostic("too-early", message, help=help_))
    if due is None or due.passed:
        return
    message = Message(
        "cli.clock.deadline-has-not-passed",
        at=f"{due.at:%Y-%m-%d %H:%M}",
        grace=f"{due.grace:%Y-%m-%d %H:%M}",
        now=f"{due.now:%Y-%m-%d %H:%M}",
    )
    help_ = (Message("cli.clock.wait-or-say-if-clock-is-wrong"),)
    raise Refused(Diagnostic("too-early", message, help=help_))
