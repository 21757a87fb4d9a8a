"""Control of locations: a track from locations to owners; the home owner counts where it has no entry.

    class T(Tracks):
        control: dict[str, str | None] = {}

    control = Control(T.of(game).control, home=world.home)
    change = control.take("0405", "red")                   # a Capture for the event, None if nothing changed
    cities = [hex for hex in world.cities if control.of(hex) in ("red", "pink")]

Rule of thumb: control is written when it changes, at the place in the rules where it changes, and read
everywhere else; what follows from who stands where (occupied, contested) is asked of the counters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from pbem.model.meaning import Capture


def nobody(location: str) -> str | None:
    """Return None: a home owner for maps without home owners."""
    return None


class Control:
    """A live view of a track {location: owner}. None is nobody."""

    def __init__(
        self,
        track: MutableMapping[str, Any],
        home: Callable[[str], str | None] | Mapping[str, str | None] = nobody,
    ) -> None:
        self._track = track
        self._home = home.get if isinstance(home, Mapping) else home

    def of(self, location: str) -> str | None:
        """Return the controller of a location."""
        return self._track[location] if location in self._track else self._home(location)

    def take(self, location: str, owner: str | None) -> Capture | None:
        """Give a location to an owner or nobody, and return the change, or None if there is none."""
        before = self.of(location)
        self._track[location] = owner
        return None if before == owner else Capture(location, before or "", owner or "")
