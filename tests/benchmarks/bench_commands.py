"""Whole commands as processes of their own: what a person waits for, beside what no program of Python spares.

The peer is an interpreter that has imported click, in turn with each command. All may keep their bytecode.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path

from pbem.bot.answers import answer
from pbem.cli.games.table import Table
from pbem.engine.system import find
from pbem.text.writing import thrown_away
from tests.benchmarks.timing import growth, in_turn, processor, row

PEER = (sys.executable, "-c", "import click")
PLAYER = (("report",), ("sequence",), ("map",), ("mail", "list"), ("dice",))


def pbem(*words: str, where: Path | None = None) -> float:
    """Seconds of processor of one command."""
    return processor(sys.executable, "-m", "pbem", *words, where=where)


def beside(what: str, *words: str, where: Path | None = None, runs: int = 5) -> float:
    """Measure a command and its peer in turn."""
    ours, peer = in_turn(lambda: pbem(*words, where=where), lambda: processor(*PEER), runs)
    row(what, ours, peer, "the peer")
    return ours


def table(root: Path, seed: int, name: str = "victory", scenario: str = "sarn_strait") -> Table:
    """A game of computers that has begun."""
    made = Table(root, find(name), scenario, seed=f"bench-{seed}", ahead=False)
    made.sit_down("Benchmark")
    for seat in made.players:
        seat.brain = answer
    return made


def stages(made: Table, count: int) -> None:
    """Play some stages, and answer for the next."""
    for _ in range(count):
        answered(made)
        made.adjudicate()
    answered(made)


def answered(made: Table) -> None:
    """Whoever is asked has sent his orders."""
    for seat in made.players:
        if seat.id in made.gm.folder.progress.asked:
            mails = made.answer(seat)
            for other in made.seats.values():
                other.take(mails)


def main(smoke: bool = False) -> None:
    runs = 1 if smoke else 5
    beside("pbem --help (goal 150 ms)", "--help", runs=runs)
    with tempfile.TemporaryDirectory() as scratch, thrown_away():
        made = table(Path(scratch) / "game", random.Random(1).randrange(9))
        stages(made, 1 if smoke else 6)
        folders = {"gm": made.gm.root, "a player": made.players[0].root}
        for who, root in folders.items():
            beside(f"pbem status of {who} (goal 200 ms)", "status", where=root, runs=runs)
        for words in PLAYER[:2] if smoke else PLAYER:
            beside(f"pbem {' '.join(words)} (goal 400 ms)", *words, where=folders["a player"], runs=runs)
        beside("pbem verify", "verify", where=made.gm.root, runs=min(runs, 3))
        stage(made, runs)
        if not smoke:
            grown(made)


def stage(made: Table, runs: int) -> None:
    """`pbem adjudicate` with all orders in, each time in a fresh copy of the folder."""

    def once() -> float:
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / "gm"
            shutil.copytree(made.gm.root, copy)
            return pbem("adjudicate", where=copy)

    ours, peer = in_turn(once, lambda: processor(*PEER), runs)
    row("pbem adjudicate, a stage of a sample scenario (goal 350 ms)", ours, peer, "the peer")


def grown(made: Table) -> None:
    """How `status` and `archive` grow with the stages of a game."""
    points: dict[str, list[tuple[float, float]]] = {"status": [], "archive": []}
    for _ in range(3):
        folder = made.gm.folder
        pbem("archive", where=folder.root)
        for name, found in points.items():
            found.append((float(folder.stage), min(pbem(name, where=folder.root) for _ in range(3))))
        stages(made, folder.stage)
        if made.gm.folder.progress.over:
            break
    for name, found in points.items():
        told = ", ".join(f"{int(stage)} stages {cost * 1000:.0f} ms" for stage, cost in found)
        print(f"  pbem {name}: {told}; to the power of {growth(found):.2f}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
