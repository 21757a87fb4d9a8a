"""A long campaign of `wif` by mail: what `pbem verify` takes as it grows, with and without `--since`, and how
large its git repository and its mails become. A small position, played by the sensible player.

Figures of longer campaigns are extrapolated from the last measured half: every stage adds about the same.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from pbem.cli.games.table import Table
from pbem.cli.main import cli
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.systems.wif import SYSTEM
from pbem.text.writing import thrown_away
from tests.benchmarks.timing import growth, row

MEASURED = (25, 50, 100)
ASKED = ((500, "verify"), (2000, "repository"))


class Campaign(System):
    """The system with one scenario more: the Narrow Sea for as many turns as one likes."""

    def scenarios(self) -> list[str]:
        return super().scenarios() if self.own is not None else [*super().scenarios(), "campaign"]

    def scenario(self, name: str) -> dict[str, Any]:
        if name != "campaign" or self.own is not None:
            return super().scenario(name)
        base = SYSTEM.scenario("narrow_sea_1943")
        years = ["JF", "MA", "MJ", "JA", "SO", "ND"] * 100
        endless = {"side": "allied", "win": 99, "lose": -1, "capitals": {}}
        return {**base, "turns": years, "victory": endless}


@contextmanager
def installed() -> Iterator[System]:
    """The campaign where the rules of `wif` are looked for."""
    known = {name: getattr(SYSTEM, name) for name in System.__dataclass_fields__ if not name.startswith("_")}
    campaign, usual = Campaign(**known), systems.find
    systems.find = lambda name: campaign if name == "wif" else usual(name)
    try:
        yield campaign
    finally:
        systems.find = usual


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "gc.auto=0")
    subprocess.run(("git", *who, *words), cwd=root, check=True, capture_output=True)


def seconds(work: Callable[[], Any]) -> float:
    """Seconds of processor, whatever else the machine does."""
    before = time.process_time()
    work()
    return time.process_time() - before


def verified(root: Path, *words: str) -> None:
    done = CliRunner().invoke(cli, ["-C", str(root), "verify", *words])
    assert done.exit_code == 0, done.output


def packed(root: Path) -> int:
    """Bytes of the repository when everything is packed."""
    git(root, "gc", "--aggressive", "--prune=now", "--quiet")
    return sum(path.stat().st_size for path in (root / ".git").rglob("*") if path.is_file())


def play(root: Path, system: System, marks: tuple[int, ...]) -> Iterator[tuple[int, Table]]:
    """The campaign at each of these stages, committed after every stage."""
    table = Table(root, system, "campaign", seed="campaign")
    with thrown_away():
        table.sit_down("Campaign")
    for seat in table.players:
        seat.standing = system.standing_well(seat.id)
    gm = table.gm.root
    git(gm, "init", "--quiet")
    while (stage := table.gm.folder.stage) < marks[-1]:
        with thrown_away():
            table.play_stage()
        git(gm, "add", "--all")
        git(gm, "commit", "--quiet", "--message", f"stage {stage + 1}")
        if stage + 1 in marks:
            yield stage + 1, table


def main(smoke: bool = False) -> None:
    marks = (3,) if smoke else MEASURED
    points: list[tuple[float, float]] = []
    again: list[tuple[float, float]] = []
    sizes: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as scratch, installed() as system:
        for stage, table in play(Path(scratch), system, marks):
            root = table.gm.root
            cost = seconds(lambda root=root: verified(root))
            points.append((stage, cost))
            sizes.append((stage, packed(root)))
            row(f"pbem verify of {stage} stages", cost)
            again.append((stage, seconds(lambda root=root: verified(root, "--since", "last"))))
            row("  again with --since last", again[-1][1])
            print(f"  repository of {stage} stages, packed: {sizes[-1][1] / 1e6:.2f} MB")
        mails = [path.stat().st_size for path in (Path(scratch) / "mails").iterdir()]
        print(f"  largest of {len(mails)} mails: {max(mails) / 1000:.0f} kB")
    if len(points) > 1:
        print(f"  verify grows with the stages to the power of {growth(points):.2f}")
        (one, small), (two, large) = sizes[-2:]
        each = (again[-1][1] - again[0][1]) / (again[-1][0] - again[0][0])
        print(
            f"  a stage more that --since takes over: {each * 1000:.2f} ms of processor (goal for 500: 2 s)"
        )
        (_, before), (_, after) = points[-2:]
        for stages, what in ASKED:
            more = stages - two
            if what == "verify":
                told = f"{after + more * (after - before) / (two - one):.1f} s of processor"
            else:
                told = f"{(large + more * (large - small) / (two - one)) / 1e6:.0f} MB"
            print(f"  {what} of {stages} stages, extrapolated: {told}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
