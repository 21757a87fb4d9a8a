"""Change one sign or bound of a system's rules at a time, and tell which changes no worked example notices.

    nice -n 10 .venv/bin/python -m tests.tools.mutants ocs --seed 7 --count 40
    nice -n 10 .venv/bin/python -m tests.tools.mutants ocs --seed 7 --only 3,17     # those of this draw again

Changes are drawn in turn from five kinds: a comparison (`<` for `<=`), a bound (a number one more or less),
`and` for `or` (or a `not` left out), a sign (`+` for `-`, `==` for `!=`, `min` for `max`, `any` for `all`),
and a cell of `rules/tables/*.yaml`. Rules are loaded once. Each change is made in a fork of them, where the
examples that run the changed line are played until one notices, those first that noticed others of its file.
Their lines of digests (`tests/golden/recorded.py`) count.
What lives there is tried again in rules that are loaded anew, unless `--quick` says to believe it. With
`--tests` the unit tests that run the line follow (`line_tests`), for a table all of them. What lives at
the end is printed with its line: a value that no example holds, a line that decides nothing, or a change of
nothing (equivalent). A reader says which. Nobody may edit the rules meanwhile: use a tree of its own.

    nice -n 10 .venv/bin/python -m tests.tools.mutants ocs --count 0 --under fighting --kind bound --quick
    # all bounds of the files there; --known FILE keeps what the examples run for the next call
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import importlib.machinery
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, cast

from pbem.engine.system import System, find
from pbem.testing.examples import examples
from pbem.text import loading
from pbem.text.yaml import Document
from tests.golden.recorded import faults_in as run
from tests.tools import line_tests
from tests.tools.changes import KINDS, Change, all_changes, changed, draw

SECONDS = 120
"""A change under which the examples take longer than this counts as noticed: a game hangs."""
FEW = 2
"""A line that no more examples run may fill a cache (of a map, of tables) that the others read."""


class Finder(importlib.machinery.SourceFileLoader):
    """Imports one module as it is changed."""

    def __init__(self, change: Change, name: str) -> None:
        super().__init__(name, str(change.file))
        self.change = change

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=self.path, is_package=None)

    def get_code(self, fullname: str) -> CodeType:
        tree = changed(ast.parse(self.change.file.read_text()), self.change)
        return compile(tree, str(self.change.file), "exec", dont_inherit=True)


def install(change: Change, root: Path, package: str) -> None:
    """Make Python read the changed module or table instead of the one on the disk."""
    if change.kind == "cell":
        plain = loading.load_file

        def load_file(path: Path, name: str) -> Document:
            document = plain(path, name)
            if path == change.file:
                document.data = put(copy.deepcopy(document.data), change.place, change.new)
            return document

        loading.load_file = load_file
        return
    parts = change.file.relative_to(root).with_suffix("").parts
    name = ".".join((package, *parts)).removesuffix(".__init__")
    sys.meta_path.insert(0, Finder(change, name))


def put(data: Any, path: Any, value: Any) -> Any:
    *way, last = path
    inner = data
    for key in way:
        inner = inner[key]
    inner[last] = value
    return data


def in_a_child(work: Callable[[], Any], seconds: int = SECONDS) -> Any:
    """Do the work in a process of its own and return its result, or the text of its exception."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 2)
        signal.alarm(seconds)
        try:
            found = work()
        except BaseException as broken:
            found = f"{type(broken).__name__}: {broken}"
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(found))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(found) if found else "no end"


