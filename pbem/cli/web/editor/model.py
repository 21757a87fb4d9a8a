"""Data for the page of the editor: geometry, vocabulary, values, tables, faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import spoken
from pbem.cli.web.editor.locations import GAP, boxes_of, outlines
from pbem.cli.web.editor.vocabulary import vocabulary
from pbem.engine.scenarios.shapes import WORDS
from pbem.workshop.editing import TEXTS, YAML_COUNTERS, Opened, digests, place_column
from pbem.workshop.sheet_values import keys_of
from pbem.workshop.written import PLACE

if TYPE_CHECKING:
    from pbem.report.svg.sheet import Sheet
    from pbem.report.wording import Wording
    from pbem.text.diagnostics import Diagnostic

MOST_FAULTS = 300
LABELS = ("type", "kind", "name", "cv", "sp", "size", "t", "text")
"""Columns that a counter shows while the folder cannot be set up."""
_WORD = re.compile(r"[A-Za-z0-9.,]+")


def model(opened: Opened, lang: str) -> dict[str, Any]:
    """Return all that the page needs to draw a folder and to change it."""
    from pbem.cli.games.telling import words_of

    system = opened.found.system
    assert system is not None
    words = words_of(system, lang, quiet=True)
    document = opened.found.documents.get("scenario.yaml")
    about = document.data if document is not None and isinstance(document.data, dict) else {}
    seats = about.get("seats")
    return {
        "title": str(about.get("title") or opened.root.name),
        "system": system.title or system.name,
        "seats": [str(seat) for seat in seats] if isinstance(seats, list) else [],
        **geometry(opened),
        **vocabulary(system, opened.board.data, words),
        "tables": tables(opened),
        **forms(opened, words),
        "texts": [name for name in TEXTS if f"f/{name}" in opened.values or name not in YAML_COUNTERS],
        "values": opened.values,
        **state(opened),
    }


def state(opened: Opened) -> dict[str, Any]:
    """Return what the check finds, and the digests of the files."""
    return {
        "faults": faults(opened, opened.found.faults),
        "mended": [spoken(repair) for repair in opened.found.mended[:20]],
        "digests": digests(opened.root),
    }


def geometry(opened: Opened) -> dict[str, Any]:
    """Return the middle of every hex, its neighbours, the corners of a hex, boxes, and shapes of areas."""
    from pbem.report.svg.sheet import Sheet

    chart = opened.board.chart
    drawn = Sheet(chart) if chart.hexes else None
    shapes = outlines(opened)
    boxes = [] if shapes else boxes_of(opened, drawn)
    size = shapes["size"] if shapes else (drawn.width, drawn.height) if drawn is not None else (0, 0)
    return {
        **(_hexes(opened, drawn) if drawn is not None else {"hexes": [], "near": [], "shapes": {}}),
        "wide": max([size[0], *(box["x"] + box["wide"] + GAP for box in boxes)]),
        "high": max([size[1], *(box["y"] + box["high"] + GAP for box in boxes)]),
        "sheets": [[sheet.name, sheet.title, len(sheet.grid.hexes)] for sheet in chart.sheets],
        "boxes": boxes,
        "outlines": shapes,
    }


def _hexes(opened: Opened, drawn: Sheet) -> dict[str, Any]:
    chart = opened.board.chart
    at = {hex: n for n, hex in enumerate(chart.hexes)}
    return {
        "hexes": [_hex(opened, hex, drawn.centre(hex)) for hex in chart.hexes],
        "near": [[at[other] for other in chart.beside(hex)] for hex in chart.hexes],
        "shapes": {sheet.name: _shape(drawn, sheet.first + sheet.grid.hexes[0]) for sheet in chart.sheets},
    }


def _shape(drawn: Sheet, hex: int) -> list[list[int]]:
    """Return the corners of a hex from its middle, in their order."""
    from pbem.board.hexes import DIRECTIONS

    x, y = drawn.centre(hex)
    corners = (drawn.side(hex, direction)[0] for direction in DIRECTIONS)
    return [[a - x, b - y] for a, b in corners]


def _hex(opened: Opened, hex: int, centre: tuple[int, int]) -> list[Any]:
    """Return the number of a hex, its middle, and its sheet, row and column of letters."""
    number = opened.board.chart.number(hex)
    return [number, *centre, *opened.board.where[number]]


def forms(opened: Opened, words: Wording) -> dict[str, Any]:
    """Return the schemas of forms: YAML files, the sheets of the map; and words for their members."""
    chart = opened.declared.schema_of("map")
    own = chart["$defs"]["Sheet"]["properties"]
    earlier = [name for name in opened.board.sheets if name]
    place = {"at": WORDS["place"], "sheet": {"enum": earlier}}
    join = {"type": "object", "properties": place, "required": [*place], "additionalProperties": False}
    usual = {"first": 1, "digits": 2, "prefix": "", "separator": ""}
    own = {
        **own,
        **{key: {"default": value} for key, value in usual.items()},
        "joins": join,
        "beside": {"enum": earlier},
        "below": {"enum": earlier},
    }
    sheets = {
        f"layout/{name}": {"type": "object", "properties": {key: own[key] for key in keys_of(name)}}
        for name in opened.board.sheets
        if opened.board.chart.sheets
    }
    made = {**{f"m/{file}": schema for file, schema in opened.forms.items()}, **sheets}
    return {"forms": made, "labels": {name: words.text(name) for name in sorted(set(_names(made)))}}


def _names(schema: Any) -> Iterator[str]:
    """Yield the names of all members that a schema knows."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _names(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _names(part)


