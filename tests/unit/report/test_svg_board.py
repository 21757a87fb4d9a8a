"""A picture of the board under the map: every hex lies where it is on the picture."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem.board.map import GameMap
from pbem.report.reader import View
from pbem.report.svg.board import NEAR, Board, Picture, Placing, homography, on_hexes
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import draw
from pbem.report.svg.sheet import Fields

CORNERS = ("0101", "2001", "0112", "2012", "0102", "0201")
MOST_OFF = 2


def chart_of(tops: str = "flat") -> GameMap:
    rows = ["." * 20] * 12
    return GameMap.from_data({"legend": {".": "clear"}, "terrain": rows, "tops": tops})


def skewed(x: float, y: float) -> tuple[int, int]:
    """A photograph from the side: a homography with a keystone of some percent."""
    w = 1 + 0.00012 * x + 0.00007 * y
    return round((1.9 * x + 0.2 * y + 130) / w), round((-0.1 * x + 2.1 * y + 60) / w)


def board(chart: GameMap, names: tuple[str, ...] = CORNERS, **moved: tuple[int, int]) -> Picture:
    fields = Fields(chart)
    corners = {name: skewed(*fields.centre(chart.index(name))) for name in names}
    return Picture("data:image/png;base64,AA==", 4000, 3000, corners, moved)


@pytest.mark.parametrize("tops", ["flat", "pointy"])
def test_four_corners_and_two_neighbours_say_where_every_hex_is(tops: str) -> None:
    chart = chart_of(tops)
    fields = Fields(chart)
    placing = Placing(board(chart), on_hexes(chart, fields, ""))
    assert placing.known == [*CORNERS]
    for hex in chart.hexes:
        x, y = placing.place(fields.centre(hex))
        u, v = skewed(*fields.centre(hex))
        assert abs(x - u) <= MOST_OFF and abs(y - v) <= MOST_OFF, chart.number(hex)


def test_a_hex_put_right_is_exactly_there_and_draws_its_neighbours_along() -> None:
    chart = chart_of()
    fields = Fields(chart)
    u, v = skewed(*fields.centre(chart.index("1006")))
    placing = Placing(replace(board(chart), moved={"1006": (u + 40, v)}), on_hexes(chart, fields, ""))
    assert placing.place(fields.centre(chart.index("1006"))) == (u + 40, v)

    def drawn_along(name: str) -> float:
        spot = fields.centre(chart.index(name))
        return placing.place(spot)[0] - skewed(*spot)[0]

    assert 10 < drawn_along("1106") < 40
    assert abs(drawn_along("0101")) < MOST_OFF and abs(drawn_along("2012")) < MOST_OFF


def test_three_points_make_an_affine_map_and_a_line_makes_none() -> None:
    affine = homography([(0, 0), (100, 0), (0, 100)], [(10, 10), (210, 10), (10, 310)])
    assert affine is not None and [round(one) for one in affine((50, 50))] == [110, 160]
    assert homography([(0, 0), (1, 1)], [(0, 0), (1, 1)]) is None
    assert homography([(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1), (2, 2)]) is None


def parts(drawn: str) -> list[list[float]]:
    matches = re.findall(r'clip-path="[^"]*"><use [^>]*transform="matrix\(([^)]*)\)"', drawn)
    return [[float(one) for one in matrix.split()] for matrix in matches]


def test_the_picture_is_drawn_in_the_place_of_the_land_and_of_what_is_printed_there(view: View) -> None:
    chart = view.chart
    assert chart is not None
    fields = Fields(chart)
    flat = {chart.number(hex): fields.centre(hex) for hex in chart.hexes}
    picture = Board((Picture("data:image/png;base64,AA==", 400, 300, flat, {}),))
    plain, drawn = draw(view), draw(view, style=Style(board=picture))
    assert "<image" not in plain.svg and 'href="data:image/png;base64,AA=="' in drawn.svg
    assert "m-L-numbers" in plain.svg and "m-L-numbers" not in drawn.svg
    assert "m-L-units" in drawn.svg
    (matrix,) = parts(drawn.svg)
    assert matrix[:4] == [1, 0, 0, 1], "a scan that lies straight is one part, as it is"


def test_a_photograph_is_drawn_in_parts_that_are_exact(view: View) -> None:
    chart = chart_of()
    view = replace(view, chart=chart, position=type(view.position)())
    drawn = draw(view, style=Style(board=Board((board(chart),))))
    matrices = parts(drawn.svg)
    assert 1 < len(matrices) < 60
    fields = Fields(chart)
    left, top = min(fields.centre(hex)[0] for hex in chart.hexes) - 54, -49
    for hex in chart.hexes:  # some part has each hex where it is
        x, y = fields.centre(hex)
        u, v = skewed(x, y)
        ends = [(a * u + c * v + e, b * u + d * v + f) for a, b, c, d, e, f in matrices]
        off = min(max(abs(p - (x - left)), abs(q - (y - top))) for p, q in ends)
        assert off < NEAR + MOST_OFF, chart.number(hex)


def test_a_sheet_without_a_picture_is_drawn_beside_one_that_has_one(view: View) -> None:
    sheet = {"terrain": [". . . ."] * 4}
    east = {**sheet, "prefix": "e", "beside": "main"}
    chart = GameMap.from_data({"legend": {".": "clear"}, "sheets": {"main": sheet, "east": east}})
    fields = Fields(chart)
    middles = {chart.number(hex): fields.centre(hex) for hex in chart.hexes}
    view = replace(view, chart=chart, position=type(view.position)())
    one = Picture("data:,east", 500, 500, middles, {}, "east")
    partly, fully = (
        draw(view, style=Style(board=Board(found))).svg
        for found in ((one,), (one, replace(one, sheet="main")))
    )
    assert len(parts(partly)) == 1 and len(parts(fully)) == 2
    under, above = (svg.index("m-L-numbers") - svg.index("<g clip-path") for svg in (partly, fully))
    assert under < 0 < above, "the numbers that are drawn are under the picture; titles are over all"
