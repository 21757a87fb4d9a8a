"""A map of losses: a hex with more losses is darker, and shows the number."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.report.reader import View
from pbem.report.svg import draw, ground, places, plaques, terrain
from pbem.report.svg.canvas import Canvas, Style

STEPS = 4
"""Shades."""


def heat(view: View, losses: Mapping[str, int], title: str) -> str:
    """Return the drawing, or "" for a system without a map."""
    chart = view.chart
    if chart is None:
        return ""
    canvas = Canvas(view, draw.sheet(view, chart), Style(still=True, hidden=frozenset({"units"})))
    most = max(losses.values(), default=1)
    canvas.rule("hot", "fill:#8a1f16;stroke:#5a120c;stroke-width:2", "fill:#ff9d92;stroke:#fff")
    canvas.rule(
        "count", "fill:#fff;stroke:#3a0a06;stroke-width:14;paint-order:stroke", "fill:#fff;stroke:#14130f"
    )
    spots = ""
    for place, count in losses.items():
        i = canvas.sheet.get(place)
        if i is None:
            continue
        x, y = canvas.sheet.centre(i)
        shade = -(-STEPS * count // most)
        opacity = f"0.{2 * shade}"
        if i in canvas.sheet.rects:
            spots += f'<path class="hot" d="{canvas.sheet.rects[i].path}" fill-opacity="{opacity}"/>'
        else:
            hex = f'd="M0 0{canvas.sheet.form(i).path}"'
            spots += f'<path class="hot" transform="translate({x} {y})" {hex} fill-opacity="{opacity}"/>'
        spots += canvas.letters.text(str(count), x, y + 8, 24, "middle", ' class="count"')
    body = (
        terrain.land(canvas, chart)
        + terrain.water(canvas, chart)
        + terrain.grid(canvas)
        + plaques.borders(canvas, chart)
        + ground.hexsides(canvas, chart)
        + ground.links(canvas, chart)
        + plaques.plaques(canvas, chart)
        + places.sites(canvas, chart)
        + spots
        + places.names(canvas, chart)
    )
    return draw.document(canvas, body, title)
