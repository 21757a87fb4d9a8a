"""Make the shapes of a map from a sketch: `python -m tests.tools.make_shapes standard`.

A sketch (`tests/tools/sketches`) has lines through named junctions in degrees or units, and a point in each
area. The lines are cut at junctions, roughened by a hash of their ends, and traced into areas. So two areas
that touch share an arc by construction. Look at the result, and run `tests/unit/diplomacy/test_shapes.py`,
which holds it against the map.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from itertools import pairwise
from math import atan2, hypot
from pathlib import Path
from typing import Any

from pbem.board.geometry import farthest, inside, room, twice_area
from pbem.text.loading import load_file

HERE = Path(__file__).parent / "sketches"
TO = Path("pbem/systems/diplomacy/look/shapes")
SPAN = {"coast": 15, "land": 26, "sea": 60}
"""How far apart the points of a line are, at least."""
ROUGH = {"coast": 0.17, "land": 0.1, "sea": 0.0}
Point = tuple[int, int]


class Sketch:
    """Lines, junctions and points in areas, in units of the drawing."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data, self.size = data, tuple(data["size"])
        self.junctions = {name: self.project(*at) for name, at in data.get("points", {}).items()}
        lines = [[self.token(word) for word in text.split()] for text in data["lines"]]
        self.arcs: list[list[Point]] = []
        for line in lines:
            part: list[Point] = []
            for name, point in line:
                point = self.junctions[name] if point is None else point
                part.append(point)
                if name and len(part) > 1:
                    self.arcs.append(part)
                    part = [point]

    def token(self, word: str) -> tuple[str, Point | None]:
        """Return the name and the place of a word: `minho=-9,42`, `-8.8,41` or `minho`."""
        name, _, rest = word.rpartition("=")
        if "," not in rest:
            return rest, None
        point = self.project(*rest.split(","))
        if name:
            self.junctions[name] = point
        return name, point

    def project(self, x: float | str, y: float | str) -> Point:
        """Return a point on the drawing, moved to its edge if it lies beyond."""
        right, down = (
            bent(self.data.get(key), value) for key, value in (("across", float(x)), ("down", float(y)))
        )
        return tuple(max(0, min(most, round(at))) for at, most in zip((right, down), self.size, strict=True))


def bent(table: list[list[str]] | None, value: float) -> float:
    """Return a value between those of a table, which stretches crowded parts of the world."""
    if table is None:
        return value
    for (a, one), (b, other) in pairwise(sorted([float(one), float(other)] for one, other in table)):
        if a <= value <= b:
            return one + (other - one) * (value - a) / (b - a)
    return value


def faces(arcs: list[list[Point]]) -> list[list[int]]:
    """Return the rings of all areas, clockwise, as numbers of arcs: ~n is the nth backwards."""
    leaving: dict[Point, list[tuple[float, int]]] = {}
    for n, arc in enumerate(arcs):
        for half, points in ((n, arc), (~n, arc[::-1])):
            (x, y), (a, b) = points[0], points[1]
            leaving.setdefault(points[0], []).append((atan2(b - y, a - x), half))
    for halves in leaving.values():
        halves.sort()
    found, used = [], set()
    for first in [half for halves in leaving.values() for _, half in halves]:
        ring, half = [], first
        while half not in used:
            used.add(half)
            ring.append(half)
            at = (arcs[half] if half >= 0 else arcs[~half][::-1])[-1]
            order = [one for _, one in leaving[at]]
            half = order[order.index(~half) - 1]
        if ring:
            found.append(ring)
    return found


def points_of(arcs: list[list[Point]], ring: list[int]) -> list[Point]:
    return [p for half in ring for p in (arcs[half] if half >= 0 else arcs[~half][::-1])[:-1]]


def roughened(points: list[Point], kind: str, size: tuple[int, ...]) -> list[Point]:
    """Return a line with more points, moved aside by a hash of their neighbours."""
    found = [points[0]]
    for a, b in pairwise(points):
        found += [*between(a, b, kind), b]
    edge = all(x in (0, size[0]) or y in (0, size[1]) for x, y in points)
    return points if edge else found


def between(a: Point, b: Point, kind: str) -> list[Point]:
    long = hypot(b[0] - a[0], b[1] - a[1])
    if long < 1.6 * SPAN[kind]:
        return []
    low, high = sorted((a, b))
    lot = sha256(f"{low} {high}".encode()).digest()[0] / 127.5 - 1
    aside = lot * ROUGH[kind] * (1 if a == low else -1)
    middle = (
        round((a[0] + b[0]) / 2 - aside * (b[1] - a[1])),
        round((a[1] + b[1]) / 2 + aside * (b[0] - a[0])),
    )
    return [*between(a, middle, kind), middle, *between(middle, b, kind)]


def stand_and_label(rings: list[list[Point]]) -> tuple[Point, Point]:
    """Return where a unit and, below it, a name have most room."""
    x, y = farthest(rings)
    spots = [(x + dx, y + dy) for dx in range(-24, 25, 6) for dy in range(-18, 19, 6)]

    def free(at: Point) -> int:
        corners = [(at[0] + dx, at[1] + dy) for dx in (-22, 0, 22) for dy in (-20, 0, 24)]
        return min(room(rings, corner) for corner in corners)

    x, y = max(spots, key=lambda at: (free(at), at)) if free((x, y)) < 200 else (x, y)
    return (x, y - 9), (x, y + 16)


