"""The benchmark of the kit runs, and the graph libraries, where installed, give the same answers."""

from __future__ import annotations

from tests.benchmarks.bench_kit import run


def test_the_benchmark_runs_on_a_small_map_and_all_answers_agree() -> None:
    lines = list(run(size=16, rounds=1))
    assert sum("supply_net" in line or "reach" in line for line in lines) == 6