@dataclass
class Known:
    """What the examples tell: who runs which line, how long each takes, and who noticed changes."""

    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    builders: set[str] = field(default_factory=set)
    """Examples for which a world was made: what it is made by is run by all, and seen here alone."""
    keen: dict[str, list[str]] = field(default_factory=dict)

    def near(self, change: Change) -> list[str]:
        """Return the examples that run the changed line, those that noticed changes of its file first."""
        keen = self.keen.get(str(change.file), [])
        names = self.lines.get(str(change.file), {}).get(change.line, set())
        if change.kind == "cell" or 0 < len(names) <= FEW or (names and names <= self.builders):
            names = set(self.seconds)
        return sorted(names, key=lambda n: (keen.index(n) if n in keen else len(keen), self.seconds[n], n))

    def quick(self) -> list[str]:
        """Return all examples, the quickest first."""
        return sorted(self.seconds, key=self.seconds.__getitem__)

    def learn(self, change: Change, name: str) -> None:
        keen = self.keen.setdefault(str(change.file), [])
        if name in keen:
            keen.remove(name)
        keen.insert(0, name)
        del keen[12:]


def known_of(system: System) -> Known:
    """Run all examples once and return what they tell."""
    root = str(system.rules_folder)
    found = Known()
    now = ""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(root):
            return None
        lines = found.lines.setdefault(file, {})

        def local(frame: FrameType, event: str, _: Any) -> Any:
            lines.setdefault(frame.f_lineno, set()).add(now)
            return local

        return local(frame, event, _)

    for now, example in examples(system):
        begun, worlds = time.process_time(), len(system._worlds)
        sys.settrace(trace)
        faults = run(system, str(example["example"]), example)
        sys.settrace(None)
        found.seconds[now] = time.process_time() - begun
        if len(system._worlds) > worlds:
            found.builders.add(now)
        if faults:
            raise SystemExit(f"{now} fails without any change: {faults[0]}")
    return found


Functions = dict[str, list[FunctionType]]


def functions_of(root: Path) -> Functions:
    """Return the functions of the loaded rules by their file."""
    found: Functions = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(str(root)):
            found.setdefault(each.__code__.co_filename, []).append(each)
    return found


def replace(change: Change, functions: Functions) -> int:
    """Give loaded functions the code of the changed module, and return how many differ."""
    tree = changed(ast.parse(change.file.read_text()), change)
    new: dict[tuple[str, int], CodeType] = {}
    inner = [compile(tree, str(change.file), "exec", dont_inherit=True)]
    while inner:
        each = inner.pop()
        new[each.co_qualname, each.co_firstlineno] = each
        inner += [const for const in each.co_consts if isinstance(const, CodeType)]
    count = 0
    for function in functions.get(str(change.file), []):
        old = function.__code__
        other = new.get((old.co_qualname, old.co_firstlineno), old)
        if other != old:
            function.__code__ = other
            count += 1
    return count


def in_place(system: System, change: Change, known: Known, functions: Functions) -> str | None:
    """Return the example that notices a change in rules that are loaded; "" if they must be loaded anew."""
    if change.kind == "cell":
        name = change.file.relative_to(system.rules_folder).as_posix()
        put(system.data(name), change.place, change.new)
    elif not replace(change, functions):
        return ""
    system._worlds.clear()
    return noticed(system, known.near(change) or known.quick())


def afresh(name: str, change: Change, known: Known, root: Path, package: str) -> str | None:
    """Return the example that notices a change when all rules are loaded anew."""
    install(change, root, package)
    return noticed(find(name), known.near(change) or known.quick())


def noticed(system: System, titles: list[str]) -> str | None:
    found = dict(examples(system))
    for title in titles:
        try:
            faults = run(system, str(found[title]["example"]), found[title])
        except Exception as broken:
            faults = [f"{type(broken).__name__}: {broken}"]
        if faults:
            return title
    return None


def test_that_notices(name: str, change: Change, names: list[str], root: Path, package: str) -> str | None:
    """Return the first of these unit tests that fails under a change."""
    install(change, root, package)
    return line_tests.first_to_fail(name, names)


def tests_of(name: str, root: Path, kept: str | None) -> line_tests.Tests:
    """Return which unit test runs which line: measured now, or as it was kept."""
    path = Path(f"{kept}.tests") if kept else None
    if path and path.exists():
        return cast(line_tests.Tests, pickle.loads(path.read_bytes()))
    found = in_a_child(lambda: line_tests.measure(name, root), 0)
    if isinstance(found, str):
        raise SystemExit(found)
    if path:
        path.write_bytes(pickle.dumps(found))
    return cast(line_tests.Tests, found)


