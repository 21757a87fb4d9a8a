"""Units on areas with shapes: an army is a box, a fleet a hull with a sail, the dislodged are askew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.board.geometry import Point
from pbem.report.svg import stacks
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.letters import number
from pbem.report.svg.shaped import Chart
from pbem.report.svg.sheet import Rect
from pbem.report.svg.units import order

FORMS = {
    "box": '<rect x="-17" y="-11" width="34" height="22" rx="4"/>',
    "ship": '<path d="M-23-3h46l-9 13h-28zM-1-6v-13l13 13z"/>',
}
"""Shapes in which a look may draw a kind of counter, around 0 0."""
AWRY, ASIDE = 12, 20
"""The turn of a dislodged unit, in degrees, and its shift right and up: below is the name."""
BIG = 1.45
"""The scale of units in an email."""


def units(chart: Chart) -> str:
    """Return all units, those of an area in the order of a stack."""
    canvas, pieces_svg = chart.canvas, ""
    for id in chart.shapes.areas:
        ids = canvas.view.position.at(id)
        if not ids:
            continue
        places = order(canvas, ids)  # the table takes pictures of units by these places
        pieces = [
            (unit, form) for unit in sorted(ids, key=places.__getitem__) if (form := form_of(canvas, unit))
        ]
        drawn = "".join(_piece(chart, unit, form) for unit, form in pieces)
        others = [unit for unit in ids if not form_of(canvas, unit)]
        if others:
            x, y = chart.shapes.areas[id].stand
            drawn += stacks.pool(canvas, others, Rect(x - 45, y - 18, 90, 36))
        pieces_svg += drawn if canvas.style.still else f'<g data-at="{words(id)}">{drawn}</g>'
    return pieces_svg


def form_of(canvas: Canvas, id: str) -> str:
    """Return the form that the look gives a counter: box, ship or none."""
    return str(
        canvas.look.part("counters")
        .get("forms", {})
        .get(str(_fields(canvas, id).get(canvas.look.kind_field)), "")
    )


def out(canvas: Canvas, id: str) -> bool:
    """Return True if a unit is dislodged."""
    name = canvas.look.part("counters").get("dislodged")
    return bool(name and _fields(canvas, id).get(name))


def _fields(canvas: Canvas, id: str) -> Any:
    return canvas.view.position.counters[id]


def spot(chart: Chart, area: str, coast: object = "") -> Point:
    """Return where a unit of an area stands, at its coast if it has several."""
    shape = chart.shapes.areas[area]
    return shape.coasts.get(str(coast), shape.stand)


def place(chart: Chart, id: str) -> Point:
    """Return where a unit stands."""
    fields = _fields(chart.canvas, id)
    coast = fields.get(str(chart.canvas.look.part("counters").get("coast", "")), "")
    return spot(chart, str(chart.canvas.view.position.hex(id)), coast)


def _piece(chart: Chart, id: str, form: str) -> str:
    canvas, (x, y) = chart.canvas, place(chart, id)
    at, scale = f"translate({x} {y})", BIG if canvas.style.mail else 1
    if out(canvas, id):
        at = f"translate({x + ASIDE} {y - ASIDE})rotate({AWRY})"
    use = f'href="#{piece(canvas, canvas.view.owner(id), form)}" transform="{at}'
    return f'<use {use}scale({scale})"/>' if scale != 1 else f'<use {use}"/>'


def piece(canvas: Canvas, owner: str, form: str) -> str:
    """Return the id of a unit of an owner: its form on a rim, with the owner's initial."""
    colours = canvas.paint(owner)
    canvas.rule(
        "prim",
        "fill:#fffdf4;stroke:#fffdf4;stroke-width:6;stroke-linejoin:round",
        "fill:#14130f;stroke:#14130f",
    )
    canvas.rule("pedge", "stroke:#1d1b16;stroke-width:1.4;stroke-linejoin:round")
    shape, ship = FORMS[form], form == "ship"
    ink = f' fill="{colours["ink"]}"'
    size = 12.5 if ship else 15
    text = canvas.letters.text(canvas.initials.get(owner, ""), 0, 8 if ship else 5.4, size, "middle", ink)
    inner = f'<g class="prim">{shape}</g><g class="pedge" fill="{colours["fill"]}">{shape}</g>{text}'
    return canvas.define(f"piece {owner} {form}", f'<g id="@">{inner}</g>')


def samples(canvas: Canvas) -> Iterator[tuple[str, str]]:
    """Yield each form that is on the map, with the name of its kind, for the key."""
    kinds = canvas.look.part("counters").get("kinds", {})
    there = {str(_fields(canvas, id).get(canvas.look.kind_field)): id for id in canvas.view.position.counters}
    for kind, form in canvas.look.part("counters").get("forms", {}).items():
        if kind in there:
            owner = canvas.view.owner(there[kind])
            name = canvas.view.wording.text(kinds.get(kind, {}).get("name", kind))
            yield f'<use href="#{piece(canvas, owner, form)}" transform="scale(.8)"/>', name


def askew(canvas: Canvas) -> str:
    """Return a dislodged unit for the key, or nothing where none is."""
    lost = next((id for id in sorted(canvas.view.position.counters) if out(canvas, id)), None)
    if lost is None or not (form := form_of(canvas, lost)):
        return ""
    use = piece(canvas, canvas.view.owner(lost), form)
    return f'<use href="#{use}" transform="rotate({AWRY})scale({number(0.8)})"/>'