def make(name: str) -> str:
    """Return the shapes of a sketch as YAML."""
    data = load_file(HERE / f"{name}.yaml", name).data
    sketch = Sketch(data)
    rings = faces(sketch.arcs)
    outlines = [points_of(sketch.arcs, ring) for ring in rings]
    owner = owners(sketch, rings, outlines)
    wet = {id for id in data["seeds"] if id in data.get("sea", sea_of(name))} | set(data.get("water", ()))
    of: dict[int, list[str]] = {}
    for id, own in owner.items():
        for n in own:
            for half in rings[n]:
                of.setdefault(half if half >= 0 else ~half, []).append(id)
    arcs = []
    for n, arc in enumerate(sketch.arcs):
        damp = [id in wet for id in of[n]]
        kind = "sea" if all(damp) else "coast" if any(damp) else "land"
        arcs.append(roughened(arc, kind, sketch.size))
    return written(name, sketch, arcs, rings, owner)


def sea_of(name: str) -> set[str]:
    areas = load_file(Path(f"pbem/systems/diplomacy/rules/scenarios/{name}.yaml"), name).data["map"]["areas"]
    return {id for id, own in areas["province"].items() if own["terrain"] == "sea"}


def owners(sketch: Sketch, rings: list[list[int]], outlines: list[list[Point]]) -> dict[str, list[int]]:
    """Return the rings of each area: the face around its point, and what islands cut out of it."""
    lands = [n for n, ring in enumerate(outlines) if twice_area(ring) > 0]
    found: dict[str, list[int]] = {}
    seeds = [*sketch.data["seeds"].items(), *sketch.data.get("blank", {}).items()]
    for id, at in [*seeds, *sketch.data.get("extra", {}).items()]:
        point = sketch.project(*at)
        here = [n for n in lands if inside([outlines[n]], point)]
        found.setdefault(id, []).append(min(here, key=lambda n: twice_area(outlines[n])))
    taken = [n for own in found.values() for n in own]
    twice = {id for id, own in found.items() for n in own if taken.count(n) > 1}
    left = [outlines[n][0] for n in lands if n not in taken]
    if twice or left:
        sys.exit(f"one face for {sorted(twice)}, none for faces at {left}")
    for n, ring in enumerate(outlines):
        if n in lands:
            continue
        around = [
            m for m in lands if inside([outlines[m]], ring[0]) and not set(map(inv, rings[n])) & {*rings[m]}
        ]
        around = [m for m in around if abs(twice_area(ring)) < twice_area(outlines[m])]
        if around:
            m = min(around, key=lambda m: twice_area(outlines[m]))
            next(own for own in found.values() if m in own).append(n)
    return found


def inv(half: int) -> int:
    return ~half


def written(
    name: str, sketch: Sketch, arcs: list[list[Point]], rings: list[list[int]], owner: dict[str, list[int]]
) -> str:
    data = sketch.data
    lines = [
        f"# Shapes of {name}: our own sketch, made by tests/tools/make_shapes.py (pbem/board/shapes.py).",
        f"size: [{sketch.size[0]}, {sketch.size[1]}]",
        "arcs:",
    ]
    for n, arc in enumerate(arcs):
        flat = ", ".join(f"{x}, {y}" for x, y in arc)
        edge = all(x in (0, sketch.size[0]) or y in (0, sketch.size[1]) for x, y in arc)
        lines.append(f"  a{n}: {{points: [{flat}], straight: true}}" if edge else f"  a{n}: [{flat}]")
    for part in ("seeds", "blank"):
        lines.append("areas:" if part == "seeds" else "blank:")
        for id in sorted(data.get(part, {})):
            own = [[f"a{half}" if half >= 0 else f"-a{~half}" for half in rings[n]] for n in owner[id]]
            outline = [points_of(arcs, rings[n]) for n in owner[id]]
            stand, label = stand_and_label(outline[:1])
            if id in data.get("stands", {}):
                stand = sketch.project(*data["stands"][id])
                label = stand[0], stand[1] + 25
            text = f"ring: [{', '.join(own[0])}]"
            if len(own) > 1:
                text = f"rings: [{', '.join('[' + ', '.join(ring) + ']' for ring in own)}]"
            text += f", label: [{label[0]}, {label[1]}], stand: [{stand[0]}, {stand[1]}]"
            coasts = {key: sketch.project(*at) for key, at in data.get("coasts", {}).get(id, {}).items()}
            if coasts:
                text += f", coasts: {{{', '.join(f'{key}: [{x}, {y}]' for key, (x, y) in coasts.items())}}}"
            text += ", water: true" if id in data.get("water", ()) else ""
            lines.append(f"  {id}: {{{text}}}")
    if data.get("belongs"):
        lines.append(f"belongs: {{{', '.join(f'{one}: {other}' for one, other in data['belongs'].items())}}}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for wanted in sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.yaml")):
        (TO / f"{wanted}.yaml").write_text(make(wanted), "utf-8")
        sys.stdout.write(f"{TO / wanted}.yaml\n")
