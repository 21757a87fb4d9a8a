"""Boxes and areas for the page of the editor: where the map draws them, or the outlines of areas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.board.map import GameMap
from pbem.board.shapes import read
from pbem.text.diagnostics import Refused
from pbem.workshop.board_values import located
from pbem.workshop.editing import place_column
from pbem.workshop.written import PLACE

if TYPE_CHECKING:
    from pbem.report.svg.sheet import Sheet
    from pbem.workshop.editing import Opened

GAP, WIDE, HIGH, ACROSS = 24, 190, 80, 8


def outlines(opened: Opened) -> dict[str, Any] | None:
    """Return the shapes of a map of areas: its size, the arcs of each area, and which are straight."""
    data, form = opened.board.data, opened.board.shapes
    if not form or opened.board.chart.hexes or data.get("boxes"):
        return None
    try:
        shapes = read(dict(form))
    except Refused:
        return None
    names = {id: own for _, id, own in located(data)}
    areas = {**shapes.areas, **shapes.blank}
    return {
        "size": [*shapes.size],
        "straight": [name for name, arc in shapes.arcs.items() if arc.straight],
        "areas": {
            id: {
                "name": str(names.get(id, {}).get("name", id)),
                "water": shape.water or names.get(id, {}).get("terrain") == "sea",
                "blank": id in shapes.blank,
                "rings": [[[step.arc, step.back] for step in ring] for ring in shape.rings],
            }
            for id, shape in areas.items()
        },
    }


def boxes_of(opened: Opened, drawn: Sheet | None) -> list[dict[str, Any]]:
    """Return the boxes and areas in which counters may stand: as the map draws them, else in rows below."""
    try:
        return _as_drawn(opened, drawn)
    except (Refused, LookupError, TypeError, ValueError, AttributeError):
        return _in_rows(opened, drawn)


def _as_drawn(opened: Opened, drawn: Sheet | None) -> list[dict[str, Any]]:
    from pbem.report.svg.look import Look
    from pbem.report.svg.plaques import arrange
    from pbem.report.svg.sheet import Fields

    chart = GameMap.from_data(opened.board.data)
    assert opened.found.system is not None
    columns = (place_column(tuple(cells.table.columns)) for cells in opened.found.tables.values())
    places, counts = {PLACE, *columns}, dict[int, int]()
    for key, value in opened.values.items():
        if not key.startswith("c/") or key.rpartition("/")[2] not in places:
            continue
        if (i := chart.get(str(value))) is not None and chart.kind(i) != "hex":
            counts[i] = counts.get(i, 0) + 1
    rects = arrange(chart, Look(opened.found.system.look), Fields(chart), counts)
    left, top = (drawn.left, drawn.top) if drawn is not None else (-GAP, -GAP)
    boxes = [
        _box(chart.number(i), chart.name(i), rect.x - left, rect.y - top, rect.wide, rect.high)
        for i, rect in rects.items()
    ]
    if any(box["x"] < 0 or box["y"] < 0 for box in boxes):
        raise ValueError
    return sorted(boxes, key=lambda box: -box["wide"] * box["high"])  # the boxes of an area lie on it


def _in_rows(opened: Opened, drawn: Sheet | None) -> list[dict[str, Any]]:
    """Return boxes and areas in rows below the map: of a map with faults, which nothing else can draw."""
    rows: list[tuple[str, str]] = []
    for _, id, own in located(opened.board.data):
        name = str(own.get("name", id))
        labels = own["boxes"] if isinstance(own.get("boxes"), list) else []
        rows += [(id, name), *((f"{id}.{label}", f"{name} {label}") for label in labels)]
    wide, below = (drawn.width, drawn.height) if drawn is not None else (0, 0)
    across = max(1, wide // (WIDE + GAP)) if wide else ACROSS
    return [
        _box(id, name, GAP + n % across * (WIDE + GAP), below + GAP + n // across * (HIGH + GAP), WIDE, HIGH)
        for n, (id, name) in enumerate(rows)
    ]


def _box(id: str, name: str, x: int, y: int, wide: int, high: int) -> dict[str, Any]:
    return {"id": id, "name": name or id, "x": x, "y": y, "wide": wide, "high": high}
