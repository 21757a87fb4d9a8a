"""Maps of several sheets, boxes and areas: one kind of id, one graph; a faulty map is refused."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import DIRECTIONS, HexGrid, UnknownLocation
from pbem.board.map import GameMap
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused

LEGEND = {".": "clear", "f": "forest", "~": "sea", "_": None}


def data(**changes: Json) -> dict[str, Json]:
    """Two joined sheets, a third that stands alone, boxes, a sea area with boxes of its own, countries."""
    found: dict[str, Json] = {
        "sheets": {
            "west": {"prefix": "w", "title": "The west", "terrain": ["f . .", ". . ~", ". f ~"]},
            "east": {
                "prefix": "e",
                "shifted": "odd",  # column 1 goes on where column 4 of the west, an even one, would be
                "terrain": ["~ .", "~ f", "~ ."],
                "joins": {"sheet": "west", "at": "w0401"},
            },
            "south": {"separator": ".", "rows_from": "bottom", "terrain": [". .", "f ."], "below": "west"},
        },
        "boxes": {
            "Harbour": {"name": "Far Harbour", "terrain": "sea", "supplies": "infinite"},
            "Pool": None,
        },
        "hexsides": {"river": ["w0302/e0101"]},
        "links": {
            "road": ["w0101-w0102"],
            "lane": ["Harbour-NS", ["NS", "e0101"], "NS - w0303"],
            "ferry": {"far": True, "chains": ["w0101-w0303"]},
            "bridge": ["w0103-01.02"],
        },
        "places": {"base": [{"hex": "Harbour", "name": "Dock"}, {"hex": "01.02", "name": "Foot"}]},
        "areas": {
            "sea": {"NS": {"name": "Narrow Sea", "terrain": "sea", "members": ["e0101..e0103", "w0302"],
                           "boxes": [0, 1]}},
            "country": {"Reich": ["w0101..w0203", "Harbour"], "Union": ["e0201"]},
        },
        "names": {"w0101": "Karsk"},
    }  # fmt: skip
    return found | changes


def load(**changes: Json) -> GameMap:
    return GameMap.from_data(data(**changes), legend=LEGEND)


def faults(**changes: Json) -> list[Diagnostic]:
    with pytest.raises(Refused) as refused:
        load(**changes)
    return list(refused.value.diagnostics)


def test_every_location_has_one_id_and_one_integer() -> None:
    chart = load()
    ids = chart.numbers(chart.locations)
    assert len(set(ids)) == len(ids) == len(chart) == 9 + 6 + 4 + 4 + 1
    assert [chart.index(id) for id in ids] == list(chart.locations) == list(range(24))
    assert ids[-5:] == ("Harbour", "Pool", "NS.0", "NS.1", "NS")
    assert [chart.kind(chart.index(id)) for id in ("w0101", "01.02", "Pool", "NS.1", "NS")] == [
        "hex", "hex", "box", "box", "area",
    ]  # fmt: skip
    assert "e0203" in chart and "e0301" not in chart and "0101" not in chart


def test_a_map_of_one_sheet_keeps_the_integers_and_the_table_of_its_grid() -> None:
    chart = GameMap.from_data({"terrain": ["f.", ".."], "boxes": {"Off": None}}, legend=LEGEND)
    assert [chart.number(hex) for hex in chart.hexes] == list(chart.grid.numbers(chart.grid.hexes))
    assert chart.table[: len(chart.grid.table)] == chart.grid.table
    plain = GameMap.from_data({"terrain": ["f.", ".."]}, legend=LEGEND)
    assert plain.table is plain.hex_table is plain.grid.table


def test_the_grid_of_several_sheets_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="3 sheets"):
        _ = load().grid


def test_boxes_and_areas_are_told_with_terrain_name_and_what_else_the_map_says() -> None:
    chart = load()
    harbour, pool, sea = map(chart.index, ("Harbour", "Pool", "NS"))
    entry = chart.entry(harbour)
    assert entry is not None and (entry.kind, entry.text("supplies")) == ("box", "infinite")
    assert (chart.terrain(harbour), chart.terrain(pool), chart.terrain(sea)) == ("sea", "", "sea")
    assert chart.name(harbour) == "Far Harbour" and chart.named("Narrow Sea") == sea
    assert chart.name(chart.index("NS.1")) == "Narrow Sea 1"
    assert chart.name(chart.index("w0101")) == "Karsk" and chart.name(pool) == ""
    assert chart.entry(chart.index("w0101")) is None
    base = chart.place("base", harbour)
    assert base is not None and base.number == "Harbour"


def test_areas_hold_hexes_boxes_and_themselves_where_they_are_locations() -> None:
    chart = load()
    assert chart.layers == ("sea", "country")
    inside = chart.numbers(chart.area_locations("sea", "NS"))
    assert inside == ("w0302", "e0101", "e0102", "e0103", "NS.0", "NS.1", "NS")
    assert chart.numbers(chart.area_hexes("sea", "NS")) == ("w0302", "e0101", "e0102", "e0103")
    assert chart.area("country", chart.index("Harbour")) == "Reich"
    assert chart.area("country", chart.index("e0101")) is None


def test_links_make_neighbours_of_anything_and_come_after_the_hexes_beside() -> None:
    chart = load()
    numbers = chart.numbers
    assert numbers(chart.neighbours(chart.index("NS"))) == ("w0303", "e0101", "Harbour")
    assert numbers(chart.neighbours(chart.index("w0101"))) == ("w0201", "w0102", "w0303")
    assert numbers(chart.beside(chart.index("w0101"))) == ("w0201", "w0102")
    assert chart.linked("ferry", chart.index("w0303"), chart.index("w0101"))
    assert numbers(chart.neighbours(chart.index("w0103"))) == ("w0102", "w0202", "w0203", "01.02")
    assert not chart.adjacent(chart.index("w0103"), chart.index("01.02"))
    assert chart.neighbours(chart.index("Pool")) == ()


def test_over_the_seam_of_joined_sheets_hexes_are_adjacent_and_distances_count() -> None:
    chart = load()
    west, east, south, box = map(chart.index, ("w0302", "e0101", "01.01", "Harbour"))
    assert chart.adjacent(west, east) and chart.direction(west, east) == "NE"
    assert chart.hexside(east, west) == "w0302/e0101"
    assert chart.hexside_hexes("e0101/w0302") == (west, east)
    assert chart.has_hexside("river", east, west)
    assert chart.towards(east, "SW") == west and chart.towards(box, "N") is None
    assert chart.distance(chart.index("w0101"), chart.index("e0201")) == 4
    assert chart.distance(west, south) is None and chart.distance(west, box) is None
    assert chart.distance(box, box) == 0
    assert chart.numbers(chart.within(west, 1)) == (
        "w0201",
        "w0202",
        "w0301",
        "w0302",
        "w0303",
        "e0101",
        "e0102",
    )
    assert chart.within(box, 3) == (box,)


def test_a_sheet_may_join_anywhere_along_the_edge_of_another() -> None:
    high: Json = {"prefix": "a", "terrain": ["..."] * 5}
    low: Json = {"prefix": "b", "terrain": ["."], "joins": {"sheet": "high", "at": "a0404"}}
    chart = GameMap.from_data({"sheets": {"high": high, "low": low}}, legend=LEGEND)
    only = chart.index("b0101")
    assert chart.numbers(chart.beside(only)) == ("a0305", "a0304")
    assert chart.distance(chart.index("a0101"), only) == 5
    assert chart.numbers(chart.within(only, 1)) == ("a0304", "a0305", "b0101")


@given(
    st.sampled_from(["even", "odd"]),
    st.sampled_from(["top", "bottom"]),
    st.sampled_from(["top", "bottom"]),
    st.integers(1, 6),
)
@settings(max_examples=60)
def test_two_joined_sheets_are_one_field_of_hexes(
    shifted: Any, one_from: Any, other_from: Any, cut: int
) -> None:
    """A sheet that is cut in two is as it was: neighbours, directions, distances, what is near."""
    whole = HexGrid(7, 5, shifted)
    parity = {"even": "odd", "odd": "even"}[shifted] if cut % 2 else shifted
    left = {"prefix": "a", "shifted": shifted, "rows_from": one_from, "terrain": ["." * cut] * 5}
    right = {"prefix": "b", "shifted": parity, "rows_from": other_from, "terrain": ["." * (7 - cut)] * 5}

    def row(printed: int, start: str) -> int:
        return printed if start == "top" else 6 - printed

    at = f"a{cut + 1:02}{row(1 if other_from == 'top' else 5, one_from):02}"
    chart = GameMap.from_data(
        {"sheets": {"left": left, "right": {**right, "joins": {"sheet": "left", "at": at}}}}, legend=LEGEND
    )

    def cut_number(hex: int) -> int:
        column, printed = whole.column_row(hex)
        if column <= cut:
            return chart.index(f"a{column:02}{row(printed, one_from):02}")
        return chart.index(f"b{column - cut:02}{row(printed, other_from):02}")

    same = {hex: cut_number(hex) for hex in whole.hexes}
    for hex in whole.hexes:
        if one_from == other_from == "top":  # else rows shift the other way, and columns mesh differently
            assert chart.neighbours(same[hex]) == tuple(same[near] for near in whole.neighbours(hex))
            assert chart.within(same[hex], 2) == tuple(sorted(same[near] for near in whole.within(hex, 2)))
    for a, b in combinations(chart.hexes, 2):
        assert (chart.distance(a, b) == 1) == chart.adjacent(a, b) == (chart.direction(a, b) is not None)
    for hex in chart.hexes:
        for direction in DIRECTIONS:
            near = chart.towards(hex, direction)
            assert near is None or chart.direction(hex, near) == direction


def test_numbers_of_a_sheet_of_more_than_99_columns_have_three_digits_each() -> None:
    chart = GameMap.from_data({"terrain": ["." * 120] * 45}, legend=LEGEND)
    assert chart.number(chart.hexes[-1]) == "120045"
    with pytest.raises(UnknownLocation) as refused:
        chart.index("0405")
    assert refused.value.diagnostics[0].help == ("did you mean 004005?",)


@pytest.mark.parametrize(
    ("id", "meant"),
    [("Harbor", "Harbour"), ("ns", "NS"), ("w101", "w0101"), ("e11", None), ("Far Harbour", "Harbour"),
     ("Karsk", "w0101"), ("0101", "w0101 or e0101 or 01.01")],
)  # fmt: skip
def test_an_unknown_location_is_refused_with_the_one_that_was_meant(id: str, meant: str | None) -> None:
    with pytest.raises(UnknownLocation) as refused:
        load().index(id)
    fault = refused.value.diagnostics[0]
    assert fault.code == "unknown-location" and repr(id) in fault.message
    assert fault.help == ((f"did you mean {meant}?",) if meant else ())


def test_every_fault_of_the_new_kinds_is_told_at_once_with_its_place() -> None:
    found = faults(
        boxes={"w0101": None, "no good": None, "Pool": 7, "Dock": {"terrain": 3}},
        links={"lane": ["Dock-Nowhere", "w0101-w0303", "Dock-Dock", 12], "road": {"far": True, "chain": []}},
        areas={
            "sea": {"NS": {"members": ["w0101..e0101", "Pol"], "boxes": [0, True]}},
            "air": {"NS": {}},
            "land": [],
        },
        names={"w0909": "Nowhere", "w0101": 3},
        places={"base": [{"hex": "Harbour"}]},
    )
    assert sorted((fault.code, "/".join(map(str, fault.path))) for fault in found) == [
        ("bad-id", "boxes/no good"),
        ("bad-span", "areas/sea/NS/members/0"),
        ("broken-chain", "links/lane/1"),
        ("broken-chain", "links/lane/2"),
        ("listed-twice", "areas/air/NS"),
        ("listed-twice", "boxes/w0101"),
        ("unknown-key", "links/road/chain"),
        ("unknown-location", "areas/sea/NS/members/1"),
        ("unknown-location", "links/lane/0"),
        ("unknown-location", "names/w0909"),
        ("unknown-location", "places/base/0/hex"),
        ("wrong-type", "areas/land"),
        ("wrong-type", "areas/sea/NS/boxes/1"),
        ("wrong-type", "boxes/Dock/terrain"),
        ("wrong-type", "boxes/Pool"),
        ("wrong-type", "links/lane/3"),
        ("wrong-type", "names/w0101"),
    ]


def joined(at: str) -> dict[str, Any]:
    """A sheet of one hex that joins sheet a."""
    return {"prefix": "b", "terrain": ["."], "joins": {"sheet": "a", "at": at}}


@pytest.mark.parametrize(
    ("sheets", "code", "path"),
    [
        ({}, "missing-key", ("sheets",)),
        ({"a": ["."]}, "wrong-type", ("sheets", "a")),
        ({"a": {"terrain": ["."], "colour": 1}}, "unknown-key", ("sheets", "a", "colour")),
        ({"a": {"terrain": ["."]}, "b": {"terrain": ["."]}}, "listed-twice", ("sheets", "b")),
        ({"a": {"terrain": ["."], "prefix": "1"}}, "wrong-type", ("sheets", "a", "prefix")),
        ({"a": {"terrain": ["?"]}}, "unknown-terrain", ("sheets", "a", "terrain", 0)),
        ({"a": {"terrain": ["."], "below": "b"}}, "unknown-sheet", ("sheets", "a", "below")),
        ({"a": {"terrain": ["."], "joins": "b"}}, "wrong-type", ("sheets", "a", "joins")),
        ({"a": {"terrain": ["."]}, "b": joined("x")}, "unknown-hex", ("sheets", "b", "joins", "at")),
        ({"a": {"terrain": [".."]}, "b": joined("0201")}, "overlapping-sheets", ("sheets", "b", "joins")),
    ],
)  # fmt: skip
def test_faulty_sheets_are_refused(sheets: Any, code: str, path: tuple[str | int, ...]) -> None:
    with pytest.raises(Refused) as refused:
        GameMap.from_data({"sheets": sheets}, legend=LEGEND)
    assert (code, path) in [(fault.code, fault.path) for fault in refused.value.diagnostics]


def test_what_the_rules_do_not_know_is_a_fault() -> None:
    with pytest.raises(Refused) as refused:
        GameMap.from_data(data(), legend=LEGEND, terrains=["clear", "forest"], layers=["sea"])
    found = {(fault.code, fault.path) for fault in refused.value.diagnostics}
    assert {
        ("unknown-layer", ("areas", "country")),
        ("unknown-terrain", ("boxes", "Harbour", "terrain")),
    } <= found


def test_a_map_may_have_no_hexes_at_all() -> None:
    land: Json = {"Borduria": {"terrain": "rough"}, "Syldavia": {}}
    chart = GameMap.from_data({"areas": {"land": land}, "links": {"border": ["Borduria-Syldavia"]}})
    one, other = map(chart.index, ("Borduria", "Syldavia"))
    assert chart.table == ((other,), (one,)) and chart.terrain(one) == "rough" and chart.hexes == ()


def test_a_letter_of_the_terrain_may_say_in_which_areas_a_hex_lies() -> None:
    legend: Json = {
        "N": {"terrain": "sea", "areas": {"sea": "NS"}},
        "D": {"terrain": "clear", "areas": {"weather": "desert", "country": "Sahr"}},
        ".": "clear",
    }
    areas: Json = {"sea": {"NS": {"name": "Narrow Sea"}}, "country": {"Reich": ["0301"]}}
    chart = GameMap.from_data({"terrain": ["N D .", "N N D"], "legend": legend, "areas": areas})
    assert chart.numbers(chart.area_locations("sea", "NS")) == ("0101", "0102", "0202", "NS")
    assert chart.terrain(chart.index("0201")) == "clear"
    assert chart.area("weather", chart.index("0302")) == "desert"
    assert [chart.area("country", chart.index(hex)) for hex in ("0201", "0301")] == ["Sahr", "Reich"]
    with pytest.raises(Refused) as refused:
        GameMap.from_data(
            {"terrain": ["D D"], "legend": legend, "areas": {"weather": {"wet": ["0101"]}}},
            layers=["weather"],
        )
    assert [(fault.code, fault.path) for fault in refused.value.diagnostics] == [
        ("unknown-layer", ("legend", "country")),
        ("listed-twice", ("areas", "weather", "wet", 0)),
    ]
    with pytest.raises(Refused) as refused:
        GameMap.from_data(
            {"terrain": ["."], "legend": {".": {"terrain": "clear", "areas": {"sea": 3}, "x": 1}}}
        )
    assert [fault.code for fault in refused.value.diagnostics] == ["unknown-key", "wrong-type"]
