"""Rows of charts: the place of a refused row, and rows that lack a member that code reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.engine.package import BESIDE
from pbem.engine.system import System
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message
from pbem.text.yaml import Document

OTHERS = ("sequence.yaml", "system.yaml", "scenario.yaml", "results.yaml", "wording.yaml", "look.yaml")
"""Files of `rules/` that are no tables; the last two are there in a package without that folder."""
CAREFUL = frozenset({"get", "pop", "setdefault"})


def tables(system: System) -> dict[str, Document]:
    """Return the charts of a system, by file."""
    beside = (*OTHERS, *BESIDE)
    names = [*system.files("tables/*.yaml"), *(n for n in system.files("*.yaml") if n not in beside)]
    return {name: system.document(name) for name in names}


def placed(system: System, fault: Diagnostic, scenario: Document) -> Diagnostic:
    """Return a fault of a world with its place: in the scenario, else in the chart that has such a row."""
    if fault.span:
        return fault
    for document in (scenario, *tables(system).values()):
        for section in ((), *((key,) for key in document.data)):
            if fault.path and _has(document.data, path := (*section, *fault.path)):
                return replace(fault, path=path).at(document)
    return fault.at(scenario)


def _has(data: Any, path: DataPath) -> bool:
    for key in path:
        there = range(len(data)) if isinstance(data, list) else data if isinstance(data, Mapping) else ()
        if key not in there:
            return False
        data = data[key]
    return True


def uneven(system: System) -> Iterator[Diagnostic]:
    """Yield rows without a member that most rows of a table have and code reads as `row["member"]`.

    Rules would fail with a KeyError in play, when they come to that row. Where code also asks whether the
    member is there (`get`, `in`), a row may lack it.
    """
    bare: set[str] = set()
    careful: set[str] = set()
    for file in sorted(system.folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str(name))):
                    bare.add(name)
                case ast.Call(func=ast.Attribute(attr=how), args=[ast.Constant(value=str(name)), *_]):
                    careful |= {name} if how in CAREFUL else set()
                case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn()]):
                    careful.add(name)
    for document in tables(system).values():
        for path, rows in _row_sets(document.data, ()):
            yield from (fault.at(document) for fault in _lacking(path, rows, bare - careful))


def _row_sets(data: Any, path: DataPath) -> Iterator[tuple[DataPath, dict[Any, Mapping[str, Any]]]]:
    """Yield each mapping or list whose members are all mappings, with its path."""
    members = dict(enumerate(data)) if isinstance(data, list) else data
    if not isinstance(members, Mapping):
        return
    if len(members) > 1 and all(isinstance(row, Mapping) for row in members.values()):
        yield path, dict(members)
    for key, inner in members.items():
        yield from _row_sets(inner, (*path, key))


def _lacking(path: DataPath, rows: Mapping[Any, Mapping[str, Any]], read: set[str]) -> Iterator[Diagnostic]:
    for name in sorted({name for row in rows.values() for name in row} & read):
        without = [key for key, row in rows.items() if name not in row]
        for key in without if 2 * len(without) < len(rows) else ():
            counts = {"with_it": len(rows) - len(without), "count": len(rows)}
            message = Message("testing.rows.uneven", row=key, name=name, **counts)
            help_ = (Message("testing.rows.write-or-ask", name=name),)
            yield Diagnostic("uneven-rows", message, path=(*path, key), help=help_)
