"""Map data of a scenario that the rules cannot use is refused with its place."""

from __future__ import annotations

from copy import deepcopy

import pytest

from pbem.rules import Refused
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.world import build_world


def test_a_sea_area_in_two_weather_zones_is_refused() -> None:
    """R-302 A sea area belongs to one weather zone."""
    scenario = deepcopy(SYSTEM.data("scenarios/narrow_sea_1943.yaml"))
    scenario["map"]["areas"]["weather"]["north_temperate"] = ["0101..1207"]
    scenario["map"]["areas"]["weather"]["mediterranean"] = ["0108..1209"]
    with pytest.raises(Refused) as refused:
        build_world(SYSTEM, scenario, {})
    (fault,) = refused.value.diagnostics
    assert fault.code == "two-zones"
    assert fault.path == ("map", "areas", "weather", "mediterranean")
    assert "sea area WO has two weather zones, north_temperate in 0101 and mediterranean in" in fault.message
