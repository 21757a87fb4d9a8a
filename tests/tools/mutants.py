"""Change one sign or bound of a system's rules at a time, and tell which changes no worked example notices.

    nice -n 10 .venv/bin/python -m tests.tools.mutants ocs --seed 7 --count 40
    nice -n 10 .venv/bin/python -m tests.tools.mutants ocs --seed 7 --only 3,17     # those of this draw again

Changes are drawn in turn from five kinds: a comparison (`<` for `<=`), a bound (a number one more or less),
`and` for `or` (or a `not` left out), a sign (`+` for `-`, `==` for `!=`, `min` for `max`, `any` for `all`),
and a cell of `rules/tables/*.yaml`. Each runs in a process of its own against the examples of the system:
first those that run the changed line, then all others. With `--tests` the other tests of the system follow
for what is still alive: some minutes each. What is alive at the end is printed with its line.
A change that is alive is a value that no example holds, a line that decides nothing, or a change of nothing
(equivalent): a reader says which.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import importlib.machinery
import os
import pickle
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from pbem.engine.system import System, find
from pbem.testing.examples import examples
from pbem.testing.runner import run
from pbem.text import loading
from pbem.text.yaml import Document

SECONDS = 120
"""A change under which the examples take longer than this counts as noticed: a game hangs."""
COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
}
ROOMS = ("tests/conformance", "tests/golden", "tests/samples", "tests/properties/test_random_games.py")
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
KINDS = ("comparison", "bound", "and-or", "sign", "cell")
Key = str | int


class Change(NamedTuple):
    """One change: of the nth node of a module's syntax tree, or of the value at a path of a table."""

    kind: str
    file: Path
    line: int
    place: int | tuple[Key, ...]
    new: Any
    words: str


def python_changes(file: Path) -> Iterator[Change]:
    """Yield every change of a module that this tool knows."""
    tree = ast.parse(file.read_text())
    texts = skipped(tree)
    for n, node in enumerate(ast.walk(tree)):
        if id(node) in texts:
            continue
        for kind, new, words in of_node(node):
            yield Change(kind, file, getattr(node, "lineno", 0), n, new, words)


def skipped(tree: ast.Module) -> set[int]:
    """Return the nodes that decide nothing: type hints, and numbers that name a member of a tuple."""
    found: set[int] = set()
    for node in ast.walk(tree):
        hints = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.Subscript):
            hints.append(node.slice if isinstance(node.slice, ast.Constant | ast.UnaryOp) else None)
        for hint in hints:
            found |= {id(part) for part in ast.walk(hint)} if hint else set()
    return found


