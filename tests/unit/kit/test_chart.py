"""A map by ids says what the map says by integers; charts of a system are read into types with all faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.records import record, records
from pbem.text.diagnostics import Refused

DATA: Any = {
    "sheets": {
        "west": {"prefix": "w", "terrain": ["f . . ~", ". . f ~", ". . . ~"]},
        "east": {"prefix": "e", "terrain": [". .", ". f"]},
    },
    "legend": {".": "clear", "f": "forest", "~": "sea"},
    "boxes": {"Oslo": None},
    "hexsides": {"river": ["w0102/w0202"]},
    "links": {"road": ["w0101-w0102-w0103"], "ferry": {"far": True, "chains": ["w0303-e0101", "Oslo-w0101"]}},
    "places": {
        "base": [
            {"hex": "w0302", "name": "Velm", "size": "town", "x-note": "small"},
            {"hex": "w0202", "name": "Karsk", "size": "city", "pp": 3},
        ]
    },
    "areas": {"country": {"Reich": ["w0101..w0203", "e0101"]}},
}
MAP = GameMap.from_data(DATA)
CHART = Chart(MAP)


@dataclass(frozen=True)
class Base:
    """A town or a city."""

    hex: str
    name: str
    size: Literal["town", "city"]
    pp: int = 0


def test_every_question_by_id_has_the_answer_of_the_map() -> None:
    assert CHART.locations == tuple(MAP.number(i) for i in MAP.locations)
    for i in MAP.locations:
        id = MAP.number(i)
        assert id in CHART and CHART.at(id) == i
        assert CHART.neighbours(id) == MAP.numbers(MAP.neighbours(i))
        assert CHART.beside(id) == MAP.numbers(MAP.beside(i))
        assert CHART.terrain[id] == MAP.terrain(i)
        assert CHART.kind(id) == MAP.kind(i)
        assert CHART.area("country", id) == MAP.area("country", i)
        assert CHART.linked("ferry", id) == MAP.numbers(MAP.links_from("ferry", i))
        assert (id in CHART.on("road")) == bool(MAP.links_from("road", i))
        if MAP.kind(i) == "hex":
            assert CHART.within(id, 1) == MAP.numbers(MAP.within(i, 1))
        for j in MAP.locations:
            other = MAP.number(j)
            assert CHART.adjacent(id, other) == MAP.adjacent(i, j)
            assert CHART.crosses("river", id, other) == MAP.has_hexside("river", i, j)
            assert CHART.joins("road", id, other) == MAP.linked("road", i, j)
            if MAP.distance(i, j) is None:
                with pytest.raises(ValueError, match="no distance"):
                    CHART.distance(id, other)
            else:
                assert CHART.distance(id, other) == MAP.distance(i, j)
    assert CHART.inside("country", "Reich") == MAP.numbers(MAP.area_locations("country", "Reich"))


def test_words_for_players() -> None:
    assert CHART.hexside("w0202", "w0102") == "w0102/w0202"
    assert CHART.nearest("w0101", ["w0103", "w0303"]) == 2
    assert CHART.nearest("w0101", []) == 99
    assert not CHART.adjacent("x", "w0101") and "x" not in CHART
    with pytest.raises(Refused):
        CHART.at("w0109")


def test_places_are_typed_and_in_the_order_of_their_ids() -> None:
    assert list(CHART.places_of("base", Base).items()) == [
        ("w0202", Base("w0202", "Karsk", "city", 3)),
        ("w0302", Base("w0302", "Velm", "town")),
    ]


def test_faulty_places_are_refused_with_all_their_faults() -> None:
    bad = {
        **DATA,
        "places": {"base": [{"hex": "w0202", "name": 7, "size": "city"}, {"hex": "w0302", "size": "hut"}]},
    }
    with pytest.raises(Refused) as caught:
        Chart(GameMap.from_data(bad, path=("map",))).places_of("base", Base)
    assert {(fault.code, fault.path) for fault in caught.value.diagnostics} == {
        ("wrong-type", ("map", "places", "base", 0, "name")),
        ("not-one-of", ("map", "places", "base", 1, "size")),
        ("missing-key", ("map", "places", "base", 1)),
    }


def test_rows_of_a_chart_are_read_with_their_key() -> None:
    rows = {
        "a": {"name": "A", "size": "town"},
        "b": {"name": "B", "size": "city", "pp": 2},
        "x-source": "p. 3",
    }
    assert records(Base, rows, id="hex") == {"a": Base("a", "A", "town"), "b": Base("b", "B", "city", 2)}


def test_all_faults_of_a_chart_are_found() -> None:
    with pytest.raises(Refused) as caught:
        records(Base, {"a": {"name": "A"}, "b": 3, "c": {"name": "C", "sise": "city"}}, ("types",), id="hex")
    assert [(fault.code, fault.path) for fault in caught.value.diagnostics] == [
        ("missing-key", ("types", "a")),
        ("wrong-type", ("types", "b")),
        ("unknown-key", ("types", "c", "sise")),
        ("missing-key", ("types", "c")),
    ]
    with pytest.raises(Refused):
        record(Base, {"hex": "a"})
