"""Changing cells of a table in its text: delimiter, quotes, line ends, encoding and other rows stay."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.text.dataclass import dataclass
from pbem.workshop.cells import NOTE

Cell = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """A row of a table in its text: where each cell begins and ends, and where the line ends."""

    cells: tuple[Cell, ...]
    end: int


def changed(
    source: bytes, cells: Mapping[tuple[str, str], str], rows: Mapping[str, Mapping[str, str] | None]
) -> bytes:
    """Return the table with other cells, by (id, column), and with rows added (cells) or gone (None)."""
    mark = source[:3] if source.startswith(b"\xef\xbb\xbf") else b""
    try:
        text, encoding = source[len(mark) :].decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = source.decode("cp1252", "replace"), "cp1252"
    done = _Table(text).changed(cells, rows)
    try:
        return mark + done.encode(encoding)
    except UnicodeEncodeError:
        return b"\xef\xbb\xbf" + done.encode()


class _Table:
    def __init__(self, text: str) -> None:
        self.text = text
        first = text.lstrip("\r\n").split("\n", 1)[0]
        self.delimiter = max(",;\t", key=first.count)
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.rows = [row for row in _rows(text, self.delimiter) if any(self.said(cell) for cell in row.cells)]
        heads = [self.said(cell).lower() for cell in self.rows[0].cells] if self.rows else []
        self.heads = {head: n for n, head in reversed(list(enumerate(heads))) if head and head != NOTE}
        self.wide = len(heads)

    def said(self, cell: Cell) -> str:
        """Return the value of a cell."""
        raw = self.text[cell[0] : cell[1]].strip()
        return raw[1:-1].replace('""', '"').strip() if raw[:1] == '"' == raw[-1:] else raw

    def changed(
        self, cells: Mapping[tuple[str, str], str], rows: Mapping[str, Mapping[str, str] | None]
    ) -> str:
        """Return the text with these cells and rows."""
        cuts: list[tuple[int, int, str]] = []
        for _, column in cells:
            self._need(column, cuts)
        at = self.heads.get("id", 0)
        by_id: dict[str, dict[str, str]] = {}
        for (of, column), cell in cells.items():
            by_id.setdefault(of, {})[column] = cell
        start = 0
        for n, row in enumerate(self.rows):
            id = self.said(row.cells[at]) if n and at < len(row.cells) else ""
            if id in rows and rows[id] is None:
                cuts.append((row.cells[0][0], row.end, ""))
            elif id in by_id:
                self._row(row, by_id[id], cuts)
            start = row.end
        done = self.text
        new = [self._line(id, new_cells) for id, new_cells in rows.items() if new_cells is not None]
        if new:
            lead = "" if not start or done[:start].endswith("\n") else self.newline
            cuts.append((start, start, lead + "".join(line + self.newline for line in new)))
        cuts.sort(key=lambda cut: cut[:2])  # at one place in the order in which they were found
        for begin, end, text in reversed(cuts):
            done = done[:begin] + text + done[end:]
        return done

    def _need(self, column: str, cuts: list[tuple[int, int, str]]) -> None:
        """Add a column that the table lacks."""
        if column not in self.heads and self.rows:
            end = self.rows[0].cells[-1][1]
            cuts.append((end, end, self.delimiter + column))
            self.heads[column] = self.wide
            self.wide += 1

    def _row(self, row: Row, changes: Mapping[str, str], cuts: list[tuple[int, int, str]]) -> None:
        more: dict[int, str] = {}
        for column, value in changes.items():
            n = self.heads[column]
            if n < len(row.cells):
                cuts.append((*row.cells[n], self._written(value)))
            elif value:
                more[n] = self._written(value)
        if more:
            last = len(row.cells)
            text = "".join(self.delimiter + more.get(n, "") for n in range(last, max(more) + 1))
            cuts.append((row.cells[-1][1], row.cells[-1][1], text))

    def _line(self, id: str, texts_of_row: Mapping[str, str]) -> str:
        cells = [""] * self.wide
        for column, value in {**texts_of_row, "id": id}.items():
            if column in self.heads:
                cells[self.heads[column]] = self._written(value)
        return self.delimiter.join(cells)

    def _written(self, value: str) -> str:
        plain = not re.search(r'["\r\n]', value) and self.delimiter not in value
        return value if plain else '"' + value.replace('"', '""') + '"'


def _rows(text: str, delimiter: str) -> list[Row]:
    """Return the rows of a table with the places of their cells."""
    rows: list[Row] = []
    cells: list[Cell] = []
    start = at = 0
    quoted = False
    while at < len(text):
        sign = text[at]
        if sign == '"' and (quoted or not text[start:at].strip()):
            quoted = not quoted
        elif not quoted and sign == delimiter:
            cells.append((start, at))
            start = at + 1
        elif not quoted and sign in "\r\n":
            end = at + (2 if text[at : at + 2] == "\r\n" else 1)
            rows.append(Row((*cells, (start, at)), end))
            cells, start, at = [], end, end - 1
        at += 1
    if start < len(text) or cells:
        rows.append(Row((*cells, (start, len(text))), len(text)))
    return rows