def tables(opened: Opened) -> list[dict[str, Any]]:
    """Return the tables of counters: columns, which of them says the place, which the owner."""
    entries = [
        (name, cells.table.heads, place_column(tuple(cells.table.columns)))
        for name, cells in opened.found.tables.items()
    ]
    written = opened.written
    entries += [(written.file, written.heads, PLACE)] if written is not None else []
    made = []
    for name, heads, place in entries:
        owner = next((head for head in ("owner", "side", "seat") if head in heads), heads[1])
        made.append(
            {
                "file": name,
                "columns": heads,
                "place": place,
                "must": written is not None and name == written.file and written.must_stand,
                "owner": owner,
                "label": [head for head in heads if head in LABELS],
                "paints": _paints(opened, name, owner),
            }
        )
    return made


def _paints(opened: Opened, name: str, owner: str) -> dict[str, dict[str, str]]:
    """Return the colours of each owner of counters."""
    from pbem.report.svg.look import Look, palette

    assert opened.found.system is not None
    look = Look(opened.found.system.look)
    start, end = f"c/{name}/", f"/{owner}"
    owners = list(
        dict.fromkeys(
            str(value) for key, value in opened.values.items() if key.startswith(start) and key.endswith(end)
        )
    )
    return {owner: palette()["paints"][look.paint(owner, owners)] for owner in owners}


def faults(opened: Opened | None, diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Return what the check found, in the reader's language, each with its file, line and hexes."""
    return [
        {
            "severity": fault.severity,
            "code": fault.code,
            "message": spoken(fault.message),
            "help": [spoken(text) for text in (*fault.notes, *fault.help)],
            "file": fault.span.file if fault.span is not None else "",
            "line": fault.span.line if fault.span is not None else 0,
            "hexes": hexes_of(opened, fault) if opened is not None else [],
        }
        for fault in diagnostics[:MOST_FAULTS]
    ]


def hexes_of(opened: Opened, fault: Diagnostic) -> list[str]:
    """Return the hexes that a fault is about: those it names, else those of its line."""
    grid = opened.board.where
    values = [str(value) for value in fault.fields.values()]
    words = [word for text in values for word in _WORD.findall(text) if word in grid]
    if not words and fault.span is not None:
        words = [
            word for word in _WORD.findall(_line(opened, fault.span.file, fault.span.line)) if word in grid
        ]
    return list(dict.fromkeys(words))[:12]


def _line(opened: Opened, name: str, line: int) -> str:
    lines: Sequence[bytes] = opened.files.get(name, b"").splitlines()
    return lines[line - 1].decode("utf-8", "replace") if 0 < line <= len(lines) else ""
