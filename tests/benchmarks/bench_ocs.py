"""Supply of a large `ocs` game: trace and throws for 600 units with 30 dumps, a Movement Phase of 200 stacks,
a stage as a whole process, and how they grow.

The largest has 99 x 60 hexes. The search for supply is measured beside `rustworkx` in turn: it gets its graph
ready made, knows neither zones nor who must stay to negate one, and searches the whole map, having no limit
of cost; ours is measured within the range of a draw, which is what a game asks, and over the whole map.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pbem.archive import order_file
from pbem.bot.answers import clever
from pbem.cli.games.table import Table
from pbem.engine import system as systems
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import System
from pbem.rules import Game, Json
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.pieces import T, units, world_of
from pbem.systems.ocs.rules.supply.reach import Net
from pbem.systems.ocs.rules.supply.trace import Tracing
from pbem.text.writing import thrown_away
from tests.benchmarks.timing import best_processor as best
from tests.benchmarks.timing import growth, in_turn, plot, processor, row


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
    stops = {"aster": range(1, middle, 12), "bren": range(size.columns, middle, -12)}
    data["supply_sources"] = {
        side: [f"{column:02}.{row:02}" for column in columns for row in range(4, size.rows, 16)]
        for side, columns in stops.items()
    }
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
        first: dict[bool, Json] = {True: "first", False: []}
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
        "trace of all units": best(lambda: [Tracing(game, one).whole() for one in (side, enemy)], 2),
        "dumps that every unit of a side can use": best(throws, 2),
        "a Movement Phase": best(lambda: adjudicate(game.system, outcome.state, inputs), 2),
    }


# a stage as a whole process

ROOT = Path(__file__).parents[2]
STAGE = """
import sys
sys.path.insert(0, sys.argv.pop(1))
size = sys.argv.pop(1)
if size != "None":
    from pbem.engine import system as systems
    from tests.benchmarks.bench_ocs import Size, big
    made, real = big(eval(size)), systems.find
    systems.find = lambda name: made if name == "ocs" else real(name)
from pbem.cli.main import main
main()
"""


def stage(size: Size | None) -> tuple[float, float]:
    """`pbem adjudicate` of a Movement Phase of the sample scenario, or of a large one, as a process of its
    own: seconds of processor; and how many of them a process takes that only says its version."""
    system, real = (big(size) if size else SYSTEM), systems.find
    systems.find = lambda name: system if name == "ocs" else real(name)
    try:
        with tempfile.TemporaryDirectory() as scratch, thrown_away():
            table = Table(Path(scratch), system, "crossing_the_tol", seed="bench", ahead=False)
            table.sit_down("A large war", options={})
            for seat in table.players:
                seat.brain = clever if size is None else partial(marcher, size.stacks)
            while not _ready(table):
                table.play_stage()
            mails = [m for party in table.gm.folder.progress.asked for m in table.answer(table.seats[party])]
            table.gm.take(mails)
            words = (sys.executable, "-c", STAGE, str(ROOT), repr(size), "adjudicate")
            seconds = min(_in_a_copy(table.gm.root, words, n) for n in range(2))
            start_up = processor(sys.executable, "-c", STAGE, str(ROOT), repr(size), "--version")
    finally:
        systems.find = real
    return seconds, start_up


def _in_a_copy(root: Path, words: tuple[str, ...], number: int) -> float:
    copied = root.parent / f"copy-{number}"
    shutil.copytree(root, copied)
    return processor(*words, where=copied)


def _ready(table: Table) -> bool:
    return any(one.kind == "actions" for seat in table.players for one in order_file.questions(seat.folder))


def marcher(stacks: int, game: Game, decision: Any, rng: Any) -> Any:
    """Marches where movement is asked for, else nothing."""
    if decision.kind == "actions":
        return marches(game, decision.player, stacks)
    return clever(game, decision, rng)


def beside_a_peer(size: Size) -> None:
    """One search from every unit: ours with zones, rustworkx on a graph without."""
    game, _ = begun(big(size))
    side, world = "aster", world_of(game)
    starts = sorted({u.hex or "" for u in units(game, side)})

    def ours(limit: int) -> float:
        net = Net(game, side)
        return best(lambda: [net.reach(hex, limit, "truck") for hex in starts], 1)

    whole = 10 * (size.columns + size.rows)
    ours(whole)  # costs of steps are worked out once in a game
    try:
        import rustworkx
    except ImportError:
        row("supply paths of every unit (rustworkx is not installed)", ours(5))
        return
    graph = rustworkx.PyDiGraph()
    index = dict(zip(world.hexes, graph.add_nodes_from(list(world.hexes)), strict=True))
    steps = [(a, b, world.step(a, b, "truck")) for a in world.hexes for b in world.beside(a)]
    graph.add_edges_from(
        [(index[a], index[b], cost) for a, b, cost in steps if cost is not None and cost > 0]
    )

    def theirs() -> float:
        return best(
            lambda: [rustworkx.dijkstra_shortest_path_lengths(graph, index[hex], float) for hex in starts], 1
        )

    for what, limit in ((f"draws of {len(starts)} hexes", 5), (f"whole map from {len(starts)} hexes", whole)):
        mine, peer = in_turn(partial(ours, limit), theirs)
        row(what, mine, peer, "rustworkx")


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    found = {f"{s.columns} x {s.rows}, {s.units} units, {s.dumps} dumps": measure(s) for s in sizes}
    for what in next(iter(found.values())):
        plot(what, [(name, seconds[what]) for name, seconds in found.items()])
        if len(sizes) > 1:
            points = [(float(s.units), one[what]) for s, one in zip(sizes, found.values(), strict=True)]
            print(f"  grows with the units to the power of {growth(points):.2f}")
    scenarios = (("largest (goal 2000 ms)", sizes[-1]), ("sample scenario (goal 500 ms)", None))
    for name, size in scenarios[:1] if smoke else scenarios:
        seconds, start_up = stage(size)
        row(f"pbem adjudicate, {name}", seconds)
        row("  of which a process that only starts", start_up)
    beside_a_peer(sizes[-1])


if __name__ == "__main__":
    main("--smoke" in sys.argv)
