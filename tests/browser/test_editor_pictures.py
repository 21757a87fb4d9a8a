"""Pictures of single sheets, and pictures below the outlines of areas, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.board.map import GameMap
from pbem.text import yaml
from pbem.workshop import beside
from pbem.workshop.editing import open_folder
from tests.browser.benches import READY, SAVE, editing, next_corner, on_area, on_map, tool
from tests.browser.photographs import HIGH, WIDE, Colour, photograph, png, seen
from tests.browser.tables import Step, says, sit
from tests.cli.play import pbem

SPOTS: dict[tuple[int, int], Colour] = {
    (20, 20): (200, 30, 30), (80, 25): (30, 160, 30), (50, 50): (30, 30, 200),
    (25, 80): (200, 200, 30), (80, 75): (200, 30, 200),
}  # fmt: skip
"""Where on the board, in percent, a spot of which colour is printed."""
LAID = "document.body.dataset.aligned === '1'"
OUTLINES = "document.body.dataset.outlines === '{}'"


def visit(root: Path, steps: list[Step]) -> list[Any]:
    """What a browser found at the editor of a folder, in which nothing went wrong."""
    with editing(root) as link:
        sitting = {"link": link(), "width": 1280, "height": 800, "steps": [{"wait": READY}, *steps]}
        found = sit([sitting], {})[0]
    assert not any(found[what] for what in ("errors", "violations", "wide", "requests")), found
    values: list[Any] = found["values"]
    return values


def chosen(path: Path, count: int) -> list[Step]:
    return [{"files": ["#picture-file", str(path)]}, {"wait": f"document.body.dataset.picture === '{count}'"}]


OFF = """(async () => {
    const { S } = await import("/static/edit-state.js"), { G } = await import("/static/edit-geometry.js");
    const at = %s, there = S.model.hexes.map(([n], i) => [n, i]).filter(([n]) => at[n]);
    const off = there.map(([n, i]) => Math.hypot(G.x[i] - at[n][0], G.y[i] - at[n][1]) / G.radius);
    return [there.length, Math.max(...off), S.model.hexes.filter((_, i) => G.x[i] === G.x[i]).length];
})()"""
"""Hexes that are meant, the worst error of one in radii of a hex, and how many are shown at all."""


def test_each_sheet_lies_on_a_picture_of_its_own(tmp_path: Path) -> None:
    root = tmp_path / "two-sheets"
    pbem("scenario", "new", "victory", root)
    opened = open_folder(root)
    for name, data in opened.changed({"sheet/east": (None, [9, 7, ".", "e", "beside", "main"])}).items():
        (root / name).write_bytes(data)
    alike = GameMap.from_data({"legend": {".": "clear"}, "terrain": [". " * 9] * 7})
    picture, at = photograph(alike)
    east = {f"e{hex}": spot for hex, spot in at.items()}
    whole = photograph(GameMap.from_data({"legend": {".": "clear"}, "terrain": [". " * 12] * 8}))
    for name, data in (("east.png", picture), ("main.png", whole[0])):
        (tmp_path / name).write_bytes(data)
    shown: list[Any] = []
    for n, (sheet, meant) in enumerate((("east", east), ("main", whole[1])), 1):
        shown += [
            {"pick": ["#picture-sheet", sheet]},
            {"wait": "!document.querySelector('#lay')"},
            *chosen(tmp_path / f"{sheet}.png", n),
            *([next_corner(meant)] * 6),
            {"wait": LAID},
            says(OFF % json.dumps(meant)),
        ]
    back = [{"pick": ["#picture-sheet", "east"]}, {"wait": "document.querySelector('#picture-show')"}]
    found = visit(root, [*tool("picture"), *shown, {"axe": True}, *back, says(OFF % json.dumps(east))])
    assert [one[0] for one in found] == [one[2] for one in found] == [63, 96, 63]
    assert all(one[1] < 0.15 for one in found), found
    for sheet, first in (("east", "e0101"), ("main", "0101")):
        said = beside.alignment(root, sheet)
        assert said is not None and said["sheet"] == sheet and first in said["corners"]
        assert said["picture"] == {"file": f"board-{sheet}.png", "wide": WIDE, "high": HIGH}
    assert beside.picture(root, "east") == ("png", picture) and beside.picture(root) is None


def board_with_spots() -> bytes:
    """A photograph of a board, seen from aside, on which some spots are printed."""
    pixels = [[(70, 62, 54)] * WIDE for _ in range(HIGH)]
    for (x, y), colour in SPOTS.items():
        px, py = map(int, seen(x / 100, y / 100))
        for row in pixels[py - 9 : py + 10]:
            row[px - 9 : px + 10] = [colour] * 19
    return png(pixels)


def corners() -> list[Step]:
    """Clicks on the corners of the board, for which the page asks clockwise."""
    return [
        *({"at": on_map(*map(round, seen(x, y)))} for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))),
        {"wait": LAID},
    ]


COLOURS = """import("/static/edit-geometry.js").then(({ G }) => {
    const { image, size: [wide, high] } = G.under, pen = image.getContext("2d");
    const at = (share, all) => Math.round(share * all / 100), { width, height } = image;
    const colour = ([x, y]) => [...pen.getImageData(at(x, width), at(y, height), 1, 1).data].slice(0, 3);
    return [[wide, high], ...SPOTS.map(colour)];
})"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A board under the outlines of a package, and then under the first outline of a map of one's own."""
    root = tmp_path_factory.mktemp("areas") / "shores"
    pbem("scenario", "new", "diplomacy", "--like", "three_shores", root)
    (root.parent / "board.png").write_bytes(board_with_spots())
    stand = open_folder(root).values["h/spot/TAL/stand"]
    found = visit(
        root,
        [
            *tool("picture"),
            *chosen(root.parent / "board.png", 1),
            *corners(),
            says(COLOURS.replace("SPOTS", json.dumps([*map(list, SPOTS)]))),
            {"axe": True},
            {"drag": f"Promise.all([{on_area('TAL')}, {on_map(stand[0] + 30, stand[1] + 20)}])"},
            {"wait": LAID},
            says("import('/static/edit-store.js').then((s) => s.get('b/').moved)"),
            {"press": ["Control+z"]},
            *tool("boxes"),
            {"value": "document.querySelectorAll('#form details').forEach((one) => { one.open = true; })"},
            {"click": "#remove-boxes"},
            {"wait": OUTLINES.format(0)},
            {"wait": "document.body.dataset.sizing === ''"},
            says(COLOURS.replace("SPOTS", json.dumps([*map(list, SPOTS)]))),
            {"value": "document.querySelectorAll('#form details').forEach((one) => { one.open = true; })"},
            {"pick": ["#new-box-group", "province"]},
            {"fill": ["#new-box", "NOR"]},
            {"click": "#add-box"},
            {"wait": "document.querySelector('#form legend')?.innerText === 'NOR'"},
            {"wait": "document.body.dataset.sizing === ''"},
            {"click": "#draw-outline"},
            *({"at": on_map(*at)} for at in ((100, 100), (400, 120), (250, 300), (100, 100))),
            {"wait": OUTLINES.format(1)},
            {"wait": "document.body.dataset.sizing === ''"},
            says(COLOURS.replace("SPOTS", json.dumps([*map(list, SPOTS)]))),
            *SAVE,
        ],
    )
    return root, [one for one in found if one is not None]


def test_a_photograph_lies_straight_below_the_outlines_of_areas(drawn: tuple[Path, list[Any]]) -> None:
    (size, *colours), moved = drawn[1][:2]
    assert size == [1000, 760] and colours == [list(one) for one in SPOTS.values()]
    x, y = moved["TAL"]
    assert 0 < x < WIDE and 0 < y < HIGH


def test_the_first_outline_of_a_map_of_ones_own_is_traced_from_a_photograph(
    drawn: tuple[Path, list[Any]],
) -> None:
    root, found = drawn
    (wide, high), *colours = found[2]
    assert wide == 1000 and 500 < high < 1000 and colours == [list(one) for one in SPOTS.values()]
    assert found[3] == found[2], "the outline changes nothing below it"
    shapes = yaml.load((root / "map.yaml").read_bytes(), "map.yaml").data["shapes"]
    assert shapes["size"] == [wide, high] and list(shapes["areas"]) == ["NOR"]
