"""Shapes of areas: arcs that two areas share, what is wrong with them, and where names have room."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from pbem.board.geometry import farthest, inside, room, twice_area
from pbem.board.map import GameMap
from pbem.board.shapes import read
from pbem.text.diagnostics import Refused

# two areas beside each other, with a lake in the first
TWO: dict[str, Any] = {
    "size": [300, 100],
    "arcs": {
        "west": [150, 0, 0, 0, 0, 100, 150, 100],
        "east": {"points": [150, 0, 300, 0, 300, 100, 150, 100], "straight": True},
        "middle": [150, 0, 150, 100],
        "shore": [20, 20, 60, 20, 60, 60, 20, 60, 20, 20],
    },
    "areas": {"a": {"rings": [["west", "-middle"], ["shore"]]}, "b": {"ring": ["-east", "middle"]}},
    "blank": {"lake": {"ring": ["shore"], "water": True}},
}
SQUARE = [(0, 0), (100, 0), (100, 100), (0, 100)]


def chart(shapes: dict[str, Any], links: tuple[str, ...] = ("a-b",)) -> GameMap:
    return GameMap.from_data(
        {
            "areas": {"province": {"a": {"name": "Alm"}, "b": {"name": "Birk"}}},
            "links": {"border": {"far": True, "chains": list(links)}},
            "shapes": shapes,
        }
    )


def changed(**parts: Any) -> dict[str, Any]:
    made = deepcopy(TWO)
    for part, own in parts.items():
        made[part] = {**made[part], **own} if isinstance(own, dict) else own
    return made


def wrong(shapes: dict[str, Any], links: tuple[str, ...] = ("a-b",)) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        chart(shapes, links)
    return [(".".join(map(str, fault.path)), str(fault.message)) for fault in refused.value.diagnostics]


def test_two_areas_that_share_an_arc_touch() -> None:
    shapes = chart(TWO).shapes
    assert shapes is not None and shapes.touching == {("a", "b"): ["middle"], ("a", "lake"): ["shore"]}
    assert shapes.sides["west"] == ("a",)


def test_label_and_stand_default_to_the_place_farthest_from_every_border() -> None:
    shapes = read(TWO)
    b = shapes.areas["b"]
    assert b.label == b.stand and abs(b.stand[0] - 225) <= 26 and abs(b.stand[1] - 50) <= 1
    lake = shapes.outline(shapes.areas["a"])
    assert not inside(lake, (40, 40)) and inside(lake, (100, 50)) and room(lake, shapes.areas["a"].stand) > 0


def test_an_arc_backwards_is_the_same_border() -> None:
    shapes = read(TWO)
    a, b = (shapes.outline(shapes.areas[id])[0] for id in "ab")
    assert {*a} & {*b} == {(150, 0), (150, 100)}


@pytest.mark.parametrize(
    ("shapes", "where", "says"),
    [
        (
            changed(arcs={"middle": [150, 0, 150, 90]}),
            "shapes.areas.a.rings.0.0",
            "does not close at 150 100",
        ),
        (changed(arcs={"middle": [150, 0, 150]}), "shapes.arcs.middle", "two whole numbers"),
        (changed(arcs={"-x": [0, 0, 9, 9]}), "shapes.arcs.-x", "backwards"),
        (changed(areas={"a": {"ring": ["wst", "-middle"]}}), "shapes.areas.a.ring.0", "unknown arc 'wst'"),
        (changed(areas={"a": {"label": [9, 9]}}), "shapes.areas.a", "either a `ring`"),
        (changed(areas={"c": {"ring": ["shore"]}}), "shapes.areas.c", "the map has no area c"),
        (
            changed(areas={"a": {"ring": ["west", "-middle"], "label": [400, 50]}}),
            "shapes.areas.a.label",
            "outside",
        ),
        (changed(size=[300, 5000]), "shapes.size", "from 1 to 4000"),
        (changed(arcs={"spare": [0, 0, 50, 50]}), "shapes.arcs.spare", "belongs to 0 areas"),
        (
            changed(belongs={"a": "z"}) if "belongs" in TWO else {**TWO, "belongs": {"a": "z"}},
            "shapes.belongs.a",
            "'z'",
        ),
        ({**TWO, "arc": {}}, "shapes.arc", "unknown key"),
        (changed(arcs={f"s{n}": [0, 0, 9, 9] * 10_000 for n in range(3)}), "shapes.arcs", "40000"),
        (changed(areas={"b": None}), "shapes.areas.b", "expected a ring"),
    ],
)
def test_a_fault_has_its_place_and_says_what_is_wrong(shapes: Any, where: str, says: str) -> None:
    faults = wrong(shapes)
    assert any(place == where and says in message for place, message in faults), faults


def test_neighbours_that_do_not_touch_and_touching_areas_that_are_none_are_faults() -> None:
    far = changed(
        arcs={"east": [160, 0, 300, 0, 300, 100, 160, 100], "gap": [160, 0, 160, 100]},
        areas={"b": {"ring": ["-east", "gap"]}},
    )
    assert ("shapes.areas.a", "an order may go from a to b, but they share no arc") in wrong(far)
    assert wrong(TWO, links=()) == [("shapes.arcs.middle", "a and b share an arc, but no order may go there")]


def test_a_short_border_and_a_small_area_are_faults() -> None:
    small = {
        "size": [300, 300],
        "arcs": {
            "one": [15, 0, 0, 0, 0, 10, 15, 10],
            "two": [15, 0, 99, 0, 99, 99, 15, 99, 15, 10],
            "m": [15, 0, 15, 10],
        },
        "areas": {
            "a": {"ring": ["one", "-m"]},
            "b": {"ring": ["two", "-m"], "stand": [50, 50], "label": [50, 60]},
        },
    }
    messages = [message for _, message in wrong(small)]
    assert "a has 150 square units, at least 400 are needed" in messages
    assert "the border of a and b is 10 units long: do they touch, or only meet at a point?" in messages


def test_all_faults_are_told_at_once() -> None:
    assert len(wrong(changed(arcs={"spare": [0, 0], "-x": [0, 0, 1, 1]}, areas={"b": {"ring": []}}))) == 3


def test_sums_about_outlines_are_exact() -> None:
    hole = [(30, 30), (30, 70), (70, 70), (70, 30)]
    assert twice_area(SQUARE) == 20_000 and twice_area(SQUARE[::-1]) == -20_000
    assert inside([SQUARE], (50, 50)) and not inside([SQUARE, hole], (50, 50))
    assert room([SQUARE], (10, 50)) == 160 and room([SQUARE], (-10, 50)) == -160
    assert farthest([SQUARE]) == (50, 50)
    x, y = farthest([SQUARE, hole])
    assert room([SQUARE, hole], (x, y)) >= 15 * 16


def test_an_area_touches_others_and_not_itself_where_a_line_runs_into_it() -> None:
    """`cut` goes into A and back: a pier. Only `wall` is between two areas."""
    arcs = {
        "wall": [100, 0, 100, 50],
        "cut": [100, 50, 50, 50],
        "west": [100, 50, 100, 100, 0, 100, 0, 0, 100, 0],
        "east": [100, 50, 200, 50, 200, 0, 100, 0],
    }
    areas = {"A": {"ring": ["wall", "cut", "-cut", "west"]}, "B": {"ring": ["-east", "-wall"]}}
    areas["B"] = {"ring": ["wall", "east"]}
    shapes = read({"size": [300, 200], "arcs": arcs, "areas": areas})
    assert shapes.sides["cut"] == ("A", "A") and shapes.touching == {("A", "B"): ["wall"]}
