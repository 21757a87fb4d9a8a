"""Lines seen from afar: corners are averaged away, and half of the points are left out."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.report.svg.sheet import Point, polyline


def averaged(points: Sequence[Point], rounds: int) -> list[Point]:
    """Return each point drawn towards its neighbours; the ends stay, those of a ring come together."""
    if points[0] == points[-1] and len(points) > 3:
        ring = _round([(point, False) for point in points[:-1]], rounds)
        return [*ring, ring[0]]
    rounded = list(points)
    for _ in range(rounds):
        inner = [_middle(a, b, c) for a, b, c in zip(rounded, rounded[1:], rounded[2:], strict=False)]
        rounded = [rounded[0], *inner, rounded[-1]]
    return rounded


def _middle(a: Point, b: Point, c: Point) -> Point:
    return (a[0] + 2 * b[0] + c[0]) // 4, (a[1] + 2 * b[1] + c[1]) // 4


def _round(points: Sequence[tuple[Point, bool]], rounds: int) -> list[Point]:
    """Return the points of a ring, averaged; those that are marked stay."""
    rounded, fixed = [point for point, _ in points], [stays for _, stays in points]
    for _ in range(rounds):
        around = zip([rounded[-1], *rounded], rounded, [*rounded[1:], rounded[0]], fixed, strict=False)
        rounded = [b if stays else _middle(a, b, c) for a, b, c, stays in around]
    return rounded


def line(points: Sequence[Point], rounds: int, every: int = 2) -> str:
    """Return a line as path data; `every`: how many points become one."""
    rounded = averaged(points, rounds)
    return polyline([*rounded[:-1:every], rounded[-1]])


def closed(points: Sequence[tuple[Point, bool]], rounds: int) -> str:
    """Return a ring as path data. Marked points, and those after them, stay where they are."""
    marked = [(point, stays or points[n - 1][1]) for n, (point, stays) in enumerate(points)]
    rounded = _round(marked, rounds)
    kept = [point for n, point in enumerate(rounded) if n % 2 == 0 or marked[n][1]]
    return polyline(kept) + "z"
