"""Pictures of a printed board under the map: where hexes and areas are on them, how they are drawn.

The pictures belong to the owner of the board. They are used in the owner's own drawings, and in
nothing that is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from math import hypot
from typing import Any

from pbem.board.locations import Locations
from pbem.board.shapes import Shapes
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.letters import number
from pbem.report.svg.sheet import Fields, Point, Rect, Sheet
from pbem.text.dataclass import dataclass

Spot = tuple[float, float]
FAR = 8 * 80
"""A hex that somebody dragged draws its neighbours along, and hardly those as far away as this."""
NEAR, NEAR_ENOUGH = 2.5, 6.0
"""Units of the drawing by which a part of the picture may be off before it is drawn in two, and in a picture,
which takes a second for each part."""
FEWEST = 6  # hexes of a part that is not divided any more
SMALLEST = 60
"""Units of the longer side of a part of a map of areas that is not divided any more."""


@dataclass(frozen=True)
class Picture:
    """A picture and what lies where on it, in its pixels.

    `corners` are middles of hexes far apart, which say how the whole lies; `moved` are hexes put right. On a
    map of areas they are places of units, or the corners of the drawing. `sheet`: it shows this sheet alone.
    """

    href: str
    wide: int
    high: int
    corners: Mapping[str, Point]
    moved: Mapping[str, Point]
    sheet: str = ""


@dataclass(frozen=True)
class Board:
    """The pictures of a board: one of the whole, or one of each sheet that was taken."""

    pictures: tuple[Picture, ...]

    def shows(self, chart: Locations, hex: int) -> bool:
        """Return True if a hex is on one of the pictures."""
        sheet = chart.sheet(hex)
        return any(
            picture.sheet in ("", sheet.name if sheet is not None else "") for picture in self.pictures
        )


class Placing:
    """The places of a drawing on a picture: a homography, and what single hexes are moved by.

    `spot` gives the place on the drawing of a hex, an area or a corner by its name.
    """

    def __init__(self, picture: Picture, spot: Callable[[str], Point | None]) -> None:
        self._picture = picture
        spots = {name: spot(name) for name in (*picture.corners, *picture.moved)}
        self._at = {name: at for name, at in spots.items() if at is not None}

    @property
    def known(self) -> list[str]:
        """Return the hexes of this map that say how the picture lies."""
        return [name for name in self._picture.corners if name in self._at]

    @cached_property
    def _plain(self) -> Callable[[Spot], Spot]:
        known = self.known
        made = homography([self._at[name] for name in known], [self._picture.corners[name] for name in known])
        return made or (lambda spot: spot)

    @cached_property
    def rests(self) -> list[tuple[Spot, Spot]]:
        """Return where hexes are on the drawing, and how far the picture has each from where it should be."""
        spots: list[tuple[Spot, Spot]] = []
        for name, picture_spot in (*self._picture.corners.items(), *self._picture.moved.items()):
            if name in self._at:
                x, y = self._plain(self._at[name])
                spots.append((self._at[name], (picture_spot[0] - x, picture_spot[1] - y)))
        return spots

    def place(self, spot: Spot) -> Spot:
        """Return the pixel of a point."""
        x, y = self._plain(spot)
        weight, across, down = 1 / FAR**2, 0.0, 0.0
        for (rx, ry), (dx, dy) in self.rests:
            far = (rx - spot[0]) ** 2 + (ry - spot[1]) ** 2
            if far == 0:
                return x + dx, y + dy
            weight, across, down = weight + 1 / far, across + dx / far, down + dy / far
        return x + across / weight, y + down / weight


def on_hexes(chart: Locations, fields: Fields, sheet: str) -> Callable[[str], Point | None]:
    """Return a function that gives the middle of a hex by its number, of one sheet or ("") of
    all.
    """

    def spot(name: str) -> Point | None:
        hex = chart.get(name)
        if hex is None or chart.kind(hex) != "hex":
            return None
        on = chart.sheet(hex)
        return fields.centre(hex) if on is not None and sheet in ("", on.name) else None

    return spot


def on_areas(shapes: Shapes) -> Callable[[str], Point | None]:
    """Return a function that gives the place of the unit in an area, or a corner of the drawing."""
    wide, high = shapes.size
    corners = {
        "top-left": (0, 0),
        "top-right": (wide, 0),
        "bottom-right": (wide, high),
        "bottom-left": (0, high),
    }
    return lambda name: shapes.areas[name].stand if name in shapes.areas else corners.get(name)


class _Hexes:
    """The hexes of a drawing that a picture shows, in parts."""

    def __init__(self, sheet: Sheet, name: str) -> None:
        self._sheet = sheet
        self.placed = on_hexes(sheet.chart, sheet.fields, name)
        shown = (part for part in sheet.parts if name in ("", part.sheet.name))
        self.parts = [sorted(hex for part in shown for hex in part.hexes)]
        self.shift = (sheet.left, sheet.top)

    def spots(self, part: Sequence[int]) -> list[Spot]:
        """Return the middles and corners of hexes."""
        sheet = self._sheet
        return [
            spot
            for hex in part
            for x, y in (sheet.centre(hex),)
            for spot in ((x, y), *((x + u, y + v) for u, v in sheet.form(hex).corners))
        ]

    def outline(self, part: Sequence[int]) -> str:
        """Return the border of a part as path data."""
        return self._sheet.outline(part)

    def halves(self, part: Sequence[int]) -> list[list[int]]:
        """Return a part in two, divided across where it reaches farthest; [] for a small one."""
        if len(part) <= FEWEST:
            return []
        centres = [self._sheet.centre(hex) for hex in part]
        reach = [max(spot[n] for spot in centres) - min(spot[n] for spot in centres) for n in (0, 1)]
        axis = 0 if reach[0] >= reach[1] else 1
        ranked = [
            hex for _, hex in sorted(zip(centres, part, strict=True), key=lambda pair: (pair[0][axis], pair))
        ]
        middle = len(ranked) // 2
        return [sorted(ranked[:middle]), sorted(ranked[middle:])]


class _Squares:
    """A drawing of areas, in parts that are rectangles."""

    def __init__(self, shapes: Shapes) -> None:
        self.placed = on_areas(shapes)
        self.parts = [Rect(0, 0, *shapes.size)]
        self.shift = (0, 0)

    def spots(self, part: Rect) -> list[Spot]:
        """Return points all over a part."""
        return [
            (part.x + part.wide * across / 4, part.y + part.high * down / 4)
            for across in range(5)
            for down in range(5)
        ]

    def outline(self, part: Rect) -> str:
        """Return the border of a part as path data."""
        return part.path

    def halves(self, part: Rect) -> list[Rect]:
        """Return a part in two, divided across its longer side; [] for a small one."""
        if max(part.wide, part.high) < SMALLEST:
            return []
        if part.wide >= part.high:
            half = part.wide // 2
            return [
                Rect(part.x, part.y, half, part.high),
                Rect(part.x + half, part.y, part.wide - half, part.high),
            ]
        half = part.high // 2
        return [
            Rect(part.x, part.y, part.wide, half),
            Rect(part.x, part.y + half, part.wide, part.high - half),
        ]


def pictures(canvas: Canvas) -> str:
    """Return the pictures under the hexes or areas that are drawn, in as few parts as are exact."""
    board, shapes = canvas.style.board, canvas.view.shapes
    drawn = ""
    for n, picture in enumerate(board.pictures if board is not None else ()):
        if canvas.sheet.hexes:
            drawn += _drawn(canvas, picture, n, _Hexes(canvas.sheet, picture.sheet))
        elif shapes is not None:
            drawn += _drawn(canvas, picture, n, _Squares(shapes))
    return f'<g class="off">{drawn}</g>' if drawn else ""


def _drawn(canvas: Canvas, picture: Picture, n: int, area: _Hexes | _Squares) -> str:
    """Return one picture, cut into the parts of what it shows."""
    size = f'width="{picture.wide}" height="{picture.high}"'
    id = canvas.define(f"board {n}", f'<image id="@" href="{words(picture.href)}" {size}/>')
    placing, (left, top), drawn = Placing(picture, area.placed), area.shift, ""
    parts: list[Any] = [part for part in area.parts if part]
    while parts:
        part = parts.pop()
        spots = area.spots(part)
        fit = _affine(spots, [placing.place((x + left, y + top)) for x, y in spots])
        if fit is None:
            continue
        matrix, off = fit
        halves = area.halves(part) if off > (NEAR_ENOUGH if canvas.style.still else NEAR) else []
        if halves:
            parts += halves
            continue
        outline = area.outline(part)
        clip = canvas.define(f"part {outline}", f'<clipPath id="@"><path d="{outline}"/></clipPath>')
        matrix_text = " ".join(number(value, 6) for value in matrix)
        use = f'<use href="#{id}" transform="matrix({matrix_text})"/>'
        drawn += f'<g clip-path="url(#{clip})">{use}</g>'
    return drawn


def _affine(spots: Sequence[Spot], pixels: Sequence[Spot]) -> tuple[Sequence[float], float] | None:
    """Return the matrix from the picture to the drawing, and the most it is off there; None for a line."""
    fit = _fitted(pixels, spots, 6)
    if fit is None:
        return None
    a, b, c, d, e, f = fit
    off = max(
        hypot(a * x + b * y + c - u, d * x + e * y + f - v)
        for (x, y), (u, v) in zip(pixels, spots, strict=True)
    )
    return (a, d, b, e, c, f), off


def homography(spots: Sequence[Spot], pixels: Sequence[Spot]) -> Callable[[Spot], Spot] | None:
    """Return where points are that lie like these: an affine map by three points, else a homography."""
    if len(spots) < 3:
        return None
    (sx, sy, wide), (px, py, far) = _spread(spots), _spread(pixels)
    near = [((x - sx) / wide, (y - sy) / wide) for x, y in spots]
    there = [((x - px) / far, (y - py) / far) for x, y in pixels]
    fit = _fitted(near, there, 8 if len(spots) > 3 else 6)
    if fit is None:
        return None
    a, b, c, d, e, f, g, h = (*fit, 0.0, 0.0)[:8]

    def found(spot: Spot) -> Spot:
        x, y = (spot[0] - sx) / wide, (spot[1] - sy) / wide
        w = g * x + h * y + 1
        return (a * x + b * y + c) / w * far + px, (d * x + e * y + f) / w * far + py

    return found


def _spread(spots: Collection[Spot]) -> tuple[float, float, float]:
    """Return the middle of points and how far they are from it: numbers near 1 are solved exactly."""
    x, y = (sum(spot[n] for spot in spots) / len(spots) for n in (0, 1))
    return x, y, sum(hypot(spot[0] - x, spot[1] - y) for spot in spots) / len(spots) or 1.0


def _fitted(spots: Sequence[Spot], pixels: Sequence[Spot], wide: int) -> list[float] | None:
    """Return the least squares of an affine map (6 unknowns) or a homography (8)."""
    normal = [[0.0] * wide for _ in range(wide)]
    right = [0.0] * wide
    for (x, y), (u, v) in zip(spots, pixels, strict=True):
        for row, value in (
            ((x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y), u),
            ((0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y), v),
        ):
            for i in range(wide):
                right[i] += row[i] * value
                for j in range(wide):
                    normal[i][j] += row[i] * row[j]
    return _solved(normal, right)


def _solved(rows: list[list[float]], right: list[float]) -> list[float] | None:
    """Return the solution of linear equations, or None if there is none."""
    size = len(right)
    lines = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for c in range(size):
        best = max(range(c, size), key=lambda r: abs(lines[r][c]))
        if abs(lines[best][c]) < 1e-12:
            return None
        lines[c], lines[best] = lines[best], lines[c]
        for r in range(size):
            if r != c:
                by = lines[r][c] / lines[c][c]
                lines[r] = [number - by * other for number, other in zip(lines[r], lines[c], strict=True)]
    return [lines[n][size] / lines[n][n] for n in range(size)]
