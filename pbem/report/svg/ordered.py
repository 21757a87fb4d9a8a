"""Orders between areas by their shape: move, support, convoy, retreat, and what failed.

`look.yaml` says under `orders` which events these are, and in which of their fields the places lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import hypot
from typing import Any

from pbem.board.geometry import Point
from pbem.report.svg import pieces
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.letters import number
from pbem.report.svg.shaped import Chart
from pbem.text.dataclass import dataclass

Spot = tuple[float, float]
GAP, LEFT, SHORT = 25, 6, 52
"""Distances of an arrow: of its end from a unit, of its beginning from a place that the unit has left, and of
the stop of a failed one from its goal."""
MEETS = 0.42
"""The part of a supported move at which the support of it ends."""
DASHES = {"support": "9 6", "convoy": "12 5 2 5", "retreat": "3 5"}


@dataclass(frozen=True)
class Ordered:
    """An order of a unit as it was carried out.

    `of` is the area of the unit that is helped, `to` the goal of its move or of this unit's own.
    """

    kind: str
    owner: str
    start: str
    to: str = ""
    of: str = ""
    coast: str = ""
    failed: bool = False
    ship: bool = False


def read(canvas: Canvas, chart: Chart, events: Iterable[Mapping[str, Any]]) -> list[Ordered]:
    """Return the orders that events tell of, as far as their places are on the map."""
    known, orders = canvas.look.part("orders"), []
    for event in events:
        own = known.get(str(event.get("event", "")))
        if own is None:
            continue
        places = {key: _last(event.get(own.get(key, ""))) for key in ("from", "of", "to")}
        if places["from"] in chart.shapes.areas and all(
            place in chart.shapes.areas for place in places.values() if place
        ):
            failed = bool(own.get("failed") is True or event.get(str(own.get("failed", ""))))
            coast = str(event.get(own.get("coast", "")) or "")
            owner = str(event.get("player", ""))
            form = canvas.look.part("counters").get("forms", {}).get(event.get(canvas.look.kind_field))
            ends = places["from"], places["to"], places["of"]
            orders.append(Ordered(own["draw"], owner, *ends, coast, failed, form == "ship"))
    return orders


def _last(value: object) -> str:
    """Return a place, or the last of a way."""
    if isinstance(value, list | tuple):
        return str(value[-1]) if value else ""
    return str(value or "")


def draw(chart: Chart, orders: Iterable[Ordered]) -> tuple[str, str]:
    """Return the lines under the units and the heads over them."""
    canvas, under, over = chart.canvas, "", ""
    rules(canvas)
    listed = list(orders)
    moves = {order.start: order for order in listed if order.kind == "move"}
    for order in sorted(listed, key=lambda order: ("support", "convoy", "retreat", "move").index(order.kind)):
        low, high = _order(chart, order, moves, listed)
        under, over = under + low, over + high
    return under, over


def rules(canvas: Canvas) -> None:
    """Define how lines are drawn."""
    canvas.rule(
        "orim",
        "fill:none;stroke:#fffdf4;stroke-width:8;stroke-opacity:.9;stroke-linecap:round;stroke-linejoin:round",
        "stroke:#14130f",
    )
    canvas.rule("ord", "fill:none;stroke-width:4.2")
    canvas.rule("ohead", "stroke:#fffdf4;stroke-width:1.2;stroke-linejoin:round", "stroke:#14130f")
    canvas.rule("ono", "fill:none;stroke:#1d1b16;stroke-width:3.4", "stroke:#fffdf4")


def _order(
    chart: Chart, ordered: Ordered, moves: Mapping[str, Ordered], listed: list[Ordered]
) -> tuple[str, str]:
    canvas = chart.canvas
    tone = canvas.owner_class(ordered.owner)
    if ordered.kind == "convoy":  # drawn with the move of the army, through all its fleets
        return "", ""
    if ordered.kind == "support":
        return _support(chart, ordered, moves, tone)
    way = _way(chart, ordered, listed)
    dash = "retreat" if ordered.kind == "retreat" else "convoy" if len(way) > 2 else ""
    way[0] = _along(way[0], way[1], GAP if _stays(chart, ordered) else LEFT)
    end = _along(way[-1], way[-2], SHORT if ordered.failed else GAP)
    far = hypot(way[-1][0] - way[-2][0], way[-1][1] - way[-2][1])
    if ordered.failed and far < SHORT + GAP:
        end = _along(way[-1], way[-2], far / 2)
    back = _along(end, way[-2], 9)
    path = _curve([*way[:-1], back])
    head = f'<path class="{tone}f ohead" d="{_head(way[-2], end)}"/>'
    if ordered.failed:
        beyond = _along(end, way[-1], 11)
        head += _cross(beyond)
    return _line(path, tone, dash), head


def _way(chart: Chart, ordered: Ordered, listed: list[Ordered]) -> list[Spot]:
    """Return the points of a move: through the fleets that convoy it, the nearest next."""
    start, goal = _from(chart, ordered), pieces.spot(chart, ordered.to, ordered.coast)
    fleets = [
        convoy.start
        for convoy in listed
        if convoy.kind == "convoy" and (convoy.of, convoy.to) == (ordered.start, ordered.to)
    ]
    way: list[Spot] = [start]
    left = {id: pieces.spot(chart, id) for id in sorted(set(fleets))}
    while left:
        last = way[-1]
        id = min(left, key=lambda id: (hypot(left[id][0] - last[0], left[id][1] - last[1]), id))
        way.append(left.pop(id))
    return [*way, goal]


def _stays(chart: Chart, ordered: Ordered) -> bool:
    """Return True if a unit of the owner is still where the order began."""
    view = chart.canvas.view
    return any(view.owner(id) == ordered.owner for id in view.position.at(ordered.start))


def _from(chart: Chart, ordered: Ordered) -> Point:
    """Return where the unit of an order stands, or stood: a fleet at the coast nearest to its goal."""
    canvas = chart.canvas
    for id in canvas.view.position.at(ordered.start):
        if canvas.view.owner(id) == ordered.owner:
            x, y = pieces.place(chart, id)
            aside = pieces.ASIDE if pieces.out(canvas, id) else 0
            return x + aside, y - aside
    stand, coasts = pieces.spot(chart, ordered.start), chart.shapes.areas[ordered.start].coasts
    if not (ordered.ship and coasts and ordered.to):
        return stand
    (x, y) = pieces.spot(chart, ordered.to, ordered.coast)
    return min(coasts.values(), key=lambda at: (hypot(at[0] - x, at[1] - y), at))


def _support(chart: Chart, ordered: Ordered, moves: Mapping[str, Ordered], tone: str) -> tuple[str, str]:
    start = _from(chart, ordered)
    helped = pieces.spot(chart, ordered.of)
    if ordered.to:
        goal = pieces.spot(chart, ordered.to, moves[ordered.of].coast if ordered.of in moves else "")
        end: Spot = (helped[0] + MEETS * (goal[0] - helped[0]), helped[1] + MEETS * (goal[1] - helped[1]))
        mark = f'<circle class="ord {tone}" cx="{number(end[0])}" cy="{number(end[1])}" r="6.5"/>'
    else:
        end = _along(helped, start, GAP + 4)
        mark = f'<path class="ord {tone}" d="{_bar(start, end)}"/>'
    begin = _along(start, end, GAP)
    path = _curve([begin, _along(end, begin, 7) if ordered.to else end])
    cross = _cross(((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)) if ordered.failed else ""
    return _line(path, tone, "support") + mark, cross


def _line(path: str, tone: str, dash: str) -> str:
    dashed = f' stroke-dasharray="{DASHES[dash]}"' if dash else ""
    return f'<path class="orim" d="{path}"/><path class="ord {tone}" d="{path}"{dashed}/>'


def _along(start: Spot, to: Spot, far: float) -> Spot:
    """Return a point some way from one to another, at most nearly half way."""
    (x, y), (a, b) = start, to
    long = hypot(a - x, b - y) or 1.0
    far = min(far, long * 0.45)
    return x + far * (a - x) / long, y + far * (b - y) / long


def _curve(points: list[Spot]) -> str:
    """Return a straight line, or a smooth one through all points."""
    texts = [f"{number(x)} {number(y)}" for x, y in points]
    if len(points) == 2:
        return f"M{texts[0]}L{texts[1]}"
    drawn = f"M{texts[0]}"
    for n in range(1, len(points)):
        (ax, ay), (bx, by) = points[max(0, n - 2)], points[min(len(points) - 1, n + 1)]
        (px, py), (x, y) = points[n - 1], points[n]
        bend = (px + (x - ax) / 6, py + (y - ay) / 6)
        other = (x - (bx - px) / 6, y - (by - py) / 6)
        drawn += f"C{number(bend[0])} {number(bend[1])} {number(other[0])} {number(other[1])} {texts[n]}"
    return drawn


def _head(start: Spot, tip: Spot) -> str:
    (x, y), (tx, ty) = start, tip
    long = hypot(tx - x, ty - y) or 1.0
    ux, uy = (tx - x) / long, (ty - y) / long
    corners = [
        (tx, ty),
        (tx - 13 * ux - 8 * uy, ty - 13 * uy + 8 * ux),
        (tx - 13 * ux + 8 * uy, ty - 13 * uy - 8 * ux),
    ]
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "z"


def _bar(start: Spot, end: Spot) -> str:
    (x, y), (ex, ey) = start, end
    long = hypot(ex - x, ey - y) or 1.0
    ux, uy = 9 * (ex - x) / long, 9 * (ey - y) / long
    return f"M{number(ex - uy)} {number(ey + ux)}L{number(ex + uy)} {number(ey - ux)}"


def _cross(at: Spot) -> str:
    path = f"M{number(at[0] - 6)} {number(at[1] - 6)}l12 12m0-12l-12 12"
    return f'<path class="orim" d="{path}"/><path class="ono" d="{path}"/>'


SIGNS = {
    "move": '<path class="ord any" d="M-14 0h22"/><path class="ord any" d="M6-5l7 5-7 5z"/>',
    "support": '<path class="ord any" d="M-15 0h20" stroke-dasharray="7 4"/>'
    '<circle class="ord any" cx="10" r="5"/>',
    "hold": '<path class="ord any" d="M-15 0h22" stroke-dasharray="7 4"/>'
    '<path class="ord any" d="M10-8v16"/>',
    "convoy": '<path class="ord any" d="M-15 0h30" stroke-dasharray="10 4 2 4"/>',
    "retreat": '<path class="ord any" d="M-15 0h30" stroke-dasharray="3 5"/>',
    "failed": '<path class="ono" d="M-6-6l12 12m0-12l-12 12"/>',
}


def samples(canvas: Canvas, orders: Iterable[Ordered]) -> Iterator[tuple[str, str]]:
    """Yield the lines that are on the map with what they mean, for the key."""
    canvas.rule("any", "fill:none;stroke:#4a4334", "stroke:#e8e0c8")
    listed = list(orders)
    there = {"hold" if order.kind == "support" and not order.to else order.kind for order in listed}
    there |= {"failed"} if any(order.failed for order in listed) else set()
    yield from (
        (drawn, canvas.view.wording.say(f"key-order-{kind}"))
        for kind, drawn in SIGNS.items()
        if kind in there
    )
