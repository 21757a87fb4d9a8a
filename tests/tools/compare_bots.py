"""Measure the computer as a player: new against old in every seat, or new against itself.

    python -m tests.tools.compare_bots totaler-krieg lodestar --games 20 --old main
    python -m tests.tools.compare_bots totaler-krieg lodestar --games 40

`--old` takes the bots of another commit (`pbem/systems/*/bot` and what they need of `pbem/kit`), so that both
play by the rules of this one. `--budget` says how many positions the new player looks at for an answer. Games
depend on the seed alone; times are not part of the result. Prints a line a game and the sums.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from pbem.bot.answers import THOROUGH, Brain
from pbem.bot.games import stages
from pbem.engine.adjudicate import game_of
from pbem.engine.system import System, find
from pbem.rules import Decision, Game, Json

KIT = ("greedy",)
WON = ("game-won", "game-ended", "victory")


def old_bot(name: str, commit: str) -> Callable[..., Json]:
    """Return `play_well` of a system as it was at a commit, over the rules of today."""
    package = name.replace("-", "_")
    paths = [f"pbem/systems/{package}/bot", *(f"pbem/kit/{one}.py" for one in KIT)]
    found = [path for path in paths if subprocess.run(["git", "cat-file", "-e", f"{commit}:{path}"]).returncode == 0]
    packed = subprocess.run(["git", "archive", commit, *found], check=True, capture_output=True).stdout
    root = Path(tempfile.mkdtemp(prefix="old-bot-"))
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(root, filter="data")
    for one in KIT:
        file = root / f"pbem/kit/{one}.py"
        if file.exists():
            _load(f"pbem.kit.{one}", file)
    home = f"pbem.systems.{package}.old_bot"
    spec = ModuleSpec(home, None, is_package=True)
    spec.submodule_search_locations = [str(root / f"pbem/systems/{package}/bot")]
    importlib.import_module(f"pbem.systems.{package}")
    sys.modules[home] = module_from_spec(spec)
    hook: Callable[..., Json] = importlib.import_module(f"{home}.play_well").play_well
    return hook


def _load(name: str, file: Path) -> None:
    from importlib.util import spec_from_file_location

    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def brain(hook: Callable[..., Json], spent: list[float], **more: Any) -> Brain:
    """Return what answers by a hook, and notes how long each answer took."""

    def answered(game: Game, decision: Decision[Any], rng: Random) -> Json:
        begun = time.process_time()
        found = hook(game, decision, rng.choice, **more)
        spent.append(time.process_time() - begun)
        return found

    return answered


def winner(told: list[Any]) -> str:
    """Return who won, as the last event that names a result says."""
    for event in reversed(told):
        for key in ("winner", "result"):
            if str(event.get("event", "")).startswith(("game-", "victory")) and event.get(key) is not None:
                return str(event[key])
    return "?"


def points(system: System, outcome: Any) -> int | None:
    """Return the points that the scenario counts for victory, where it counts any."""
    ending = system.ending(game_of(system, outcome.state, outcome.position))
    return None if ending is None else ending.points


def played(system: System, scenario: str, seed: str, brains: dict[str, Brain], kinds: Counter[str]) -> tuple[str, int, int | None]:
    """Play a game. Return its result, its stages and its points."""
    told: list[Any] = []
    number = 0
    for stage in stages(system, scenario, None, seed, brains):
        told += [one.event for one in stage.outcome.told]
        kinds.update(str(one.event["event"]) for one in stage.outcome.told)
        number = stage.number
        if stage.outcome.diagnostics:
            print("  refused:", [str(why.code) for _, why in stage.outcome.diagnostics][:3])
    return winner(told), number, points(system, stage.outcome)


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("scenario")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", default="s")
    parser.add_argument("--old", help="a commit whose bots play the other seats")
    parser.add_argument("--budget", type=int, default=THOROUGH)
    parser.add_argument("--only", help="the seat that the new player has")
    parser.add_argument("--both-old", action="store_true", help="the old bots play all seats")
    given = parser.parse_args()
    system = find(given.system)
    seats = system.players(system.scenario(given.scenario))
    spent: list[float] = []
    spent_old: list[float] = []
    assert system.play_well_hook is not None
    new = brain(system.play_well_hook, spent, budget=given.budget)
    old = brain(old_bot(given.system, given.old), spent_old) if given.old else new
    kinds: Counter[str] = Counter()
    for seat in (given.only,) if given.only else seats if given.old and not given.both_old else ("all",):
        results: Counter[str] = Counter()
        total = 0
        for n in range(given.games):
            brains = {one: new if one == seat or not given.old else old for one in seats}
            result, count, reached = played(system, given.scenario, f"{given.seed}{n}", brains, kinds)
            results[result] += 1
            total += reached or 0
            print(f"  {seat} {n}: {result} in {count} stages" + ("" if reached is None else f", {reached} points"), flush=True)
        print(f"{given.system} {given.scenario}, new player: {seat}: {dict(sorted(results.items()))}, {total / given.games:.1f} points", flush=True)
    for name, times in (("new", spent), ("old", spent_old)):
        if times:
            print(f"{name}: {len(times)} answers, {sum(times) / len(times):.3f} s of CPU each, longest {max(times):.2f} s")
    print(dict(sorted(kinds.items())))


if __name__ == "__main__":
    main()
