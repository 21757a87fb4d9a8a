"""The folder of a scenario under an editor: its values by keys, and its files with other values.

Beside the keys of the map (`board_values`) there are

    c/counters.csv/R-IN1/hex    a cell of a table
    r/counters.csv/R-IN9        a row that was added (its cells by column), or None for one that goes
    f/scenario.yaml             a file as a whole
    m/scenario.yaml/turns       a member of it (`members`)

A piece of work says of each key what it was and what it is now: {key: [before, after]}. It is done on
whatever the files say; where they say neither, somebody else has changed the same value and a person must
choose.
"""

from __future__ import annotations

import copy
import os
import re
import stat
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.board.map import GameMap
from pbem.engine.drawn import data_of
from pbem.engine.scenarios.scenario_check import MOST_COLUMNS, MOST_HEXES, MOST_ROWS
from pbem.engine.scenarios.shapes import Schema
from pbem.text import yaml
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused, Span
from pbem.text.messages import Message
from pbem.workshop.board_values import BoardValues, Values
from pbem.workshop.cell_patching import changed as cells_changed
from pbem.workshop.folders import (
    LIMITS,
    MAP,
    MOST_FILE,
    README,
    SCENARIO,
    WORDS_FILE,
    ReadFolder,
    read_folder,
)
from pbem.workshop.members import changed_members, forms_of, member_values
from pbem.workshop.patching import patched
from pbem.workshop.shape_of import Column, Declared, words_of
from pbem.workshop.written import Row, Written, written_of

YAML_COUNTERS = ("counters.yaml",)
TEXTS = (SCENARIO, *YAML_COUNTERS, WORDS_FILE, README)
"""Files that are edited as a whole."""
MOST_WORK = 60_000
GROWING = ("size/", "sheet/", "x/", "layout/", "ring/")
"""Keys after which there are other hexes, boxes and areas."""
_READ = re.compile(r"(scenario|map|words|counters(-[a-z]+)?)\.(yaml|csv)|README\.md")
MOST_TEXT = 400
Work = Mapping[str, tuple[Any, Any]]


