"""`slow.txt`: which tests CI runs beside the README's suite, and which run at night."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from pathlib import Path

import pytest

LIST = Path(__file__).parent / "slow.txt"
SLOWER = "dozens"
"""The mark of what CI runs beside the README's suite."""
MARKS_IT = re.compile(r"\b(dozens|in_ci|IN_CI|by_the_hundred)\b")
FAULTS = pytest.StashKey[list[str]]()
"""What is wrong with the list, where the whole suite is collected; `tests/architecture` tells it."""


@cache
def begun(when: str) -> tuple[str, ...]:
    """Return how the names of the tests begin that `slow.txt` moves to the `night`, or to `ci`."""
    lines = (line.split(" ", 1) for line in LIST.read_text("utf-8").splitlines() if line[:1] != "#")
    return tuple(name for moved, name in lines if moved == when)


@cache
def may_hold_slower(path: Path, root: Path) -> bool:
    """Return whether `slow.txt` names something of the file, or it or a `conftest.py` above sets the mark."""
    name = path.relative_to(root).as_posix()
    if any(one.startswith(name) or name.startswith(one) for one in begun("ci")):
        return True
    above = [folder / "conftest.py" for folder in path.parents if LIST.parent in folder.parents]
    return any(MARKS_IT.search(one.read_text("utf-8")) for one in (path, *above) if one.is_file())


def mark(items: list[pytest.Item]) -> None:
    """Mark the tests that the list names."""
    night, ci = begun("night"), begun("ci")
    for item in items:
        if item.nodeid.startswith(night):
            item.own_markers[:] = [mark for mark in item.own_markers if mark.name != SLOWER]
            item.add_marker("long")
        elif item.nodeid.startswith(ci) and not item.get_closest_marker("long"):
            item.add_marker("long")
            item.add_marker(SLOWER)


def faults(items: list[pytest.Item]) -> list[str]:
    """Return lines of the list that name no test, and files with slower tests that CI would pass over."""
    names = sorted(item.nodeid for item in items)
    gone = [
        f"{LIST.name}: no such test: {one}" for one in begun("night") + begun("ci") if not _is_in(names, one)
    ]
    marked = sorted({item.path for item in items if item.get_closest_marker(SLOWER)})
    root = LIST.parent.parent
    unseen = [path.name for path in marked if not may_hold_slower(path, root)]
    return gone + [f"CI would not see that this holds slower tests: {name}" for name in unseen]


def _is_in(names: list[str], start: str) -> bool:
    """Return whether a name begins so; `names` are sorted."""
    place = bisect_left(names, start)
    return place < len(names) and names[place].startswith(start)
