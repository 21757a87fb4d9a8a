"""Shapes of areas from drawings of other programs: borders that two outlines share become one arc."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.board.shapes import read as read_shapes
from pbem.engine.drawn import shapes_of
from pbem.report.svg import curves
from pbem.systems.diplomacy import SYSTEM
from pbem.testing.runner import prepare
from pbem.text.diagnostics import Refused
from pbem.text.yaml import load
from pbem.workshop import outlines
from tests.cli.play import pbem

# two areas whose points differ by a little, a third whose corner lies on a side, and an island in the first
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><g transform="translate(10 20)">
 <path id="AAA" d="M0 0H200V400H0z M50 50l40 0 0 40 -40 0z"/>
 <path id="BBB" d="m 201 0 199 0 0 200 -200 0.6 Z"/>
 <path id="CCC" d="M200 200L400 200C400 300 400 300 400 400L200 400z"/>
 <polygon id="DDD" points="50,50 90,50 90,90 50,90"/><path d="M0 0h9v9z"/></g></svg>"""
TOPOLOGY = {
    "type": "Topology",
    "transform": {"scale": [2, 2], "translate": [5, 5]},
    "arcs": [
        [[100, 0], [0, 200]],
        [[100, 0], [-100, 0], [0, 200], [100, 0]],
        [[100, 200], [100, 0], [0, -200], [-100, 0]],
    ],
    "objects": {"all": {"type": "GeometryCollection", "geometries": [
        {"type": "Polygon", "id": "AAA", "arcs": [[1, -1]]},
        {"type": "MultiPolygon", "properties": {"id": "BBB"}, "arcs": [[[0, 2]]]},
    ]}},
}  # fmt: skip


D3 = (
    '{"type":"Topology","objects":{"provinces":{"type":"GeometryCollection","geometries":[{"type":"P'
    'olygon","arcs":[[0,1]],"id":"NOR","properties":{"name":"North & West"}},{"type":"MultiPolygon",'
    '"arcs":[[[2,-1],[3]],[[4]]],"id":"SOU","properties":{"name":"South"}},{"type":"Polygon","arcs":'
    '[[-4]],"id":"LAK","properties":{"name":"Lake"}}]}},"arcs":[[[0,4761],[3448,239],[3448,-239]],[['
    "6896,4761],[0,4762],[-3448,476],[-3448,-476],[0,-4762]],[[0,4761],[0,-4761],[6896,0],[0,4761]],"
    "[[2069,1905],[0,1428],[2069,0],[0,-1428],[-2069,0]],[[8620,0],[0,1905],[1379,0],[0,-1905],[-137"
    '9,0]]],"bbox":[0,40,29,61],"transform":{"scale":[0.0029002900290029,0.0021002100210021],"transl'
    'ate":[0,40]}}'
)
"""What topojson-server 3 writes of three areas in degrees: a hole with a lake in it, and an island."""


def touching(name: str, data: bytes) -> dict[tuple[str, str], list[str]]:
    text = outlines.shapes_of(outlines.read(name, data))
    return read_shapes(load(text, name).data["shapes"]).touching


def test_outlines_that_were_drawn_beside_each_other_share_their_borders() -> None:
    found = touching("x.svg", SVG)
    assert {*found} == {("AAA", "BBB"), ("AAA", "CCC"), ("BBB", "CCC"), ("AAA", "DDD")}
    assert all(len(arcs) == 1 for arcs in found.values())


def test_turned_scaled_and_skewed_groups_lie_where_they_are_drawn() -> None:
    """As the maps of godip are drawn: transforms in each other, and provinces in a group of this name."""
    data = b"""<svg><defs><path id="sign" d="M0 0h9v9z"/></defs><path id="frame" d="M0 0h900v900z"/>
     <g id="provinces" transform="translate(500,100) rotate(90)"><g transform="scale(2, 1)">
      <path id="aaa" d="M0 0h100v100h-100z"/>
      <path id="bbb" transform="matrix(-1 0 0 1 200 0)" d="M0 0h100v100h-100z"/></g>
      <path id="ccc" transform="rotate(180,50,150), skewX(45) skewX(-45)" d="M0 0 H100 V100 z"/></g></svg>"""
    found = outlines.read("x.svg", data)
    corners = {id: {(round(x), round(y)) for x, y in rings[0]} for id, rings in found.items()}
    assert corners == {
        "aaa": {(500, 100), (500, 300), (400, 300), (400, 100)},
        "bbb": {(500, 300), (500, 500), (400, 500), (400, 300)},
        "ccc": {(200, 200), (200, 100), (300, 100)},
    }
    assert {*touching("x.svg", data)} == {("aaa", "bbb")}


