"""Positions of locations on the drawing.

Hexes with flat tops are 80 units wide and 70 high, those with pointy tops 80 and 92: the same things fit into
both, and there are integers everywhere.

Sheets that are joined lie as they do on the table; other sheets beside or below each other, as the map says.
Boxes and areas have rectangles (`plaques`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from pbem.board.hexes import DIRECTIONS, STEPS, Direction, Spot
from pbem.board.locations import Locations, MapSheet
from pbem.text.dataclass import dataclass

HALF_WIDTH, HALF_HEIGHT, ACROSS = 40, 35, 60
MARGIN, GAP, TITLE = 14, 70, 30
Point = tuple[int, int]


@dataclass(frozen=True)
class Form:
    """The form of a hex: half its width and height, its corners clockwise, its outline from the middle.

    `line` is how far lines of hexes are from each other, `half` is half the way from hex to hex along one.
    `ends` are the corners of each side, clockwise, and `turns` where each looks, in degrees from the north.
    """

    wide: int
    high: int
    line: int
    half: int
    corners: tuple[Point, ...]
    ends: Mapping[Direction, tuple[int, int]]
    turns: Mapping[Direction, int]
    path: str


FLAT = Form(
    HALF_WIDTH,
    HALF_HEIGHT,
    ACROSS,
    HALF_HEIGHT,
    ((-20, -35), (20, -35), (40, 0), (20, 35), (-20, 35), (-40, 0)),
    {direction: (n, (n + 1) % 6) for n, direction in enumerate(DIRECTIONS)},
    {direction: 60 * n for n, direction in enumerate(DIRECTIONS)},
    "m-20-35h40l20 35-20 35h-40l-20-35z",
)
# the mirror image: what lies north of a hex with flat tops lies west of one with pointy tops
POINTY = Form(
    HALF_WIDTH,
    46,
    69,
    HALF_WIDTH,
    ((0, -46), (40, -23), (40, 23), (0, 46), (-40, 23), (-40, -23)),
    {direction: ((4 - n) % 6, (5 - n) % 6) for n, direction in enumerate(DIRECTIONS)},
    {direction: (270 - 60 * n) % 360 for n, direction in enumerate(DIRECTIONS)},
    "m0-46l40 23v46l-40 23-40-23v-46z",
)


@dataclass(frozen=True)
class Rect:
    """A rectangle by its upper left corner and its size."""

    x: int
    y: int
    wide: int
    high: int

    @property
    def centre(self) -> Point:
        return self.x + self.wide // 2, self.y + self.high // 2

    @property
    def path(self) -> str:
        """Return its border as path data."""
        return f"M{self.x} {self.y}h{self.wide}v{self.high}h{-self.wide}z"

    def moved(self, x: int, y: int) -> Rect:
        return Rect(self.x + x, self.y + y, self.wide, self.high)

    def around(self, other: Rect) -> Rect:
        """Return the smallest rectangle that holds both."""
        left, top = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.wide, other.x + other.wide)
        bottom = max(self.y + self.high, other.y + other.high)
        return Rect(left, top, right - left, bottom - top)

    def holds(self, point: Point) -> bool:
        """Return True if a point is in it."""
        return self.x <= point[0] < self.x + self.wide and self.y <= point[1] < self.y + self.high

    def meets(self, other: Rect) -> bool:
        """Return True if the two have anything in common."""
        across = self.x < other.x + other.wide and other.x < self.x + self.wide
        return across and self.y < other.y + other.high and other.y < self.y + self.high


class Fields:
    """The position of every hex of a map: each field of sheets in a place of its own."""

    def __init__(self, chart: Locations) -> None:
        self.chart = chart
        self._origins: dict[int, Point] = {}
        self.bounds: dict[int, Rect] = {}
        last: Rect | None = None
        for sheet in chart.sheets:
            if sheet.field not in self.bounds:
                last = self._place(sheet, last)

    @property
    def titled(self) -> bool:
        """Return True if there are several sheets, so that each needs its title."""
        return len(self.chart.sheets) > 1

    def _place(self, sheet: MapSheet, last: Rect | None) -> Rect:
        """Put the field that begins with this sheet beside the last one, or where the map says."""
        self._origins[sheet.field] = (0, 0)
        members = [joined for joined in self.chart.sheets if joined.field == sheet.field]
        own = _bounds(self, [member.first + hex for member in members for hex in member.grid.hexes])
        if self.titled:
            own = own.around(Rect(own.x, own.y - TITLE, 1, 1))
        to = (0, 0)
        if last is not None:
            how, name = sheet.drawn or ("beside", "")
            other = next(
                (self.bounds[placed.field] for placed in self.chart.sheets if placed.name == name), last
            )
            below = (other.x, other.y + other.high + GAP // 2)
            to = below if how == "below" else (other.x + other.wide + GAP, other.y)
            to = (to[0] - own.x, to[1] - own.y)
        self._origins[sheet.field] = to
        self.bounds[sheet.field] = own.moved(*to)
        return self.bounds[sheet.field]

    def centre(self, hex: int) -> Point:
        """Return the middle of a hex."""
        sheet = self.chart.sheet(hex)
        assert sheet is not None
        (line, along), (x, y) = self.chart.spot(hex), self._origins[sheet.field]
        if sheet.grid.pointy:
            return x + along * POINTY.half, y + line * POINTY.line
        return x + line * FLAT.line, y + along * FLAT.half

    def form(self, hex: int) -> Form:
        """Return the form of a hex."""
        return POINTY if self.chart.pointy(hex) else FLAT


class Part:
    """The hexes of one sheet of the map that are drawn."""

    def __init__(self, sheet: MapSheet, hexes: tuple[int, ...], drawing: Sheet) -> None:
        self.sheet, self.hexes, self._drawing = sheet, hexes, drawing

    def column_row(self, hex: int) -> tuple[int, int]:
        """Return column and row as printed."""
        return self.sheet.grid.column_row(hex - self.sheet.first)

    @cached_property
    def whole(self) -> bool:
        """Return True if every hex is there, of some columns and rows without a gap."""
        places = {self.column_row(hex) for hex in self.hexes}
        columns, rows = {column for column, _ in places}, {row for _, row in places}
        return len(places) == len(columns) * len(rows)

    @cached_property
    def heads(self) -> list[Point]:
        """Return the middle of the first hex of each line, of a whole sheet."""
        points: dict[int, Point] = {}
        for hex in self.hexes:
            points.setdefault(self._line(hex), self._drawing.centre(hex))
        return list(points.values())

    @cached_property
    def offsets(self) -> list[Point]:
        """Return how far from the first the hexes of a line are, of a whole sheet."""
        line = self._line(self.hexes[0])
        spots = [self._drawing.centre(hex) for hex in self.hexes if self._line(hex) == line]
        return [(x - spots[0][0], y - spots[0][1]) for x, y in spots]

    def _line(self, hex: int) -> int:
        return self.sheet.grid.line(hex - self.sheet.first)


class Sheet:
    """The drawing of a map, or of some of its hexes: its upper left corner is 0, 0."""

    def __init__(
        self,
        chart: Locations,
        hexes: Collection[int] | None = None,
        fields: Fields | None = None,
        rects: Mapping[int, Rect] | None = None,
        frame: Rect | None = None,
    ) -> None:
        self.chart, self.fields = chart, fields or Fields(chart)
        self.hexes: tuple[int, ...] = chart.hexes if hexes is None else tuple(sorted(hexes))
        rects = rects or {}
        bounds = _bounds(self.fields, self.hexes)
        if hexes is None and self.fields.titled:
            for bound in self.fields.bounds.values():
                bounds = bounds.around(bound)
        for n, rect in enumerate(rects.values()):
            bounds = rect if n == 0 and not self.hexes else bounds.around(rect)
        margin = MARGIN if frame is None else 0
        bounds = bounds if frame is None else frame
        self.left, self.top = bounds.x - margin, bounds.y - margin
        self.width, self.height = bounds.wide + 2 * margin, bounds.high + 2 * margin
        self.rects = {i: rect.moved(-self.left, -self.top) for i, rect in rects.items()}
        self.drawn = frozenset((*self.hexes, *self.rects))
        self._centres: dict[int, Point] = {}
        self.parts = [part for sheet in chart.sheets if (part := self._part(sheet)).hexes]

    @cached_property
    def high_hexes(self) -> int:
        """Return the height of the hexes that are drawn, without boxes; of all where there are no boxes."""
        return _bounds(self.fields, self.hexes).high if self.hexes else self.height

    def _part(self, sheet: MapSheet) -> Part:
        return Part(sheet, tuple(hex for hex in self.hexes if sheet.first <= hex < sheet.end), self)

    def get(self, id: object) -> int | None:
        """Return the location of an id, or None if it is not on the drawing."""
        i = self.chart.get(id) if isinstance(id, str) else None
        return i if i in self.drawn else None

    def centre(self, i: int) -> Point:
        """Return the middle of a hex, or of the rectangle of a box or an area."""
        known = self._centres.get(i)
        if known is None:
            x, y = self.fields.centre(i) if i not in self.rects else (0, 0)
            centre = self.rects[i].centre if i in self.rects else (x - self.left, y - self.top)
            known = self._centres[i] = centre
        return known

    def side(self, hex: int, direction: Direction) -> tuple[Point, Point]:
        """Return the ends of a side, clockwise."""
        (x, y), form = self.centre(hex), self.fields.form(hex)
        (ax, ay), (bx, by) = (form.corners[n] for n in form.ends[direction])
        return (x + ax, y + ay), (x + bx, y + by)

    def form(self, hex: int) -> Form:
        """Return the form of a hex."""
        return self.fields.form(hex)

    def side_between(self, a: int, b: int) -> tuple[Point, Point]:
        """Return the ends of the side between two adjacent hexes."""
        direction = self.chart.direction(a, b)
        assert direction is not None
        return self.side(a, direction)

    def outline(self, hexes: Iterable[int], among: Collection[int] | None = None) -> str:
        """Return the border around a set of hexes as path data: closed loops.

        `among`: only where one of these hexes is beyond; elsewhere the lines are open.
        """
        inside = set(hexes)
        following: dict[Point, Point] = {}
        for hex in sorted(inside):
            for direction, step in zip(DIRECTIONS, STEPS, strict=True):
                other = self.beside(hex, step)
                if other not in inside and (among is None or other in among):
                    start, end = self.side(hex, direction)
                    following[start] = end
        return "".join(_chains(following))

    def beside(self, hex: int, step: Spot) -> int | None:
        """Return the hex of the map that lies one step from a hex, as the sheets lie; None beyond the
        edge."""
        column, south, field = self._spots[hex]
        return self._at.get((column + step[0], south + step[1], field))

    @cached_property
    def _spots(self) -> dict[int, tuple[int, int, int]]:
        """Return column, half rows and field of every hex."""
        spots = {}
        for sheet in self.chart.sheets:
            for hex in sheet.integers:
                spots[hex] = *self.chart.spot(hex), sheet.field
        return spots

    @cached_property
    def _at(self) -> dict[tuple[int, int, int], int]:
        return {spot: hex for hex, spot in self._spots.items()}


def _bounds(fields: Fields, hexes: Collection[int]) -> Rect:
    """Return the rectangle around hexes."""
    spots = [(*fields.centre(hex), fields.form(hex)) for hex in hexes] or [(0, 0, FLAT)]
    left, right = min(x - form.wide for x, _, form in spots), max(x + form.wide for x, _, form in spots)
    top, bottom = min(y - form.high for _, y, form in spots), max(y + form.high for _, y, form in spots)
    return Rect(left, top, right - left, bottom - top)


def _chains(following: dict[Point, Point]) -> Iterable[str]:
    """Yield the lines of borders.

    Each vertex of a hex grid has at most one border that leaves it, so they are unique.
    """
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
    """Return a line through points, in few bytes."""
    (x, y), *rest = points
    drawn = f"M{x} {y}"
    for to_x, to_y in rest:
        drawn += _line(to_x - x, to_y - y)
        x, y = to_x, to_y
    return drawn


def _line(dx: int, dy: int) -> str:
    if dy == 0:
        return f"h{dx}"
    return f"v{dy}" if dx == 0 else f"l{dx}{dy}" if dy < 0 else f"l{dx} {dy}"
