"""Modules import each other in no circle, not even inside functions.

An import inside a function hides a circle from Python and from readers alike. Imports for type checkers alone
don't count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tests.architecture.code import Module, modules

# `cli` imports late so that a command starts fast; `text` reads its own messages with its own reader of YAML
DEBTS: dict[str, int] = {"pbem.cli": 18, "pbem.text": 15}


def circles(imports: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """Return the groups of names that reach each other, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(imports.get(name, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            at = stack.index(name)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(imports):
        if name not in index:
            visit(name)
    return found


@cache
def _ours() -> frozenset[str]:
    return frozenset(one.name for one in modules())


def at_run_time(module: Module) -> Iterator[str]:
    """Yield the modules that are imported when the program runs."""
    ours = _ours()
    typing_only = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    ]
    for one in module.imports():
        if one.module in ours and not any(first <= one.line <= last for first, last in typing_only):
            yield one.module


def test_modules_import_each_other_in_no_circle() -> None:
    imports = {one.name: frozenset(at_run_time(one)) - {one.name} for one in modules()}
    assert sum(map(len, imports.values())) > 3000, "no imports were read"
    too_long = [
        group
        for group in circles(imports)
        if not any(
            all(name.startswith(f"{room}.") for name in group) and len(group) <= most
            for room, most in DEBTS.items()
        )
    ]
    assert not too_long, "\n".join(", ".join(group) for group in too_long)


@pytest.mark.parametrize(
    ("imports", "found"),
    [
        ({"a": "b", "b": "c", "c": ""}, []),
        ({"a": "b", "b": "a"}, [["a", "b"]]),
        ({"a": "b", "b": "c", "c": "a", "d": "a"}, [["a", "b", "c"]]),
        ({"a": "bc", "b": "a", "c": "d", "d": "c"}, [["c", "d"], ["a", "b"]]),
    ],
)
def test_a_circle_is_found(imports: dict[str, str], found: list[list[str]]) -> None:
    assert circles({name: frozenset(others) for name, others in imports.items()}) == found