@dataclass
class Opened:
    """A folder that was read for an editor."""

    root: Path
    found: ReadFolder

    @property
    def files(self) -> dict[str, bytes]:
        """Return the files as they were read."""
        return self.found.raw

    @cached_property
    def board(self) -> BoardValues:
        """Return the map; Refused if its rows are no map."""
        document = self.found.documents.get(MAP)
        data = document.data if document is not None and isinstance(document.data, dict) else {}
        try:
            return BoardValues(data, self._drawn(data))
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Refused(_no_map()) from None

    def _drawn(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """Return the shapes with which a map of areas is drawn that brings none of its own."""
        assert self.found.system is not None
        if "shapes" in data or "terrain" in data or "sheets" in data or "boxes" in data:
            return None
        try:
            return data_of(self.found.system, GameMap.from_data({"areas": data.get("areas", {})}))
        except Refused:
            return None

    @cached_property
    def declared(self) -> Declared:
        """Return what scenarios of the system consist of."""
        assert self.found.system is not None
        return Declared(self.found.system)

    @cached_property
    def written(self) -> Written | None:
        """Return the counters that are written in YAML; None if all are in tables."""
        written = written_of(self.declared)
        return written if written is not None and written.file in self.files else None

    @cached_property
    def forms(self) -> dict[str, Schema]:
        """Return the schemas of the YAML files that forms show."""
        return forms_of(self.found, self.declared, self.written)

    @cached_property
    def values(self) -> Values:
        """Return everything that can be edited, by keys."""
        values = self.board.values() | member_values(self.found, self.forms)
        if self.written is not None:
            for counter, row in self.written.rows(self._written_data(self.files)).items():
                start = f"{self.written.file}/{counter}"
                values |= {f"c/{start}/{column}": cell for column, cell in row.items() if cell}
                values[f"r/{start}"] = 1
        for name, cells in self.found.tables.items():
            columns = cells.table.columns
            for path, entry in cells.entries:
                id = entry["id"] if cells.table.listed else path[-1]
                row_cells = {column.name: _cell_text(entry, column) for column in columns}
                for step, name_ in zip(cells.table.at, path, strict=False):
                    if step.startswith("<"):
                        row_cells[step.strip("<>")] = str(name_)
                values |= {f"c/{name}/{id}/{column}": value for column, value in row_cells.items() if value}
                values[f"r/{name}/{id}"] = 1
        for name in TEXTS:
            if name in self.files:
                values[f"f/{name}"] = self.files[name].decode("utf-8", "replace")
        return values

    def conflicts(self, work: Work) -> list[dict[str, Any]]:
        """Return the keys of a work that somebody else has changed meanwhile, with all three values."""
        paths = []
        sizes = {key: both for key, both in work.items() if key.startswith(GROWING)}
        sheets = any(key.startswith("sheet/") for key in work)
        after = open_folder(self.root, self.changed(sizes), check=False) if sizes else self
        for key, (before, mine) in work.items():
            now = (self if key in sizes else after).values.get(key)
            if sheets and key.startswith(("size/", "layout/")):
                continue  # of a sheet that is not in the file yet
            if key.startswith("r/"):
                now, before, mine = (1 if value else None for value in (now, before, mine))
            if now not in (before, mine):
                paths.append({"key": key, "before": before, "mine": mine, "theirs": now})
        return paths

    def changed(self, work: Work) -> dict[str, bytes]:
        """Return the files that the work changes, as they are then. Refused for work that no page does."""
        _check(work)
        renumbered = any(key.startswith("layout/") for key in work)
        after = {
            key: value for key, (_, value) in work.items() if renumbered or value != self.values.get(key)
        }
        files: dict[str, bytes] = {}
        on_map = {key: value for key, value in after.items() if key[:2] not in ("c/", "r/", "f/", "m/")}
        if on_map:
            text = self.files.get(MAP, b"").decode("utf-8")
            try:
                wanted = self.board.changed(on_map)
            except (LookupError, TypeError, ValueError, AttributeError):
                raise _odd() from None
            files[MAP] = patched(text, MAP, wanted, self.declared.schema_of("map")).encode()
        for name in self.found.tables:
            made = self._cells(name, after)
            if made is not None:
                files[name] = made
        for name in TEXTS:
            if f"f/{name}" in after:
                files[name] = str(after[f"f/{name}"] or "").encode()
        try:
            files |= changed_members(after, self.forms, {**self.files, **files})
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise _odd() from None
        files |= self._written(after, {**self.files, **files})
        return {name: data for name, data in files.items() if data != self.files.get(name)}

    def _written_data(self, files: Mapping[str, bytes]) -> dict[str, Any]:
        """Return the members that have counters in YAML; {} for files that are not YAML."""
        assert self.written is not None
        written: dict[str, Any] = {}
        for member, name in self.written.members.items():
            schema = self.declared.schema if name == SCENARIO else self.declared.schema_of(member)
            content = yaml.read(files.get(name, b""), name, schema, LIMITS).document.data
            content = content if isinstance(content, dict) else {}
            written[member] = content if name != SCENARIO else content.get(member, {})
        return written

    def _written(self, after: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the YAML files with counters as the work leaves them, after their texts were edited."""
        if self.written is None:
            return {}
        cells, rows = _of_table(self.written.file, after)
        if not cells and not rows:
            return {}
        data = self._written_data(files)
        wanted: dict[str, Row | None] = dict(rows)
        before = self.written.rows(data)
        for (id, column), cell in cells.items():
            row = wanted.setdefault(id, dict(before[id]) if id in before else None)
            if row is not None:
                row[column] = cell
        known = set(self.written.heads)
        if not all(known.issuperset(row) for row in wanted.values() if row):
            raise _odd()
        changed = copy.deepcopy(data)
        try:
            self.written.changed(changed, wanted)
        except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
            raise _odd() from None
        made: dict[str, bytes] = {}
        for member, name in self.written.members.items():
            text = files[name].decode("utf-8", "replace")
            content, schema = changed[member], self.declared.schema_of(member)
            if name == SCENARIO:
                schema = self.declared.schema
                content = {**yaml.load(text, name, schema, LIMITS).data, member: changed[member]}
            made[name] = patched(text, name, content, schema).encode()
        return made

    def _cells(self, name: str, after: Mapping[str, Any]) -> bytes | None:
        cells, rows = _of_table(name, after)
        known = set(self.found.tables[name].table.heads)
        for row in (
            *({column: ""} for _, column in cells),
            *(row_cells for row_cells in rows.values() if row_cells),
        ):
            if not known.issuperset(row):
                raise _odd()
        return cells_changed(self.found.raw[name], cells, rows) if cells or rows else None


def open_folder(root: Path, instead: Mapping[str, bytes] | None = None, *, check: bool = True) -> Opened:
    """Return a folder for an editor; Refused if it is no scenario, or its map has no rows to draw."""
    folder = read_folder(root, instead, check=check)
    odd = [error for error in folder.errors if error.code == "odd-file"]
    if folder.system is None or MAP not in folder.documents or odd:
        raise Refused(odd or folder.errors or [_no_map()])
    opened = Opened(root, folder)
    _ = opened.board
    return opened


def digests(root: Path) -> dict[str, str]:
    """Return the digest of each file of a folder that a scenario may have, as it is on the disk."""
    by_name = {}
    for name in sorted(os.listdir(root)):
        path = root / name
        if _READ.fullmatch(name) and stat.S_ISREG(os.lstat(path).st_mode):
            with open(path, "rb") as file:
                by_name[name] = sha256(file.read(MOST_FILE + 1)).hexdigest()
    return by_name


def after_work(opened: Opened, work: Work) -> Opened:
    """Return the folder as it will be with the work, with all that is wrong with it then."""
    return open_folder(opened.root, opened.changed(work))


def place_column(columns: tuple[Column, ...]) -> str | None:
    """Return the column of a table that says where a counter is; None if no column does."""
    return next((column.name for column in columns if "place" in words_of(column.shape)), None)


def _of_table(
    name: str, after: Mapping[str, Any]
) -> tuple[dict[tuple[str, str], str], dict[str, dict[str, str] | None]]:
    """Return the cells by id and column, and the rows by id, that a work changes in a table."""
    start_cell, start_row = f"c/{name}/", f"r/{name}/"
    cells: dict[tuple[str, str], str] = {}
    rows: dict[str, dict[str, str] | None] = {}
    for key, value in after.items():
        if key.startswith(start_cell):
            id, _, column = key[len(start_cell) :].rpartition("/")
            cells[id, column] = _cell(value)
        elif key.startswith(start_row):
            row_cells = value if isinstance(value, dict) else None
            rows[key[len(start_row) :]] = row_cells and {
                column: _cell(cell) for column, cell in row_cells.items()
            }
    return cells, rows


def _cell_text(entry: Any, column: Column) -> str:
    value = entry
    for step in column.path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and value:
        parts = [" ".join(map(str, part.values())) if isinstance(part, dict) else str(part) for part in value]
        return "; ".join(parts) if isinstance(value[0], dict) else " ".join(parts)
    return "" if value is None else str(value)


def _check(work: Work) -> None:
    """Check that a work is within bounds, before anything is built."""
    if len(work) > MOST_WORK:
        raise _odd()
    hexes = 0
    for key, (_, after) in work.items():
        if len(key) > MOST_TEXT or key.count("/") < 1:
            raise _odd()
        if isinstance(after, str) and len(after) > (1 << 20 if key.startswith("f/") else MOST_TEXT):
            raise _odd()
        if key.startswith("size/") or (key.startswith("sheet/") and after not in (1, None)):
            if not isinstance(after, list) or len(after) < 2:
                raise _odd()
            columns, rows = after[0], after[1]
            if not (isinstance(columns, int) and isinstance(rows, int)):
                raise _odd()
            hexes += columns * rows
            if not (0 < columns <= MOST_COLUMNS and 0 < rows <= MOST_ROWS) or hexes > MOST_HEXES:
                raise Refused(
                    Diagnostic(
                        "too-many",
                        Message("engine.scenario-check.sheet", rows=MOST_ROWS, columns=MOST_COLUMNS),
                    )
                )


def _cell(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def _odd() -> Refused:
    return Refused(Diagnostic("odd-work", Message("workshop.editing.odd-work")))


def _no_map() -> Diagnostic:
    return Diagnostic("no-map", Message("workshop.editing.no-map", file=MAP), span=Span(MAP, 1, 1, 1, 1))
