"""All benchmarks, one after another: `python -m tests.benchmarks`.

With `--smoke` they take small sizes, only to see that they run, and without those of `LENGTHY`, which take
five to ten seconds even so: `python -m tests.benchmarks --smoke --all` runs them too, before a release.

A peer library that does the same work runs beside ours in the same process and the ratio is printed. Peers
that are not installed are named and left out. Nothing here judges a time: machines differ, and tests must
not.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

LENGTHY = ("board", "large_war", "letters", "long_campaign", "ocs", "wif_campaign")


def main() -> None:
    smoke = "--smoke" in sys.argv[1:]
    short = smoke and "--all" not in sys.argv[1:]
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if short and path.stem.removeprefix("bench_") in LENGTHY:
            continue
        module = importlib.import_module(f"tests.benchmarks.{path.stem}")
        print(f"\n## {path.stem.removeprefix('bench_')}: {(module.__doc__ or '').splitlines()[0]}")
        module.main(smoke=smoke)


if __name__ == "__main__":
    main()
