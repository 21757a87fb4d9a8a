"""Supply, a combat segment and a faction turn of a large `totaler-krieg` game, and how their cost grows.

The largest has 40 x 35 hexes and 300 units, 40 attacks in a segment. A stage is measured
as a process that reads the saved state and the orders, adjudicates, and writes the new state, and inside a
process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.model.state import dump, from_json
from pbem.rules import Game, Json
from pbem.systems.totaler_krieg.rules.pieces import pieces, world_of
from pbem.systems.totaler_krieg.rules.supply import Supply
from tests.benchmarks.big_totaler_krieg import Size, big_system
from tests.benchmarks.timing import best, plot, row

SIZES = (Size(14, 12, 60, 8), Size(26, 24, 150, 20), Size(40, 35, 300, 40))
SEED = bytes(32)


def attacks(game: Game, size: Size) -> list[Json]:
    """One attack on each of so many hexes of the front, by two units at most."""
    world = world_of(game)
    ours = [one for one in pieces(game, "axis", "map") if one.type != "hq"]
    theirs = sorted({one.hex or "" for one in pieces(game, "soviet", "map")})
    found: list[Json] = []
    used: set[str] = set()
    for hex in theirs:
        units = [one.id for one in ours if one.id not in used and one.hex in world.beside(hex)][:2]
        if units and len(found) < size.attacks:
            used |= {*units}
            found.append({"id": f"G{len(found)}", "target": hex, "units": list[Json](units)})
    return found


def orders(game: Game, size: Size) -> dict[str, Json]:
    """A whole faction turn in one file: units go along the rails behind the front, then attack."""
    return {
        "administration": {"place": []},
        "movement": [],
        "combat": {"regular": list[Json](attacks(game, size))},
        "final": {"reserve": []},
    }


def begun(size: Size) -> tuple[Outcome, dict[str, Json]]:
    """The game where the axis is asked for its turn, and its answers."""
    system = big_system(size)
    outcome = adjudicate(system, start(system, "big"), Inputs(0, seed=SEED))
    cards = {power: {"next-card": Reply([])} for power in ("axis", "western", "soviet")}
    outcome = adjudicate(system, outcome.state, Inputs(1, cards, seed=SEED))
    return outcome, orders(game_of(system, outcome.state, outcome.position), size)


def turn(size: Size, before: Outcome, given: dict[str, Json]) -> Outcome:
    replies = {"axis": {kind: Reply(value) for kind, value in given.items()}}
    quiet: dict[str, list[Json]] = {"soviet": [{"losses": []}, {"ex": {}}], "western": []}
    return adjudicate(big_system(size), before.state, Inputs(2, replies, standing=quiet, seed=SEED))


def one_stage(folder: Path) -> None:
    """What the measured process does."""
    data: dict[str, Any] = json.loads((folder / "orders.json").read_text("utf-8"))
    size, system = Size(*data["war"]), big_system(Size(*data["war"]))
    state = from_json(json.loads((folder / "state.json").read_text("utf-8")))
    replies = {"axis": {kind: Reply(value) for kind, value in data["answers"].items()}}
    quiet: dict[str, list[Json]] = {"soviet": [{"losses": []}, {"ex": {}}], "western": []}
    outcome = adjudicate(system, state, Inputs(2, replies, standing=quiet, seed=SEED))
    assert size
    (folder / "new.json").write_text(dump(outcome.state.to_json()), "utf-8")


def process(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_totaler_krieg", str(folder)], check=True)


def supply(game: Game) -> list[str]:
    """Every unit that is supplied."""
    found = Supply(game)
    return [one.id for one in pieces(game, spot="map") if found.supplied(one)]


def measure(size: Size, runs: int) -> tuple[float, float]:
    """Seconds for the supply of all and for a turn inside the process, printed with the rest."""
    print(f"  -- {size.columns} x {size.rows} hexes, {size.units} units, {size.attacks} attacks")
    system = big_system(size)
    row("setting the game up", best(lambda: start(system, "big"), runs))
    game = game_of(system, start(system, "big"))
    fed = best(lambda: supply(game), runs)
    row(f"supply of {size.units} units", fed)
    before, given = begun(size)
    after = turn(size, before, given)
    fought = sum(one.event["event"] == "attacked" for one in after.told)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "state.json").write_text(dump(before.state.to_json()), "utf-8")
        war = [size.columns, size.rows, size.units, size.attacks]
        (folder / "orders.json").write_text(json.dumps({"answers": given, "war": war}), "utf-8")
        whole = best(lambda: process(folder), runs)
    inside = best(lambda: turn(size, before, given), runs)
    row(f"a faction turn with {fought} attacks ({len(after.told)} events), whole process", whole)
    row("  of this: adjudication", inside)
    return fed, inside


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    costs = [(size, *measure(size, 1 if smoke else 2)) for size in sizes]
    plot("supply of all units, by size", [(f"{size.units} units", fed) for size, fed, _ in costs])
    plot("a faction turn, by size", [(f"{size.attacks} attacks", inside) for size, _, inside in costs])


if __name__ == "__main__":
    if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir():
        one_stage(Path(sys.argv[1]))
    else:
        main("--smoke" in sys.argv)
