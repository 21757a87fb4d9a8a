"""The sheets of a map under an editor: their size, numbering, and how they lie beside each other."""

from __future__ import annotations

from typing import Any

from pbem.board.sheetdata import LAYOUT

FIRST = "main"
"""The name that a map without sheets gets as the first of several."""
PLACED = ("title", "joins", "beside", "below")


def keys_of(sheet: str) -> tuple[str, ...]:
    """Return what an editor may say of a sheet; one that is the whole map is beside none."""
    return (*LAYOUT, *PLACED) if sheet else LAYOUT


def lay_out(data: dict[str, Any], key: str, value: Any) -> None:
    """Set what `layout/SHEET/KEY` says; KeyError for a sheet or a key that is not there."""
    _, name, what = key.split("/")
    sheet = data["sheets"][name] if name else data
    if what not in keys_of(name):
        raise KeyError(what)
    if value is None:
        sheet.pop(what, None)
    else:
        sheet[what] = value


def add_sheet(data: dict[str, Any], name: str, value: Any) -> None:
    """Add a sheet to a map, or take one away; a map without sheets becomes the first, `main`."""
    if value is None:
        data.get("sheets", {}).pop(name, None)
        return
    if not isinstance(value, list):
        return
    columns, rows, fill, prefix, where, other = value
    if "sheets" not in data:
        main = {key: data.pop(key) for key in (*LAYOUT, "terrain") if key in data}
        data["sheets"] = {FIRST: main}
    if name in data["sheets"]:
        return
    first = next(iter(data["sheets"].values()))
    layout = {key: first[key] for key in LAYOUT if key in first and key != "prefix"}
    rows_ = [" ".join([str(fill)] * int(columns))] * int(rows)
    beside = {"beside" if where != "below" else "below": str(other)} if other else {}
    data["sheets"][name] = {
        **layout,
        **({"prefix": str(prefix)} if prefix else {}),
        "terrain": rows_,
        **beside,
    }


def resize(sheet: dict[str, Any], value: Any) -> None:
    """Resize a sheet where its numbers end. `value`: columns, rows, and if given the letter of new hexes."""
    columns, rows, fill = int(value[0]), int(value[1]), str(value[2]) if len(value) > 2 else ""
    old = [row.split() if " " in row.strip() else list(row.strip()) for row in sheet["terrain"]]
    fill = fill or old[0][0]
    up, left = sheet.get("rows_from") == "bottom", sheet.get("columns_from") == "right"
    old = [row[::-1] if left else row for row in (old[::-1] if up else old)]
    made = [[*row[:columns], *[fill] * (columns - len(row))] for row in old[:rows]]
    made += [[fill] * columns for _ in range(rows - len(made))]
    made = [row[::-1] if left else row for row in (made[::-1] if up else made)]
    sheet["terrain"] = [" ".join(row) for row in made]
