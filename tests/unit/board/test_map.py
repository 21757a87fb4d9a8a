"""Maps from plain data: what can be asked of one; a faulty one is refused with all its faults."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.map import GameMap
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused

LEGEND = {".": "clear", "f": "forest", "~": "sea"}


def data(**changes: Json) -> dict[str, Json]:
    """A map of 4 x 3 hexes with one of everything."""
    found: dict[str, Json] = {
        "terrain": ["f . . ~", ". . f ~", ". . . ~"],
        "hexsides": {"river": ["0102/0202", "0202/0203"], "cliff": ["0102/0202"]},
        "links": {"road": ["0101-0102-0103", "0102-0202"], "rail": ["0202-0302"]},
        "places": {
            "base": [
                {"hex": "0202", "name": "Karsk", "pp": 3, "port": False, "home": "red", "roads": ["a", "b"]},
                {"hex": "0302", "name": "Velm", "pp": 0, "port": True, "home": None},
            ],
            "site": [{"hex": "0202"}],
        },
        "areas": {"country": {"Reich": ["0101..0203"], "Union": ["0301", "0302"]}},
    }
    return found | changes


def load(**changes: Json) -> GameMap:
    return GameMap.from_data(data(**changes), legend=LEGEND)


def faults(path: tuple[str | int, ...] = (), **changes: Any) -> list[Diagnostic]:
    known = {key: changes.pop(key) for key in ("known",) if key in changes}.get("known", {})
    with pytest.raises(Refused) as refused:
        GameMap.from_data(data(**changes), legend=LEGEND, path=path, **known)
    return list(refused.value.diagnostics)


def hexes(chart: GameMap, *numbers: str) -> tuple[int, ...]:
    return tuple(chart.grid.index(number) for number in numbers)


def test_terrain_stands_where_one_sees_it_in_the_rows() -> None:
    chart = load()
    assert (chart.grid.columns, chart.grid.rows) == (4, 3)
    assert [chart.terrain(hex) for hex in hexes(chart, "0101", "0302", "0403")] == ["forest", "forest", "sea"]
    assert chart.terrains()[chart.grid.index("0102")] == "clear"


def test_rows_of_terrain_may_be_written_without_blanks() -> None:
    assert load(terrain=["f..~", "..f~", "...~"]).terrains() == load().terrains()


def test_a_map_that_counts_rows_from_the_south_is_still_written_north_first() -> None:
    chart = GameMap.from_data(
        {"terrain": ["f.", "~~"], "rows_from": "bottom", "separator": "."}, legend=LEGEND
    )
    assert chart.terrain(chart.grid.index("01.02")) == "forest"
    assert chart.terrain(chart.grid.index("01.01")) == "sea"


def test_the_maps_own_legend_goes_before_the_systems() -> None:
    own: Json = {"f": "fields", "x": "lake"}
    chart = GameMap.from_data({"terrain": ["fx."], "legend": own}, legend=LEGEND)
    assert chart.terrains() == ("fields", "lake", "clear")


def test_a_letter_that_stands_for_nothing_makes_a_hole_in_the_sheet() -> None:
    chart = GameMap.from_data({"terrain": ["._.", "..."], "legend": {"_": None}}, legend=LEGEND)
    assert "0201" not in chart.grid
    assert len(chart.grid) == 5


def test_hexsides_know_their_kinds_from_both_sides() -> None:
    chart = load()
    a, b, c = hexes(chart, "0102", "0202", "0203")
    assert chart.has_hexside("river", a, b) and chart.has_hexside("river", b, a)
    assert chart.hexside_kinds(b, a) == ("river", "cliff")
    assert chart.hexside_kinds(b, c) == ("river",)
    assert not chart.has_hexside("canal", a, b)
    assert chart.hexsides("river") == ((a, b), (b, c))
    assert chart.hexsides("canal") == ()


def test_links_join_neighbours_in_a_chain_and_networks_are_kept_apart() -> None:
    chart = load()
    north, middle, south, east, far = hexes(chart, "0101", "0102", "0103", "0202", "0302")
    assert chart.linked("road", middle, south) and chart.linked("road", south, middle)
    assert not chart.linked("road", north, south)
    assert not chart.linked("rail", north, middle)
    assert chart.links_from("road", middle) == (north, south, east)
    assert chart.links("road") == ((north, middle), (middle, south), (middle, east))
    assert chart.networks(east, far) == ("rail",)
    assert chart.links("canal") == () and chart.links_from("canal", north) == ()


def test_places_are_found_by_kind_and_hex_and_read_with_their_types() -> None:
    chart = load()
    karsk, velm = chart.places("base")
    assert chart.place("base", karsk.hex) is karsk
    assert chart.place("site", velm.hex) is None
    assert (karsk.number, karsk.text("name"), karsk.integer("pp"), karsk.flag("port")) == (
        "0202",
        "Karsk",
        3,
        False,
    )
    assert karsk.texts("roads") == ("a", "b")
    assert (velm.text("kind", "town"), velm.integer("size", 4), velm.flag("fort", True)) == ("town", 4, True)
    assert velm.texts("roads", ()) == ()


def test_of_two_places_in_one_hex_the_first_listed_is_found() -> None:
    twice: dict[str, Json] = {"base": [{"hex": "0202", "name": "Old"}, {"hex": "0202", "name": "New"}]}
    chart = load(places=twice)
    found = chart.place("base", chart.grid.index("0202"))
    assert found is not None and found.text("name") == "Old"
    assert [place.text("name") for place in chart.places("base")] == ["Old", "New"]


@pytest.mark.parametrize(
    ("read", "code", "end"),
    [
        (lambda place: place.text("nmae"), "missing-key", ()),
        (lambda place: place.text("pp"), "wrong-type", ("pp",)),
        (lambda place: place.integer("port"), "wrong-type", ("port",)),
        (lambda place: place.flag("pp"), "wrong-type", ("pp",)),
        (lambda place: place.texts("name"), "wrong-type", ("name",)),
        (lambda place: place.integer("home"), "wrong-type", ("home",)),
    ],
)
def test_a_place_that_lacks_a_field_is_refused_where_it_stands(
    read: Any, code: str, end: tuple[str, ...]
) -> None:
    place = GameMap.from_data(data(), legend=LEGEND, path=("map",)).places("base")[0]
    with pytest.raises(Refused) as refused:
        read(place)
    (fault,) = refused.value.diagnostics
    assert fault.code == code
    assert fault.path == ("map", "places", "base", 0, *end)


def test_areas_are_lists_of_hexes_or_rectangles_of_the_sheet() -> None:
    chart = load()
    assert chart.area("country", chart.grid.index("0203")) == "Reich"
    assert chart.area("country", chart.grid.index("0302")) == "Union"
    assert chart.area("country", chart.grid.index("0401")) is None
    assert chart.area("weather", chart.grid.index("0101")) is None
    assert chart.area_hexes("country", "Union") == hexes(chart, "0301", "0302")
    assert len(chart.area_hexes("country", "Reich")) == 6


def test_every_fault_of_a_map_is_told_at_once_with_its_place() -> None:
    found = faults(
        path=("map",),
        terrain=["f . . ~", ". ? f ~", ". . . ~"],
        hexsides={"river": ["0102/0202", "0101/0303", "0909/0101", "0102/0202"]},
        links={"road": ["0101-0103", "0101", "0101-0909-0102"]},
        places={"base": [{"hex": 202}, {"name": "Nowhere"}, "0101"]},
        areas={"country": {"Reich": ["0101"], "Union": ["0101", "0101..0000"]}},
        colour="blue",
    )
    assert [(fault.code, fault.path[1:]) for fault in found] == [
        ("unknown-key", ("colour",)),
        ("unknown-terrain", ("terrain", 1)),
        ("bad-hexside", ("hexsides", "river", 1)),
        ("unknown-hex", ("hexsides", "river", 2)),
        ("listed-twice", ("hexsides", "river", 3)),
        ("broken-chain", ("links", "road", 0)),
        ("broken-chain", ("links", "road", 1)),
        ("unknown-hex", ("links", "road", 2)),
        ("unknown-hex", ("places", "base", 0, "hex")),
        ("missing-key", ("places", "base", 1)),
        ("missing-key", ("places", "base", 2)),
        ("listed-twice", ("areas", "country", "Union", 0)),
        ("unknown-hex", ("areas", "country", "Union", 1)),
    ]
    assert all(fault.path[0] == "map" for fault in found)


def test_names_that_the_rules_do_not_know_are_told_with_what_was_meant() -> None:
    known: Any = {
        "terrains": ["clear", "forest", "sea"], "hexsides": ["river", "cliff"], "links": ["road", "rail"],
        "places": ["base", "site"],
    }  # fmt: skip
    assert GameMap.from_data(data(), legend=LEGEND, **known)
    found = faults(
        known=known,
        legend={"f": "forrest"},
        hexsides={"rivr": ["0102/0202"]},
        links={"raod": ["0101-0102"]},
        places={"castle": []},
    )
    assert [(fault.code, fault.on_key, fault.help) for fault in found] == [
        ("unknown-terrain", False, ("did you mean forest?",)),
        ("unknown-hexside", True, ("did you mean river?",)),
        ("unknown-link", True, ("did you mean road?",)),
        ("unknown-place", True, ("known: base, site",)),
    ]


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"terrain": None}, "missing-key", ("terrain",)),
        ({"terrain": []}, "missing-key", ("terrain",)),
        ({"terrain": ["", ""]}, "missing-key", ("terrain",)),
        ({"terrain": "f . ."}, "wrong-type", ("terrain",)),
        ({"terrain": ["f . . ~", 12, ". . . ~"]}, "wrong-type", ("terrain", 1)),
        ({"terrain": ["f . . ~", ". ."]}, "uneven-rows", ("terrain", 1)),
        ({"legend": {"f": 3}}, "wrong-type", ("legend", "f")),
        ({"legend": "f"}, "wrong-type", ("legend",)),
        ({"shifted": "left"}, "not-one-of", ("shifted",)),
        ({"first": -1}, "wrong-type", ("first",)),
        ({"first": True}, "wrong-type", ("first",)),
        ({"rows_from": "south"}, "not-one-of", ("rows_from",)),
        ({"separator": "/"}, "not-one-of", ("separator",)),
        ({"hexsides": ["0102/0202"]}, "wrong-type", ("hexsides",)),
        ({"hexsides": {"river": "0102/0202"}}, "wrong-type", ("hexsides", "river")),
        ({"links": {"road": [{"0101": "0102"}]}}, "wrong-type", ("links", "road", 0)),
        ({"places": {"base": {"hex": "0101"}}}, "wrong-type", ("places", "base")),
        ({"areas": {"country": ["0101"]}}, "wrong-type", ("areas", "country")),
    ],
)
def test_a_map_of_the_wrong_shape_is_refused(changes: Any, code: str, path: tuple[str | int, ...]) -> None:
    assert (code, path) in [(fault.code, fault.path) for fault in faults(**changes)]


def test_keys_beginning_with_x_are_left_alone() -> None:
    changes: dict[str, Json] = {"x-drawn-by": "somebody"}
    assert load(**changes).terrains() == load().terrains()


def test_a_fault_in_a_file_is_told_with_line_and_column() -> None:
    from pbem.text.yaml import load as load_yaml

    source = 'terrain: ["f .", ". ."]\nhexsides:\n  rivr: ["0101/0102"]\nlinks:\n  road: ["0101-0202"]\n'
    document = load_yaml(source, "map.yaml")
    with pytest.raises(Refused) as refused:
        GameMap.from_data(document.data, legend=LEGEND, hexsides=["river"])
    spans = [fault.at(document).span for fault in refused.value.diagnostics]
    assert [(span.line, span.column) for span in spans if span is not None] == [(3, 3), (5, 10)]
