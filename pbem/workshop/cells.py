"""Tables of counters as spreadsheets save them, with their damage undone where that is sure.

Comma, semicolon or tab; UTF-8 or Windows-1252; columns in any order. `305` is `0305` again; `5.1` could have
been `05.01` or `05.10`, and a date could have been any two figures: these are named, not guessed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Span
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean
from pbem.workshop.shape_of import Column, Table, words_of

MOST_ROWS, MOST_CELL = 5_000, 400
NOTE = "note"
_YES, _NO = ("yes", "true", "wahr", "ja", "x", "1"), ("no", "false", "falsch", "nein", "0")
_MONTH = "jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
_DATE = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}.*|[0-9]{{1,2}}[./][0-9]{{1,2}}[./][0-9]{{2,4}}"
    rf"|[0-9]{{1,2}}[.]?[ -]({_MONTH})[a-zä]*.*|({_MONTH})[a-zä]*[ .-]+[0-9]{{2,4}}",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")


@dataclass(frozen=True)
class Numbering:
    """The numbering of a map: the digits of the two parts of a number, and what is between them.

    Without digits one part is letters: a spreadsheet leaves such places alone.
    """

    digits: tuple[int, int] | None = (2, 2)
    separator: str = ""

    def mended(self, text: str) -> tuple[str, bool]:
        """Return a place as it was before a spreadsheet took it for a number, and whether that is sure."""
        if self.digits is None:
            return text, True
        before, after = self.digits
        if not self.separator:
            lost = text.isdigit() and after < len(text) < before + after
            return (text.zfill(before + after) if lost else text), True
        first, point, second = text.replace(",", ".").partition(".")
        if not point or not first.isdigit() or not second.isdigit():
            return text, True
        if len(second) < after:
            return text, False
        return f"{first.zfill(before)}{self.separator}{second}", True


class Cells:
    """A table that was read: the entries of its rows, its faults, and where each value stands."""

    def __init__(self, table: Table, file: str) -> None:
        self.table = table
        self.file = file
        self.entries: list[tuple[DataPath, Any]] = []
        self.faults: list[Diagnostic] = []
        self.mended: list[str] = []
        self._spans: dict[DataPath, tuple[int, int]] = {}

    def span(self, path: DataPath) -> Span:
        """Return the cell of a value, or the row of its entry."""
        for n in range(len(path), 0, -1):
            if path[:n] in self._spans:
                line, column = self._spans[path[:n]]
                return Span(self.file, line, column, line, column)
        return Span(self.file, 1, 1, 1, 1)

    key_span = span

    def put(self, at: DataPath, value: Any, line: int, places: Mapping[DataPath, int]) -> None:
        """Add the entry of a row."""
        self.entries.append((at, value))
        self._spans[at] = (line, 1)
        self._spans |= {(*at, *path): (line, column) for path, column in places.items()}

    def fault(self, code: str, message: Message, line: int, column: int = 1, *help_: str) -> None:
        """Note a fault of a cell."""
        notes = (Message("workshop.cells.cell", cell=f"{letters(column)}{line}"),)
        span = Span(self.file, line, column, line, column)
        self.faults.append(Diagnostic(code, message, span=span, notes=notes, help=tuple(help_)))


def letters(column: int) -> str:
    """Return a column as spreadsheets call it: A, B ... Z, AA."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def read_table(table: Table, file: str, source: bytes, numbering: Numbering) -> Cells:
    """Read a table; what is wrong with it is in its `faults`."""
    cells = Cells(table, file)
    rows = list(_rows(source, cells))
    if not rows:
        cells.fault("empty-file", Message("workshop.cells.empty", file=file), 1)
        return cells
    heads = _heads(rows[0][1], cells)
    if cells.faults:
        return cells
    seen: dict[DataPath, int] = {}
    for line, row in rows[1:]:
        _row(cells, line, row, heads, numbering, seen)
    return cells


def _rows(source: bytes, cells: Cells) -> Iterator[tuple[int, list[str]]]:
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = source.decode("cp1252", "replace")
        cells.mended.append(Message("workshop.cells.windows", file=cells.file))
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(
        io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"), newline=""), delimiter=delimiter
    )
    count = 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                count += 1
                yield reader.line_num, [cell.strip() for cell in row]
            if count > MOST_ROWS:
                cells.fault("too-many", Message("workshop.cells.too-many", most=MOST_ROWS), reader.line_num)
                return
    except csv.Error as fault:
        cells.fault("bad-table", Message("workshop.cells.unreadable", reason=str(fault)), reader.line_num)


def _heads(row: list[str], cells: Cells) -> dict[int, str]:
    known = {name.lower(): name for name in cells.table.heads}
    heads: dict[int, str] = {}
    for n, cell in enumerate(row):
        name = cell.lower()
        if not name or name == NOTE:
            continue
        if name not in known:
            near = did_you_mean(name, list(known.values()))
            help_ = (
                Message("text.suggest.did-you-mean", near=near)
                if near
                else Message("workshop.cells.columns", known=tuple(known.values()))
            )
            cells.fault(
                "unknown-column", Message("workshop.cells.unknown-column", name=cell), 1, n + 1, help_
            )
        elif known[name] in heads.values():
            cells.fault("listed-twice", Message("workshop.cells.column-twice", name=cell), 1, n + 1)
        else:
            heads[n] = known[name]
    if "id" not in heads.values() and not cells.faults:
        cells.fault("missing-column", Message("workshop.cells.no-id"), 1)
    return heads


