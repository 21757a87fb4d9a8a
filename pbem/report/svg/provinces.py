"""The map of areas with shapes: its layers, its fields, and its key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from pbem.board.map import GameMap
from pbem.board.shapes import Shapes
from pbem.report.plain import capital, safe
from pbem.report.svg import board, ordered, pieces, shaped, stage
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.key import Sign
from pbem.report.svg.shaped import Chart
from pbem.report.svg.sheet import Rect, Sheet

ROW = 90
"""The height of a row in which areas are read from left to right."""
SMALL = 20
"""Half the size of the least field: an area with less room around its unit gets a circle of it as well."""


def sheet(chart: GameMap, shapes: Shapes) -> Sheet:
    """Return the places of areas: a small rectangle where their units are."""
    rects = {
        i: Rect(shape.stand[0] - 17, shape.stand[1] - 11, 34, 22)
        for id, shape in shapes.areas.items()
        if (i := chart.get(id)) is not None
    }
    return Sheet(chart, (), rects=rects, frame=Rect(0, 0, *shapes.size))


def layers(
    canvas: Canvas, shapes: Shapes, seen: stage.Happened, events: Iterable[Mapping[str, Any]]
) -> list[tuple[str, str]]:
    """Return the drawing of each layer, lowest first."""
    chart = Chart(canvas, shapes)
    canvas.rule("off", "pointer-events:none")
    own = ordered.read(canvas, chart, events)
    ways, heads = ordered.draw(chart, own) if own else stage.arrows(canvas, seen)
    printed = canvas.style.board is not None  # a picture of the board has borders and names of its own
    return [
        ("ground", board.pictures(canvas) if printed else shaped.land(chart)),
        ("control", shaped.held(chart)),
        ("ground", "" if printed else shaped.borders(chart)),
        ("moves", ways),
        ("places", "" if printed else shaped.names(chart, centres(canvas))),
        ("units", pieces.units(chart)),
        ("moves", heads),
        ("battles", stage.battles(canvas, seen)),
    ]


def centres(canvas: Canvas) -> dict[str, str]:
    """Return the areas with a place that the look draws, and its kind."""
    chart = canvas.sheet.chart
    assert isinstance(chart, GameMap)
    return {place.number: kind for kind in canvas.look.part("places") for place in chart.places(kind)}


def fields(canvas: Canvas, shapes: Shapes, texts: Mapping[int, str]) -> str:
    """Return a field over each area: its own shape, in reading order; coasts that are apart follow it.

    Arrow keys go from field to field (the script); without it each is a stop of the Tab key.
    """
    chart, made = Chart(canvas, shapes), ""
    canvas.rule("x", "fill:#fff;fill-opacity:0;stroke:none;cursor:pointer;outline:none")
    canvas.rule("x:hover", "stroke:#1d1b16;stroke-width:3.4", "stroke:#fff")
    for state in ("focus-visible", "target"):
        canvas.rule(f"x:{state}", "stroke:#b3006e;stroke-width:4.5", "stroke:#ff8ad1")
    for id in reading_order(chart):
        shape, text = shapes.areas[id], texts.get(chart.index[id], id)
        inner = f'<use href="#{chart.path(id)}"/>'
        x, y = shape.stand
        if shaped.is_small(shapes, shape, SMALL):
            inner += f'<circle cx="{x}" cy="{y}" r="{SMALL}"/>'
        made += _field(canvas, id, text, (x, y), inner)
        for name, (cx, cy) in shape.coasts.items():
            coast = canvas.view.wording.text(name)
            spoken = f"{text.partition(';')[0]}, {coast}"
            made += _field(
                canvas, f"{id}.{name}", spoken, (cx, cy), f'<circle cx="{cx}" cy="{cy}" r="{SMALL}"/>'
            )
    return f'<g class="spots" data-shapes="">{made}</g>'


def _field(canvas: Canvas, id: str, text: str, spot: tuple[int, int], inner: str) -> str:
    style, name = canvas.style, words(text)
    at = f'data-x="{spot[0]}" data-y="{spot[1]}"'
    anchor = f'id="{style.prefix}hex-{words(id)}" class="x" {at} aria-label="{name}"'
    title = f"<title>{name}</title>{inner}"
    if id in style.links:
        return f'<a {anchor} href="{words(style.links[id])}">{title}</a>'
    return f'<g {anchor} role="img" tabindex="0">{title}</g>'


def reading_order(chart: Chart) -> list[str]:
    """Return the areas in rows, land before sea."""

    def place(id: str) -> tuple[bool, int, int]:
        x, y = chart.shapes.areas[id].stand
        return id in chart.wet, y // ROW, x

    return sorted(chart.index, key=place)


def signs(canvas: Canvas, shapes: Shapes, events: Collection[Mapping[str, Any]]) -> Iterator[Sign]:
    """Return the signs of the key that are on the drawing."""
    say, text = canvas.view.wording.say, canvas.view.wording.text
    chart = Chart(canvas, shapes)
    yield from (Sign(drawn, name, "arm") for drawn, name in pieces.samples(canvas))
    for power in dict.fromkeys(ground.who for ground in chart.ground.values()):
        yield Sign(shaped.tint_sample(canvas, power), say("key-held", who=capital(safe(text(power)))))
    for kind in dict.fromkeys(centres(canvas).values()):
        yield Sign(f'<use href="#{shaped.centre_sign(canvas)}"/>', text(kind))
    if askew := pieces.askew(canvas):
        yield Sign(askew, say("key-dislodged"))
    orders = ordered.read(canvas, chart, events)
    yield from (Sign(drawn, name) for drawn, name in ordered.samples(canvas, orders))
