"""Slow and simple searches to compare the kit's with, and random maps to try both on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.kit.costs import StepCosts

Step = Callable[[int, int], int | None]


@dataclass(frozen=True)
class Country:
    """A random map: costs, hexes that are closed, hexes where one must stop."""

    grid: HexGrid
    costs: StepCosts
    closed: frozenset[int]
    stops: frozenset[int]


@st.composite
def countries(draw: st.DrawFn) -> Country:
    size = st.integers(1, 7)
    layout: Any = {
        "shifted": draw(st.sampled_from(["even", "odd"])),
        "rows_from": draw(st.sampled_from(["top", "bottom"])),
    }
    whole = HexGrid(draw(size), draw(size), **layout)
    holes = draw(st.sets(st.sampled_from(whole.hexes), max_size=min(4, len(whole) - 1)))
    grid = HexGrid(whole.columns, whole.rows, **layout, without=whole.numbers(sorted(holes)))
    count = len(grid.table)
    entry = draw(st.lists(st.sampled_from([0, 1, 1, 2, 3, None]), min_size=count, max_size=count))
    sides = [(a, b) for a in grid.hexes for b in grid.neighbours(a)]
    special = (
        st.dictionaries(st.sampled_from(sides), st.sampled_from([0, 0, 1, 5, None]), max_size=15)
        if sides
        else st.just({})
    )
    hexes = st.frozensets(st.sampled_from(grid.hexes), max_size=5)
    return Country(grid, StepCosts(grid, entry, draw(special)), draw(hexes), draw(hexes))


def cheapest(
    table: Sequence[Sequence[int]], starts: Collection[int], step: Step, leave: Callable[[int], bool]
) -> dict[int, int]:
    """Bellman and Ford: the cost of coming to each hex from the nearest start; `leave` lets one go on."""
    costs = dict.fromkeys(starts, 0)
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
