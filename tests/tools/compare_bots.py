"""Measure the computer as a player: new against old in every seat, or new against itself.

    python -m tests.tools.compare_bots totaler-krieg lodestar --games 20 --old main
    python -m tests.tools.compare_bots totaler-krieg lodestar --games 40
    python -m tests.tools.compare_bots totaler-krieg lodestar --games 20 --beginner

`--beginner` has somebody who plays for the first time in one seat, each in turn, against the computer.
`--old` takes the bots of another commit (`pbem/systems/*/bot` and what they need of `pbem/kit`), so that both
play by the rules of this one. `--budget` says how many positions the new player looks at for an answer. Games
depend on the seed alone; times are not part of the result. Prints a line a game and the sums; Ctrl-C ends a
series, and prints the sums of the games so far.
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
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from pbem.bot.answers import STOP, THOROUGH, Brain
from pbem.bot.games import stages
from pbem.engine.adjudicate import game_of
from pbem.engine.system import System, find
from pbem.rules import Decision, Drafting, Game, Growing, Json

FIRST = 3  # things offered that a beginner looks at
KIT = ("greedy",)  # what old bots need of a kit that may have changed


def old_bot(name: str, commit: str) -> Callable[..., Json]:
    """Return `play_well` of a system as it was at a commit, over the rules of today."""
    package = name.replace("-", "_")
    paths = [f"pbem/systems/{package}/bot", *(f"pbem/kit/{one}.py" for one in KIT)]
    found = [
        path
        for path in paths
        if subprocess.run(["git", "cat-file", "-e", f"{commit}:{path}"]).returncode == 0
    ]
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
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def beginner(game: Game, decision: Decision[Any], rng: Random) -> Json:
    """Answer as a beginner: with one of the first three things offered, again and again.

    Signs after each with a chance of 1 in 8, or when nothing more is offered.
    """
    if not isinstance(decision, Growing):
        return rng.choice(list(islice(decision.options(game), FIRST))).answer
    drafting = Drafting(decision, game)
    sent = None
    while sent is None or rng.randrange(STOP):
        offered = list(islice(drafting.next(), FIRST))
        if not offered:
            break
        drafting.add(rng.choice(offered))
        sent = drafting.json() if drafting.complete else sent
    return drafting.json() if sent is None else sent


class Mind:
    """A player who answers by a hook, and notes time and positions used for each answer."""

    def __init__(self, hook: Callable[..., Json], budget: int = 0) -> None:
        self.hook, self.budget = hook, budget
        self.seconds: list[float] = []
        self.used: Counter[str] = Counter()

    def __call__(self, game: Game, decision: Decision[Any], rng: Random) -> Json:
        begun = time.process_time()
        game.budget = self.budget
        found = self.hook(game, decision, rng.choice)
        self.seconds.append(time.process_time() - begun)
        self.used.update(dict.fromkeys(parts(decision.kind, found), 1))
        return found


def parts(kind: str, answer: Json) -> Iterator[str]:
    """Yield the kinds of things that an answer orders: its sections, and the kinds of actions in them."""
    yield kind
    for section, value in answer.items() if isinstance(answer, dict) else ():
        if not value:
            continue
        yield f"{kind}.{section}"
        for one in value if isinstance(value, list) else ():
            if section == "actions" and isinstance(one, dict):
                yield from (f"{kind}.{section}.{name}" for name in one if name not in ("if", "label"))


def winner(told: list[Any]) -> str:
    """Return who won, as the last event that names a result says."""
    for event in reversed(told):
        kind = str(event.get("event", ""))
        if kind == "drawn":
            return "draw"
        for key in ("winner", "result"):
            if kind.startswith(("game-", "victory", "won")) and event.get(key) is not None:
                return str(event[key])
    return "?"


def points(system: System, outcome: Any) -> int | None:
    """Return the points that the scenario counts for victory, where it counts any."""
    ending = system.ending(game_of(system, outcome.state, outcome.position))
    return None if ending is None else ending.points


def played(system: System, scenario: str, seed: str, brains: dict[str, Brain]) -> tuple[str, int, int | None]:
    """Play a game. Return its result, its stages and its points."""
    told: list[Any] = []
    for stage in stages(system, scenario, None, seed, brains):
        told += [one.event for one in stage.outcome.told]
        if stage.outcome.diagnostics:
            print("  refused:", [str(why.code) for _, why in stage.outcome.diagnostics][:3])
    return winner(told), stage.number, points(system, stage.outcome)


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("scenario")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", default="s")
    parser.add_argument("--old", help="a commit whose bots play the other seats")
    parser.add_argument("--beginner", action="store_true", help="one seat plays for the first time")
    parser.add_argument("--budget", type=int, default=THOROUGH)
    parser.add_argument("--only", help="the seat that the new player has")
    given = parser.parse_args()
    system = find(given.system)
    seats = system.players(system.scenario(given.scenario))
    assert system.play_well_hook is not None
    new = Mind(system.play_well_hook, given.budget)
    old = Mind(old_bot(given.system, given.old)) if given.old else new
    for seat in (given.only,) if given.only else seats if given.old or given.beginner else ("all",):
        brains: dict[str, Brain] = {one: new if seat in (one, "all") else old for one in seats}
        if given.beginner:
            brains = {one: beginner if one == seat else new for one in seats}
        series(system, given, seat, brains)
    for name, mind in (("new", new), ("old", old))[: 1 + bool(given.old)]:
        each = sum(mind.seconds) / max(1, len(mind.seconds))
        print(
            f"{name}: {len(mind.seconds)} answers, {each:.3f} s of CPU each, at most {max(mind.seconds):.2f}"
        )
        print(f"{name} ordered: {dict(sorted(mind.used.items()))}")


def series(system: System, given: argparse.Namespace, seat: str, brains: dict[str, Brain]) -> None:
    """Play a series of games and print what came of them."""
    results: Counter[str] = Counter()
    total = 0
    for n in range(given.games):
        try:
            result, count, reached = played(system, given.scenario, f"{given.seed}{n}", brains)
        except KeyboardInterrupt:
            break
        results[result] += 1
        total += reached or 0
        print(f"  {seat} {n}: {result} in {count} stages, {reached} points", flush=True)
    sums = dict(sorted(results.items()))
    mean = total / max(1, results.total())
    role = "beginner" if given.beginner else "new player"
    print(f"{given.system} {given.scenario}, {role}: {seat}: {sums}, {mean:.1f} points", flush=True)


if __name__ == "__main__":
    main()
