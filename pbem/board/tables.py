"""Tables of the rules (CRT and the like) as total functions: what happens off the edge is in the data.

    table: crt
    rule: "9.4"
    source: charts and tables, side A
    columns: {by: odds, values: ["1:2", "1:1", "2:1"], below: first, above: last}     # see `axisdata`
    rows: {by: d6, below: first, above: last}
    cells:
      1: [A2, A1, "-"]             # or a word with a letter for each column, and `codes: {a: A2, ...}`

Columns or rows may be left out: then `cells` is a list, or each row is one result. Keys beginning with x- are
ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board import axisdata
from pbem.board.axes import Axis, Found, Value
from pbem.board.results import Grammar, Outcome
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

KEYS = ("table", "rule", "source", "columns", "rows", "codes", "cells")


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of a look-up, and the way to it.

    `outcomes`: the value as the table's grammar reads it.
    """

    table: str
    value: Json
    column: Found | None
    row: Found | None
    outcomes: tuple[Outcome, ...] = ()

    def __str__(self) -> str:
        ways = [f"{name} {index}" for name, index in (("column", self.column), ("row", self.row)) if index]
        return f"{self.table}: {', '.join(ways)} = {self.value}"


class Table:
    """A table of one name. It does not change; look it up with `at`."""

    def __init__(
        self,
        name: str,
        columns: Mapping[str, Axis],
        rows: Mapping[str, Axis],
        cells: tuple[tuple[Json, ...], ...],
        *,
        rule: str = "",
        source: str = "",
        grammar: Grammar | None = None,
    ) -> None:
        self.name, self.rule, self.source = name, rule, source
        self.columns, self.rows, self.cells = columns, rows, cells
        self._grammar = grammar

    @classmethod
    def from_data(cls, data: Mapping[str, Any], grammar: Grammar | None = None, path: DataPath = ()) -> Table:
        """Return the table of plain data.

        Raises `Refused` with every fault: holes, missing edges, unknown results.

        With a `grammar` every cell that is text must parse, and look-ups give its outcomes.
        """
        reader = _Reader(path)
        table = reader.read(data, grammar)
        if table is None or reader.faults:
            raise Refused(reader.faults)
        return table

    def at(
        self, column: Value | None = None, row: Value | None = None, *, shift: int = 0, heads: str = ""
    ) -> Cell:
        """Return the cell for a value of the columns and one of the rows, `shift` columns further right.

        A negative shift goes left. `heads` names the line of column heads where there are several. A value of
        the wrong kind, or off an edge that must never be passed, is our own mistake: `ValueError`.
        """
        across = self._find(self.columns, heads, column, shift, "column")
        down = self._find(self.rows, "", row, 0, "row")
        for index in (down, across):
            if index is not None and index.edge is not None:
                return self._cell(index.edge.value, across, down)
        line = self.cells[(down.index or 0) if down else 0]
        return self._cell(line[(across.index or 0) if across else 0], across, down)

    def edge_values(self) -> tuple[Json, ...]:
        """Return the results beyond an edge, as in the data."""
        axes = (*self.columns.values(), *self.rows.values())
        return tuple(edge.value for axis in axes for edge in axis.edges.values() if edge.use == "value")

    def _find(
        self, axes: Mapping[str, Axis], heads: str, value: Value | None, shift: int, what: str
    ) -> Found | None:
        if not axes:
            if value is not None:
                raise ValueError(Message("board.tables.table-no-s", name=self.name, what=what))
            return None
        if heads not in axes:
            raise ValueError(
                Message(
                    "board.tables.table-no-heads-only", name=self.name, heads=repr(heads), axes=tuple(axes)
                )
            )
        if value is None:
            raise ValueError(f"table {self.name} wants a {what}")
        return axes[heads].find(value, shift)

    def _cell(self, value: Json, column: Found | None, row: Found | None) -> Cell:
        outcomes: tuple[Outcome, ...] = ()
        if self._grammar is not None and isinstance(value, str):
            outcomes = self._grammar.parse(value)
        return Cell(self.name, value, column, row, outcomes)


