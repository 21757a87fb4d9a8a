"""Arcs of shapes as smooth lines in few bytes: whole numbers, each from where the last ended."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from pbem.board.geometry import Point
from pbem.board.shapes import Arc, Shape, Shapes


def outline(shapes: Shapes, shape: Shape) -> str:
    """Return the rings of a shape as path data."""
    drawn = ""
    for ring in shape.rings:
        start, body = None, ""
        for step in ring:
            arc = shapes.arcs[step.arc]
            points = arc.points[::-1] if step.back else arc.points
            start = start or points[0]
            body += _onward(points, straight=arc.straight)
        assert start is not None
        drawn += f"M{start[0]} {start[1]}{body}z"
    return drawn


def lines(arcs: Iterable[Arc]) -> str:
    """Return some arcs as path data."""
    return "".join(
        f"M{arc.points[0][0]} {arc.points[0][1]}{_onward(arc.points, straight=arc.straight)}" for arc in arcs
    )


def _onward(points: tuple[Point, ...], *, straight: bool) -> str:
    """Return the line from the first point on, equal in both directions.

    Each `s` begins as the one before ended, mirrored, so a curve needs one point of control.
    """
    if straight or len(points) == 2:
        return "".join(f"l{_pair(b[0] - a[0], b[1] - a[1])}" for a, b in pairwise(points))
    drawn = "s"
    for n in range(1, len(points)):
        (px, py), (x, y) = points[n - 1], points[n]
        dx = dy = 0
        if n + 1 < len(points):
            dx, dy = _sixth(points[n + 1][0] - px), _sixth(points[n + 1][1] - py)
        between = " " if n > 1 and x - dx >= px else ""
        drawn += f"{between}{_pair(x - dx - px, y - dy - py)}{'' if x < px else ' '}{_pair(x - px, y - py)}"
    return drawn


def _sixth(value: int) -> int:
    return value // 6 if value >= 0 else -(-value // 6)


def _pair(x: int, y: int) -> str:
    return f"{x}{y}" if y < 0 else f"{x} {y}"
