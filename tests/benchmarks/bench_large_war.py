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
from pbem.cli._table import Table
from pbem.cli._telling import renderer
from pbem.engine import system as systems
from pbem.text.writing import thrown_away
from tests.benchmarks.big_wbts import Size, big_system
from tests.benchmarks.timing import growth, processor, row

SIZES = (Size(30, 24, 140, 28), Size(60, 45, 400, 80), Size(99, 99, 1100, 220))


def stages(size: Size, most: int) -> tuple[float, int]:
    """The dearest of the first stages, in seconds of processor, and the bytes of the largest mail."""
    system, real = big_system(size), systems.find
    systems.find = lambda name: system if name == "wbts" else real(name)
    costs: list[float] = []
    try:
        with tempfile.TemporaryDirectory() as scratch, thrown_away():
            table = Table(Path(scratch), system, "big", seed="bench", ahead=False)
            table.sit_down("A large war")
            for seat in table.players:
                seat.brain = answer
            for _ in range(most):
                for seat in table.players:
                    if seat.id in table.gm.folder.line.asked:
                        receive(table, table.answer(seat))
                began = time.process_time()
                folder = table.gm.folder
                done = adjudicate(folder, table.gm.signer, render=renderer(folder))
                costs.append(time.process_time() - began)
                receive(table, table.post(done.written))
            mails = [path.stat().st_size for path in table.gm.root.glob("outbox/*report*.eml")]
    finally:
        systems.find = real
    return max(costs), max(mails)


def receive(table: Table, mails: list[Path]) -> None:
    """Everybody reads some mails."""
    for seat in table.seats.values():
        seat.take(mails)


def mailbox(seed: int, turns: int) -> tuple[int, float]:
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
            table.play(turns)
        mails = sorted(str(path) for path in (root / "mails").glob("*.eml"))
        return len(mails), processor(sys.executable, "-m", "pbem", "receive", *mails, where=away)


def main(smoke: bool = False) -> None:
    for size in SIZES[:1] if smoke else SIZES:
        seconds, large = stages(size, 1 if smoke else 4)
        war = f"{size.columns} x {size.rows}, {size.units + size.leaders} counters"
        row(f"a stage of {war}; its mail {large / 1000:.0f} kB", seconds)
    points = []
    for seed, turns in ((0, 1),) if smoke else ((0, 1), (0, 3), (0, 99)):
        mails, seconds = mailbox(seed, turns)
        row(f"pbem receive of {mails} mails at once", seconds)
        points.append((float(mails), seconds))
    if len(points) > 1:
        print(f"  grows with the mails to the power of {growth(points):.2f}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
