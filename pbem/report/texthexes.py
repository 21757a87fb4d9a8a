r"""Hexes of a field as characters of a text map.

     ____                         number of the hex                         .-' '-.
    /0305\          name of a place, or the letter of the terrain          | 0305  |
   / Dron \   counters: owner and count, or the type of a lone one         | Dron  |
   \  R4  /              that the reader knows                             |  R4   |
    \r___/                who holds the place                               '-.r.-'

Flat tops take 6 by 4 characters, pointy ones 8 by 4. Hexes are wider where numbers are longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from pbem.board.map import GameMap
from pbem.report.plain import safe, width
from pbem.text.dataclass import dataclass

NARROWEST, WIDE, DOWN = 6, 8, 4
MAP_WIDTH = 74
"""Columns of a map: twelve hexes beside each other, or eight with pointy tops."""
STROKES = {"N": "_", "NE": "\\\\", "SE": "//", "S": "_", "SW": "\\\\", "NW": "//"}
Spots = tuple[tuple[int, int], ...]


class Canvas:
    """Characters by line and column; the rest is blank."""

    def __init__(self, rows: Iterable[Sequence[str]] = ()) -> None:
        self.rows = [list(row) for row in rows]

    def put(self, line: int, column: int, char: str) -> None:
        self._row(line, column)[column] = char

    def write(self, line: int, column: int, text: str) -> None:
        """Write characters side by side; wide ones are not for maps and become a question mark."""
        plain = text if text.isascii() else "".join(char if width(char) == 1 else "?" for char in text)
        if plain:
            end = column + len(plain)
            row = self.rows[line] if line < len(self.rows) else []
            (row if end <= len(row) else self._row(line, end - 1))[column:end] = plain

    def _row(self, line: int, column: int) -> list[str]:
        """Return a line, extended to this column."""
        if line >= len(self.rows):
            self.rows += [[] for _ in range(line + 1 - len(self.rows))]
        row = self.rows[line]
        if column >= len(row):
            row += " " * (column + 1 - len(row))
        return row

    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.rows]


@dataclass(frozen=True)
class Window:
    """The printed columns and rows that are drawn, ends included."""

    columns: tuple[int, int]
    rows: tuple[int, int]

    def holds(self, column: int, row: int) -> bool:
        return self.columns[0] <= column <= self.columns[1] and self.rows[0] <= row <= self.rows[1]


class Region:
    """The hexes of one sheet, or of joined sheets, and their places among the characters.

    A hex has the column and row that are printed on it; where several sheets are joined, the column and row
    in their common field, counted from 0.
    """

    def __init__(self, chart: GameMap, field: int) -> None:
        self.chart = chart
        self.sheets = [sheet for sheet in chart.sheets if sheet.field == field]
        self.hexes = [
            hex for sheet in self.sheets for hex in range(sheet.first, sheet.end) if hex in chart.lies
        ]
        longest = max((len(chart.number(hex)) for hex in self.hexes), default=0)
        self.pointy = self.sheets[0].grid.pointy
        self.across = max(WIDE, 2 * (longest // 2) + 2) if self.pointy else max(NARROWEST, longest + 2)
        self.sides = _pointy(self.across) if self.pointy else _flat(self.across)
        self.middles = {side: _middle(side, spots, self.pointy) for side, spots in self.sides.items()}

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """Return column and row of every hex."""
        if len(self.sheets) == 1:
            sheet = self.sheets[0]
            return {hex: sheet.grid.column_row(hex - sheet.first) for hex in self.hexes}
        spots = {hex: self.chart.spot(hex) for hex in self.hexes}
        if self.pointy:
            return {hex: (along // 2, row) for hex, (row, along) in spots.items()}
        return {hex: (column, along // 2) for hex, (column, along) in spots.items()}

    @property
    def title(self) -> str:
        return " + ".join(safe(sheet.title) for sheet in self.sheets if sheet.title)

    @property
    def most(self) -> int:
        """Return how many columns fit on a page."""
        return (MAP_WIDTH - (self.across // 2 + 1 if self.pointy else 2)) // self.across

    def corners(self, hexes: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Return (line, column) of the upper left corner of each hex, so that the drawing begins at 0, 0."""
        spots: dict[int, tuple[int, int]] = {}
        for hex in hexes:
            line, along = self.chart.spot(hex)
            spots[hex] = (
                (line * DOWN, along * (self.across // 2))
                if self.pointy
                else (along * (DOWN // 2), line * self.across)
            )
        top = min((line for line, _ in spots.values()), default=0)
        left = min((column for _, column in spots.values()), default=0)
        return {hex: (line - top, column - left) for hex, (line, column) in spots.items()}

    def outline(self, canvas: Canvas, corner: tuple[int, int]) -> None:
        """Draw the border of a hex."""
        for side, spots in self.sides.items():
            stroke = _pointy_stroke(side, len(spots)) if self.pointy else STROKES[side]
            stroke = stroke if len(stroke) > 1 else stroke * len(spots)
            for (line, column), char in zip(spots, stroke, strict=True):
                canvas.put(corner[0] + line, corner[1] + column, char)


def _flat(across: int) -> dict[str, Spots]:
    """Return the border characters of each side, as (line, column) from a hex's upper left corner."""
    flat = range(2, across)
    return {
        "N": tuple((0, column) for column in flat),
        "NE": ((1, across), (2, across + 1)),
        "SE": ((3, across + 1), (4, across)),
        "S": tuple((4, column) for column in flat),
        "SW": ((3, 0), (4, 1)),
        "NW": ((1, 1), (2, 0)),
    }


def _pointy(across: int) -> dict[str, Spots]:
    """Return the border characters with pointy tops, by the direction in the mirror image (`board.hexes`)."""
    half = across // 2
    left, right = range(1, half), range(half + 1, across)
    return {
        "N": ((1, 0), (2, 0), (3, 0)),
        "NE": tuple((4, column) for column in left),
        "SE": tuple((4, column) for column in right),
        "S": ((1, across), (2, across), (3, across)),
        "SW": tuple((0, column) for column in right),
        "NW": tuple((0, column) for column in left),
    }


def _pointy_stroke(side: str, long: int) -> str:
    if side in "NS":
        return "|"
    dashes = "-" * (long - 2)
    return f".{dashes}'" if side in ("NW", "SE") else f"'{dashes}."


def _middle(side: str, spots: Spots, pointy: bool) -> Spots:
    """Return the characters of a border that a link takes: the middle ones.

    Of a slanted side of a flat-topped hex it is the lower half.
    """
    if pointy:
        return (spots[len(spots) // 2],)
    if side not in "NS":
        return (spots[1],)
    return spots[len(spots) // 2 - 1 : len(spots) - len(spots) // 2 + 1]