def at_once(name: str, drawn: Mapping[int, Change], kept: str | None, sure: bool) -> tuple[Known, list[int]]:
    """Return what the examples tell, and the changes for which all must be loaded anew; print the others.

    `sure`: what lives in loaded rules is tried in new ones too.
    """
    system = find(name)
    assert system.registry
    path = Path(kept) if kept else None
    known = pickle.loads(path.read_bytes()) if path and path.exists() else known_of(system)
    if path:
        path.write_bytes(pickle.dumps(known))
    list(examples(system))
    functions = functions_of(system.rules_folder)
    gc.freeze()
    open_: list[int] = []
    for n, change in drawn.items():
        found = in_a_child(lambda: in_place(system, change, known, functions))  # noqa: B023
        if found == "" or (found is None and sure):
            open_.append(n)
            continue
        tell(n, change, known, system.rules_folder, found)
        if found in known.seconds:
            known.learn(change, found)
    return known, open_


def tell(n: int, change: Change, known: Known, root: Path, found: str | None) -> bool:
    """Print what became of a change, and return True if it lives."""
    place = f"{n} {change.file.relative_to(root)}:{change.line} {change.words}"
    if found is None:
        runs = "" if change.kind == "cell" or known.near(change) else " (no example runs the line)"
        line = change.file.read_text().splitlines()[change.line - 1].strip()
        print(f"ALIVE {place}{runs}\n      {line}", flush=True)
    else:
        print(f"      {place}: {found[:60]}", flush=True)
    return found is None


def main() -> None:
    words = argparse.ArgumentParser(description="Tell which changes of a system's rules no example notices.")
    words.add_argument("system")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=40, help="0: all changes, file by file")
    words.add_argument("--only", help="numbers of the draw, with commas")
    words.add_argument("--kind", choices=KINDS, action="append", help="only changes of this kind")
    words.add_argument("--under", default="", help="only files of the rules whose path begins so")
    words.add_argument("--known", help="a file that keeps what the examples run, for the next call")
    words.add_argument(
        "--quick", action="store_true", help="without --tests, believe what is alive in loaded rules"
    )
    words.add_argument("--tests", action="store_true", help="run unit tests for what is alive")
    said = words.parse_args()
    begun = time.monotonic()
    changes, root, package = in_a_child(lambda: facts(said.system))
    changes = [
        change
        for change in changes
        if (not said.kind or change.kind in said.kind)
        and change.file.relative_to(root).as_posix().startswith(said.under)
    ]
    drawn = dict(enumerate(draw(changes, said.seed, said.count) if said.count else changes))
    if said.only:
        drawn = {int(n): drawn[int(n)] for n in said.only.split(",")}
    warm = in_a_child(lambda: at_once(said.system, drawn, said.known, said.tests or not said.quick), 0)
    if isinstance(warm, str):
        raise SystemExit(warm)
    known, rest = warm
    units = tests_of(said.system, root, said.known) if said.tests and rest else None
    for n in rest:
        change = drawn[n]
        found = in_a_child(lambda: afresh(said.system, change, known, root, package))  # noqa: B023
        if found is None and units:
            file = str(change.file)
            names = units.near(file, None if change.kind == "cell" else change.line)
            found = in_a_child(
                lambda: test_that_notices(said.system, change, names, root, package),  # noqa: B023
                2 * line_tests.SECONDS,
            )
            if found in units.seconds:
                units.learn(file, found)
        tell(n, change, known, root, found)
    print(f"{len(drawn)} changes, {time.monotonic() - begun:.0f} s")


def facts(name: str) -> tuple[list[Change], Path, str]:
    system = find(name)
    return all_changes(system), system.rules_folder, system.rules_package


if __name__ == "__main__":
    main()
