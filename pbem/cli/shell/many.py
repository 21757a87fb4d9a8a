"""One piece of work on many folders: by processes of this machine, or by a cluster (`cluster`).

The work must be the same however often it is done: what was lost with its worker is done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Work = Callable[[Path, Any], Any]
"""The function for each task: one of a module, called with a folder and a value."""
Task = tuple[Path, Any]
Step = Callable[[int, int], None]
RETRIES = 3
"""The number of workers that may die before a task counts as the one that kills them."""


@dataclass(frozen=True)
class Done:
    """The outcome of a task: its value, or a fault in words. `by` names another machine that says so."""

    value: Any = None
    fault: str = ""
    by: str = ""


def do_all(
    work: Work,
    tasks: Sequence[Task],
    jobs: int | None = None,
    cluster: str | None = None,
    step: Step = lambda done, of: None,
) -> list[Done]:
    """Do all tasks, and return their results in the order given.

    `jobs` processes work at once: by default one for each processor. One task, or one job, stays in this
    process. `cluster` is the address of a scheduler. `step` is called with the number done and of all.
    """
    if cluster is not None:
        from pbem.cli.shell.cluster import do_there

        return do_there(work, tasks, cluster, step)
    at_once = min(jobs or os.cpu_count() or 1, len(tasks))
    if at_once > 1:
        return _by_processes(work, tasks, at_once, step)
    results = []
    for number, (folder, value) in enumerate(tasks, 1):
        results.append(Done(work(folder, value)))
        step(number, len(tasks))
    return results


def _by_processes(work: Work, tasks: Sequence[Task], at_once: int, step: Step) -> list[Done]:
    """Do the tasks in processes. If one dies, all begin anew; at last each task has a process alone."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    done: dict[int, Done] = {}
    died = 0
    while left := [n for n in range(len(tasks)) if n not in done]:
        alone = died > RETRIES
        # spawned: a fork of a process with threads may hang
        with ProcessPoolExecutor(1 if alone else at_once, get_context("spawn")) as pool:
            futures = {pool.submit(work, *tasks[n]): n for n in (left[:1] if alone else left)}
            for future in as_completed(futures):
                try:
                    done[futures[future]] = Done(future.result())
                except BrokenProcessPool as fault:
                    if not alone:
                        continue
                    done[futures[future]] = Done(fault=type(fault).__name__)
                step(len(done), len(tasks))
        died += 1
    return [done[n] for n in range(len(tasks))]
