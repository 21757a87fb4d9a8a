"""Where hexes lie on the drawing: flat-topped, 80 units wide and 70 high: all coordinates are integers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from pbem.board.hexes import DIRECTIONS, Direction, HexGrid

HALF_WIDTH, HALF_HEIGHT, ACROSS = 40, 35, 60
MARGIN = 14
Point = tuple[int, int]
# the corners of a hex clockwise from the upper left one, and the two ends of each side in that order
_CORNERS: tuple[Point, ...] = ((-20, -35), (20, -35), (40, 0), (20, 35), (-20, 35), (-40, 0))
_ENDS = {direction: (n, (n + 1) % 6) for n, direction in enumerate(DIRECTIONS)}
HEX = "m-20-35h40l20 35-20 35h-40l-20-35z"


class Sheet:
    """The drawing of a grid, or of some of its hexes: its upper left corner is 0, 0."""

    def __init__(self, grid: HexGrid, hexes: Collection[int] | None = None) -> None:
        self.grid = grid
        self.hexes: tuple[int, ...] = grid.hexes if hexes is None else tuple(sorted(hexes))
        raw = {hex: self._raw(hex) for hex in self.hexes}
        self.left = min((x for x, _ in raw.values()), default=0) - HALF_WIDTH - MARGIN
        self.top = min((y for _, y in raw.values()), default=0) - HALF_HEIGHT - MARGIN
        right = max((x for x, _ in raw.values()), default=0) + HALF_WIDTH + MARGIN
        bottom = max((y for _, y in raw.values()), default=0) + HALF_HEIGHT + MARGIN
        self.width, self.height = right - self.left, bottom - self.top

    def _raw(self, hex: int) -> Point:
        column, row = self.grid.column_row(hex)
        along = row * 2 * HALF_HEIGHT + (HALF_HEIGHT if self.grid.is_shifted(column) else 0)
        return column * ACROSS, along if self.grid.rows_from == "top" else -along

    def centre(self, hex: int) -> Point:
        """The middle of a hex."""
        x, y = self._raw(hex)
        return x - self.left, y - self.top

    @cached_property
    def whole(self) -> bool:
        """Is every hex there, of some columns and rows without a gap?"""
        places = {self.grid.column_row(hex) for hex in self.hexes}
        columns, rows = {column for column, _ in places}, {row for _, row in places}
        return len(places) == len(columns) * len(rows)

    @cached_property
    def tops(self) -> list[Point]:
        """Of a whole sheet: the middle of the first hex of each column."""
        first = min(self.grid.column_row(hex)[1] for hex in self.hexes)
        return [self.centre(hex) for hex in self.hexes if self.grid.column_row(hex)[1] == first]

    @cached_property
    def offsets(self) -> list[int]:
        """Of a whole sheet: how far below the first the hexes of a column lie."""
        column = self.grid.column_row(self.hexes[0])[0]
        spots = [self.centre(hex)[1] for hex in self.hexes if self.grid.column_row(hex)[0] == column]
        return [y - spots[0] for y in spots]

    def side(self, hex: int, direction: Direction) -> tuple[Point, Point]:
        """The ends of a side, clockwise."""
        x, y = self.centre(hex)
        (ax, ay), (bx, by) = (_CORNERS[n] for n in _ENDS[direction])
        return (x + ax, y + ay), (x + bx, y + by)

    def side_between(self, a: int, b: int) -> tuple[Point, Point]:
        """The ends of the side between two adjacent hexes."""
        direction = self.grid.direction(a, b)
        assert direction is not None
        return self.side(a, direction)

    def outline(self, hexes: Iterable[int], edge_of_map: bool = True) -> str:
        """The border around a set of hexes as path data: closed loops.

        Without the edge of the map the lines are open there.
        """
        inside = set(hexes)
        following: dict[Point, Point] = {}
        for hex in sorted(inside):
            for direction in DIRECTIONS:
                other = self.grid.towards(hex, direction)
                if other not in inside and (edge_of_map or other is not None):
                    start, end = self.side(hex, direction)
                    following[start] = end
        return "".join(_chains(following))


def _chains(following: dict[Point, Point]) -> Iterable[str]:
    """Each vertex of a hex grid has at most one border that leaves it, so the lines are unique."""
    ends = set(following.values())
    for start in [point for point in following if point not in ends] + list(following):
        if start not in following:
            continue
        points = [start]
        while points[-1] in following:
            points.append(following.pop(points[-1]))
        closed = points[-1] == points[0]
        yield polyline(points[:-1] if closed else points) + ("z" if closed else "")


def polyline(points: Iterable[Point]) -> str:
    """A line through points, in few bytes."""
    (x, y), *rest = points
    found = f"M{x} {y}"
    for to_x, to_y in rest:
        found += _line(to_x - x, to_y - y)
        x, y = to_x, to_y
    return found


def _line(dx: int, dy: int) -> str:
    if dy == 0:
        return f"h{dx}"
    return f"v{dy}" if dx == 0 else f"l{dx}{dy}" if dy < 0 else f"l{dx} {dy}"
