"""Slow and simple searches to compare the kit's with, and random maps to try both on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from pbem.board.map import GameMap
from pbem.kit.costs import StepCosts

Step = Callable[[int, int], int | None]


@dataclass(frozen=True)
class Country:
    """A random map with what steps on it cost, locations that are closed, and some where one must stop."""

    chart: GameMap
    costs: StepCosts
    closed: frozenset[int]
    stops: frozenset[int]

    @property
    def anywhere(self) -> st.SearchStrategy[int]:
        return st.sampled_from(self.chart.locations)


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """One to three sheets, of which the later ones may join the first; a tenth of the hexes is missing."""
    found: dict[str, Any] = {}
    size, wide = st.integers(1, 5), 0
    for n in range(draw(st.integers(1, 3))):
        columns, rows = draw(size), draw(size)
        row = st.lists(st.sampled_from("........._"), min_size=columns, max_size=columns).map("".join)
        sheet: dict[str, Any] = {
            "prefix": "abc"[n],
            "shifted": draw(st.sampled_from(["even", "odd"])),
            "rows_from": draw(st.sampled_from(["top", "bottom"])),
            "terrain": draw(st.lists(row, min_size=rows, max_size=rows)),
        }
        if n and draw(st.booleans()):
            sheet["joins"] = {"sheet": "s0", "at": f"a{wide + 1:02}{draw(st.integers(1, 4)):02}"}
            wide += columns
        if n == 0:
            wide = columns
        found[f"s{n}"] = sheet
    return found


@st.composite
def charts(draw: st.DrawFn) -> GameMap:
    """A map of sheets, boxes and areas, with links between any of them."""
    data: dict[str, Any] = {"legend": {".": "land", "_": None}, "sheets": draw(sheets())}
    data["boxes"] = {f"Box{n}": None for n in range(draw(st.integers(0, 3)))}
    data["areas"] = {"sea": {f"Sea{n}": {"boxes": [0, 1][:n]} for n in range(draw(st.integers(0, 2)))}}
    bare = GameMap.from_data(data)
    assume(bare.locations)
    ids = st.sampled_from(bare.numbers(bare.locations))
    pairs = st.tuples(ids, ids).filter(lambda pair: pair[0] != pair[1])
    far = draw(st.lists(pairs, max_size=12)) if len(bare) > 1 else []
    data["links"] = {"lane": {"far": True, "chains": [list(pair) for pair in far]}}
    return GameMap.from_data(data)


@st.composite
def countries(draw: st.DrawFn) -> Country:
    chart = draw(charts())
    count = len(chart.table)
    entry = draw(st.lists(st.sampled_from([0, 1, 1, 2, 3, None]), min_size=count, max_size=count))
    sides = [(a, b) for a in chart.locations for b in chart.neighbours(a)]
    special = (
        st.dictionaries(st.sampled_from(sides), st.sampled_from([0, 0, 1, 5, None]), max_size=15)
        if sides
        else st.just({})
    )
    some = st.frozensets(st.sampled_from(chart.locations), max_size=5)
    return Country(chart, StepCosts(chart, entry, draw(special)), draw(some), draw(some))


def cheapest(
    table: Sequence[Sequence[int]], starts: Mapping[int, int], step: Step, leave: Callable[[int], bool]
) -> dict[int, int]:
    """Bellman and Ford: the cost of coming to each location from the nearest start, which has a cost
    already; `leave` lets one go on."""
    costs = dict(starts)
    changed = True
    while changed:
        changed = False
        for origin in range(len(table)):
            if origin not in costs or not leave(origin):
                continue
            for target in table[origin]:
                price = step(origin, target)
                if price is not None and costs[origin] + price < costs.get(target, 10**9):
                    costs[target] = costs[origin] + price
                    changed = True
    return costs
