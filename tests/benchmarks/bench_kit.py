"""Movement range and supply status on large maps, beside graph libraries at the same work.

The map is random (fixed seed): terrain of cost 1-4, a tenth of the hexes closed by enemies and their zones of
control, which change with every move. So everybody begins with what a rules system has in hand (a list of
entry costs, the set of closed hexes, the neighbour table of the map) and what he makes of it is counted in.
What depends on the shape of the map alone is made beforehand, for the peers too: their pairs of neighbours as
lists or arrays.

Answers are compared before anything is timed. Times are the best of several rounds. A ratio is the time
divided by that of the last of our own lines, in which nothing was prepared either; lines above it show what
keeping costs saves. Peers are used if they are installed: pip install numpy scipy rustworkx
Alone, and with sizes of one's own: python -m tests.benchmarks.bench_kit --sizes 200
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pbem.board.hexes import HexGrid
from pbem.kit.costs import StepCosts
from pbem.kit.movement import reach, reach_over
from pbem.kit.supply import supplied, supplied_over
from tests.benchmarks.timing import best

MOVE_GOAL, SUPPLY_GOAL = 5.0, 60.0
ALLOWANCE, SOURCES, UNITS = 12, 20, 2000


@dataclass(frozen=True)
class Case:
    """A map and what is asked of it."""

    grid: HexGrid
    entry: list[int]
    closed: set[int]
    start: int
    sources: list[int]
    units: dict[str, int]


def make_case(size: int) -> Case:
    random = Random(size)
    grid = HexGrid(size, size)
    hexes = range(len(grid.table))
    entry = random.choices([1, 2, 3, 4], [4, 3, 2, 1], k=len(hexes))
    closed = set(random.sample(hexes, len(hexes) // 10))
    open_hexes = [hex for hex in hexes if hex not in closed]
    centre = (size // 2) * size + size // 2
    start = min(open_hexes, key=lambda hex: grid.distance(hex, centre))
    units = {f"unit-{n:05}": hex for n, hex in enumerate(random.choices(open_hexes, k=UNITS))}
    return Case(grid, entry, closed, start, random.sample(open_hexes, SOURCES), units)


Answer = Any
Question = tuple[str, Callable[[], Answer]]


def ours(case: Case) -> tuple[list[Question], list[Question]]:
    entry, closed, table = case.entry, case.closed, case.grid.table

    def cost(origin: int, target: int) -> int | None:
        return None if target in closed else entry[target]

    def step(origin: int, target: int) -> int:
        return entry[target]

    kept = StepCosts(case.grid, entry)
    assert kept.lanes
    moves: list[Question] = [
        ("reach_over, costs kept", lambda: reach_over(kept, case.start, ALLOWANCE, closed=closed).costs),
        ("reach, cost call-back", lambda: reach(table, case.start, ALLOWANCE, cost).costs),
    ]

    def from_scratch() -> dict[str, bool]:
        return supplied_over(StepCosts(case.grid, entry), case.units, case.sources, closed=closed)

    supply: list[Question] = [
        ("supplied, step call-back", lambda: supplied(
            table, case.units, case.sources, step, blocked=closed.__contains__)),
        ("supplied_over, costs kept", lambda: supplied_over(kept, case.units, case.sources, closed=closed)),
        ("supplied_over, costs made anew", from_scratch),
    ]  # fmt: skip
    return moves, supply


def with_scipy(case: Case) -> tuple[list[Question], list[Question]]:
    np: Any = importlib.import_module("numpy")
    sparse: Any = importlib.import_module("scipy.sparse")
    csgraph: Any = importlib.import_module("scipy.sparse.csgraph")
    count = len(case.grid.table)
    # the shape of the map: pairs of neighbours in the order of the first, as a CSR matrix wants them
    origins = np.repeat(np.arange(count, dtype=np.int32), [len(around) for around in case.grid.table])
    targets = np.fromiter((n for around in case.grid.table for n in around), np.int32)

    def graph(entered: Any, priced: Any) -> Any:
        """Steps whose `entered` hexes are open, at the entry cost of `priced` (one hex of each pair)."""
        entry = np.array(case.entry, dtype=np.float64)
        closed = np.zeros(count, dtype=bool)
        closed[np.fromiter(case.closed, np.int32, len(case.closed))] = True
        keep = ~closed[entered]
        pointers = np.zeros(count + 1, dtype=np.int32)
        np.cumsum(np.bincount(origins[keep], minlength=count), out=pointers[1:])
        return sparse.csr_matrix((entry[priced[keep]], targets[keep], pointers), shape=(count, count))

    def move() -> dict[int, int]:
        costs = csgraph.dijkstra(graph(targets, targets), indices=case.start, limit=ALLOWANCE)
        return {int(hex): int(costs[hex]) for hex in np.flatnonzero(np.isfinite(costs))}

    def supply() -> dict[str, bool]:
        # backwards: from a hex of the chain (open, and paid for) to the one before it
        costs = csgraph.dijkstra(graph(origins, origins), indices=case.sources, min_only=True)
        reached = np.isfinite(costs)
        return {id: bool(reached[hex]) for id, hex in sorted(case.units.items())}

    return [("scipy.sparse.csgraph", move)], [("scipy.sparse.csgraph", supply)]


def with_rustworkx(case: Case) -> tuple[list[Question], list[Question]]:
    rx: Any = importlib.import_module("rustworkx")
    count = len(case.grid.table)
    pairs = [(a, b) for a, around in enumerate(case.grid.table) for b in around]

    def graph(edges: list[tuple[int, int, int]]) -> Any:
        made = rx.PyDiGraph()
        made.add_nodes_from(range(count + 1))
        made.add_edges_from(edges)
        return made

    def move() -> dict[int, int]:
        entry, closed = case.entry, case.closed
        made = graph([(a, b, entry[b]) for a, b in pairs if b not in closed])
        costs = rx.dijkstra_shortest_path_lengths(made, case.start, float)
        return {case.start: 0} | {hex: int(cost) for hex, cost in costs.items() if cost <= ALLOWANCE}

    def supply() -> dict[str, bool]:
        entry, closed = case.entry, case.closed
        edges = [(a, b, entry[a]) for a, b in pairs if a not in closed]
        made = graph(edges + [(count, source, 0) for source in case.sources])
        costs = rx.dijkstra_shortest_path_lengths(made, count, float)
        return {id: hex in costs for id, hex in sorted(case.units.items())}

    return [("rustworkx", move)], [("rustworkx", supply)]


def compare(title: str, goal: float, questions: list[Question], mine: int, rounds: int) -> Iterator[str]:
    """Lines of a table. The first `mine` questions are ours; the last of them measures the ratios."""
    answers = [ask() for _, ask in questions]
    for (name, _), answer in zip(questions, answers, strict=True):
        assert answer == answers[0], f"{name} gives another answer"
    times = [best(ask, rounds) * 1000 for _, ask in questions]
    measure = times[mine - 1]
    yield f"{title} (goal {goal:g} ms)"
    for (name, _), time in zip(questions, times, strict=True):
        yield f"  {name:<34}{time:>9.2f} ms  {time / measure:>7.1f} x"


def run(size: int, rounds: int) -> Iterator[str]:
    case = make_case(size)
    moves, supply = ours(case)
    mine = len(moves), len(supply)
    for name, peer in (("scipy", with_scipy), ("rustworkx", with_rustworkx)):
        try:
            more_moves, more_supply = peer(case)
        except ImportError:
            yield f"{name} is not installed: left out"
            continue
        moves += more_moves
        supply += more_supply
    yield f"{size} x {size} hexes, {len(case.closed)} of them closed"
    yield from compare(f"movement range of one unit, {ALLOWANCE} MP", MOVE_GOAL, moves, mine[0], rounds)
    title = f"supply status of {UNITS} units, {SOURCES} sources, any distance"
    yield from compare(title, SUPPLY_GOAL, supply, mine[1], rounds)


def main(smoke: bool = False, sizes: Sequence[int] = (50, 100, 200), rounds: int = 7) -> None:
    for size in (15,) if smoke else sizes:
        for line in run(size, 1 if smoke else rounds):
            print(f"  {line}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[50, 100, 200], help="columns and rows of maps"
    )
    parser.add_argument("--rounds", type=int, default=7, help="runs of each, of which the best counts")
    arguments = parser.parse_args()
    main(sizes=arguments.sizes, rounds=arguments.rounds)
