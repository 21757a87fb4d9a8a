"""The shapes of areas: how provinces are drawn, and which ones touch.

    shapes:
      size: [1000, 720]
      arcs:                                     # points; a smooth curve goes through them
        a1: [427, 255, 433, 262, 455, 268, 462, 290]
        a2: {points: [462, 290, 497, 281], straight: true}
      areas:                                    # locations of the map
        cals: {ring: [a1, -a2, a7], label: [530, 222], stand: [530, 190], coasts: {NC: [492, 190]}}
        isle: {rings: [[a9], [a12]], centre: [300, 650]}   # islands; a ring in a ring is a hole
      blank: {alps: {ring: [a4, a5]}}           # land that is no location
      belongs: {isle: cals}                     # drawn, more faintly, as ground of who holds the other

A border is written once, as an arc that two areas use: `-a2` runs backwards. So neighbours never gap. All
numbers are whole. A picture is not a rule: packages keep theirs in `look/shapes`, scenarios in their map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeGuard

from pbem.board.geometry import Point, farthest
from pbem.board.places import Path
from pbem.board.reading import Reader
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message

KEYS = ("size", "arcs", "areas", "blank", "belongs")
AREA = ("ring", "rings", "label", "stand", "centre", "coasts", "water")
ARC = ("points", "straight")
MOST = 4000
"""Width and height of a drawing, at most."""
MOST_POINTS = 40_000
"""Points of all arcs together, at most."""


@dataclass(frozen=True)
class Arc:
    """A line between two junctions, or a closed one; `straight`: no curve goes through its points."""

    points: tuple[Point, ...]
    straight: bool = False


@dataclass(frozen=True)
class Step:
    """An arc of a ring, perhaps from its end to its start."""

    arc: str
    back: bool = False


@dataclass(frozen=True)
class Shape:
    """The outline of an area, and where on it the name, a unit, the sign of a centre and fleets belong."""

    rings: tuple[tuple[Step, ...], ...]
    label: Point
    stand: Point
    centre: Point | None
    coasts: Mapping[str, Point]
    water: bool = False


@dataclass(frozen=True)
class Shapes:
    """The arcs of a map, and the areas that they enclose. `blank` is land, or water, that is no location."""

    size: Point
    arcs: Mapping[str, Arc]
    areas: Mapping[str, Shape]
    blank: Mapping[str, Shape]
    belongs: Mapping[str, str]

    def __deepcopy__(self, memo: dict[int, object]) -> Shapes:
        """Return the shapes themselves: they never change."""
        return self

    @cached_property
    def sides(self) -> dict[str, tuple[str, ...]]:
        """Return the areas that use each arc, blank ones too."""
        areas: dict[str, list[str]] = {name: [] for name in self.arcs}
        for id, shape in (*self.areas.items(), *self.blank.items()):
            for ring in shape.rings:
                for step in ring:
                    areas[step.arc].append(id)
        return {name: tuple(users) for name, users in areas.items()}

    @cached_property
    def touching(self) -> dict[tuple[str, str], list[str]]:
        """Return the arcs that two areas share, by their ids in order."""
        arcs: dict[tuple[str, str], list[str]] = {}
        for arc, users in self.sides.items():
            if len(users) == 2 and users[0] != users[1]:
                a, b = sorted(users)
                arcs.setdefault((a, b), []).append(arc)
        return arcs

    def points(self, ring: tuple[Step, ...]) -> list[Point]:
        """Return the points of a ring, each once."""
        return ring_points(self.arcs, ring)

    def outline(self, shape: Shape) -> list[list[Point]]:
        """Return the rings of a shape as points."""
        return [self.points(ring) for ring in shape.rings]


def ring_points(arcs: Mapping[str, Arc], ring: tuple[Step, ...]) -> list[Point]:
    line: list[Point] = []
    for step in ring:
        points = arcs[step.arc].points
        line += (points[::-1] if step.back else points)[:-1]
    return line


def read(data: Json, path: Path = ()) -> Shapes:
    """Return the shapes of plain data, or refuse them with all their faults."""
    reader = _Shapes(Reader(path))
    shapes = reader.read(data)
    if shapes is None or reader.reader.faults:
        raise Refused(reader.reader.faults)
    return shapes


class _Shapes:
    """A reader of shapes."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.arcs: dict[str, Arc] = {}

    def read(self, data: Json) -> Shapes | None:
        given = dict(self.reader.mapping(data, ()))
        self.reader.check_keys(given, KEYS, ())
        size = self._size(given.get("size"))
        for name, own in self.reader.mapping(given.get("arcs"), ("arcs",)):
            arc = self._arc(name, own, ("arcs", name))
            if arc is not None:
                self.arcs[name] = arc
        if sum(len(arc.points) for arc in self.arcs.values()) > MOST_POINTS:
            self._wrong("too-large", Message("board.shapes.too-large", most=MOST_POINTS), ("arcs",))
            return None
        areas, blank = self._areas(given, "areas"), self._areas(given, "blank")
        if twice := sorted({*areas} & {*blank}):
            self._wrong("listed-twice", Message("board.shapes.twice", id=twice[0]), ("blank", twice[0]))
        belongs = dict(self._belongs(given.get("belongs"), areas))
        return None if size is None else Shapes(size, self.arcs, areas, blank, belongs)

    def _size(self, value: Json) -> Point | None:
        if (
            isinstance(value, list)
            and len(value) == 2
            and all(_whole(length) and length > 0 for length in value)
        ):
            return self._point(value, ("size",))
        self._wrong("bad-size", Message("board.shapes.size", most=MOST), ("size",))
        return None

    def _point(self, value: Json, path: Path) -> Point | None:
        if isinstance(value, list) and len(value) == 2 and all(map(_whole, value)):
            x, y = (number for number in value if _whole(number))
            return x, y
        self._wrong("bad-point", Message("board.shapes.point", found=repr(value)), path)
        return None

    def _arc(self, name: str, own: Json, path: Path) -> Arc | None:
        straight = False
        if isinstance(own, dict):
            self.reader.check_keys(own, ARC, path)
            straight, own, path = own.get("straight") is True, own.get("points"), (*path, "points")
        if name.startswith("-"):
            self._wrong("bad-id", Message("board.shapes.minus", name=name), path)
            return None
        values = own if isinstance(own, list) else []
        if len(values) < 4 or len(values) % 2 or not all(map(_whole, values)):
            self._wrong("bad-arc", Message("board.shapes.arc", name=name), path)
            return None
        numbers = [value for value in values if isinstance(value, int)]
        return Arc(tuple(zip(numbers[::2], numbers[1::2], strict=True)), straight)

    def _areas(self, given: Mapping[str, Json], part: str) -> dict[str, Shape]:
        shapes = {}
        for id, own in self.reader.mapping(given.get(part), (part,)):
            shape = self._shape(own, (part, id))
            if shape is not None:
                shapes[id] = shape
        return shapes

    def _shape(self, own: Json, path: Path) -> Shape | None:
        if not isinstance(own, dict):
            self._wrong("wrong-type", Message("board.shapes.area", found=repr(own)), path)
            return None
        self.reader.check_keys(own, AREA, path)
        single = "ring" in own
        if single == ("rings" in own):
            self._wrong("missing-key", Message("board.shapes.ring-or-rings"), path)
            return None
        below: Path = (*path, "ring" if single else "rings")
        listed = [own["ring"]] if single else self.reader.items(own["rings"], below)
        rings = [self._ring(ring, below if single else (*below, n)) for n, ring in enumerate(listed)]
        if not rings or not all(rings):
            if not rings:
                self._wrong("missing-key", Message("board.shapes.ring-or-rings"), below)
            return None
        ring_steps = tuple(tuple(ring) for ring in rings)
        spots = {
            key: self._point(own[key], (*path, key)) for key in ("label", "stand", "centre") if key in own
        }
        if not (spots.get("label") and spots.get("stand")):
            middle = farthest([ring_points(self.arcs, ring) for ring in ring_steps])
            spots = {**spots, "label": spots.get("label") or middle, "stand": spots.get("stand") or middle}
        label, stand = spots["label"], spots["stand"]
        assert label is not None and stand is not None
        return Shape(
            ring_steps,
            label,
            stand,
            spots.get("centre"),
            dict(self._coasts(own, path)),
            own.get("water") is True,
        )

    def _coasts(self, own: Mapping[str, Json], path: Path) -> Iterator[tuple[str, Point]]:
        for name, value in self.reader.mapping(own.get("coasts"), (*path, "coasts")):
            point = self._point(value, (*path, "coasts", name))
            if point is not None:
                yield name, point

    def _ring(self, value: Json, path: Path) -> list[Step]:
        """Return the arcs of a ring that closes; [] (with a fault) for any other."""
        steps = []
        for n, text in self.reader.texts(value, path):
            step = Step(text.removeprefix("-"), text.startswith("-"))
            if step.arc not in self.arcs:
                self.reader.unknown("arc", step.arc, self.arcs or {"-": ""}, (*path, n))
                return []
            steps.append(step)
        if not steps:
            self._wrong("bad-ring", Message("board.shapes.no-arcs"), path)
            return []
        for n, (before, following) in enumerate(zip(steps, (*steps[1:], steps[0]), strict=True)):
            end, start = self._ends(before)[1], self._ends(following)[0]
            if end != start:
                message = Message("board.shapes.open", x=str(end[0]), y=str(end[1]), arc=following.arc)
                self._wrong("open-ring", message, (*path, n))
                return []
        return steps

    def _ends(self, step: Step) -> tuple[Point, Point]:
        points = self.arcs[step.arc].points
        return (points[-1], points[0]) if step.back else (points[0], points[-1])

    def _belongs(self, value: Json, areas: Mapping[str, Shape]) -> Iterator[tuple[str, str]]:
        for id, other in self.reader.mapping(value, ("belongs",)):
            for name in (id, other):
                if not isinstance(name, str) or name not in areas:
                    self.reader.unknown("area", str(name), areas, ("belongs", id))
                    break
            else:
                yield id, str(other)

    def _wrong(self, code: str, message: Message, path: Path) -> None:
        self.reader.fault(code, message, path)


def _whole(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST
