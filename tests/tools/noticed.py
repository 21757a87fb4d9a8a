"""Change one place of any function of `pbem` at a time, and tell which changes no test notices.

    .venv/bin/python -m tests.tools.noticed --lines /tmp/lines --seed 7 --count 60 pbem/archive pbem/cli

`--lines` is the folder that `lines_run` filled for this very tree. Functions are drawn, and one change of
each: a comparison, `and` for `or`, a condition that always or never holds, a filter, a keyword or a
statement left out, a number one more. Tests are read once. Each change is made in a fork of them, where the
tests that run the line follow until one fails or `--budget` seconds of them are over, those of files with a
like name first. Neither tests that read source (`tests/architecture`) nor mypy see it. `tests.tools.mutants`
asks more about rules, and about their tables. What lives is printed with its line; a reader says what it
would have decided, and runs the nearest tests, for one beyond the budget may notice it.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import os
import pkgutil
import random
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

import pbem
from tests.tools.changes import COMPARED, NAMES
from tests.tools.lines_run import tests_of

SECONDS = 240
"""A change under which the tests take longer than this counts as noticed."""
EXAMPLES = "tests/examples/test_examples.py"
"""The worked examples, which hold the rules of all systems: they come first there."""
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{old: new for old, (new,) in COMPARED.items()},
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
Function = ast.FunctionDef | ast.AsyncFunctionDef
Make = Callable[[], object]


@dataclass(frozen=True)
class Change:
    """One change: of the nth function of a file, which of its changes, and how to say it."""

    file: Path
    nth: int
    name: str
    which: int
    line: int
    words: str

    def code(self) -> CodeType:
        """Return the code of the function as it is changed."""
        tree = ast.parse(self.file.read_text("utf-8"))
        name, function = functions(tree)[self.nth]
        changes(function)[self.which][2]()
        place = (name, min(node.lineno for node in (function, *function.decorator_list)))
        ast.fix_missing_locations(tree)
        module = compile(tree, str(self.file.absolute()), "exec", dont_inherit=True)
        return next(code for code in codes(module) if (code.co_qualname, code.co_firstlineno) == place)


def functions(tree: ast.AST, prefix: str = "") -> list[tuple[str, Function]]:
    """Return functions and methods with their qualified names; inner ones belong to what is around them."""
    found: list[tuple[str, Function]] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append((f"{prefix}{node.name}", node))
        elif isinstance(node, ast.ClassDef):
            found += functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            found += functions(node, prefix)
    return found


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield all code within a module's."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from codes(inner)


def changes(function: Function) -> list[tuple[int, str, Make]]:
    """Return the changes of a function: the line, how to say it, and what makes it in the tree."""
    hints = [
        hint
        for node in ast.walk(function)
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if hint
    ]
    skipped = {id(part) for hint in hints for part in ast.walk(hint)}
    found: list[tuple[int, str, Make]] = []
    line = function.lineno
    for statement in function.body:
        for node in ast.walk(statement):
            if id(node) not in skipped:
                line = getattr(node, "lineno", line)
                found += [(line, f"{words}: {_short(node)}", make) for words, make in of_node(node)]
    return found


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:100]


def _put(node: ast.AST, field: str, value: Any) -> Make:
    return lambda: setattr(node, field, value)


def _at(items: list[Any], n: int, value: Any) -> Make:
    return lambda: items.__setitem__(n, value)


def of_node(node: ast.AST) -> Iterator[tuple[str, Make]]:
    """Yield the changes of one node: how to say it, and what makes it."""
    match node:
        case ast.Compare(ops=ops):
            for n, op in enumerate(ops):
                new = OPPOSITE[type(op)]
                yield f"{type(op).__name__} -> {new.__name__}", _at(ops, n, new())
        case ast.BoolOp(op=op, values=values):
            both = isinstance(op, ast.And)
            yield "and -> or" if both else "or -> and", _put(node, "op", ast.Or() if both else ast.And())
            for n, value in enumerate(values):
                yield f"without {_short(value)}", _at(values, n, ast.Constant(both))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not x -> x", _put(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.Constant(value=bool() as value):
            yield f"{value} -> {not value}", _put(node, "value", not value)
        case ast.Constant(value=int() as number):
            yield f"{number} -> {number + 1}", _put(node, "value", number + 1)
        case ast.BinOp(op=ast.Sub()):
            yield "- -> +", _put(node, "op", ast.Add())
        case ast.Call(func=ast.Name(id="sorted" | "reversed") as name):
            keywords = node.keywords
            yield f"not {name.id}", lambda: (setattr(name, "id", "list"), keywords.clear())
        case ast.Call(func=ast.Name(id=called) as name) if called in NAMES:
            yield f"{called} -> {NAMES[called]}", _put(name, "id", NAMES[called])
        case ast.Call(keywords=keywords):
            for n, keyword in enumerate(keywords):
                if keyword.arg:
                    yield f"without {keyword.arg}=", _put(node, "keywords", keywords[:n] + keywords[n + 1 :])
        case ast.Slice(lower=lower, upper=upper):
            for field, end in (("lower", lower), ("upper", upper)):
                if end is not None:
                    yield f"no {field} end", _put(node, field, None)
        case ast.comprehension(ifs=ifs):
            for n, condition in enumerate(ifs):
                yield f"unfiltered by {_short(condition)}", _at(ifs, n, ast.Constant(True))
        case ast.If() | ast.IfExp():
            yield "always", _put(node, "test", ast.Constant(True))
            yield "never", _put(node, "test", ast.Constant(False))
    for body in (getattr(node, field, None) for field in ("body", "orelse", "finalbody")):
        for n, statement in enumerate(body if isinstance(body, list) else ()):
            called = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call | ast.Await)
            if called or isinstance(statement, ast.AugAssign | ast.Continue | ast.Break):
                yield f"left out {_short(statement)}", _at(body, n, ast.copy_location(ast.Pass(), statement))


def draw(places: list[Path], seed: int, count: int) -> list[Change]:
    """Draw functions below these places, and one change of each."""
    luck = random.Random(seed)
    found = []
    for place in places:
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            for nth, (name, function) in enumerate(functions(ast.parse(file.read_text("utf-8")))):
                known = changes(function)
                if known:
                    which = luck.randrange(len(known))
                    line, words, _ = known[which]
                    found.append(Change(file, nth, name, which, line, words))
    luck.shuffle(found)
    return found[:count]


def in_order(change: Change, tests: dict[str, float], budget: float) -> list[str]:
    """Return tests of about `budget` seconds: a quick one of each file in turn, like names first.

    For rules, worked examples are before all others.
    """
    parts = {part for place in change.file.with_suffix("").parts for part in place.split("_")}

    def unlike(file: str) -> int:
        return -len(parts & set(file.removesuffix(".py").replace("/", "_").split("_")))

    by_file: dict[str, list[str]] = {}
    for name in sorted(tests, key=lambda name: (tests[name], name)):
        by_file.setdefault(name.partition("::")[0], []).append(name)
    files = sorted(by_file, key=lambda file: (unlike(file), file))
    first = by_file.pop(EXAMPLES, []) if "rules" in change.file.parts else []
    files = [file for file in files if file in by_file]
    longest = max(map(len, by_file.values()), default=0)
    turns = [by_file[file][turn] for turn in range(longest) for file in files if turn < len(by_file[file])]
    asked: list[str] = []
    for name in [*first, *turns]:
        if sum(tests[other] for other in asked) >= budget:
            break
        asked.append(name)
    return asked


class Trials:
    """A plugin of pytest that runs each change with its tests, in place of the tests themselves."""

    def __init__(self, asked: dict[Change, list[str]]) -> None:
        self.asked, self.lived = asked, 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        for change in self.asked:  # a system loads what it shows and its bot when they are first asked for
            if change.file.stem not in ("__init__", "__main__"):
                importlib.import_module(".".join(change.file.with_suffix("").parts))
        gc.unfreeze()  # conftest.py froze what the collector knows
        known = [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]
        for change, names in self.asked.items():
            near = [items[name] for name in names if name in items]
            noticed = in_a_fork(partial(first_to_fail, change, known, near))
            self.lived += not noticed
            tail = noticed or (f"LIVES {len(near)} tests" if near else "LIVES, and no test runs it")
            print(f"{change.file}:{change.line} {change.name}: {change.words}\n    {tail}", flush=True)
        return True


def first_to_fail(change: Change, known: list[FunctionType], items: list[pytest.Item]) -> str:
    """Put the change in place and return which test notices it; "" if none does. To be called in a fork."""
    code = change.code()
    place = (code.co_filename, code.co_qualname, code.co_firstlineno)
    for function in known:
        now = function.__code__
        if (now.co_filename, now.co_qualname, now.co_firstlineno) == place:
            function.__code__ = code
    for item, later in zip(items, [*items[1:], None], strict=False):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=later)):
            return f"noticed by {item.nodeid}"
    return ""


def in_a_fork(work: Callable[[], str]) -> str:
    """Return what `work` returns in a process of its own; what breaks or takes too long is noticed."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        place = tempfile.mkdtemp(prefix="pbem-noticed-")
        os.environ["PYTEST_DEBUG_TEMPROOT"] = place
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        signal.alarm(SECONDS)
        try:
            said = work()
        except BaseException as error:
            said = f"noticed: {type(error).__name__}: {error}"
        shutil.rmtree(place, ignore_errors=True)
        os.write(writes, said.encode()[:4000])
        os._exit(0)
    os.close(writes)
    with open(reads, encoding="utf-8") as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    return said or ("noticed: the process ended" if status else "")


def main() -> None:
    parser = argparse.ArgumentParser(description="Tell which changes of pbem no test notices.")
    parser.add_argument("--lines", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--budget", type=float, default=30)
    parser.add_argument("places", nargs="+", type=Path)
    asked = parser.parse_args()
    drawn = draw(asked.places, asked.seed, asked.count)
    lines = tests_of(asked.lines, {(str(change.file), change.line) for change in drawn})
    tests = {change: in_order(change, lines[str(change.file), change.line], asked.budget) for change in drawn}
    files = sorted({name.partition("::")[0] for names in tests.values() for name in names})
    files = [file for file in files if Path(file).exists()]  # a test may have gone since it was watched
    trials = Trials(tests)
    plain = ["-q", "-s", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib", "-n", "0"]
    pytest.main([*plain, *files], plugins=[trials])
    print(f"{trials.lived} of {len(drawn)} live")


if __name__ == "__main__":
    main()
