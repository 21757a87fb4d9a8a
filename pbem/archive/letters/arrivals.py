"""The log of received email: when statements came, and how far a mailbox was read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.private_side import MAIL_TAKEN
from pbem.text.canonical import Json

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


def arrivals(folder: Readable) -> dict[str, str]:
    """Return when statements came, by sid.

    It is this computer's clock, which proves nothing.
    """
    taken = folder.private.json(MAIL_TAKEN)
    times = taken.get("arrived") if isinstance(taken, dict) else None
    return {str(sid): str(at) for sid, at in times.items()} if isinstance(times, dict) else {}


def noted(folder: Readable) -> dict[str, Json]:
    """Return the whole log of received email."""
    times = folder.private.json(MAIL_TAKEN)
    return dict(times) if isinstance(times, dict) else {}


def book(changes: Changes, entries: Mapping[str, Json]) -> None:
    """Write the log of received email."""
    changes.write(MAIL_TAKEN, json.dumps(entries, indent=1, sort_keys=True) + "\n")
