"""Which lines of `pbem` each test runs: a plugin of pytest that writes it down, and the reading of it.

    export LINES_RUN=/tmp/lines
    watch=".venv/bin/python -m pytest -q -p tests.tools.lines_run --assert=plain -n 2"
    $watch tests            # the README's suite
    $watch -m dozens tests  # what CI runs beside it

It needs Python 3.12 (`sys.monitoring`), and a fifth more time than the tests. Each worker writes a file.
Modules whose assertions pytest rewrites (`pbem.testing.conformance`) are seen only with `--assert=plain`;
tests that read the words of these assertions fail under it.
"""

from __future__ import annotations

import importlib.machinery
import os
import pickle
import sys
import time
import zlib
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

PLACE = "LINES_RUN"
"""The variable with the folder to write to; without it the plugin does nothing."""
_TOOL = 3  # a number that neither coverage nor a debugger takes


def starts() -> tuple[dict[str, int], int]:
    """Return where each file begins when all lines of `pbem` are counted through, and how many there are."""
    numbers, so_far = {}, 0
    for file in sorted(Path("pbem").rglob("*.py")):
        numbers[str(file)] = so_far
        so_far += len(file.read_bytes().splitlines()) + 1
    return numbers, so_far


@dataclass(frozen=True)
class Run:
    """One test: its seconds, and a byte for each line of `pbem` (1: it runs), compressed."""

    seconds: float
    lines: bytes


class Watch:
    """Notes lines test by test. What a fixture of a module or the session runs is noted for all its tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.starts, self.count = starts()
        self.root = f"{os.getcwd()}{os.sep}"
        self.lines = bytearray(self.count)
        self.shared: dict[tuple[str, str], bytes] = {}
        self.tests: dict[str, Run] = {}
        self.monitoring = monitoring = sys.monitoring
        monitoring.use_tool_id(_TOOL, "lines_run")
        monitoring.register_callback(_TOOL, monitoring.events.LINE, self._line)
        loader: Any = importlib.machinery.SourceFileLoader
        plain = loader.get_code

        def get_code(of: Any, name: str) -> CodeType | None:
            code: CodeType | None = plain(of, name)
            if code is not None and code.co_filename.startswith(f"{self.root}pbem{os.sep}"):
                self._watch(code)
            return code

        loader.get_code = get_code

    def _watch(self, code: CodeType) -> None:
        self.monitoring.set_local_events(_TOOL, code, self.monitoring.events.LINE)
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._watch(inner)

    def _line(self, code: CodeType, line: int) -> object:
        start = self.starts.get(code.co_filename.removeprefix(self.root))
        if start is not None:
            self.lines[start + line - 1] = 1
        return self.monitoring.DISABLE

    def _begin(self) -> bytes:
        """Forget the lines so far and return them; from now on each line is told once more."""
        before = bytes(self.lines)
        self.lines[:] = bytes(self.count)
        self.monitoring.restart_events()
        return before

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        before = self._begin()
        try:
            return (yield)
        finally:
            name = (fixturedef.baseid, fixturedef.argname)
            self.shared[name] = either(self.shared.get(name, b""), self.lines)
            self.lines[:] = either(before, self.lines)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._begin()
        begun = time.perf_counter()
        result = yield
        seconds = time.perf_counter() - begun
        info: Any = getattr(item, "_fixtureinfo", None)
        for fixtures in info.name2fixturedefs.values() if info else ():
            for fixture in fixtures:
                shared = self.shared.get((fixture.baseid, fixture.argname))
                self.lines[:] = either(shared, self.lines) if shared else self.lines
        self.tests[item.nodeid] = Run(seconds, zlib.compress(self.lines, 1))
        return result

    def pytest_sessionfinish(self) -> None:
        if self.tests:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / f"{os.getpid()}.pickle").write_bytes(pickle.dumps((self.starts, self.tests)))


def either(first: bytes, second: bytes | bytearray) -> bytes:
    """Return the lines of both; an empty `first` has none."""
    return (int.from_bytes(first, "big") | int.from_bytes(second, "big")).to_bytes(len(second), "big")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Watch before any conftest imports `pbem`: what is imported by then is not seen."""
    if PLACE in os.environ:
        early_config.pluginmanager.register(Watch(Path(os.environ[PLACE]).absolute()))


def tests_of(folder: Path, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], dict[str, float]]:
    """Return for each line (file, number) the tests that run it, with their seconds.

    The files must be those that the plugin saw: lines are found by their numbers.
    """
    tests: dict[tuple[str, int], dict[str, float]] = {line: {} for line in wanted}
    for file in sorted(folder.glob("*.pickle")):
        numbers, runs = pickle.loads(file.read_bytes())
        for name, run in runs.items():
            lines = zlib.decompress(run.lines)
            for (source, line), by_name in tests.items():
                if source in numbers and lines[numbers[source] + line - 1]:
                    by_name[name] = run.seconds
    return tests
