"""Sending on at fixed hours under pseudonyms, so that no time shows who wrote (letters 4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.trust.keys import Signer

_LATE = timedelta(hours=1)
"""The time after a fixed hour in which a late postmaster still keeps it; later it waits for the next."""


@dataclass(frozen=True)
class Hours:
    """Fixed hours of each day in UTC, as `06:00`, and the newest that was kept in a game, as ISO 8601."""

    each_day: Sequence[str] = ()
    kept: str = ""

    def next(self, now: datetime) -> datetime:
        """Return the first fixed hour after a time."""
        return min(hour for hour in self._around(now) if hour > now)

    def due(self, now: datetime) -> datetime | None:
        """Return the fixed hour that is to be kept now, or None."""
        newest = max((hour for hour in self._around(now) if hour <= now), default=None)
        if newest is None or now - newest > _LATE or newest.isoformat() <= self.kept:
            return None
        return newest

    def _around(self, now: datetime) -> list[datetime]:
        days = (now + timedelta(days=n) for n in (-1, 0, 1))
        times = [hour.split(":") for hour in self.each_day]
        return [
            day.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
            for day in days
            for hour, minute in times
        ]


def carries(folder: Folder) -> bool:
    """Return True if the owner of this folder, in charge now, sends on what players write."""
    from pbem.archive import ended, sending_on

    going_on = folder.roster is not None and folder.stage >= 0 and not ended(folder)
    return going_on and folder.acting and sending_on.carries(folder)


def send_on(folder: Folder, signer: Signer) -> bool:
    """Acknowledge the orders that have come, and send on what waits; return True if there was anything."""
    from pbem.archive import acknowledge, sending_on

    come = sending_on.unacknowledged(folder)
    if come:
        acknowledge(folder, signer)
    return bool(sending_on.send_on(folder)) or come