def of_node(node: ast.AST) -> Iterator[tuple[str, Any, str]]:
    """Yield the changes of one node: kind, what is new, and how to say it."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                right = node.comparators[at]
                for new in COMPARED.get(type(op), ()):
                    yield "comparison", (at, new), f"{type(op).__name__} -> {new.__name__}"
                if isinstance(op, ast.Eq):
                    yield "sign", (at, ast.NotEq), "Eq -> NotEq"
                if (
                    isinstance(op, ast.Eq)
                    and isinstance(right, ast.Constant)
                    and isinstance(right.value, int)
                ):
                    yield "comparison", (at, ast.GtE), "Eq -> GtE"
                    yield "comparison", (at, ast.LtE), "Eq -> LtE"
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            for new_value in (value + 1, value - 1):
                yield "bound", new_value, f"{value} -> {new_value}"
        case ast.BoolOp(op=op):
            yield "and-or", None, "and -> or" if isinstance(op, ast.And) else "or -> and"
        case ast.UnaryOp(op=ast.Not()):
            yield "and-or", None, "not x -> x"
        case ast.UnaryOp(op=ast.USub()):
            yield "sign", None, "-x -> x"
        case ast.BinOp(op=ast.Add() | ast.Sub() as op) if not (_is_text(node.left) or _is_text(node.right)):
            yield "sign", None, "+ -> -" if isinstance(op, ast.Add) else "- -> +"
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield "sign", None, f"{name} -> {NAMES[name]}"


def _is_text(node: ast.AST) -> bool:
    """Is this a text, a tuple or a list, so that a change would only break the line?"""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) or node.value is None
    return isinstance(node, ast.JoinedStr | ast.Tuple | ast.List | ast.ListComp | ast.Dict | ast.Set)


def changed(tree: ast.Module, change: Change) -> ast.Module:
    """Make the change in a tree."""
    for n, node in enumerate(ast.walk(tree)):
        if n != change.place:
            continue
        match node:
            case ast.Compare():
                at, op = change.new
                node.ops[at] = op()
            case ast.Constant():
                node.value = change.new
            case ast.BoolOp():
                node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            case ast.BinOp():
                node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            case ast.UnaryOp(op=ast.USub()):
                node.op = ast.UAdd()
            case ast.UnaryOp(operand=operand):
                node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), operand)
            case ast.Call(func=ast.Name() as name):
                name.id = NAMES[name.id]
    return ast.fix_missing_locations(tree)


def table_changes(system: System, name: str) -> Iterator[Change]:
    """Yield every change of a cell of a table: a number one more or less, a digit of a text, yes for no."""
    document = system.document(name)
    for path, value in cells(document.data, ()):
        for new in other_values(path, value):
            words = f"{'.'.join(map(str, path))}: {value!r} -> {new!r}"
            yield Change("cell", system.path(name), document.span(path).line, path, new, words)


def cells(value: Any, path: tuple[Key, ...]) -> Iterator[tuple[tuple[Key, ...], Any]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from cells(item, (*path, key))
    else:
        yield path, value


def other_values(path: tuple[Key, ...], value: Any) -> Iterator[Any]:
    if path[-1] in ("table", "rule", "words", "for_people", "title") or "for_people" in path:
        return
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        for n, digit in enumerate(value):
            if digit.isdigit():
                yield f"{value[:n]}{(int(digit) + 1) % 10}{value[n + 1 :]}"


def all_changes(system: System) -> list[Change]:
    """Return every change of the system's rules and tables."""
    folder = system.rules_folder
    python = [change for file in sorted(folder.rglob("*.py")) for change in python_changes(file)]
    return python + [
        change for name in system.files("tables/*.yaml") for change in table_changes(system, name)
    ]


def draw(changes: list[Change], seed: int, count: int) -> list[Change]:
    """Draw changes, from each kind in turn, no line of a file twice."""
    luck = random.Random(seed)
    by_kind = {kind: [change for change in changes if change.kind == kind] for kind in KINDS}
    found: list[Change] = []
    seen: set[tuple[Path, int, Any]] = set()
    kinds = [kind for kind in KINDS if by_kind[kind]]
    while len(found) < count:
        change = luck.choice(by_kind[kinds[len(found) % len(kinds)]])
        mark = (change.file, change.line, change.place if change.kind == "cell" else None)
        if mark not in seen:
            seen.add(mark)
            found.append(change)
    return found


# ---- in a process of its own -----------------------------------------------------------------------------


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
    """Have the changed module or table read instead of the one on the disk."""
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
    """Do the work in a process of its own and return what comes of it; the exception's text if one comes."""
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


Lines = dict[str, dict[int, set[str]]]


def lines_of_examples(name: str) -> Lines:
    """Return, by file of the rules and line, the names of the examples that run the line."""
    system = find(name)
    assert system.registry
    root = str(system.rules_folder)
    found: Lines = {}
    now = ""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(root):
            return None
        lines = found.setdefault(file, {})

        def local(frame: FrameType, event: str, _: Any) -> Any:
            lines.setdefault(frame.f_lineno, set()).add(now)
            return local

        return local(frame, event, _)

    for now, example in examples(system):
        sys.settrace(trace)
        faults = run(system, example)
        sys.settrace(None)
        if faults:
            raise SystemExit(f"{now} fails without any change: {faults[0]}")
    return found


def killer(name: str, change: Change, root: Path, package: str, first: set[str], near: bool) -> str | None:
    """Return the first example that notices a change, None if none does."""
    install(change, root, package)
    return noticed(find(name), first, near and bool(first))


