"""The moves of a stage as tracks on its map, for a page that lets counters slide along them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.report.reader import View
from pbem.report.svg import draw, stage
from pbem.report.svg.canvas import Canvas, Style

MOST = 60
"""Tracks of one map; more at once nobody follows."""


def slides(view: View, events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return `size` of the map, and `tracks`: points in order, and the counter's look."""
    if view.chart is None:
        return {"size": [0, 0], "tracks": []}
    canvas = Canvas(view, draw.sheet(view, view.chart), Style(still=True))
    seen = stage.happened(canvas, events)
    tracks = []
    for arrow in seen.arrows[:MOST]:
        paint = canvas.paint(arrow.owner)
        tracks.append(
            {
                "points": [list(canvas.sheet.centre(hex)) for hex in arrow.way],
                "fill": paint["fill"],
                "ink": paint["ink"],
                "mark": canvas.initials.get(arrow.owner, "") + (f" {arrow.count}" if arrow.count > 1 else ""),
            }
        )
    return {"size": [canvas.sheet.width, canvas.sheet.height], "tracks": tracks}


def middles(view: View, numbers: Iterable[str]) -> dict[str, list[int]]:
    """Return the middles of locations on the map, for a page on which they are pointed at."""
    if view.chart is None:
        return {}
    drawn = draw.sheet(view, view.chart)
    known = {number: drawn.get(number) for number in numbers}
    return {number: list(drawn.centre(i)) for number, i in sorted(known.items()) if i is not None}
