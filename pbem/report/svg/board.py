"""The picture of a printed board under the map: where each hex is on it, and how it is drawn.

The picture belongs to who owns the board. It comes into drawings that they make for themselves, and into
nothing that is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from math import hypot

from pbem.board.locations import Locations
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.letters import number
from pbem.report.svg.sheet import Fields, Point
from pbem.text.dataclass import dataclass

Spot = tuple[float, float]
FAR = 8 * 80
"""A hex that somebody dragged draws its neighbours along, and hardly those as far away as this."""
NEAR, NEAR_ENOUGH = 2.5, 6.0
"""Units of the drawing by which a part of the picture may be off before it is drawn in two, and in a picture,
which takes a second for each part."""
FEWEST = 6  # hexes of a part that is not divided any more


@dataclass(frozen=True)
class Board:
    """A picture and what lies where on it, in its pixels.

    `corners` are middles of hexes far apart, which say how the whole lies; `moved` are hexes put right.
    """

    href: str
    wide: int
    high: int
    corners: Mapping[str, Point]
    moved: Mapping[str, Point]


class Placing:
    """The places of a drawing on the picture: a homography, and what single hexes are moved by."""

    def __init__(self, board: Board, chart: Locations, fields: Fields) -> None:
        self._board = board
        self._at = {
            name: fields.centre(hex)
            for name in (*board.corners, *board.moved)
            if (hex := chart.get(name)) is not None and chart.kind(hex) == "hex"
        }

    @property
    def known(self) -> list[str]:
        """Return the hexes of this map that say how the picture lies."""
        return [name for name in self._board.corners if name in self._at]

    @cached_property
    def _plain(self) -> Callable[[Spot], Spot]:
        known = self.known
        made = homography([self._at[name] for name in known], [self._board.corners[name] for name in known])
        return made or (lambda spot: spot)

    @cached_property
    def rests(self) -> list[tuple[Spot, Spot]]:
        """Return where hexes are on the drawing, and how far the picture has each from where it should be."""
        found: list[tuple[Spot, Spot]] = []
        for name, said in (*self._board.corners.items(), *self._board.moved.items()):
            if name in self._at:
                x, y = self._plain(self._at[name])
                found.append((self._at[name], (said[0] - x, said[1] - y)))
        return found

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


def picture(canvas: Canvas) -> str:
    """Return the picture under the hexes that are drawn, in as few parts as are exact."""
    board, sheet = canvas.style.board, canvas.sheet
    if board is None or not sheet.hexes:
        return ""
    placing = Placing(board, sheet.chart, sheet.fields)
    size = f'width="{board.wide}" height="{board.high}"'
    id = canvas.define("board", f'<image id="@" href="{words(board.href)}" {size}/>')

    def pixels(spot: Spot) -> Spot:
        return placing.place((spot[0] + sheet.left, spot[1] + sheet.top))

    drawn = ""
    parts = [list(sheet.hexes)]
    while parts:
        part = parts.pop()
        spots = [
            spot
            for hex in part
            for x, y in (sheet.centre(hex),)
            for spot in ((x, y), *((x + u, y + v) for u, v in sheet.form(hex).corners))
        ]
        fit = _affine(spots, [pixels(spot) for spot in spots])
        if fit is None:
            continue
        matrix, off = fit
        if off > (NEAR_ENOUGH if canvas.style.still else NEAR) and len(part) > FEWEST:
            parts += _halves(part, [sheet.centre(hex) for hex in part])
            continue
        clip = canvas.define(
            f"board part {part[0]} {len(part)}",
            f'<clipPath id="@"><path d="{sheet.outline(part)}"/></clipPath>',
        )
        said = " ".join(number(value, 6) for value in matrix)
        use = f'<use href="#{id}" transform="matrix({said})"/>'
        drawn += f'<g clip-path="url(#{clip})">{use}</g>'
    return f'<g class="off">{drawn}</g>'


def _halves(hexes: Sequence[int], centres: Sequence[Point]) -> list[list[int]]:
    """Return hexes in two halves, divided across where they reach farthest."""
    reach = [max(spot[n] for spot in centres) - min(spot[n] for spot in centres) for n in (0, 1)]
    axis = 0 if reach[0] >= reach[1] else 1
    ranked = [hex for _, hex in sorted(zip(centres, hexes, strict=True), key=lambda one: (one[0][axis], one))]
    middle = len(ranked) // 2
    return [sorted(ranked[:middle]), sorted(ranked[middle:])]


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
                lines[r] = [one - by * other for one, other in zip(lines[r], lines[c], strict=True)]
    return [lines[n][size] / lines[n][n] for n in range(size)]
