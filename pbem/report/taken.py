"""Places that changed hands without an event of their own: by a march, or by an advance after a fight.

A system whose control follows from who stands where tells them by its `captures_hook`; reports tell
each of them after the event that took it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.model.events import Event, Told, event
from pbem.model.meaning import After, Before, Place

if TYPE_CHECKING:
    from pbem.report.reader import View

Fields = Mapping[str, Any]


@event(rule="", to="public", tells="capture")
class PlaceTaken(Event):
    """A place with a new holder."""

    power: After
    hex: Place
    before: Before


OWN = {PlaceTaken.kind: PlaceTaken}
"""Events that reports tell and no system has."""


def with_captures(told_events: Sequence[Told], view: View) -> list[Told]:
    """Return what a reader was told, each capture that has no event behind the one that made it."""
    events = followed([happening.event for happening in told_events], view)
    return [
        replace(told_events[number], event=dict(event))
        if event is not told_events[number].event
        else told_events[number]
        for number, event in events
    ]


def followed(events: Sequence[Fields], view: View) -> list[tuple[int, Fields]]:
    """Return events and the captures without one, each with the number of the event it follows from."""
    taken = view.captures_from(events)
    numbered: list[tuple[int, Fields]] = []
    for number, told in enumerate(events):
        numbered.append((number, told))
        for capture in taken.get(number, ()):
            where = {key: told[key] for key in ("rule", "at") if key in told}
            made = PlaceTaken(capture.after, capture.place, capture.before).as_json()
            numbered.append((number, {**made, **where}))
    return numbered
