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

Every size is run twice: as one sheet, and as four joined sheets of a quarter each with boxes, sea areas and
links between them and the coast.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pbem.board.map import GameMap
from pbem.kit.costs import StepCosts
from pbem.kit.paths import reach
from pbem.kit.supply import supply_net
from tests.benchmarks.timing import best

MOVE_GOAL, SUPPLY_GOAL = 5.0, 60.0
ALLOWANCE, SOURCES, UNITS = 12, 20, 2000


@dataclass(frozen=True)
class Case:
    """A map and what is asked of it."""

    name: str
    chart: GameMap
    entry: list[int]
    closed: set[int]
    start: int
    sources: list[int]
    units: dict[str, int]


def one_sheet(size: int) -> GameMap:
    return GameMap.from_data({"legend": {".": "land"}, "terrain": ["." * size] * size})


def four_sheets(size: int) -> GameMap:
    """The same hexes in four sheets, 12 sea areas with 5 boxes each, 40 holding boxes, 400 links."""
    random, half = Random(size), size // 2
    sheets: dict[str, Any] = {}
    for n, (prefix, column, row) in enumerate(
        [("a", 0, 0), ("b", half, 0), ("c", 0, half), ("d", half, half)]
    ):
        sheets[prefix] = {"prefix": prefix, "terrain": ["." * half] * half}
        if n:
            wide = max(2, len(str(half)))
            at = f"a{column + 1:0{wide}}{row + 1:0{wide}}"
            sheets[prefix]["joins"] = {"sheet": "a", "at": at}
    seas: dict[str, Any] = {f"Sea{n}": {"boxes": [0, 1, 2, 3, 4]} for n in range(12)}
    data: dict[str, Any] = {"legend": {".": "land"}, "sheets": sheets, "areas": {"sea": seas}}
    data["boxes"] = {f"Box{n}": None for n in range(40)}
    bare = GameMap.from_data(data)
    others = [bare.number(i) for i in (*bare.boxes, *bare.areas)]
    ids = bare.numbers(bare.hexes)
    chains = [
        [random.choice(others), random.choice([*ids[:: max(1, half // 8)], *others[:3]])] for _ in range(400)
    ]
    data["links"] = {"lane": [chain for chain in chains if chain[0] != chain[1]]}
    return GameMap.from_data(data)


def make_case(size: int, name: str, chart: GameMap) -> Case:
    random = Random(size)
    count = len(chart.table)
    entry = random.choices([1, 2, 3, 4], [4, 3, 2, 1], k=count)
    closed = set(random.sample(range(count), count // 10))
    still_open = [i for i in range(count) if i not in closed]
    centre = chart.hexes[size // 2 * size + size // 2 if name == "one sheet" else 0]
    start = min((i for i in still_open if i in chart.hexes), key=lambda i: chart.distance(i, centre) or 0)
    units = {f"unit-{n:05}": i for n, i in enumerate(random.choices(still_open, k=UNITS))}
    return Case(name, chart, entry, closed, start, random.sample(still_open, SOURCES), units)


Answer = Any
Question = tuple[str, Callable[[], Answer]]


def ours(case: Case) -> tuple[list[Question], list[Question]]:
    entry, closed, chart = case.entry, case.closed, case.chart

    def cost(origin: int, target: int) -> int | None:
        return None if target in closed else entry[target]

    def status(kept: StepCosts) -> dict[str, bool]:
        net = supply_net(kept, case.sources, closed=closed)
        return {id: i in net for id, i in sorted(case.units.items())}

    kept = StepCosts(chart, entry)
    assert kept.lanes
    moves: list[Question] = [("reach", lambda: reach(chart.table, case.start, ALLOWANCE, cost).costs)]
    supply: list[Question] = [
        ("supply_net, costs kept", lambda: status(kept)),
        ("supply_net, costs made anew", lambda: status(StepCosts(chart, entry))),
    ]
    return moves, supply


def with_scipy(case: Case) -> tuple[list[Question], list[Question]]:
    np: Any = importlib.import_module("numpy")
    sparse: Any = importlib.import_module("scipy.sparse")
    csgraph: Any = importlib.import_module("scipy.sparse.csgraph")
    count = len(case.chart.table)
    # the shape of the map: pairs of neighbours in the order of the first, as a CSR matrix wants them
    origins = np.repeat(np.arange(count, dtype=np.int32), [len(around) for around in case.chart.table])
    targets = np.fromiter((n for around in case.chart.table for n in around), np.int32)

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
    count = len(case.chart.table)
    pairs = [(a, b) for a, around in enumerate(case.chart.table) for b in around]

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
    for name, chart in (("one sheet", one_sheet(size)), ("four sheets, boxes, areas", four_sheets(size))):
        yield from run_case(make_case(size, name, chart), rounds)


def run_case(case: Case, rounds: int) -> Iterator[str]:
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
    yield f"{case.name}: {len(case.chart)} locations, {len(case.closed)} of them closed"
    yield from compare(f"movement range of one unit, {ALLOWANCE} MP", MOVE_GOAL, moves, mine[0], rounds)
    title = f"supply status of {UNITS} units, {SOURCES} sources, any distance"
    yield from compare(title, SUPPLY_GOAL, supply, mine[1], rounds)


def main(smoke: bool = False, sizes: Sequence[int] = (50, 100, 200), rounds: int = 7) -> None:
    for size in (16,) if smoke else sizes:
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
