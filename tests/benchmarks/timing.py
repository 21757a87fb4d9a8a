"""How the benchmarks measure and print: best of a few runs, a table with the ratio to the peer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def best(work: Callable[[], Any], runs: int = 3) -> float:
    """Seconds of the fastest of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def plot(title: str, points: list[tuple[str, float]], width: int = 40) -> None:
    """How a cost grows: a bar for each size, the longest `width` signs."""
    most = max(seconds for _, seconds in points)
    print(f"  -- {title}")
    for what, seconds in points:
        bar = "#" * max(1, round(seconds / most * width))
        print(f"  {what:<44} {bar:<{width}} {seconds * 1000:9.1f} ms")


def row(what: str, seconds: float, against: float | None = None, peer: str = "") -> None:
    """One line: what, milliseconds, and how many times the peer took."""
    ratio = f"{peer} takes {against / seconds:6.1f} times ours ({against * 1000:.1f} ms)" if against else ""
    print(f"  {what:<58} {seconds * 1000:9.1f} ms   {ratio}".rstrip())
