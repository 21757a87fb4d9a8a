"""Tests of look.yaml: it fits the schema, names only what exists, and covers the maps."""

from __future__ import annotations

from pbem.engine.system import LOOK, System
from pbem.report.svg.look import Look, faults
from pbem.testing.conformance.over import needs


@needs(LOOK)
def test_a_look_fits_its_schema_and_names_what_there_is(system: System) -> None:
    found = faults(system.look, system.registry.events)
    assert not found, "\n".join(one.message for one in found)
    assert system.look["look"] == system.name


@needs(LOOK)
def test_a_look_covers_the_terrain_and_the_counters_of_every_scenario(system: System) -> None:
    look = Look(system.look)
    for name in system.scenarios():
        scenario = system.scenario(name)
        options = system.options(scenario, {})
        world = system.build_world(scenario, options)
        assert not system.map_faults(scenario)
        chart = system.map_of(world)
        if chart is not None:
            left = {kind for kind in chart.terrains() if kind} - set(look.part("terrain"))
            assert not left, f"terrain without a tint: {sorted(left)}"
        kinds = look.part("counters").get("kinds", {})
        position = system.set_up(world, scenario, options)
        there = {str(one.get(look.kind_field)) for one in position.counters.values()}
        assert not there - set(kinds), f"counters without a symbol: {sorted(there - set(kinds))}"
