"""Whole processes: what a person waits for. Beside the bare interpreter and, for a stage, the sample game."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.timing import best, row


def pbem(*words: str, where: Path | None = None) -> None:
    subprocess.run([sys.executable, "-m", "pbem", *words], cwd=where, check=True, capture_output=True)


def main(smoke: bool = False) -> None:
    runs = 2 if smoke else 7
    row("python -c pass", best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), runs))
    row("pbem --help (goal 150 ms)", best(lambda: pbem("--help"), runs))
    with tempfile.TemporaryDirectory() as scratch:
        game = Path(scratch) / "demo"
        turns = "1" if smoke else "4"
        row(
            f"pbem demo, {turns} game turn(s)",
            best(lambda: pbem("demo", "--turns", turns, "--out", str(game)), 1),
        )
        for name in ("gm", "red"):
            row(
                f"pbem status as {name} (goal 250 ms)",
                best(lambda name=name: pbem("status", where=game / name), runs),
            )
        row("pbem verify", best(lambda: pbem("verify", where=game / "gm"), min(runs, 3)))


if __name__ == "__main__":
    main()
