"""Faults of shapes against their map: gaps, wrong neighbours, names beside their land."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isqrt

from pbem.board.geometry import inside, twice_area
from pbem.board.locations import Locations
from pbem.board.places import Path
from pbem.board.shapes import Shape, Shapes
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

LEAST_AREA = 400
"""Square units of the largest ring of an area; where less, nobody can point at it."""
LEAST_ARC = 20
"""Length of the border of two areas; where less, nobody sees whether they touch or meet at a point."""


def shape_faults(shapes: Shapes, chart: Locations, path: Path = ()) -> list[Diagnostic]:
    """Return everything in which shapes and their map disagree, each with its place."""
    faults = [*_areas(shapes, chart), *_arcs(shapes), *_neighbours(shapes, chart)]
    return [Diagnostic(code, message, path=(*path, *at), help=help_) for code, message, at, help_ in faults]


Fault = tuple[str, Message, Path, tuple[Message, ...]]


def _areas(shapes: Shapes, chart: Locations) -> Iterator[Fault]:
    ids = {chart.number(i) for i in chart.areas}
    for id in sorted({*shapes.areas} - ids):
        near = did_you_mean(id, sorted(ids))
        help_ = (Message("text.suggest.did-you-mean-bare", near=near),) if near else ()
        yield "unknown-area", Message("board.shapes.no-such-area", id=id), ("areas", id), help_
    for id in sorted(ids - {*shapes.areas}):
        yield "no-shape", Message("board.shapes.no-shape", id=id), ("areas",), ()
    for part, listed in (("areas", shapes.areas), ("blank", shapes.blank)):
        for id, shape in listed.items():
            yield from _area(shapes, part, id, shape)


def _area(shapes: Shapes, part: str, id: str, shape: Shape) -> Iterator[Fault]:
    rings = shapes.outline(shape)
    size = max(abs(twice_area(ring)) for ring in rings) // 2
    if size < LEAST_AREA and part == "areas":
        yield "small-area", Message("board.shapes.small", id=id, size=size, least=LEAST_AREA), (part, id), ()
    spots = {"label": shape.label, "stand": shape.stand, "centre": shape.centre}
    for key, point in spots.items():
        if part == "areas" and point is not None and not inside(rings, point):
            message = Message("board.shapes.outside", key=key, id=id, x=str(point[0]), y=str(point[1]))
            yield "outside", message, (part, id, key), ()


def _arcs(shapes: Shapes) -> Iterator[Fault]:
    for name, users in shapes.sides.items():
        if not 1 <= len(users) <= 2:
            message = Message("board.shapes.users", arc=name, count=len(users))
            yield "bad-arc", message, ("arcs", name), ()
    for (a, b), arcs in shapes.touching.items():
        long = sum(_length(shapes, arc) for arc in arcs)
        if long < LEAST_ARC:
            message = Message("board.shapes.short", a=a, b=b, long=long)
            yield "short-arc", message, ("arcs", arcs[0]), ()


def _length(shapes: Shapes, arc: str) -> int:
    """Return the length of an arc in whole units, a little less than it is."""
    return sum(isqrt((a - x) ** 2 + (b - y) ** 2) for (x, y), (a, b) in pairwise(shapes.arcs[arc].points))


def _neighbours(shapes: Shapes, chart: Locations) -> Iterator[Fault]:
    """Yield the areas that touch and are no neighbours, and neighbours that do not touch."""
    drawn = {pair for pair in shapes.touching if set(pair) <= {*shapes.areas}}
    linked = {
        (min(a, b), max(a, b))
        for id in shapes.areas
        if (i := chart.get(id)) is not None
        for a, b in ((id, chart.number(near)) for near in chart.neighbours(i))
        if b in shapes.areas
    }
    for a, b in sorted(drawn - linked):
        arc = shapes.touching[a, b][0]
        yield "no-neighbours", Message("board.shapes.no-order", a=a, b=b), ("arcs", arc), ()
    for a, b in sorted(linked - drawn):
        yield "no-border", Message("board.shapes.no-border", a=a, b=b), ("areas", a), ()
