"""The columns or rows of a table: heads in order, the way from a value to its head, and the edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.board.odds import Odds
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

Value = int | Fraction | str | Odds
Side = Literal["below", "above"]


class Interval(NamedTuple):
    """Whole numbers from `low` to `high`; None if there is no limit."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Edge:
    """The edge of an axis: the nearest head is used (`clamp`), a `value`, or nothing (`never`)."""

    use: Literal["clamp", "value", "never"]
    value: Json = None


@dataclass(frozen=True, slots=True)
class Found:
    """The way from a value to a head: what was `asked`, the head `entered`, `shift`, the `head` used.

    `index` counts heads from 0. `off_edge` says on which side the value lay off the table, `shifted_off` on
    which the shift led off it. If the edge has a value of its own, it is in `edge`; then `head` is
    empty and `index` None.
    """

    asked: str
    entered: str
    shift: int
    head: str
    index: int | None
    off_edge: Side | None = None
    shifted_off: Side | None = None
    edge: Edge | None = None

    def __str__(self) -> str:
        """Return the way in words: "7:1 above 6:1, 2 left: 4:1"."""
        way = f"{self.asked} {self.off_edge}" if self.off_edge else self.asked
        if self.entered and (self.off_edge or self.entered != self.asked):
            way += f" {self.entered}" if self.off_edge else f" in {self.entered}"
        if self.shift:
            way += f", {abs(self.shift)} {'right' if self.shift > 0 else 'left'}"
            way += f": {self.shifted_off} {self.head}".rstrip() if self.shifted_off else f": {self.head}"
        return way


@dataclass(frozen=True, slots=True)
class Axis:
    """The heads of a table in order.

    `odds` or `intervals` go with `heads`; with neither, a value is the name of its head.

    `edges` says what is used below the first and above the last head; a side that is not in it is open.
    """

    by: str
    heads: tuple[str, ...]
    edges: dict[Side, Edge]
    odds: tuple[Odds, ...] = ()
    intervals: tuple[Interval, ...] = ()

    def find(self, value: Value, shift: int = 0) -> Found:
        """Return the head of a value, then `shift` heads further on (left or up if negative).

        Raises `ValueError` for a value of another kind, and beyond an edge that is `never` passed.
        """
        place = self._place(value)
        entered, off_edge, edge = self._on_table(place, value)
        if edge is not None:
            return Found(str(value), "", shift, "", None, off_edge, None, edge)
        used, shifted_off, edge = self._on_table(entered + shift, value)
        head, index = ("", None) if edge else (self.heads[used], used)
        return Found(str(value), self.heads[entered], shift, head, index, off_edge, shifted_off, edge)

    def _on_table(self, place: int, value: Value) -> tuple[int, Side | None, Edge | None]:
        """Return the place on the table, the side it was off, and the edge if it has a value of its own."""
        if 0 <= place < len(self.heads):
            return place, None, None
        side: Side = "below" if place < 0 else "above"
        edge = self.edges.get(side, Edge("clamp"))
        if edge.use == "never":
            extent = f"{self.heads[0]} to {self.heads[-1]}"
            raise ValueError(
                Message("board.axes.leads-table-goes-from", value=value, side=side, extent=extent)
            )
        nearest = 0 if place < 0 else len(self.heads) - 1
        return nearest, side, edge if edge.use == "value" else None

    def _place(self, value: Value) -> int:
        """Return the place of a value among the heads: -1 below them, their number above."""
        if self.odds:
            if not isinstance(value, Odds):
                raise ValueError(Message("board.axes.odds", value=repr(value)))
            if value > self.odds[-1]:
                return len(self.odds)
            return sum(head <= value for head in self.odds) - 1
        if self.intervals:
            return self._between(value)
        if value not in self.heads:
            raise ValueError(Message("board.axes.one", value=repr(value), heads=tuple(self.heads)))
        return self.heads.index(str(value))

    def _between(self, value: Value) -> int:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole and not (self.by == "at_most" and isinstance(value, Fraction)):
            raise ValueError(Message("board.axes.whole-number", value=repr(value)))
        assert isinstance(value, int | Fraction)
        lowest = self.intervals[0].low
        if lowest is not None and value < lowest:
            return -1
        for place, (_, high) in enumerate(self.intervals):
            if high is None or value <= high:
                return place
        return len(self.intervals)
