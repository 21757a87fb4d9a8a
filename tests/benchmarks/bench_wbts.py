"""Stages of a large `wbts` game: whole processes, and how their cost grows with the size of the war.

The largest has 60 x 45 hexes, 400 units and 80 leaders. Three stages are measured, each as a process that
reads the saved state and the orders, adjudicates, and writes the new state: all leaders of a side try for
initiative (the chain of supply for each, marches of those who have it), a battle list with its first
steps, and a required retreat. Beside it the work inside the process, without start and files.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.model.state import dump, from_json
from pbem.systems.wbts.rules.chain import chain
from tests.benchmarks.big_wbts import Size, big_system
from tests.benchmarks.timing import best, plot, row

SIZES = (Size(15, 12, 40, 8), Size(30, 24, 140, 28), Size(45, 34, 260, 52), Size(60, 45, 400, 80))
KINDS = {
    "leader-initiative": "leaders try, forces march",
    "battles": "battles are listed, the first begins",
    "required-retreat": "a required retreat",
}
FURTHEST = 80  # stages after which no more kinds are looked for


def found(size: Size) -> dict[str, tuple[Outcome, Stage]]:
    """For each kind of answer the state before the largest stage that used one, and that stage."""
    system = big_system(size)
    kept: dict[str, tuple[Outcome, Stage]] = {}
    before: Outcome | None = None
    for stage in islice(stages(system, "big", None, "bench", clever), FURTHEST):
        for replies in stage.inputs.replies.values():
            for key in replies:
                kind = next((kind for kind in KINDS if kind in key.split("/")), None)
                if kind and before is not None and _larger(stage, kept.get(kind)):
                    kept[kind] = (before, stage)
        before = stage.outcome
        if set(kept) == set(KINDS) and stage.number > 40:
            break
    return kept


def _larger(stage: Stage, other: tuple[Outcome, Stage] | None) -> bool:
    return other is None or len(stage.outcome.told) > len(other[1].outcome.told)


def save(size: Size, before: Outcome, stage: Stage, to: Path) -> None:
    """State and orders of a stage as files, as `pbem adjudicate --state` would find them."""
    (to / "state.json").write_text(dump(before.state.to_json()), "utf-8")
    replies = {p: {k: r.value for k, r in given.items()} for p, given in stage.inputs.replies.items()}
    seeds = [s.hex() for s in (stage.inputs.seed, stage.inputs.hidden_seed) if s is not None]
    war = [size.columns, size.rows, size.units, size.leaders]
    orders = {"stage": stage.number, "replies": replies, "seeds": seeds, "war": war}
    (to / "orders.json").write_text(json.dumps(orders), "utf-8")


def one_stage(folder: Path) -> None:
    """What the measured process does."""
    orders: dict[str, Any] = json.loads((folder / "orders.json").read_text("utf-8"))
    system = big_system(Size(*orders["war"]))
    state = from_json(json.loads((folder / "state.json").read_text("utf-8")))
    replies = {p: {k: Reply(v) for k, v in given.items()} for p, given in orders["replies"].items()}
    seed, hidden = (bytes.fromhex(each) for each in orders["seeds"])
    outcome = adjudicate(system, state, Inputs(orders["stage"], replies, seed=seed, hidden_seed=hidden))
    (folder / "new.json").write_text(dump(outcome.state.to_json()), "utf-8")


def process(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_wbts", str(folder)], check=True)


def measure(size: Size, runs: int) -> dict[str, float]:
    """Seconds inside the process for each kind of stage, printed with the rest."""
    war = f"{size.columns} x {size.rows} hexes, {size.units} units, {size.leaders} leaders"
    print(f"  -- {war}")
    system = big_system(size)
    row("setting the game up", best(lambda: start(system, "big"), runs))
    game = game_of(system, start(system, "big"))
    row("chain of supply of one side", best(lambda: chain(game, "north"), runs))
    costs: dict[str, float] = {}
    for kind, (before, stage) in found(size).items():
        with tempfile.TemporaryDirectory() as scratch:
            save(size, before, stage, Path(scratch))
            whole = best(lambda folder=Path(scratch): process(folder), runs)
            again = (Path(scratch) / "new.json").read_text("utf-8")
            assert again == dump(stage.outcome.state.to_json()), "another process had another result"
        inside = best(lambda b=before, s=stage: adjudicate(system, b.state, s.inputs), runs)
        row(f"{KINDS[kind]} ({len(stage.outcome.told)} events), whole process", whole)
        row("  of this: adjudication", inside)
        costs[kind] = inside
    return costs


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    costs = [(size, measure(size, 1 if smoke else 3)) for size in sizes]
    for kind, words in KINDS.items():
        points = [(f"{size.units} units", found[kind]) for size, found in costs if kind in found]
        if points:
            plot(f"{words}, by size", points)


if __name__ == "__main__":
    if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir():
        one_stage(Path(sys.argv[1]))
    else:
        main("--smoke" in sys.argv)
