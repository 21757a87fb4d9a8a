"""Supply of a large `ocs` game: trace and throws for 600 units with 30 dumps, a Movement Phase of 200 stacks.

The largest has 100 x 60 hexes. The search for supply is measured beside `rustworkx`, which gets its graph
ready made (building it is printed apart) and knows neither zones nor who must stay to negate one.
"""

from __future__ import annotations

import random
from copy import copy
from dataclasses import dataclass
from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import System
from pbem.rules import Game
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.pieces import T, units, world_of
from pbem.systems.ocs.reach import Net
from pbem.systems.ocs.trace import Tracing
from tests.benchmarks.timing import best, plot, row


@dataclass(frozen=True)
class Size:
    columns: int
    rows: int
    units: int
    dumps: int
    stacks: int


SIZES = (
    Size(25, 15, 60, 5, 20),
    Size(50, 30, 200, 12, 70),
    Size(75, 45, 400, 20, 130),
    Size(99, 60, 600, 30, 200),
)


def big(size: Size) -> System:
    """The system with a scenario of this size: open ground and woods, roads along every eighth row."""
    rng = random.Random(repr(size))
    data: dict[str, Any] = dict(SYSTEM.scenario("crossing_the_tol"))
    rows = [" ".join(rng.choice("...w.h") for _ in range(size.columns)) for _ in range(size.rows)]
    roads = [
        "-".join(f"{column:02}.{row:02}" for column in range(1, size.columns + 1))
        for row in range(4, size.rows, 8)
    ]
    keep = {key: data["map"][key] for key in ("shifted", "rows_from", "separator", "legend")}
    data["map"] = {**keep, "terrain": rows, "links": {"road": roads}}
    middle = size.columns // 2
    data["supply_sources"] = {"aster": ["01.04"], "bren": [f"{size.columns:02}.04"]}
    data |= {"ports": {}, "air_bases": {}, "hedgehogs": {}}
    data["control"] = {"aster": {"columns": [1, middle]}, "bren": {"columns": [middle + 1, size.columns]}}
    data["victory"] = {**data["victory"], "held_for": {}, "lost": {}}
    sides = (("aster", 1, middle - 1), ("bren", middle + 1, size.columns))
    data["oob"] = {
        "repl_unit": data["oob"]["repl_unit"],
        **{side: army(rng, side, low, high, size) for side, low, high in sides},
    }
    system = copy(SYSTEM)
    system._data = {**SYSTEM._data, "scenarios/crossing_the_tol.yaml": data}
    return system


def army(rng: random.Random, side: str, low: int, high: int, size: Size) -> dict[str, Any]:
    """Half of the units: foot, an HQ to every ten; dumps anywhere behind."""

    def anywhere() -> str:
        return f"{rng.randint(low, high):02}.{rng.randint(1, size.rows):02}"

    rows: list[dict[str, Any]] = []
    for n in range(size.units // 2):
        hq = n % 10 == 0
        row: dict[str, Any] = {
            "id": f"{side}-{n}", "name": f"Unit {n}", "size": "rgt", "hex": anywhere(), "category": "other",
            "kind": "hq" if hq else "infantry_type", "ar": 0 if hq else 3,
            "c": [None, 0, "truck"] if hq else [3, 3, "leg"],
            "m": [None, 10, "truck"] if hq else [2, 5, "leg"],
        }  # fmt: skip
        rows.append({**row, "throw": [8, 4], "throw_mobility": "truck"} if hq else row)
    dumps = {anywhere(): 40 for _ in range(size.dumps // 2)}
    return {"reserve_markers": 4, "rail_cap": 3, "start_supply_T": dumps, "units": rows}


def begun(system: System) -> tuple[Game, Outcome]:
    """The game at its first question of movement, and the outcome that asks it."""
    outcome = adjudicate(system, start(system, "crossing_the_tol", {}), Inputs(0, seed=bytes(32)))
    for stage in range(1, 6):
        if any(q.kind == "actions" for q in outcome.pending):
            break
        first = {True: "first", False: []}
        replies = {q.party: {q.key: Reply(first[q.kind == "first-player"])} for q in outcome.pending}
        outcome = adjudicate(system, outcome.state, Inputs(stage, replies, seed=bytes(32)))
    return game_of(system, outcome.state, outcome.position), outcome


def marches(game: Game, side: str, stacks: int) -> dict[str, Any]:
    """An order that moves so many units one hex, each where it may go."""
    world, listed = world_of(game), list[dict[str, Any]]()
    foes = {u.hex for u in units(game, world.enemy(side))}
    for u in units(game, side):
        free = [h for h in world.beside(u.hex or "") if world.land(h) and h not in foes]
        if not u.is_hq and free:
            listed.append({"move": {"units": [u.id], "path": free[:1]}})
    return {"actions": listed[:stacks], "on_illegal": "skip"}


def measure(size: Size) -> dict[str, float]:
    game, outcome = begun(big(size))
    side = T.of(game).acting or "aster"
    enemy = world_of(game).enemy(side)

    def throws() -> None:
        net = Net(game, side)
        for u in units(game, side):
            net.usable(u.hex or "", u)

    question = next(q for q in outcome.pending if q.kind == "actions")
    order = marches(game, question.party, size.stacks)
    inputs = Inputs(6, {question.party: {question.key: Reply(order)}}, seed=bytes(32))
    return {
        "trace of all units": best(lambda: [Tracing(game, one).whole() for one in (side, enemy)], 1),
        "dumps that every unit of a side can use": best(throws, 1),
        "a Movement Phase": best(lambda: adjudicate(game.system, outcome.state, inputs), 1),
    }


def beside_a_peer(size: Size) -> None:
    """One search from every unit: ours with zones, rustworkx on a graph without."""
    game, _ = begun(big(size))
    side, world = "aster", world_of(game)
    starts = sorted({u.hex or "" for u in units(game, side)})

    def ours() -> None:
        net = Net(game, side)
        for hex in starts:
            net.reach(hex, net.draw_range, "truck")

    ours()  # costs of steps are worked out once in a game
    seconds = best(ours)
    try:
        import rustworkx
    except ImportError:
        row("supply paths of every unit (rustworkx is not installed)", seconds)
        return
    graph = rustworkx.PyDiGraph()
    index = dict(zip(world.hexes, graph.add_nodes_from(list(world.hexes)), strict=True))
    steps = [(a, b, world.step(a, b, "truck")) for a in world.hexes for b in world.beside(a)]
    graph.add_edges_from(
        [(index[a], index[b], cost) for a, b, cost in steps if cost is not None and cost > 0]
    )

    def theirs() -> None:
        for hex in starts:
            rustworkx.dijkstra_shortest_path_lengths(graph, index[hex], float)

    row("supply paths of every unit", seconds, best(theirs), "rustworkx")


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    found = {f"{s.columns} x {s.rows}, {s.units} units, {s.dumps} dumps": measure(s) for s in sizes}
    for what in next(iter(found.values())):
        plot(what, [(name, seconds[what]) for name, seconds in found.items()])
    beside_a_peer(sizes[-1])


if __name__ == "__main__":
    main()
