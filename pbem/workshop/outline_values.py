"""Outlines of areas under an editor: one that is drawn anew shares its borders with those beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.shapes import MOST, read, ring_points
from pbem.workshop.outlines import Point, corners_of, joined, parts_of

WIDE, HIGH, RIM = 1000, 720, 20
"""The least size of a drawing that begins with an outline, and what is left around it."""


def outlined(shapes: Mapping[str, Any], area: str, said: Any) -> dict[str, Any]:
    """Return shapes in which an area has this outline: x and y of its points, in a row.

    With `size` and `points` it begins a drawing of that size, as on a picture.

    Arcs that stay as they are keep their names. ValueError for points that enclose nothing.
    """
    wanted, flat = (said["size"], said["points"]) if isinstance(said, dict) else (None, said)
    ring: list[Point] = list(zip(flat[::2], flat[1::2], strict=True))
    if len(set(ring)) < 3 or not all(type(number) is int and 0 <= number <= MOST for number in flat):
        raise ValueError(area)
    if wanted and not (
        len(wanted) == 2 and all(type(number) is int and 0 < number <= MOST for number in wanted)
    ):
        raise ValueError(area)
    known = read(dict(shapes)) if shapes else None
    data: dict[str, Any] = {part: dict(shapes.get(part) or {}) for part in ("arcs", "areas", "blank")}
    rings: dict[str, list[list[Point]]] = {}
    if known is not None:
        for id, shape in (*known.areas.items(), *known.blank.items()):
            rings[id] = [ring_points(known.arcs, points) for points in shape.rings]
    rings[area] = [ring]
    together = joined(rings)
    corners, names = corners_of(together), {}
    if known is not None:
        names = {arc.points: name for name, arc in known.arcs.items()}
    own: dict[str, Any] = {}

    def named(part: tuple[Point, ...]) -> str:
        back = part[::-1] in names
        name = names.get(part) or names.get(part[::-1])
        if name is None:
            name = names[part] = next(
                n for k in range(len(names) + 1) if (n := f"a{k}") not in names.values()
            )
        own.setdefault(name, data["arcs"].get(name) or [coordinate for point in part for coordinate in point])
        return f"-{name}" if back and part not in names else name

    for id, listed in together.items():
        section = "blank" if id in data["blank"] else "areas"
        before = data[section].get(id, {})
        kept = {key: value for key, value in before.items() if key not in ("ring", "rings")}
        if id == area:
            kept = {key: value for key, value in kept.items() if key == "water"}
        said = [[named(part) for part in parts_of(points, corners)] for points in listed]
        data[section][id] = {**({"rings": said} if len(said) > 1 else {"ring": said[0]}), **kept}
    size = (
        shapes.get("size")
        or wanted
        or [min(MOST, max(least, *flat[n::2]) + RIM) for n, least in enumerate((WIDE - RIM, HIGH - RIM))]
    )
    whole = {**shapes, "size": size, "arcs": own, "areas": data["areas"]}
    return {**whole, "blank": data["blank"]} if data["blank"] else whole


def without(shapes: Mapping[str, Any], area: str) -> dict[str, Any]:
    """Return shapes without an area, and without arcs that none has any more; {} if it was the last."""
    left: dict[str, Any] = {
        key: dict(value) if isinstance(value, dict) else value for key, value in shapes.items()
    }
    left["areas"].pop(area, None)
    (left.get("belongs") or {}).pop(area, None)
    used = {
        str(arc).removeprefix("-")
        for part in ("areas", "blank")
        for own in (left.get(part) or {}).values()
        for ring in own.get("rings") or [own["ring"]]
        for arc in ring
    }
    left["arcs"] = {name: arc for name, arc in left["arcs"].items() if name in used}
    return left if left["areas"] else {}
