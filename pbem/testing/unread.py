"""Numbers of charts that no code reads: a name in a table that is nowhere in the system's modules.

Of a mapping that code asks for single names only (`dice["combat"]`, `numbers.road`, also by a name of its own
or under the place where it is kept) these are read and no others, whatever else is called so. Of a mapping
that is used as a whole a name is read where code has it as an attribute or a text, or where a scenario has it
as a value, for rows are often looked up by what a counter is. So a name that is not listed may
still be unused, but a listed one certainly is. Figures for people alone are listed in the table:
`for_people: [weight]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from pbem.engine.system import System
from pbem.testing.rows import tables
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message

META = frozenset({"table", "rule", "title", "source", "for_people", "columns", "rows", "cells", "results"})
ABOUT = frozenset({"source", "rule"})  # where a row comes from
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass
class Reads:
    """The names that code reads: attributes and texts.

    For each name it keeps the members read, whether it is also used as a whole, and the other names under
    which it is kept.
    """

    names: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    kept_as: dict[str, set[str]] = field(default_factory=dict)

    def of_module(self, source: str) -> None:
        """Add what a module reads."""
        tree = ast.parse(source)
        parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        docs = set(_docstrings(tree))
        for node in ast.walk(tree):
            read = _name_read(node)
            if read is not None and id(node) not in docs and not self._kept(node, read, parents):
                self.names.add(read)
                if not isinstance(node, ast.Constant):
                    self._use(node, read, parents)
        for scope in _scopes(tree):
            for name, read_name in _local_names(scope):
                for node in ast.walk(scope):
                    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                        self._use(node, read_name, parents)

    def _use(self, node: ast.AST, read: str, parents: Mapping[int, ast.AST]) -> None:
        """Note that a mapping is asked for one member, or used as a whole; to rename it is not a
        use.
        """
        place = parents.get(id(node))
        if isinstance(place, ast.Call) and place.func is node:
            return  # a method of that name
        member = _member(node, parents)
        if member is not None:
            self.members.setdefault(read, set()).add(member)
        elif not _is_named(node, parents):
            self.whole.add(read)

    def _kept(self, node: ast.AST, read: str, parents: Mapping[int, ast.AST]) -> bool:
        """Return True if a mapping is only stored elsewhere, as `Tables(dice=data["dice"])`, typed or not.

        Reads of that place then count as reads of the mapping.
        """
        place = parents.get(id(node))
        if isinstance(node, ast.Constant):
            return False
        typed = isinstance(place, ast.Call) and _called(place) in TYPED and node in place.args
        place = parents.get(id(place)) if typed else place
        if typed and not isinstance(place, ast.keyword):
            return True
        if not (isinstance(place, ast.keyword) and place.arg is not None):
            return False
        self.kept_as.setdefault(read, set()).add(place.arg)
        return True

    def asked(self, parent: str, name: str) -> bool:
        """Return True if a name of this mapping is read."""
        places = {parent, *self.kept_as.get(parent, ())}
        if places & self.whole or not any(place in self.members for place in places):
            return name in self.names
        return any(name in self.members.get(place, ()) for place in places)


TYPED = frozenset({"record", "dict", "MappingProxyType"})


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)


def _name_read(node: ast.AST) -> str | None:
    """Return the name that a node reads: an attribute, a text, or the key in `data["dice"]`."""
    match node:
        case ast.Attribute(ctx=ast.Load(), attr=name):
            return name.rstrip("_")  # `class_` is `class` in data
        case ast.Constant(value=str(text)):
            return text
        case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str(text))):
            return text
    return None


def _member(node: ast.AST, parents: Mapping[int, ast.AST]) -> str | None:
    """Return the one member that is read: `x["combat"]`, `x.get("combat")`, `x.combat`."""
    match parents.get(id(node)):
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(member))) if owner is node:
            return member
        case ast.Attribute(value=owner, attr="get") as method if owner is node:
            match parents.get(id(method)):
                case ast.Call(func=function, args=[ast.Constant(value=str(member)), *_]):
                    return member if function is method else None
        case ast.Attribute(value=owner, attr=member) if owner is node and member not in WHOLE:
            return member.rstrip("_")
    return None


WHOLE = frozenset({"get", "items", "keys", "values"})


def _is_named(node: ast.AST, parents: Mapping[int, ast.AST]) -> bool:
    """Return True if this is the value of an assignment to a name, or to an attribute of the same name."""
    return any(value is node for _, value in _given(parents.get(id(node)), parents))


def _given(node: ast.AST | None, parents: Mapping[int, ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the names (or attributes called as their value) and values of an assignment."""
    if isinstance(node, ast.Tuple):
        node = parents.get(id(node))
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = list(zip(names, values, strict=False))
        case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
            pairs = [(target, value)]
        case _:
            return
    for target, value in pairs:
        same = isinstance(target, ast.Attribute) and target.attr == _name_read(value)
        if isinstance(target, ast.Name) or same:
            yield target, value


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the outermost functions: the code in them sees their names."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield child
            elif isinstance(child, ast.ClassDef):
                waiting.append(child)


def _local_names(scope: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield names for a mapping in a function: `numbers, dice = world.numbers, tables["dice"]`."""
    for node in ast.walk(scope):
        for target, value in _given(node, {}):
            read_name = _name_read(value)
            if isinstance(target, ast.Name) and read_name is not None and not isinstance(value, ast.Constant):
                yield target.id, read_name


def unread(system: System) -> list[Diagnostic]:
    """Return every name in the tables of a system that nothing reads."""
    reads = Reads()
    for path in sorted(system.folder.rglob("*.py")):
        reads.of_module(path.read_text("utf-8"))
    for name in system.files("scenarios/*.yaml"):
        reads.names |= set(_texts(system.data(name)))
    unused: list[Diagnostic] = []
    for name, document in tables(system).items():
        excused = set(document.data.get("for_people", ())) if isinstance(document.data, dict) else set()
        for where in _unread(document.data, "", (), reads):
            if where[-1] not in excused:
                message = Message("testing.unread.unread-data", where=where[-1], name=name)
                help_ = (Message("testing.unread.remove-list-under-people"),)
                warning = Diagnostic("unread-data", message, path=where, help=help_, on_key=True)
                unused.append(warning.at(document))
    return unused


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in data, keys included."""
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
    """Yield the members of rows that are all alike, each once."""
    seen: set[str] = set()
    for row in rows:
        for name, item in row.items():
            if name not in seen:
                seen.add(name)
                if _NAME.fullmatch(str(name)) and name not in reads.names | ABOUT:
                    yield (*path, name)
                elif isinstance(item, Mapping):
                    yield from _unread(item, str(name), (*path, name), reads)