class _Reader:
    """A reader of one table that collects its faults."""

    def __init__(self, path: DataPath) -> None:
        self.path = path
        self.faults: list[Diagnostic] = []
        self.line_paths: list[DataPath] = []

    def read(self, data: Mapping[str, Any], grammar: Grammar | None) -> Table | None:
        for key in data:
            if key not in KEYS and not key.startswith("x-"):
                near = did_you_mean(key, KEYS)
                help = Message("text.suggest.did-you-mean-bare", near=near) if near else ""
                self._fault(
                    "unknown-key",
                    Message("board.axisdata.unknown-key", key=repr(key)),
                    (key,),
                    help,
                    on_key=True,
                )
        texts = {key: data.get(key, "") for key in ("table", "rule", "source")}
        for key, text in texts.items():
            if not isinstance(text, str) or (key == "table" and not text):
                self._fault(
                    "missing-key", Message("board.tables.missing-key", key=key, text=repr(text)), (key,)
                )
        columns = self._axes("columns", data, None)
        lines: list[tuple[Json, ...]] = []
        rows: dict[str, Axis] | None = {}
        cells = data.get("cells")
        width = len(next(iter(columns.values())).heads) if columns else None
        if "rows" in data and isinstance(cells, dict) and cells:
            rows = self._axes("rows", data, list(cells))
            if columns is not None and rows:
                lines = self._lines(cells, rows[""], width, data.get("codes"))
        elif "rows" not in data and "columns" in data and isinstance(cells, list) and cells:
            lines = [self._line(cells, (), width, data.get("codes"))]
        else:
            wanted = (
                Message("board.tables.mapping-line-each-row")
                if "rows" in data
                else Message("board.tables.columns-list-rows")
            )
            self._fault(
                "wrong-type", Message("board.tables.cells", cells=repr(cells), wanted=wanted), ("cells",)
            )
        if self.faults or columns is None or rows is None:
            return None
        rule, source = texts["rule"], texts["source"]
        table = Table(texts["table"], columns, rows, tuple(lines), rule=rule, source=source, grammar=grammar)
        if grammar is not None:
            self._parse_all(table, grammar)
        return table

    def _axes(self, key: str, data: Mapping[str, Any], labels: list[Json] | None) -> dict[str, Axis] | None:
        if key not in data:
            return {}
        axes, faults = axisdata.read(data[key], (*self.path, key), labels)
        if key == "rows" and axes and "" not in axes:
            self._fault("wrong-type", Message("board.tables.only-columns-can-several-lines"), (key, "values"))
        self.faults += faults
        return axes if axes and not faults and (key == "columns" or "" in axes) else None

    def _lines(
        self, cells: dict[Any, Json], rows: Axis, width: int | None, codes: Json
    ) -> list[tuple[Json, ...]]:
        """Return the cells in the order of the rows; a missing or unknown row is a fault."""
        by_head = {str(head): (head, line) for head, line in cells.items()}
        for text, (head, _) in by_head.items():
            if text not in rows.heads:
                self._fault(
                    "unknown-row",
                    Message("board.tables.unknown-row", text=text),
                    ("cells", head),
                    on_key=True,
                )
        for text in rows.heads:
            if text not in by_head:
                self._fault("hole", Message("board.tables.row-no-cells", text=text), ("cells",))
        known = [by_head[text] for text in rows.heads if text in by_head]
        return [self._line(line, (head,), width, codes) for head, line in known]

    def _line(self, line: Json, row: DataPath, width: int | None, codes: Json) -> tuple[Json, ...]:
        path: DataPath = ("cells", *row)
        self.line_paths.append(path)
        if width is None:
            values = [line]
        elif isinstance(line, str) and isinstance(codes, dict):
            values = [codes.get(letter) for letter in line]
            if unknown := sorted(set(line) - set(codes)):
                self._fault(
                    "unknown-result", Message("board.tables.unknown-result", unknown=" ".join(unknown)), path
                )
                return ()
        else:
            values = line if isinstance(line, list) else []
        if width is not None and len(values) != width:
            self._fault(
                "hole", Message("board.tables.cells-one-each-column", count=len(values), width=width), path
            )
        for n, value in enumerate(values):
            if value is None:
                self._fault("hole", Message("board.tables.cell-empty", n=n + 1), path)
        return tuple(values)

    def _parse_all(self, table: Table, grammar: Grammar) -> None:
        """Check that every text that a look-up can give is in the grammar."""
        places: list[tuple[DataPath, Json]] = [(("columns",), value) for value in table.edge_values()]
        for path, line in zip(self.line_paths, table.cells, strict=True):
            places += [(path, value) for value in line]
        for path, value in places:
            if isinstance(value, str):
                try:
                    grammar.parse(value, (*self.path, *path))
                except Refused as fault:
                    self.faults += fault.diagnostics

    def _fault(
        self, code: str, message: Message, path: DataPath, help: str = "", on_key: bool = False
    ) -> None:
        reasons = (help,) if help else ()
        self.faults.append(Diagnostic(code, message, path=self.path + path, help=reasons, on_key=on_key))
