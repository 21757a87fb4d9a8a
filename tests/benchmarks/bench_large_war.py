"""A war of 99 x 99 hexes with 1,320 counters: what a stage costs its game master, how large its mail is.

And a mailbox that is received at once, and how that grows.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from pbem.archive import adjudicate
from pbem.bot.answers import answer
from pbem.cli.games.table import Table
from pbem.cli.games.telling import renderer
from pbem.engine import system as systems
from pbem.text.writing import thrown_away
from tests.benchmarks.big_wbts import Size, large_war
from tests.benchmarks.timing import growth, play_stages, processor, row

SIZES = (Size(30, 24, 140, 28), Size(60, 45, 400, 80), Size(99, 99, 1100, 220))
ROOT = Path(__file__).parents[2]
COMMAND = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from tests.benchmarks.big_wbts import Size, large_war
with large_war(eval(sys.argv.pop(1))):
    from pbem.cli.main import main
    main()
"""


def stages(size: Size, most: int) -> tuple[float, float, int]:
    """The dearest of the first stages as a command, between players who do all they can; the dearest answer
    of one of them; both in seconds of processor. And the bytes of the largest mail."""
    commands, answers = [0.0], [0.0]
    with large_war(size) as system, tempfile.TemporaryDirectory() as scratch, thrown_away():
        table = Table(Path(scratch), system, "big", seed="bench", ahead=False)
        table.sit_down("A large war")
        for n in range(most):
            for seat in table.players:
                if seat.id in table.gm.folder.progress.asked:
                    began = time.process_time()
                    mails = table.answer(seat)
                    answers.append(time.process_time() - began)
                    receive(table, mails)
            copied = Path(scratch) / f"copy-{n}"
            shutil.copytree(table.gm.root, copied)
            words = (sys.executable, "-c", COMMAND, str(ROOT), repr(size), "adjudicate")
            commands.append(processor(*words, where=copied))
            folder = table.gm.folder
            done = adjudicate(folder, table.gm.signer, render=renderer())
            receive(table, table.post(done.written))
        largest = max(path.stat().st_size for path in table.gm.root.glob("outbox/*report*.eml"))
    return max(commands), max(answers), largest


def receive(table: Table, mails: list[Path]) -> None:
    """Everybody reads some mails."""
    for seat in table.seats.values():
        seat.take(mails)


def mailbox(seed: int, most: int) -> tuple[int, float]:
    """How many mails of a game somebody takes in at once who was away, and what that costs as a command."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "game"
        root.mkdir()
        table = Table(root, systems.find("victory"), "sarn_strait", seed=f"bench-{seed}", ahead=False)
        table.sit_down("Benchmark", options={"battle_mode": "interactive"})
        away = Path(scratch) / "away"
        shutil.copytree(table.players[-1].root, away)
        for seat in table.players:
            seat.brain = answer
        with thrown_away():
            play_stages(table, most)
        mails = sorted(str(path) for path in (root / "mails").glob("*.eml"))
        return len(mails), processor(sys.executable, "-m", "pbem", "receive", *mails, where=away)


def main(smoke: bool = False) -> None:
    costs: list[tuple[float, float, float]] = []
    for size in SIZES[:1] if smoke else SIZES:
        seconds, thinking, large = stages(size, 1 if smoke else 5)
        war = f"{size.columns} x {size.rows} hexes, {size.units + size.leaders} counters"
        row(f"pbem adjudicate, {war}; its mail {large / 1000:.0f} kB", seconds)
        row("  the dearest answer of a bot, with form and signature", thinking)
        costs.append((float(size.units + size.leaders), seconds, thinking))
    if len(costs) > 1:
        stage, answers = ([(n, each[k]) for n, *each in costs] for k in (0, 1))
        print(f"  grow with the counters to the power of {growth(stage):.2f} and {growth(answers):.2f}")
    points = []
    for most in (4,) if smoke else (30, 90, 9999):
        mails, seconds = mailbox(0, most)
        row(f"pbem receive of {mails} mails at once", seconds)
        points.append((float(mails), seconds))
    if len(points) > 1:
        print(f"  grows with the mails to the power of {growth(points):.2f}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
