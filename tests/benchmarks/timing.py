"""How the benchmarks measure and print: best of a few runs, a table with the ratio to the peer."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Any

from pbem.cli.games.table import Table


def best(work: Callable[[], Any], runs: int = 3) -> float:
    """Seconds of the fastest of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def best_processor(work: Callable[[], Any], runs: int = 3) -> float:
    """The same in seconds of processor: what it costs does not change with what else the machine does."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def plot(title: str, points: list[tuple[str, float]], width: int = 40) -> None:
    """How a cost grows: a bar for each size, the longest `width` signs."""
    most = max(seconds for _, seconds in points)
    print(f"  -- {title}")
    for what, seconds in points:
        bar = "#" * max(1, round(seconds / most * width))
        print(f"  {what:<44} {bar:<{width}} {seconds * 1000:9.1f} ms")


def processor(*command: str, where: Path | None = None) -> float:
    """Seconds of processor that a command took as a process of its own, with all it started, user and system:
    what it costs does not change with what else the machine does. It may keep its bytecode."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = os.times()
    subprocess.run(command, cwd=where, check=True, capture_output=True, env=environment)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def in_turn(ours: Callable[[], float], peer: Callable[[], float], runs: int = 3) -> tuple[float, float]:
    """The smallest cost of each, measured one after the other in turn, so that both meet the same machine."""
    pairs = [(ours(), peer()) for _ in range(runs)]
    return min(one for one, _ in pairs), min(other for _, other in pairs)


def growth(points: Sequence[tuple[float, float]]) -> float:
    """How a cost grows with a size, as an exponent: 1 is linear, 2 the square. From (size, cost), by least
    squares of the logarithms."""
    sizes, costs = [log(size) for size, _ in points], [log(cost) for _, cost in points]
    middle, mean = sum(sizes) / len(sizes), sum(costs) / len(costs)
    spread = sum((size - middle) ** 2 for size in sizes)
    return sum((s - middle) * (c - mean) for s, c in zip(sizes, costs, strict=True)) / spread


def play_stages(table: Table, most: int) -> None:
    """Play so many stages of a game, or until it is over."""
    for _ in range(most):
        if table.gm.folder.progress.over:
            return
        table.play_stage()


def row(what: str, seconds: float, against: float | None = None, peer: str = "") -> None:
    """One line: what, milliseconds, and how many times the peer took."""
    ratio = f"{peer} takes {against / seconds:6.1f} times ours ({against * 1000:.1f} ms)" if against else ""
    print(f"  {what:<58} {seconds * 1000:9.1f} ms   {ratio}".rstrip())
