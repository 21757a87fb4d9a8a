"""Numbers of charts that no code reads: a name in a table that stands nowhere in the system's modules.

A name is read where code has it as an attribute (`numbers.road`) or a text (`table["road"]`), or where a
scenario has it as a value, for rows are often looked up by what a counter is. Of a mapping that code always
asks for single names (`dice["combat"]`) only these are read. That is no proof of use, but what is named
here is used by nobody. Figures for people alone are listed in the table: `for_people: [weight]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.system import System
from pbem.text.diagnostics import Diagnostic

OTHERS = ("sequence.yaml", "system.yaml", "wording.yaml", "look.yaml", "rulings.yaml", "results.yaml")
META = frozenset({"table", "rule", "title", "source", "for_people", "columns", "rows", "cells", "results"})
ABOUT = frozenset({"source", "rule"})  # where a row comes from
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass
class Reads:
    """What code names: attributes and texts; of each name, the single members that are asked of it, and
    whether it is also used as a whole."""

    names: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)

    def of_module(self, source: str) -> None:
        """Add what a module reads."""
        tree = ast.parse(source)
        docs = {*_docstrings(tree), *_handed_on(tree)}
        single: dict[int, tuple[str, str]] = {}
        for node in ast.walk(tree):
            found = _member(node)
            if found is not None:
                owner, name, member = found
                single[id(owner)] = (name, member)
                self.members.setdefault(name, set()).add(member)
        for node in ast.walk(tree):
            if id(node) in docs:
                continue
            said = _said(node)
            if said is not None:
                self.names.add(said)
                if id(node) not in single and not isinstance(node, ast.Constant):
                    self.whole.add(said)

    def asked(self, parent: str, name: str) -> bool:
        """Is a name of this mapping read?"""
        if parent in self.members and parent not in self.whole:
            return name in self.members[parent]
        return name in self.names


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)


def _handed_on(tree: ast.Module) -> Iterator[int]:
    """Mappings that are only given another place under the same name: `Tables(dice=data["dice"])`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg is not None and _said(node.value) == node.arg:
            yield id(node.value)


def _said(node: ast.AST) -> str | None:
    """The name that a node reads: an attribute, a text, or what stands under a text (`data["dice"]`)."""
    match node:
        case ast.Attribute(ctx=ast.Load(), attr=name):
            return name.rstrip("_")  # `class_` is `class` in data
        case ast.Constant(value=str(text)):
            return text
        case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str(text))):
            return text
    return None


def _member(node: ast.AST) -> tuple[ast.AST, str, str] | None:
    """`x.dice["combat"]` and `x["dice"]["combat"]`, also with `.get`: the node of the mapping, its name and
    the member."""
    match node:
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(member))):
            pass
        case ast.Call(
            func=ast.Attribute(value=owner, attr="get"), args=[ast.Constant(value=str(member)), *_]
        ):
            pass
        case _:
            return None
    name = _said(owner) if isinstance(owner, ast.Attribute | ast.Subscript) else None
    return (owner, name, member) if name is not None else None


def unread(system: System) -> list[Diagnostic]:
    """Every name in the tables of a system that nothing reads."""
    reads = Reads()
    for path in sorted(system.folder.rglob("*.py")):
        reads.of_module(path.read_text("utf-8"))
    for name in system.files("scenarios/*.yaml"):
        reads.names |= set(_texts(system.data(name)))
    tables = [*system.files("tables/*.yaml"), *(n for n in system.files("*.yaml") if n not in OTHERS)]
    found: list[Diagnostic] = []
    for name in tables:
        document = system.document(name)
        excused = set(document.data.get("for_people", ())) if isinstance(document.data, dict) else set()
        for where in _unread(document.data, "", (), reads):
            if where[-1] not in excused:
                message = f"'{where[-1]}' is in {name} and no code reads it"
                help_ = ("remove it, or list it under for_people: [...]",)
                one = Diagnostic("unread-data", message, path=where, help=help_, on_key=True)
                found.append(one.at(document))
    return found


def _texts(value: Any) -> Iterator[str]:
    """Every text in data, keys among them."""
    if isinstance(value, str):
        yield from (value, *value.split())
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _unread(
    data: Any, parent: str, path: tuple[str | int, ...], reads: Reads
) -> Iterator[tuple[str | int, ...]]:
    if isinstance(data, list):
        rows = [row for row in data if isinstance(row, Mapping)]
        first = next((n for n, row in enumerate(data) if isinstance(row, Mapping)), 0)
        yield from _fields(rows, parent, (*path, first), reads)
    if not isinstance(data, Mapping):
        return
    rows = [row for row in data.values() if isinstance(row, Mapping)]
    if len(rows) == len(data) > 1 and len({tuple(sorted(row)) for row in rows}) == 1:
        yield from _fields(rows, parent, (*path, next(iter(data))), reads)
        return
    for name, item in data.items():
        if not path and name in META:
            continue
        if _NAME.fullmatch(str(name)) and path and not isinstance(item, Mapping | list):
            if not reads.asked(parent, str(name)):
                yield (*path, name)
        elif not path and not isinstance(item, Mapping | list):
            if not reads.asked(parent, str(name)):
                yield (*path, name)
        yield from _unread(item, str(name), (*path, name), reads)


def _fields(
    rows: list[Mapping[str, Any]], parent: str, path: tuple[str | int, ...], reads: Reads
) -> Iterator[tuple[str | int, ...]]:
    """The members of rows that are all alike, each told once."""
    seen: set[str] = set()
    for row in rows:
        for name, item in row.items():
            if name not in seen:
                seen.add(name)
                if _NAME.fullmatch(str(name)) and name not in reads.names | ABOUT:
                    yield (*path, name)
                elif isinstance(item, Mapping):
                    yield from _unread(item, str(name), (*path, name), reads)
