"""Writing a scenario as a folder of plain files that a person continues with.

Each file says in comments what can go there, from the declaration of the system. What is written is read back
as the same scenario, byte for byte of what travels.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.scenarios import shapes
from pbem.engine.scenarios.whole_scenario import SHAPE
from pbem.engine.system import System
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.workshop.folders import CHARTS, MAP, README, SCENARIO, WORDS_FILE
from pbem.workshop.shape_of import Column, Declared, Table

WIDE = 110
LONG = 150


def files_of(system: System, name: str, id: str | None = None) -> dict[str, str]:
    """Return the files of a folder with this scenario of the system, by name; `id` gives it a new id."""
    declared, known = Declared(system), system.whole(name)
    data: dict[str, Any] = dict(system.scenario(name))
    head = {"pbem": 1, "system": system.name, "id": id or known.id, "title": data.pop("title", name)}
    head |= {key: known.about[key] for key in ("source", "licence") if key in known.about}
    files: dict[str, str] = {}
    sheet = data.pop("map", None)
    if sheet is not None:
        comment = "".join(
            f"  {key}: {_kind(kind)}\n" for key, kind in {**shapes.LAYOUT, **shapes.MAP}.items()
        )
        comment += _places(declared)
        files[MAP] = f"{_commented(Message('workshop.writing.map'))}{_commented(comment)}\n{_block(sheet)}"
    for member in dict.fromkeys(table.member for table in declared.tables.values()):
        if member in data:
            tables = [table for table in declared.tables.values() if table.member == member]
            files |= _tables(tables, data.pop(member))
    members = "".join(_member(declared, key, value) for key, value in data.items())
    about = _commented(Message("workshop.writing.scenario", system=system.name))
    files[SCENARIO] = f"{about}{_block(head)}{members}"
    for chart, chart_data in known.charts.items():
        files[f"{CHARTS}/{chart}.yaml"] = _block(chart_data)
    words = known.about.get("words")
    if isinstance(words, dict):
        files[WORDS_FILE] = _block(words)
    if known.about.get("readme"):
        files[README] = f"{known.about['readme']}\n"
    return files


def as_yaml(data: Mapping[str, Any]) -> str:
    """Return a mapping as a file that a person continues with."""
    return _block(data)


def _places(declared: Declared) -> str:
    """Return what places of the system's maps are, for people."""
    places = declared.data.get("places", {})
    if not places:
        return ""
    return "  places~:\n" + "".join(f"    {kind}: [{_kind(shape)}]\n" for kind, shape in places.items())


def _kind(shape: Any) -> str:
    """Return a shape as it is written in declarations."""
    if isinstance(shape, Mapping):
        return "{" + ", ".join(f"{key}: {_kind(value)}" for key, value in shape.items()) + "}"
    return f"[{', '.join(map(_kind, shape))}]" if isinstance(shape, list) else str(shape)


