"""Tests of look.yaml: it fits the schema, names only what exists, and covers the maps."""

from __future__ import annotations

from pbem.engine.drawn import drawing_faults
from pbem.engine.package import LOOK
from pbem.engine.system import System
from pbem.report.svg.look import Look, faults
from pbem.testing.conformance.over import needs


@needs(LOOK)
def test_a_look_fits_its_schema_and_names_what_there_is(system: System) -> None:
    problems = faults(system.look, system.registry.events)
    assert not problems, "\n".join(problem.message for problem in problems)
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
        there = {str(counter.get(look.kind_field)) for counter in position.counters.values()}
        assert not there - set(kinds), f"counters without a symbol: {sorted(there - set(kinds))}"


@needs(LOOK)
def test_shapes_of_areas_agree_with_the_maps(system: System) -> None:
    problems = list(drawing_faults(system))
    assert not problems, "\n".join(f"{problem.span}: {problem.message}" for problem in problems)


@needs(LOOK)
def test_each_arm_has_a_symbol_or_a_label_of_its_own(system: System) -> None:
    counters = Look(system.look).part("counters")
    seen: dict[tuple[str, str], str] = {}
    for kind, own in counters.get("kinds", {}).items():
        label = own.get("label") or counters.get("label") or "code"
        sign = (own["symbol"], own.get("code", kind) if label == "code" else "")
        name = own.get("name", kind)
        other = seen.setdefault(sign, name)
        assert other == name, f"{other} and {name} have one symbol ({own['symbol']}) and one label"


@needs(LOOK)
def test_the_rank_of_a_stack_names_every_kind_of_counter(system: System) -> None:
    counters = Look(system.look).part("counters")
    if "rank" in counters:
        left = {kind.partition("/")[0] for kind in counters.get("kinds", {})} - set(counters["rank"])
        assert not left, f"kinds without a rank: {sorted(left)}"
