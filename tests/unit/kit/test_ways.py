"""Ways by ids: those of the movement search, steps that can be walked, faults of a way that was ordered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.paths import reach
from pbem.kit.ways import Travel, along, steps, way_faults, ways
from pbem.text.diagnostics import Diagnostic

MAP = GameMap.from_data(
    {
        "terrain": [". f . .", ". . f .", "f . . .", ". . . f"],
        "legend": {".": "clear", "f": "forest"},
        "boxes": {"Oslo": None},
        "links": {"rail": ["0101-0102-0202"], "ferry": {"far": True, "chains": ["Oslo-0404", "Oslo-0101"]}},
    }
)
CHART = Chart(MAP)
PLACES = st.sampled_from(CHART.locations)


def cost(one: str, to: str) -> int | None:
    return {"clear": 1, "forest": 2}.get(CHART.terrain[to])


@given(PLACES, st.integers(0, 5), st.booleans(), st.sets(PLACES))
def test_ways_are_those_of_the_search_without_the_start(
    start: str, limit: int, always: bool, halting: set[str]
) -> None:
    found = ways(CHART, start, cost, limit, stop=halting.__contains__, first_hex_always=always)
    plain = reach(
        MAP.table,
        MAP.index(start),
        limit,
        lambda a, b: cost(MAP.number(a), MAP.number(b)),
        stop=lambda i: MAP.number(i) in halting,
        first_hex_always=always,
    )
    expected = {MAP.number(i): MAP.numbers(plain.way(i)[1:]) for i in plain.nodes if MAP.number(i) != start}
    assert dict(found) == expected and list(found) == list(expected) and len(found) == len(expected)
    assert start not in found and "0909" not in found
    for end, way in found.items():
        assert not way_faults(CHART, start, way, "E", "1", "path")
        assert sum(cost(one, to) or 0 for _, one, to in steps(start, way)) == found.cost(end)


def test_a_ride_follows_its_network() -> None:
    assert dict(along(CHART, "rail", "0101", lambda hex: True)) == {
        "0102": ("0102",),
        "0202": ("0102", "0202"),
    }
    assert list(along(CHART, "rail", "0101", lambda hex: True, 1)) == ["0102"]
    assert not along(CHART, "rail", "0101", lambda hex: hex != "0102")
    assert list(along(CHART, "ferry", "0101", lambda hex: True)) == ["0404", "Oslo"]


def test_the_steps_of_a_way_begin_at_the_start() -> None:
    assert list(steps("a", ("b", "c"))) == [(0, "a", "b"), (1, "b", "c")]


def test_a_way_that_jumps_leaves_the_map_or_is_none_is_a_fault_at_that_step() -> None:
    (fault,) = way_faults(CHART, "0101", ("0102", "0404"), "E-3", "4.1", "moves", 2, "path")
    assert (fault.code, fault.rule, fault.path) == ("E-3", "4.1", ("moves", 2, "path", 1))
    assert "0102" in fault.message and fault.help
    (fault,) = way_faults(CHART, "0101", ("0109",), "E-3", "4.1", "path")
    assert "no location 0109" in fault.message and fault.path == ("path", 0)
    (fault,) = way_faults(CHART, "0101", (), "E-3", "4.1", "path")
    assert fault.path == ("path",)


# said once: what is offered and what is judged


def no(code: str) -> Diagnostic:
    return Diagnostic(code, code, family="illegal")


def travel(limit: int, halting: set[str], always: bool = False) -> Travel:
    def step(one: str, to: str) -> int | Diagnostic:
        if to not in CHART or to not in CHART.neighbours(one):
            return no("far")
        return found if (found := cost(one, to)) is not None else no("barred")

    def stop(location: str) -> Diagnostic | None:
        return no("halt") if location in halting else None

    return Travel(CHART, step, limit, lambda spent: no(f"over {spent}"), stop, always)


@given(PLACES, st.integers(0, 4), st.booleans(), st.sets(PLACES), st.data())
def test_what_is_offered_is_judged_legal_at_its_cost_and_the_first_fault_of_others_is_named(
    start: str, limit: int, always: bool, halting: set[str], data: st.DataObject
) -> None:
    going = travel(limit, halting, always)
    offered = going.ways(start)
    for end, way in offered.items():
        assert going.judged(start, way) == (offered.cost(end), None)
    way = tuple(data.draw(st.lists(PLACES | st.just("0909"), max_size=4)))
    spent, fault = going.judged(start, way, "path")
    for n, one, to in steps(start, way):
        wrong = "far" if to not in CHART or to not in CHART.neighbours(one) else ""
        wrong = wrong or ("barred" if cost(one, to) is None else "halt" if n and one in halting else "")
        if wrong:
            assert fault is not None and (fault.code, fault.path) == (wrong, ("path", n))
            return
    assert spent == sum(cost(one, to) or 0 for _, one, to in steps(start, way))
    far = spent > limit and not (always and len(way) == 1)
    assert (fault.code, fault.path) == (f"over {spent}", ("path",)) if fault else not far
    if way and fault is None:
        assert way[-1] == start or offered.cost(way[-1]) <= spent


def test_who_need_not_stop_goes_on() -> None:
    free = Travel(CHART, lambda one, to: 1, 9, lambda spent: no("over"))
    assert free.judged("0101", ("0102", "0202", "0102")) == (3, None)


def test_only_the_first_hex_may_cost_more_than_there_is_and_only_where_the_rules_say_so() -> None:
    start, forest = next(
        (hex, to) for hex in CHART.hexes for to in CHART.neighbours(hex) if CHART.terrain[to] == "forest"
    )
    assert travel(1, set(), always=True).judged(start, (forest,)) == (2, None)
    assert travel(1, set()).judged(start, (forest,)) == (2, no("over 2"))
    assert travel(3, set(), always=True).judged(start, (forest, start, forest)) == (5, no("over 5"))


def test_there_is_no_way_to_the_start_out_of_reach_or_off_the_map() -> None:
    beside = CHART.ids(MAP.table[CHART.at("0101")])
    found = ways(CHART, "0101", lambda at, to: 1, 1)
    assert dict(found) == {near: (near,) for near in beside}
    far = next(id for id in CHART.locations if id not in found and id != "0101")
    for end in ("0101", far, "nowhere"):
        assert end not in found and found.get(end) is None
