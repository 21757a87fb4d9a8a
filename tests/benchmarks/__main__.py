"""All benchmarks, one after another: `python -m tests.benchmarks` (with `--smoke`: small sizes, only to
see that they run).

A peer library that does the same work runs beside ours in the same process and the ratio is printed. Peers
that are
not installed are named and left out. Nothing here judges a time: machines differ, and tests must not.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main() -> None:
    smoke = "--smoke" in sys.argv[1:]
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        module = importlib.import_module(f"tests.benchmarks.{path.stem}")
        print(f"\n## {path.stem.removeprefix('bench_')}: {(module.__doc__ or '').splitlines()[0]}")
        module.main(smoke=smoke)


if __name__ == "__main__":
    main()