def _row(
    cells: Cells,
    line: int,
    row: list[str],
    heads: Mapping[int, str],
    numbering: Numbering,
    seen: dict[DataPath, int],
) -> None:
    table, by_head = cells.table, {heads[n]: (cell, n + 1) for n, cell in enumerate(row) if n in heads}
    columns = {known.name: known for known in table.columns}
    before = len(cells.faults)
    entry: dict[str, Any] = {}
    places: dict[DataPath, int] = {}
    for name, (cell, column) in by_head.items():
        if cell and (cell[0] in "=+@" or len(cell) > MOST_CELL):
            cells.fault("bad-cell", Message("workshop.cells.formula", cell=cell[:40]), line, column)
        elif cell and name in columns:
            value = _value(cells, columns[name], cell, line, column, numbering)
            _set(entry, columns[name].path, value)
            places[columns[name].path] = column
    id, steps = by_head.get("id", ("", 1)), []
    for step in table.at:
        step_value = by_head.get(step.strip("<>"), ("", 1))[0] if step.startswith("<") else step
        steps.append(step_value)
        if not step_value:
            cells.fault("missing-cell", Message("workshop.cells.missing", name=step.strip("<>")), line)
    if not id[0]:
        cells.fault("missing-cell", Message("workshop.cells.missing", name="id"), line, id[1])
    if len(cells.faults) > before:
        return
    if table.listed:
        entry = {"id": id[0], **entry}
        count = sum(1 for path, _ in cells.entries if path[: len(steps)] == tuple(steps))
        at: DataPath = (*steps, count)
    else:
        at = (*steps, id[0])
    if (*steps, id[0]) in seen:
        cells.fault(
            "listed-twice", Message("workshop.cells.twice", id=id[0], line=seen[(*steps, id[0])]), line, id[1]
        )
        return
    seen[(*steps, id[0])] = line
    cells.put(at, entry, line, places)


def _set(entry: dict[str, Any], path: tuple[str | int, ...], value: Any) -> None:
    """Set a value in an entry: ("c", 0) is the first element of the list under `c`."""
    inside: Any = entry
    for n, step in enumerate(path[:-1]):
        inside = inside.setdefault(step, [] if isinstance(path[n + 1], int) else {})
    last = path[-1]
    if isinstance(last, int):
        inside += [None] * (last + 1 - len(inside))
    inside[last] = value


def _value(cells: Cells, column: Column, cell: str, line: int, at: int, numbering: Numbering) -> Any:
    if isinstance(column.shape, list) and isinstance(column.shape[0], Mapping):
        return _parts(cells, column, cell, line, at)
    if isinstance(column.shape, list):
        return [part for part in re.split(r"[;\s]+", cell) if part]
    kinds = list(words_of(column.shape))
    if _DATE.fullmatch(cell) and not any(kind in ("text", "name") for kind in kinds):
        cells.fault("date", Message("workshop.cells.date", cell=cell, name=column.name), line, at)
    for kind in kinds:
        if kind in ("number", "fraction") or _RANGE.fullmatch(kind):
            if _INTEGER.fullmatch(cell):
                return int(cell)
            if kind != "fraction" and len(kinds) == 1:
                cells.fault(
                    "wrong-type", Message("workshop.cells.number", name=column.name, cell=cell), line, at
                )
        elif kind == "bool":
            if cell.lower() in _YES:
                return True
            if cell.lower() in _NO:
                return False
            cells.fault("wrong-type", Message("workshop.cells.yes-no", name=column.name, cell=cell), line, at)
        elif kind == "place":
            mended, sure = numbering.mended(cell)
            if not sure:
                help_ = Message("workshop.cells.as-text")
                message = Message("workshop.cells.unsure", cell=cell, name=column.name)
                cells.fault("unsure", message, line, at, help_)
            if mended != cell and sure:
                cells.mended.append(
                    Message("workshop.cells.mended", cell=f"{letters(at)}{line}", was=cell, now=mended)
                )
            return mended
        elif kind == "null" and cell.lower() in ("null", "none", "-"):
            return None
    return cell


def _parts(cells: Cells, column: Column, cell: str, line: int, at: int) -> list[dict[str, Any]]:
    """Return what a cell such as `garrison 2; infantry 3` lists: a word and a number each."""
    word, number = (key.removesuffix("~") for key in column.shape[0])
    parts: list[dict[str, Any]] = []
    for part in filter(None, (part_text.strip() for part_text in cell.split(";"))):
        name, _, count = part.rpartition(" ")
        if not name or not count.isdigit():
            cells.fault("wrong-type", Message("workshop.cells.parts", name=column.name, part=part), line, at)
            continue
        parts.append({word: name.strip(), number: int(count)})
    return parts
