"""The unit tests of a system by the lines of its rules that they run, and whether one notices a change.

Made once for a system from the tests that are quick (`measure`, some minutes), kept by `mutants --known FILE`
outside git. Those that noticed other changes of a file are asked first, then the quickest.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

SECONDS = 900
"""A change under which the tests take longer than this counts as noticed."""
SLOW = Path("tests/slow.txt")
"""The list of tests that are left to CI."""


@dataclass
class Tests:
    """The lines of the rules that unit tests run: tests by line, their times, and who noticed changes."""

    __test__ = False
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    keen: dict[str, list[str]] = field(default_factory=dict)

    def near(self, file: str, line: int | None) -> list[str]:
        """Return the tests that run a line; all for a cell of a table or a line that runs at import."""
        names = self.lines.get(file, {}).get(line, set()) if line is not None else set()
        keen = self.keen.get(file, [])
        return sorted(
            names or self.seconds,
            key=lambda n: (keen.index(n) if n in keen else len(keen), self.seconds[n], n),
        )

    def learn(self, file: str, name: str) -> None:
        """Ask this test first when another line of the file is changed."""
        keen = self.keen.setdefault(file, [])
        if name in keen:
            keen.remove(name)
        keen.insert(0, name)
        del keen[8:]


class Watch:
    """A plugin of pytest that notes the lines of the rules that each test runs.

    What a fixture of a module or of the whole session runs is noted for all tests of the file.
    """

    def __init__(self, system: str, root: Path) -> None:
        self.system, self.root, self.found = system, str(root), Tests()
        self.shared: dict[str, dict[str, set[int]]] = {}
        self.tests: dict[str, list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        slow = tuple(line.split(" ", 1)[1] for line in SLOW.read_text("utf-8").splitlines() if line[0] != "#")
        items[:] = [i for i in items if belongs(i, self.system) and not i.nodeid.startswith(slow)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        lines: dict[str, set[int]] = {}
        begun = time.process_time()
        with_trace(self.root, lines)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.found.seconds[item.nodeid] = time.process_time() - begun
            home = item.nodeid.partition("::")[0]
            self.tests.setdefault(home, []).append(item.nodeid)
            for file, some in lines.items():
                self.shared.setdefault(home, {}).setdefault(file, set()).update(some)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        lines: dict[str, set[int]] = {}
        begun = time.process_time()
        with_trace(self.root, lines)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.found.seconds[item.nodeid] += time.process_time() - begun
            for file, some in lines.items():
                self._note(file, some, item.nodeid)

    def _note(self, file: str, lines: set[int], test: str) -> None:
        known = self.found.lines.setdefault(file, {})
        for line in lines:
            known.setdefault(line, set()).add(test)

    def pytest_sessionfinish(self) -> None:
        for home, files in self.shared.items():
            for test in self.tests[home]:
                for file, lines in files.items():
                    self._note(file, lines, test)


def belongs(item: pytest.Item, system: str) -> bool:
    """Return True if this test is in the system's folder, or runs the conformance suite for it."""
    if not item.nodeid.startswith(("tests/conformance/", "tests/golden/")):
        return True
    params = getattr(item, "callspec", None)
    values = params.params.values() if params else ()
    return any(getattr(value, "name", value) == system for value in values)


def with_trace(root: str, lines: dict[str, set[int]]) -> None:
    """Note lines of files under a folder from now on; functions whose lines are all known are left alone."""
    left: dict[CodeType, set[int]] = {}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(root):
            return None
        rest = left.get(code)
        if rest is None:
            rest = left[code] = {line for *_, line in code.co_lines() if line}
        if not rest:
            return None
        seen = lines.setdefault(code.co_filename, set())

        def local(frame: FrameType, event: str, _: Any) -> Any:
            seen.add(frame.f_lineno)
            rest.discard(frame.f_lineno)
            return local

        return local(frame, event, _)

    sys.settrace(trace)


class Only:
    """A plugin of pytest that runs these tests in this order, and keeps the name of the first that fails."""

    def __init__(self, names: list[str]) -> None:
        self.order = {name: n for n, name in enumerate(names)}
        self.failed: str | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda i: self.order[i.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid


def rooms(system: str) -> list[str]:
    """Return the folders that hold the system's unit tests."""
    word = system.replace("-", "_")
    return [
        *(str(room) for room in sorted(Path("tests/unit").glob(f"{word}*"))),
        "tests/conformance",
        "tests/golden/test_wanders.py",
    ]


def quietly(work: Callable[[], Any], seconds: int) -> Any:
    """Run pytest without a word; an alarm ends what takes too long."""
    signal.alarm(seconds)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    return work()


def measure(system: str, root: Path) -> Tests:
    """Run the unit tests of a system once and return what they run; to be called in a process of its own."""
    watch = Watch(system, root)
    arguments = ["-q", "-n", "0", "-p", "no:cacheprovider", *rooms(system)]
    quietly(lambda: pytest.main(arguments, plugins=[watch]), 0)
    return watch.found


def first_to_fail(system: str, names: list[str]) -> str | None:
    """Run tests in this order and return the first that fails; to be called in a process of its own."""
    only = Only(names)
    homes = sorted({name.partition("::")[0] for name in names})
    arguments = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *homes]
    code = quietly(lambda: pytest.main(arguments, plugins=[only]), SECONDS)
    return only.failed or (None if code in (0, 5) else f"pytest ends with {int(code)}")
