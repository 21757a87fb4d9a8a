"""Shapes of areas from drawings: paths of SVG, and TopoJSON. A border of two outlines is one arc.

Points nearer than 1.5 units are one point, and an outline gets a point where a corner of another is on it.
So outlines that were drawn beside each other share their borders afterwards, without gaps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import cos, radians, sin, tan
from typing import Any
from xml.etree import ElementTree

from pbem.board.shapes import MOST as MOST_WIDE
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.workshop.foreign import MOST, damaged, from_json, xml

SHAPES = "imported-shapes.yaml"
NEAR = 1.5
"""Units within which two points are one."""
MOST_DRAWN, MOST_POINTS, MOST_AREAS, LEAST_WIDE, WIDE = 200_000, 40_000, 500, 300, 1000
MOST_PIXELS, MOST_TRANSFORM = 10_000, 10_000
MOST_TOKENS = 8 * MOST_DRAWN
"""Of a path: commands and numbers."""
FLAT = 8  # straight pieces of a curve
Spot = tuple[float, float]
Point = tuple[int, int]
Ring = list[Spot]
Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
PROVINCES = "provinces"
UNDRAWN = ("defs", "clipPath", "marker", "mask", "pattern", "symbol")
_TOKEN = re.compile(r"[MmLlHhVvCcSsQqTtAaZz]|[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_TRANSFORM = re.compile(r"\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\(([-+.0-9eE,\s]*)\)")
_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def is_drawing(name: str, data: bytes) -> bool:
    """Return True for SVG by its name, and for JSON that is a topology."""
    return name.lower().endswith(".svg") or (name.lower().endswith(".json") and b'"Topology"' in data)


def read(name: str, data: bytes) -> dict[str, list[Ring]]:
    """Return the rings of each area of a drawing by its name; Refused for a damaged or hostile one."""
    if len(data) > MOST:
        raise Refused(Diagnostic("too-large", Message("workshop.importing.too-large", most=MOST >> 20)))
    try:
        outlines = _svg(data) if name.lower().endswith(".svg") else _topology(from_json(data))
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        raise damaged() from None
    outlines = {id: [ring for ring in rings if len(ring) > 2] for id, rings in outlines.items()}
    outlines = {id: rings for id, rings in outlines.items() if rings}
    _check_size(outlines, MOST_DRAWN)
    return outlines


def _check_size(areas: Mapping[str, Sequence[Sequence[Any]]], most: int) -> None:
    """Check that there are areas, and how many, with how many points; Refused otherwise."""
    count = sum(len(ring) for rings in areas.values() for ring in rings)
    if not areas or len(areas) > MOST_AREAS or count > most:
        raise _too_many(most)


def _too_many(most: int = MOST_DRAWN) -> Refused:
    return Refused(
        Diagnostic("too-many", Message("workshop.outlines.too-many", areas=MOST_AREAS, points=most))
    )


# ---- SVG -------------------------------------------------------------------------------------------


def _svg(data: bytes) -> dict[str, list[Ring]]:
    """Return the rings of elements with ids, of a group `provinces` alone if there is one."""
    root = xml(data)
    rings: dict[str, list[Ring]] = {}
    inside: dict[str, list[Ring]] = {}
    waiting: list[tuple[ElementTree.Element, Matrix, bool]] = [(root, SAME, False)]
    left = MOST_DRAWN
    while waiting:
        element, matrix, provinces = waiting.pop()
        kind, name = element.tag.rpartition("}")[2], element.get("id", "")
        if kind in UNDRAWN:
            continue
        matrix = _transformed(matrix, element.get("transform", ""))
        provinces = provinces or (kind == "g" and name == PROVINCES)
        drawn: list[Ring] = []
        if (id := _id(name)) and kind == "path":
            drawn = _rings(element.get("d", ""), left)
        elif id and kind in ("polygon", "polyline"):
            listed = islice(re.finditer(r"[-+.0-9eE]+", element.get("points", "")), 2 * left + 2)
            numbers = [float(part[0]) for part in listed]
            drawn = [list(zip(numbers[::2], numbers[1::2], strict=True))]
        left -= sum(map(len, drawn))
        if left < 0:
            raise _too_many()
        moved = [[_moved(matrix, spot) for spot in ring] for ring in drawn]
        for kept in ((rings, inside) if provinces else (rings,)) if moved else ():
            kept.setdefault(id, []).extend(moved)
        waiting += [(child, matrix, provinces) for child in reversed(element)]
    return inside or rings


def _moved(matrix: Matrix, spot: Spot) -> Spot:
    a, b, c, d, e, f = matrix
    return a * spot[0] + c * spot[1] + e, b * spot[0] + d * spot[1] + f


def _transformed(outer: Matrix, text: str) -> Matrix:
    """Return a matrix with the transforms of an element inside it; Refused for other ones."""
    at, text = 0, text.rstrip()
    while at < len(text):
        match = _TRANSFORM.match(text, at)
        if match is None or len(text) > MOST_TRANSFORM:
            message = Message("workshop.outlines.transform", text=text[:60])
            raise Refused(Diagnostic("transform", message))
        at = match.end()
        for inner in _matrices(match[1], [float(part) for part in re.split(r"[\s,]+", match[2].strip())]):
            a, b, c, d, e, f = inner
            x, y = _moved(outer, (e, f))
            (p, q), (r, s) = (
                (outer[0] * k + outer[2] * n, outer[1] * k + outer[3] * n) for k, n in ((a, b), (c, d))
            )
            outer = (p, q, r, s, x, y)
    return outer


def _matrices(kind: str, values: list[float]) -> list[Matrix]:
    """Return what a transform of SVG means as matrices; ValueError for another count of values."""
    if kind == "matrix":
        a, b, c, d, e, f = values
        return [(a, b, c, d, e, f)]
    if kind == "rotate" and len(values) == 3:
        _, x, y = values
        return [(1, 0, 0, 1, x, y), *_matrices(kind, values[:1]), (1, 0, 0, 1, -x, -y)]
    if not 1 <= len(values) <= (2 if kind in ("translate", "scale") else 1):
        raise ValueError(kind)
    first, second = (*values, values[0] if kind == "scale" else 0.0)[:2]
    turn = radians(first)
    return [
        {
            "translate": (1.0, 0.0, 0.0, 1.0, first, second),
            "scale": (first, 0.0, 0.0, second, 0.0, 0.0),
            "rotate": (cos(turn), sin(turn), -sin(turn), cos(turn), 0.0, 0.0),
            "skewX": (1.0, 0.0, tan(turn), 1.0, 0.0, 0.0),
            "skewY": (1.0, tan(turn), 0.0, 1.0, 0.0, 0.0),
        }[kind]
    ]


def _rings(text: str, most: int) -> list[Ring]:
    """Return the rings of path data; curves become short straight pieces, arcs of circles one.

    Refused for more points than `most`.
    """
    tokens = [token[0] for token in islice(_TOKEN.finditer(text), MOST_TOKENS)]
    rings = list[Ring]()
    origin = (0.0, 0.0)
    here, start, control, command, n = origin, origin, origin, "", 0
    while n < len(tokens):
        if tokens[n].isalpha():
            command, n = tokens[n], n + 1
        kind = command.lower()
        values = [float(number) for number in tokens[n : n + _COUNTS[kind]]]
        if len(values) < _COUNTS[kind] or (not values and not tokens[n - 1].isalpha()):
            raise ValueError(text[:20])
        n += _COUNTS[kind]
        if kind == "z":
            here = control = start
            continue
        base = here if command.islower() else origin
        points = _points(kind, values, base, here)
        most -= FLAT if kind in "csqt" else 1
        if most < 0:
            raise _too_many()
        if kind in "st":
            mirrored = (2 * here[0] - control[0], 2 * here[1] - control[1])
            points = [mirrored, *points]
        if kind == "m":
            start = points[-1]
            rings.append([start])
            command = "l" if command == "m" else "L"
        else:
            curve = kind in "csqt"
            rings[-1] += _bent(here, points) if curve else points[-1:]
            control = points[-2] if curve else points[-1]
        here = points[-1]
        control = here if kind == "m" else control
    return rings


def _points(kind: str, values: list[float], base: Spot, here: Spot) -> list[Spot]:
    """Return the points that a command of a path names."""
    if kind == "h":
        return [(base[0] + values[0], here[1])]
    if kind == "v":
        return [(here[0], base[1] + values[0])]
    values = values[-2:] if kind == "a" else values
    return [(base[0] + a, base[1] + b) for a, b in zip(values[::2], values[1::2], strict=True)]


def _bent(start: Spot, points: Sequence[Spot]) -> Iterator[Spot]:
    """Yield points along a curve with one or two points of control."""
    for n in range(1, FLAT + 1):
        row, part = [start, *points], n / FLAT
        while len(row) > 1:
            row = [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in pairwise(row)]
        yield row[0]


# ---- TopoJSON --------------------------------------------------------------------------------------


def _topology(topology: Any) -> dict[str, list[Ring]]:
    packed = topology.get("transform")
    wide, high = map(float, packed["scale"]) if packed is not None else (1.0, 1.0)
    right, down = map(float, packed["translate"]) if packed is not None else (0.0, 0.0)
    arcs: list[Ring] = []
    for arc in topology["arcs"]:
        x = y = 0.0
        line: Ring = []
        for spot in arc:
            x, y = (x + spot[0], y + spot[1]) if packed is not None else (spot[0], spot[1])
            line.append((x * wide + right, y * high + down))
        arcs.append(line)
    areas: dict[str, list[Ring]] = {}
    left = 2 * MOST_DRAWN
    waiting = list(topology["objects"].values())
    while waiting:
        shape = waiting.pop()
        if shape.get("type") == "GeometryCollection":
            waiting += shape["geometries"]
            continue
        properties = shape.get("properties") or {}
        named = (
            _id(str(name)) for name in (shape.get("id"), properties.get("id"), properties.get("name")) if name
        )
        id = next(filter(None, named), "")
        polygons = [shape["arcs"]] if shape.get("type") == "Polygon" else shape.get("arcs", [])
        if id and shape.get("type") in ("Polygon", "MultiPolygon"):
            rings = [[_line(arcs, n) for n in ring] for polygon in polygons for ring in polygon]
            left -= sum(len(line) for ring in rings for line in ring)
            if left < 0:  # many rings may name one long arc
                raise _too_many()
            areas.setdefault(id, []).extend([spot for line in ring for spot in line[:-1]] for ring in rings)
    return (
        areas if _in_pixels(areas) else {id: [_turned(ring) for ring in rings] for id, rings in areas.items()}
    )


def _in_pixels(areas: dict[str, list[Ring]]) -> bool:
    """Return True for the numbers of a screen, where y grows downwards; in degrees or metres, north is up."""
    ends = [(abs(x), abs(y)) for rings in areas.values() for ring in rings for x, y in ring]
    return any(x > 180 or y > 90 for x, y in ends) and all(max(spot) <= MOST_PIXELS for spot in ends)


def _turned(ring: Ring) -> Ring:
    return [(x, -y) for x, y in ring]


def _line(arcs: list[Ring], n: int) -> Ring:
    return arcs[~n][::-1] if n < 0 else arcs[n]


# ---- arcs ------------------------------------------------------------------------------------------


def shapes_of(areas: dict[str, list[Ring]]) -> str:
    """Return `shapes:` of these outlines as YAML, with each border written once."""
    move, size = _frame(areas)
    together = joined({id: [[move(spot) for spot in ring] for ring in rings] for id, rings in areas.items()})
    _check_size(together, MOST_POINTS)
    arcs: dict[tuple[Point, ...], str] = {}
    listed = []
    corners = corners_of(together)
    for id, rings in sorted(together.items()):
        names = [[_named(arcs, part) for part in parts_of(ring, corners)] for ring in rings]
        inner = ", ".join(f"[{', '.join(ring)}]" for ring in names)
        listed.append(f"    {id}: " + (f"{{rings: [{inner}]}}" if len(names) > 1 else f"{{ring: {inner}}}"))
    lines = [f"    {name}: [{', '.join(f'{x}, {y}' for x, y in arc)}]" for arc, name in arcs.items()]
    return "\n".join(
        ["shapes:", f"  size: [{size[0]}, {size[1]}]", "  arcs:", *lines, "  areas:", *listed, ""]
    )


def _frame(areas: dict[str, list[Ring]]) -> tuple[Callable[[Spot], Point], Point]:
    """Return what moves points to the upper left corner, in whole units, and the size of the drawing."""
    spots = [spot for rings in areas.values() for ring in rings for spot in ring]
    (left, right), (top, low) = ((min(span), max(span)) for span in ([s[n] for s in spots] for n in (0, 1)))
    wide = max(right - left, low - top)
    if not 0 < wide < 1e7:
        raise damaged()
    scale = 1.0 if LEAST_WIDE <= wide <= MOST_WIDE else WIDE / wide

    def move(spot: Spot) -> Point:
        return round((spot[0] - left) * scale), round((spot[1] - top) * scale)

    return move, (max(1, round((right - left) * scale)), max(1, round((low - top) * scale)))


def joined(areas: dict[str, list[list[Point]]]) -> dict[str, list[list[Point]]]:
    """Return the rings with near points as one, and a point on each side where another's corner lies.

    A ring that is a point or a line then is left out, as a small island on a map of the world.
    """
    cells: dict[Point, list[Point]] = {}

    def near(point: Point, reach: int = 1) -> Iterator[Point]:
        x, y = point[0] // 4, point[1] // 4
        for a in range(x - reach, x + reach + 1):
            for b in range(y - reach, y + reach + 1):
                yield from cells.get((a, b), ())

    def one(point: Point) -> Point:
        for other in near(point):
            if (other[0] - point[0]) ** 2 + (other[1] - point[1]) ** 2 < NEAR**2:
                return other
        cells.setdefault((point[0] // 4, point[1] // 4), []).append(point)
        return point

    merged = {id: [_thin([one(p) for p in ring]) for ring in rings] for id, rings in areas.items()}
    merged = {id: [ring for ring in rings if len(set(ring)) > 2] for id, rings in merged.items()}
    return {
        id: [_thin([p for a, b in _sides(ring) for p in (a, *_between(a, b, cells))]) for ring in rings]
        for id, rings in merged.items()
        if rings  # not those that are a point at this size
    }


def _between(a: Point, b: Point, cells: dict[Point, list[Point]]) -> list[Point]:
    """Return the points that are on a side, in order."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    long = dx * dx + dy * dy
    steps = max(abs(dx), abs(dy)) // 4 + 1
    spots = {(ax + dx * n // steps, ay + dy * n // steps) for n in range(steps + 1)}
    there = {(x // 4 + i, y // 4 + j) for x, y in spots for i in (-1, 0, 1) for j in (-1, 0, 1)}
    between = []
    for cell in there:
        for x, y in cells.get(cell, ()):
            along, aside = (x - ax) * dx + (y - ay) * dy, (x - ax) * dy - (y - ay) * dx
            if 0 < along < long and aside * aside < NEAR**2 * long and (x, y) not in (a, b):
                between.append((along, (x, y)))
    return [point for _, point in sorted(between)]


def _thin(ring: list[Point]) -> list[Point]:
    """Return a ring without a point twice in a row."""
    return [point for n, point in enumerate(ring) if point != ring[n - 1]]


def _sides(ring: list[Point]) -> list[tuple[Point, Point]]:
    return list(zip(ring, (*ring[1:], *ring[:1]), strict=True))


def corners_of(areas: dict[str, list[list[Point]]]) -> set[Point]:
    """Return the points at which borders meet."""
    beside: dict[Point, set[Point]] = {}
    users: dict[frozenset[Point], set[str]] = {}
    for id, rings in areas.items():
        for ring in rings:
            for a, b in _sides(ring):
                beside.setdefault(a, set()).add(b)
                beside.setdefault(b, set()).add(a)
                users.setdefault(frozenset((a, b)), set()).add(id)
    return {
        point
        for point, others in beside.items()
        if len(others) != 2 or len({tuple(sorted(users[frozenset((point, o))])) for o in others}) > 1
    }


def parts_of(ring: list[Point], corners: set[Point]) -> list[tuple[Point, ...]]:
    """Return the parts of a ring between its corners; a ring without corners is one part."""
    starts = [n for n, point in enumerate(ring) if point in corners]
    if not starts:
        n = ring.index(min(ring))
        ring_from_corner = [*ring[n:], *ring[:n]]
        ring_from_corner = (
            ring_from_corner
            if ring_from_corner[1] <= ring_from_corner[-1]
            else [ring_from_corner[0], *ring_from_corner[:0:-1]]
        )
        return [(*ring_from_corner, ring_from_corner[0])]
    turned = [*ring[starts[0] :], *ring[: starts[0]], ring[starts[0]]]
    cuts = [n for n, point in enumerate(turned) if point in corners]
    return [tuple(turned[a : b + 1]) for a, b in pairwise(cuts)]


def _named(arcs: dict[tuple[Point, ...], str], part: tuple[Point, ...]) -> str:
    if part[::-1] in arcs and part not in arcs:
        return f"-{arcs[part[::-1]]}"
    return arcs.setdefault(part, f"a{len(arcs)}")


def _id(name: str) -> str:
    """Return the id of an area of a name in a drawing; empty for one without a letter at its beginning."""
    id = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:40]
    return id if id[:1].isalpha() else ""
