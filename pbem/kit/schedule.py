"""What comes later: reinforcements of a scenario, production, delays. A track from turns to what is due then.

    class T(Tracks):
        coming: dict[str, tuple[str, ...]] = {}       # turn -> ids (or frozen dataclasses)

    schedule = Schedule(T.of(game).coming)
    schedule.put(turn + 3, "GE-INF4")                  # production: three turns on the spiral
    for id in schedule.due(turn): ...                  # everything that was due by now, taken off the track
    schedule.put(turn + delay(die.total, drm), id)     # into the delay box

Where it arrives: `first_place(listed, may_arrive)`; None means that it waits: put it into the next turn.
Rule of thumb: `due` takes everything up to the turn, so that nothing is lost that could not be placed in
time; keep on the map (or in a box) what the owner may place later by choice, and on the track what comes by
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Schedule(Generic[T]):
    """A live view of a track {turn: what is due}. Turns are whole numbers, as text in the track."""

    def __init__(self, track: MutableMapping[str, tuple[T, ...]]) -> None:
        self._track = track

    def __iter__(self) -> Iterator[tuple[int, T]]:
        """Everything on the track as (turn, item): by turn, in the order put in."""
        for turn in sorted(self._track, key=int):
            yield from ((int(turn), item) for item in self._track[turn])

    def at(self, turn: int) -> tuple[T, ...]:
        """What is due in a turn, left where it is."""
        return tuple(self._track.get(str(turn), ()))

    def put(self, turn: int, *items: T) -> None:
        """Items arrive in a turn, after those that are due then already."""
        if items:
            self._track[str(turn)] = (*self.at(turn), *items)

    def due(self, turn: int) -> tuple[T, ...]:
        """Take off the track what is due by a turn, the earliest first."""
        found = tuple((when, item) for when, item in self if when <= turn)
        for when in dict.fromkeys(when for when, _ in found):
            del self._track[str(when)]
        return tuple(item for _, item in found)

    def turn_of(self, item: T) -> int | None:
        """The turn in which something is due; None if it is not on the track."""
        return next((turn for turn, there in self if there == item), None)

    def take(self, item: T) -> int:
        """Take one item off the track; gives the turn in which it was due. `KeyError` if it is not there."""
        turn = self.turn_of(item)
        if turn is None:
            raise KeyError(item)
        listed = list(self.at(turn))
        listed.remove(item)
        if listed:
            self._track[str(turn)] = tuple(listed)
        else:
            del self._track[str(turn)]
        return turn

    def postpone(self, item: T, turns: int) -> int:
        """Move an item so many turns further (or nearer); gives the turn in which it is due then."""
        turn = self.take(item) + turns
        self.put(turn, item)
        return turn


def delay(die: int, modifier: int = 0, *, least: int = 1, most: int | None = None) -> int:
    """Turns of delay: die and modifier, within limits."""
    turns = max(least, die + modifier)
    return turns if most is None else min(turns, most)


def first_place(places: Iterable[str], may_arrive: Callable[[str], bool]) -> str | None:
    """The first place of a list where something may arrive now; None if it has to wait."""
    return next((place for place in places if may_arrive(place)), None)