def replace(change: Change, code: CodeType) -> int:
    """Give the functions of a module that is there already their code of the changed one; how many change."""
    new: dict[tuple[str, int], CodeType] = {}
    inner = [code]
    while inner:
        each = inner.pop()
        new[each.co_qualname, each.co_firstlineno] = each
        inner += [const for const in each.co_consts if isinstance(const, CodeType)]
    count = 0
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == str(change.file):
            old = function.__code__
            other = new.get((old.co_qualname, old.co_firstlineno), old)
            if other != old:
                function.__code__ = other
                count += 1
    return count


def in_place(name: str, change: Change, first: set[str]) -> str | None:
    """Return the first near example that notices a change in a system that is loaded and warm."""
    tree = changed(ast.parse(change.file.read_text()), change)
    if not replace(change, compile(tree, str(change.file), "exec", dont_inherit=True)):
        return None
    return noticed(find(name), first)


def noticed(system: System, first: set[str], near: bool = True) -> str | None:
    for title, example in sorted(examples(system), key=lambda pair: pair[0] not in first):
        if near and title not in first:
            return None
        try:
            faults = run(system, example)
        except Exception as broken:
            faults = [f"{type(broken).__name__}: {broken}"]
        if faults:
            return title
    return None


def at_once(name: str, drawn: list[Change]) -> tuple[Lines, list[str | None]]:
    """Return the lines of the examples, and what notices each change where nothing is loaded anew for it."""
    lines = lines_of_examples(name)
    found: list[str | None] = []
    for change in drawn:
        first = lines.get(str(change.file), {}).get(change.line, set())
        simple = first and change.kind != "cell"
        found.append(in_a_child(lambda: in_place(name, change, first)) if simple else None)  # noqa: B023
    return lines, found


def tests_notice(name: str, change: Change, root: Path, package: str) -> bool:
    """Does one of the tests of the system fail?"""
    import pytest

    signal.alarm(5 * SECONDS)
    install(change, root, package)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
    word = name.replace("-", "_")
    rooms = [str(room) for room in sorted(Path("tests/unit").glob(f"{word}*"))]
    options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    first = pytest.main([*options, *rooms])
    return bool(first) or bool(pytest.main([*options, "-k", f"{name} or {word}", *ROOMS]))


def main() -> None:
    words = argparse.ArgumentParser(description="Tell which changes of a system's rules no example notices.")
    words.add_argument("system")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=40)
    words.add_argument("--only", help="numbers of the draw, with commas")
    words.add_argument("--kind", choices=KINDS, help="only changes of this kind; all of them with --count 0")
    words.add_argument("--near", action="store_true", help="run only the examples that run the changed line")
    words.add_argument("--tests", action="store_true", help="run the system's other tests for what is alive")
    said = words.parse_args()
    begun = time.monotonic()
    changes, root, package = in_a_child(lambda: facts(said.system))
    changes = [change for change in changes if said.kind in (None, change.kind)]
    drawn = draw(changes, said.seed, said.count) if said.count else changes
    numbers = [int(n) for n in said.only.split(",")] if said.only else range(len(drawn))
    warm = in_a_child(lambda: at_once(said.system, [drawn[n] for n in numbers]), 0)
    if isinstance(warm, str):
        raise SystemExit(warm)
    lines, quick = warm
    alive = 0
    for n, found in zip(numbers, quick, strict=True):
        change = drawn[n]
        first = lines.get(str(change.file), {}).get(change.line, set())
        found = found or in_a_child(lambda: killer(said.system, change, root, package, first, said.near))  # noqa: B023
        place = f"{n} {change.file.relative_to(root)}:{change.line} {change.words}"
        if found is None and said.tests:
            work = in_a_child(lambda: tests_notice(said.system, change, root, package))  # noqa: B023
            found = "a test" if work is not False else None
        if found is None:
            alive += 1
            runs = "" if first or change.kind == "cell" else " (no example runs the line)"
            print(
                f"ALIVE {place}{runs}\n      {change.file.read_text().splitlines()[change.line - 1].strip()}"
            )
        else:
            print(f"      {place}: {found[:60]}")
        sys.stdout.flush()
    print(f"{alive} of {len(numbers)} alive, {time.monotonic() - begun:.0f} s")


def facts(name: str) -> tuple[list[Change], Path, str]:
    system = find(name)
    return all_changes(system), system.rules_folder, system.rules_package


if __name__ == "__main__":
    main()
