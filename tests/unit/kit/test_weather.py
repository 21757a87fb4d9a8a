"""Weather: what the chart says for zone, season and die; faulty charts are refused with all their faults."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kit.weather import Weather
from pbem.text.diagnostics import Refused
from tests.unit.kit.requests import run

CHART: dict[str, Any] = {
    "dice": "1d10",
    "codes": {"B": "blizzard", "S": "snow", "F": "fine"},
    "zones": {
        "arctic": {"JF": "BBBSSSSSSF", "any": "SFFFFFFFFF"},
        "desert": {"any": {"1-2": "storm", "3-10": "fine"}},
        "inland": {"any": "fine"},
    },
}


def test_every_face_gives_the_letter_printed_for_it() -> None:
    weather = Weather.from_data(CHART)
    names = {"B": "blizzard", "S": "snow", "F": "fine"}
    for season, row in CHART["zones"]["arctic"].items():
        assert [weather.at("arctic", season, die) for die in range(1, 11)] == [
            names[letter] for letter in row
        ]
    assert weather.at("arctic", "ND", 1) == "snow"
    assert [weather.at("desert", "JF", die) for die in (1, 2, 3, 10)] == ["storm", "storm", "fine", "fine"]
    assert weather.kinds == {"blizzard", "snow", "fine", "storm"}


def test_one_die_serves_all_zones() -> None:
    (found, rolls), asked = run(Weather.from_data(CHART).roll("JF", "weather", 3), (2,))
    assert found == {"arctic": "blizzard", "desert": "storm", "inland": "fine"}
    assert [request.words for request in asked] == [("weather", 3)]
    assert [die.result for die in rolls] == [(2,)]


def test_each_zone_may_have_its_own_die() -> None:
    chart = Weather.from_data({**CHART, "each": "zone"})
    (found, rolls), asked = run(chart.roll("JF", "weather"), (10,), (1,))
    assert found == {"arctic": "fine", "desert": "storm", "inland": "fine"}
    assert [request.words[-1] for request in asked] == ["arctic", "desert"], (
        "a die where nothing depends on it"
    )
    assert len(rolls) == 2


def test_weather_may_be_fixed_by_the_season() -> None:
    chart = Weather.from_data({"zones": {"north": {"Apr-May": "mud", "any": "clear"}}})
    (found, rolls), asked = run(chart.roll("Apr-May", "weather"))
    assert (found, rolls, asked) == ({"north": "mud"}, (), [])
    assert chart.at("north", "Jul-Aug") == "clear"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dise": "1d6"}, "unknown-key"),
        ({"dice": "ten"}, "wrong-type"),
        ({"each": "hex"}, "not-one-of"),
        ({"zones": {}}, "missing-key"),
        ({"zones": {"arctic": {"JF": "BBB"}}}, "bad-row"),
        ({"zones": {"arctic": {"JF": "BBBSSSSSSX"}}}, "bad-row"),
        ({"zones": {"desert": {"any": {"1-2": "storm"}}}}, "bad-row"),
        ({"zones": {"desert": {"any": {"x": "storm"}}}}, "bad-row"),
    ],
)
def test_a_faulty_chart_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as caught:
        Weather.from_data({**CHART, **change})
    assert code in {fault.code for fault in caught.value.diagnostics}


def test_all_faults_are_found_at_once() -> None:
    with pytest.raises(Refused) as caught:
        Weather.from_data({**CHART, "dise": 1, "zones": {"a": {"JF": "B"}, "b": {"JF": "XXXXXXXXXX"}}})
    assert len(caught.value.diagnostics) == 3
