"""Sums about outlines in whole numbers, so that they are equal on every machine.

A ring is a closed line: its points, without the first repeated at the end. Several rings make an outline: a
point is inside if it lies in an odd number of them, so a ring in a ring is a hole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

Point = tuple[int, int]
Ring = Sequence[Point]
FINE = 16
"""Parts of a unit in which distances are told."""


def twice_area(ring: Ring) -> int:
    """Return twice the area of a ring: positive if it runs clockwise on a drawing, where y points down."""
    return sum(x * b - a * y for (x, y), (a, b) in sides(ring))


def sides(ring: Ring) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a ring, the last back to the first point."""
    yield from zip(ring, (*ring[1:], *ring[:1]), strict=True)


def inside(rings: Sequence[Ring], point: Point) -> bool:
    """Return True if a point is in an outline."""
    x, y = point
    within = False
    for ring in rings:
        for (ax, ay), (bx, by) in sides(ring):
            if (ay > y) != (by > y):
                cross = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
                within ^= (cross > 0) == (by > ay)
    return within


def distance(point: Point, a: Point, b: Point) -> int:
    """Return how far a point is from the line between two others, in parts of a unit."""
    (x, y), (ax, ay), (bx, by) = point, a, b
    dx, dy = bx - ax, by - ay
    long, along = dx * dx + dy * dy, (x - ax) * dx + (y - ay) * dy
    if long and 0 < along < long:
        return isqrt((dx * (y - ay) - dy * (x - ax)) ** 2 * FINE * FINE // long)
    ex, ey = (x - bx, y - by) if long and along >= long else (x - ax, y - ay)
    return isqrt((ex * ex + ey * ey) * FINE * FINE)


def room(rings: Sequence[Ring], point: Point) -> int:
    """Return how far a point is from the nearest border, in parts of a unit; negative outside."""
    near = min(distance(point, a, b) for ring in rings for a, b in sides(ring))
    return near if inside(rings, point) else -near


def farthest(rings: Sequence[Ring]) -> Point:
    """Return the point inside that is farthest from every border, found on finer and finer grids."""
    xs = [x for ring in rings for x, _ in ring]
    ys = [y for ring in rings for _, y in ring]
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    step = max(wide, high, 8) // 8
    spots = [(left + n * wide // 8, top + m * high // 8) for n in range(9) for m in range(9)]
    best = sorted(spots, key=lambda point: (-room(rings, point), point))[:4]
    while step > 1:
        step = step // 2
        near = {(x + dx, y + dy) for x, y in best for dx in (-step, 0, step) for dy in (-step, 0, step)}
        best = sorted(near, key=lambda point: (-room(rings, point), point))[:3]
    return best[0]
