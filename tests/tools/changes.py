"""The changes that `tests.tools.mutants` makes of a system's rules: all of them, some drawn, one made."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pbem.engine.system import System

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
}
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
    """Return True if this is a text, a tuple or a list, whose change would only break the line."""
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
