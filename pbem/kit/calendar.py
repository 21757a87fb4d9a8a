"""The calendar of a game: month, season and special features of each game turn, as rows of a chart.

    @dataclass(frozen=True)
    class Week:
        month: int
        season: str = ""

    calendar = Calendar.from_data(Week, scenario["calendar"])                 # one row a turn, from turn 1
    calendar = Calendar.from_data(Season, chart["year"], repeats=True, first=scenario["first_turn"])
    if calendar.at(t.turn).season == "winter": ...

Rule of thumb: the track `turn` counts from 1 and never stops; whatever goes by dates asks the calendar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from pbem.kit.faults import bad_data, under
from pbem.kit.records import record
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message

T = TypeVar("T")


@dataclass(frozen=True)
class Calendar(Generic[T]):
    """Rows by turn, of which turn 1 is row `first` (counted from 0).

    A repeating calendar is a year; otherwise the last row counts for all turns after its end.
    """

    rows: tuple[T, ...]
    repeats: bool = False
    first: int = 0

    def at(self, turn: int) -> T:
        """Return the row of a turn, from 1 on."""
        if turn < 1:
            raise ValueError(Message("kit.calendar.no-turn", turn=turn))
        place = self.first + turn - 1
        return self.rows[place % len(self.rows) if self.repeats else min(place, len(self.rows) - 1)]

    def year(self, turn: int) -> int:
        """Return how often the rows have begun anew since turn 1: 0 in the first year."""
        return (self.first + turn - 1) // len(self.rows) if self.repeats else 0

    @classmethod
    def from_data(
        cls,
        type: type[T],
        data: Sequence[Mapping[str, Any]],
        path: DataPath = (),
        *,
        repeats: bool = False,
        first: int = 0,
    ) -> Calendar[T]:
        """Read the rows into a frozen dataclass. Raises `Refused` with every fault of every row."""
        rows: list[T] = []
        faults: list[Diagnostic] = []
        for n, row in enumerate(data):
            try:
                rows.append(record(type, row))
            except Refused as refused:
                faults += under(refused.diagnostics, *path, n)
        if not data:
            faults.append(bad_data("missing-key", Message("kit.calendar.missing-key"), *path))
        elif not 0 <= first < len(data):
            faults.append(
                bad_data(
                    "out-of-range", Message("kit.calendar.out-of-range", first=first, count=len(data)), *path
                )
            )
        if faults:
            raise Refused(faults)
        return cls(tuple(rows), repeats, first)
