"""Borders of areas of hexes as smooth lines.

Coasts and woods do not keep to hexsides, but stay beside them. Two points of each hexside are moved, by a
hash of its ends, so both sides of a border compute the same line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from pbem.board.hexes import DIRECTIONS, STEPS
from pbem.report.svg.sheet import Point, Sheet
from pbem.text.dataclass import dataclass

MOST = 6
"""Units by which a point of a coast is moved; art of other terrain grows by up to two more."""


@dataclass(frozen=True)
class Side:
    """One hexside of a border, clockwise, and the hex beyond it; None at the edge of the map."""

    start: Point
    end: Point
    beyond: int | None


def borders(sheet: Sheet, hexes: Collection[int]) -> list[list[Side]]:
    """Return the closed borders of a set of hexes."""
    inside = frozenset(hexes)
    following: dict[Point, Side] = {}
    for hex in sorted(inside):
        for direction, step in zip(DIRECTIONS, STEPS, strict=True):
            other = sheet.beside(hex, step)
            if other not in inside:
                start, end = sheet.side(hex, direction)
                following[start] = Side(start, end, other)
    drawn = []
    while following:
        side = following.pop(next(iter(following)))
        border = [side]
        while side.end in following:
            side = following.pop(side.end)
            border.append(side)
        drawn.append(border)
    return drawn


def filled(sheet: Sheet, hexes: Collection[int], soft: Callable[[int | None], bool], grow: int = 0) -> str:
    """Return a set of hexes as path data: smooth where `soft` says so of the hex beyond, else exact.

    `grow` moves the points outward, never inward.
    """
    return "".join(_closed(_points(sheet, border, soft, grow)) for border in borders(sheet, hexes))


def line(sheet: Sheet, hexes: Collection[int], soft: Callable[[int | None], bool]) -> str:
    """Return only the smooth parts of the border of a set of hexes as path data."""
    drawn = ""
    for border in borders(sheet, hexes):
        cut = next((n for n, side in enumerate(border) if not soft(side.beyond)), None)
        if cut is None:
            drawn += _closed(_points(sheet, border, soft, 0))
            continue
        for part in _runs((*border[cut:], *border[:cut]), soft):
            points = _points(sheet, part, soft, 0)
            end = part[-1].end
            drawn += _smooth([(points[0][0], True), *points[1:], (end, True)])
    return drawn


def _runs(border: Sequence[Side], soft: Callable[[int | None], bool]) -> Iterator[list[Side]]:
    run: list[Side] = []
    for side in border:
        if soft(side.beyond):
            run.append(side)
        elif run:
            yield run
            run = []
    if run:
        yield run


Bend = tuple[Point, bool]
"""A point of a border, and whether the line goes through it; else it goes by."""


def _points(
    sheet: Sheet, border: Sequence[Side], soft: Callable[[int | None], bool], grow: int
) -> list[Bend]:
    points: list[Bend] = []
    before = border[-1]
    for side in border:
        bends = soft(side.beyond)
        points.append((side.start, not (bends and soft(before.beyond))))
        if bends:
            points += [(point, False) for point in _moved(sheet, side, grow)]
        before = side
    return points


def _moved(sheet: Sheet, side: Side, grow: int) -> Iterator[Point]:
    """Return the points at a third and two thirds of a hexside, each moved to one side of it or the other."""
    (ax, ay), (bx, by) = side.start, side.end
    turned = side.start > side.end
    first, last = (side.end, side.start) if turned else (side.start, side.end)
    seed = sum(
        value * factor
        for value, factor in zip(
            (first[0] + sheet.left, first[1] + sheet.top, last[0] + sheet.left, last[1] + sheet.top),
            (7349, 9151, 6173, 4327),
            strict=True,
        )
    )
    far = [_hash(seed) % (2 * MOST + 1) - MOST, _hash(seed + 1) % (2 * MOST + 1) - MOST]
    if grow:  # the art of other terrain, which nothing has to meet: one point is enough, moved outward
        out = abs(far[0]) + grow
        yield (40 * (ax + bx) + 2 * out * (by - ay)) // 80, (40 * (ay + by) - 2 * out * (bx - ax)) // 80
        return
    # outward on one side of the border is inward on the other
    for n, off in enumerate(reversed(far) if turned else far, 1):
        out = -off if turned else off
        x, y = (3 - n) * ax + n * bx, (3 - n) * ay + n * by
        yield (40 * x + 3 * out * (by - ay)) // 120, (40 * y - 3 * out * (bx - ax)) // 120


def _hash(value: int) -> int:
    value = (value ^ (value >> 7)) * 2654435761 & 0xFFFFFFFF
    return value >> 16


def _closed(points: Sequence[Bend]) -> str:
    start = next((n for n, (_, through) in enumerate(points) if through), None)
    if start is None:
        (ax, ay), (bx, by) = points[-1][0], points[0][0]
        middle = ((ax + bx) // 2, (ay + by) // 2)
        return _smooth([(middle, True), *points, (middle, True)]) + "z"
    return _smooth([*points[start:], *points[:start], points[start]]) + "z"


def _smooth(points: Sequence[Bend]) -> str:
    """Return a line through some points and by others: those are where its curves bend."""
    (x, y), _ = points[0]
    path, n = f"M{x} {y}", 1
    while n < len(points):
        (px, py), through = points[n]
        if through:
            path += _to("l", (px - x, py - y)) if (px, py) != (x, y) else ""
            x, y = px, py
        else:
            (qx, qy), exact = points[n + 1]
            to = (qx, qy) if exact else ((px + qx) // 2, (py + qy) // 2)
            path += _to("q", (px - x, py - y), (to[0] - x, to[1] - y))
            x, y = to
            n += exact
        n += 1
    return path


def _to(letter: str, *points: Iterable[int]) -> str:
    """Return a command with its numbers, in few bytes."""
    path = letter
    for value in (value for point in points for value in point):
        path += f"{value}" if value < 0 or path == letter else f" {value}"
    return path