def _commented(text: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def _member(declared: Declared, key: str, value: Any) -> str:
    """Return a member with a comment above it that says what can go there."""
    comment = declared_lines(declared.system, key)
    return f"\n{_commented(comment)}{entry(key, value, 0)}"


def declared_lines(system: System, key: str) -> str:
    """Return the lines of the system's declaration about a member, as they are written there."""
    lines = system.document(SHAPE).text.splitlines() if system.files(SHAPE) else []
    starts = [n for n, line in enumerate(lines) if line.startswith((f"  {key}:", f"  {key}~:"))]
    if not starts:
        return key
    block = [lines[starts[0]]]
    for line in lines[starts[0] + 1 :]:
        if not line.startswith("   "):
            break
        block.append(line)
    return "\n".join(line[2:] for line in block)


def _block(value: Mapping[str, Any]) -> str:
    return "".join(entry(key, inner, 0) for key, inner in value.items())


def entry(key: str, value: Any, indent: int) -> str:
    """Return `key: value`, on one line if it fits, else its parts below."""
    space, name = " " * indent, flow(str(key))
    line = f"{space}{name}: {flow(value)}"
    if not isinstance(value, dict | list) or not value or (len(line) <= WIDE and _plain(value)):
        return f"{line}\n"
    return f"{space}{name}:\n" + "".join(_inside(value, indent + 2))


def _plain(value: Any) -> bool:
    """Return True for a collection that reads well on one line: nothing nested, and not a list of rows."""
    inner = list(value.values()) if isinstance(value, dict) else value
    rows = isinstance(value, list) and any(isinstance(part, str) and len(part) > 12 for part in inner)
    return not rows and not any(isinstance(part, dict | list) for part in inner)


def _inside(value: Any, indent: int) -> Iterator[str]:
    space = " " * indent
    if isinstance(value, dict):
        for key, inner in value.items():
            if (
                isinstance(inner, dict)
                and inner
                and len(whole_line := f"{space}{flow(str(key))}: {flow(inner)}") <= LONG
            ):
                yield f"{whole_line}\n"
            else:
                yield entry(str(key), inner, indent)
        return
    for inner in value:
        line = f"{space}- {flow(inner)}"
        if len(line) <= LONG or not isinstance(inner, dict):
            yield f"{line}\n"
        else:
            parts = "".join(_inside(inner, indent + 2))
            yield f"{space}- {parts[indent + 2 :]}"


# --- tables ---------------------------------------------------------------------------------------------


def _tables(tables: list[Table], value: Any) -> dict[str, str]:
    """Return the tables of a member as CSV as far as their entries fit columns, and the rest as YAML."""
    files: dict[str, str] = {}
    rest = {tables[0].member: json.loads(json.dumps(value))}  # a copy to take from
    for table in tables:
        rows = _rows(table, rest) if table.columns else None
        if rows is None:
            continue
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table.heads)
        writer.writerows(rows)
        files[f"{table.name}.csv"] = out.getvalue()
        for inside, step, _ in list(_lists(table, rest)):
            del inside[step]
    left = rest.get(tables[0].member)
    if left:
        comment = _commented(Message("workshop.writing.table", member=tables[0].member))
        files[f"{tables[0].name}.yaml"] = f"{comment}{_block(left)}"
    return files


def _lists(table: Table, value: Any) -> Iterator[tuple[Any, str, list[str]]]:
    """Yield where entries of a table stand: what holds them, under which key, and the steps in angles."""
    lists: list[tuple[Any, str, list[str]]] = [(value, table.member, [])] if table.member in value else []
    for step in table.at[1:]:
        below: list[tuple[Any, str, list[str]]] = []
        for inside, key, named in lists:
            here = inside[key]
            for name in here if isinstance(here, dict) else ():
                if step.startswith("<"):
                    below.append((here, name, [*named, name]))
                elif name == step:
                    below.append((here, name, named))
        lists = below
    yield from lists


def _rows(table: Table, value: Any) -> list[list[str]] | None:
    """Return the cells of all entries; None if there are none, or one has what no cell can say."""
    known = {"id", *(column.path[0] for column in table.columns)}
    rows = []
    for inside, step, named in _lists(table, value):
        entries = inside[step]
        if isinstance(entries, list) != table.listed or not entries:
            return None
        by_id = [(row.get("id"), row) for row in entries] if table.listed else list(entries.items())
        for id, entry in by_id:
            cells = [_cell(column, entry) for column in table.columns]
            if not isinstance(entry, dict) or not known.issuperset(entry) or None in cells:
                return None
            rows.append([str(id), *named, *(cell for cell in cells if cell is not None)])
    return rows or None


def _cell(column: Column, entry: Any) -> str | None:
    value = entry
    for step in column.path:
        if isinstance(value, dict) and step not in value:
            return ""
        value = value[step]
    if value is None and isinstance(column.path[-1], int):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and isinstance(column.shape, list) and isinstance(column.shape[0], dict):
        pairs = [tuple(map(str, part.values())) for part in value]
        return "; ".join(map(" ".join, pairs)) if all(len(pair) == 2 for pair in pairs) else None
    if isinstance(value, list):
        return " ".join(map(str, value)) if all(isinstance(text, str) for text in value) else None
    if isinstance(value, dict) or value is None:
        return None
    return str(value)
