"""A long campaign with hidden units (`victory`): what commands cost at stage 230 beside stage 10.

And what a stage takes everybody, how large the mails are and how the git repository of the game master grows.
What is asked often costs what changed; what looks at the whole archive (`verify`, `stats`, the map of an
early stage) grows with the stages.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner

from pbem.cli.games.table import Table
from pbem.cli.main import cli
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.systems.victory import SYSTEM
from pbem.text.writing import thrown_away
from tests.benchmarks.big_system import with_war
from tests.benchmarks.timing import growth, row

MARKS = (10, 60, 120, 230)
OFTEN = (("status",), ("report",), ("map",), ("map", "--words"))
WHOLE = (("verify",), ("stats",), ("map", "5"))
NEVER = {"city_points": {"at_least": 99}, "city_points_at_most": {"at_most": -1}, "bands": {"turn": 200}}


@contextmanager
def endless() -> Iterator[System]:
    """`victory` has the Sarn Strait as one scenario more that nobody wins for 200 game turns."""
    war = SYSTEM.scenario("sarn_strait")
    conditions = [{**one, **NEVER.get(one["kind"], {})} for one in war["victory"]]
    system, real = with_war(SYSTEM, {**war, "last_turn": 200, "victory": conditions}), systems.find
    systems.find = lambda name: system if name == "victory" else real(name)
    try:
        yield system
    finally:
        systems.find = real


def seconds(root: Path, words: tuple[str, ...]) -> float:
    """Seconds of processor of a command in this process; the better of two runs."""
    costs = []
    for _ in range(2):
        began = time.process_time()
        done = CliRunner().invoke(cli, ["-C", str(root), *words], prog_name="pbem")
        costs.append(time.process_time() - began)
        assert done.exit_code == 0, done.output
    return min(costs)


def packed(root: Path, scratch: Path) -> int:
    """Bytes of a repository of the folder as it is, packed."""
    shutil.copytree(root, scratch)
    who = ("-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "gc.auto=0")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "x"), ("gc", "-q", "--prune=now")):
        subprocess.run(("git", *who, *words), cwd=scratch, check=True, capture_output=True)
    return sum(path.stat().st_size for path in (scratch / ".git" / "objects").rglob("*") if path.is_file())


def main(smoke: bool = False) -> None:
    marks = (6,) if smoke else MARKS
    costs: dict[tuple[str, ...], list[tuple[float, float]]] = {words: [] for words in (*OFTEN, *WHOLE)}
    with endless() as system, tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "game").mkdir()
        table = Table(Path(scratch) / "game", system, "big", seed="long", ahead=False)
        with thrown_away():
            table.sit_down("Long", options={"battle_mode": "interactive"})
        began, before = time.process_time(), 0
        for mark in marks:
            with thrown_away():
                while table.gm.folder.stage < mark:
                    table.play_stage()
            row(f"a stage of all four, to stage {mark}", (time.process_time() - began) / (mark - before))
            for words, points in costs.items():
                points.append((float(mark), seconds(table.players[0].root, words)))
                row(f"  pbem {' '.join(words)}, a player at stage {mark}", points[-1][1])
            mail = max(path.stat().st_size for path in table.gm.root.glob(f"outbox/stage-{mark:04}*.eml"))
            size = packed(table.gm.root, Path(scratch) / f"git-{mark}")
            print(f"  the mail of the report {mail / 1000:.0f} kB; the repository {size / 1e6:.2f} MB")
            began, before = time.process_time(), mark
    if len(marks) > 1:
        for words, points in costs.items():
            print(f"  pbem {' '.join(words)} grows with the stages to the power of {growth(points):.2f}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