def test_a_topology_keeps_its_shared_arcs() -> None:
    assert {*touching("x.json", json.dumps(TOPOLOGY).encode())} == {("AAA", "BBB")}


def test_a_map_in_degrees_has_north_up_an_island_and_a_hole() -> None:
    read = outlines.read("x.json", D3.encode())
    top = {id: min(y for ring in rings for _, y in ring) for id, rings in read.items()}
    assert top["NOR"] < top["SOU"], "y grows downwards in a drawing"
    shapes = read_shapes(load(outlines.shapes_of(read), "x").data["shapes"])
    assert {*shapes.touching} == {("LAK", "SOU"), ("NOR", "SOU")}
    assert [len(shapes.areas[id].rings) for id in ("NOR", "SOU", "LAK")] == [1, 3, 1]


def test_areas_without_an_id_go_by_their_name() -> None:
    topology = json.loads(D3)
    for number, one in enumerate(topology["objects"]["provinces"]["geometries"]):
        one["id"] = f"00{number}"
    assert {*outlines.read("x.json", json.dumps(topology).encode())} == {"North_West", "South", "Lake"}


def test_the_command_writes_a_file_that_a_map_can_carry(tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_bytes(SVG)
    said = pbem("scenario", "import", tmp_path / "x.svg", tmp_path / "mine")
    assert "Outlines: 4." in said.err
    text = (tmp_path / "mine" / "imported-shapes.yaml").read_text("utf-8")
    assert read_shapes(load(text, "x").data["shapes"]).size == (400, 400)


def test_a_map_of_our_own_drawn_as_paths_comes_back_with_the_same_borders() -> None:
    game = prepare(SYSTEM, {"scenario": "three_shores"})
    shapes = shapes_of(SYSTEM, SYSTEM.map_of(game.world))
    assert shapes is not None
    paths = "".join(
        f'<path id="{id}" d="{curves.outline(shapes, one)}"/>' for id, one in shapes.areas.items()
    )
    found = touching("own.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{paths}</svg>'.encode())
    assert {*shapes.touching} <= {*found}
    assert {*found} - {*shapes.touching} <= {("TAL", "ZOR")}, "where four meet at a point; the lint names it"


def test_an_island_too_small_to_draw_is_left_out() -> None:
    big, small = '<path id="A" d="M0 0H900V900H0z"/>', '<path id="B" d="M950 9h1v1h-1z"/>'
    both = big + small + '<path id="C" d="M920 20h20v20h-20z M900 9h1v1z"/>'
    text = outlines.shapes_of(outlines.read("x.svg", f"<svg>{both}</svg>".encode()))
    shapes = read_shapes(load(text, "x").data["shapes"])
    assert {id: len(one.rings) for id, one in shapes.areas.items()} == {"A": 1, "C": 1}


ATTACKS = {
    "entity.svg": b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
    "empty.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "other.svg": b'<svg><g transform="perspective(30)"><path id="A" d="M0 0h9v9z"/></g></svg>',
    "turned.svg": b'<svg><g transform="rotate(30 2)"><path id="A" d="M0 0h9v9z"/></g></svg>',
    "specks.svg": b'<svg><path id="A" d="M0 0h1v1z M900 900h1v1z"/></svg>',
    "short.svg": b'<svg><path id="A" d="M0 0L5"/></svg>',
    "point.svg": b'<svg><path id="A" d="M0 0 0 0 0 0z"/></svg>',
    "far.svg": b'<svg><path id="A" d="M0 0L1e300 0L9 9z"/></svg>',
    "late.svg": b'<svg><path id="A" d="L0 0L9 9L9 0z"/></svg>',
    "many.svg": b'<svg><path id="A" d="M0 0' + b"h1v1" * 110_000 + b'z"/></svg>',
    "arcs.json": b'{"type":"Topology","arcs":[],"objects":{"a":{"type":"Polygon","id":"A","arcs":[[5]]}}}',
    "text.json": b'{"type":"Topology","arcs":[["x"]],"objects":{}}',
}


@pytest.mark.parametrize("name", ATTACKS)
def test_hostile_and_damaged_drawings_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        outlines.shapes_of(outlines.read(name, ATTACKS[name]))
    codes = {one.code for one in refused.value.diagnostics}
    assert codes <= {"damaged-file", "doctype", "too-many", "transform"}
