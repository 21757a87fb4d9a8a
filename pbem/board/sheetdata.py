"""The reader of a map's sheets: layout, terrain, and the position of a sheet beside the others.

    shifted: even                     # also: tops, first, digits, order, rows_from, columns_from,
                                      # separator, prefix
    legend:  {".": clear, f: forest, "_": null}     # null: the sheet has no such hex
             {D: {terrain: clear, areas: {weather: desert}}}      # a letter may say in which areas a hex lies
    terrain: ["f . h .", ". . . ."]   # rows as one sees them, north first; blanks may be left out

Several sheets stand under `sheets`, each with these keys, and with

    title: Western front
    joins: {sheet: west, at: "w1301"} # its first hex lies where `west` would continue with w1301: one field
    beside: west                      # or `below`: how it is drawn, where it does not join
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from pbem.board.hexes import HexGrid, Spot
from pbem.board.locations import MapSheet
from pbem.board.numbers import MOST_DIGITS
from pbem.board.places import Path
from pbem.board.reading import Reader
from pbem.text.canonical import Json
from pbem.text.messages import Message

LAYOUT = (
    "tops", "shifted", "first", "digits", "order", "rows_from", "columns_from", "separator", "prefix",
)  # fmt: skip
CHOICES = {  # the first is usual
    "tops": ("flat", "pointy"),
    "shifted": ("even", "odd"),
    "order": ("column", "row"),
    "rows_from": ("top", "bottom"),
    "columns_from": ("left", "right"),
    "separator": ("", ".", ","),
}
WRITTEN = ("letters", "double")
MOST_FIRST = 799
"""The highest first number: with it the last one of the longest sheet has three digits."""
SHEET = (*LAYOUT, "legend", "terrain")
KEYS = (*SHEET, "title", "joins", "beside", "below")
Legend = Mapping[str, str | None]


class Letter(NamedTuple):
    """The meaning of a letter: a terrain, or None for no hex; and an area of some layers."""

    terrain: str | None
    areas: tuple[tuple[str, str], ...] = ()


Letters = Mapping[str, Letter]


class SheetReader:
    """A reader of one sheet after another, which continues integers and fields."""

    def __init__(self, reader: Reader, terrains: Collection[str] | None) -> None:
        self.reader, self.known = reader, terrains
        self.sheets: list[MapSheet] = []
        self.terrain: list[str] = []
        self.areas: list[tuple[int, str, str]] = []  # (hex, layer, area) from letters on the sheet

    def read_all(self, data: Json, legend: Json, given: Legend) -> bool:
        """Read the sheets under `sheets`; False if one is so faulty that nothing can be placed on the map."""
        path: Path = ("sheets",)
        common = self.letters(legend, plain(given), ("legend",))
        good = True
        for name, own in self.reader.mapping(data, path):
            if not isinstance(own, dict):
                self.reader.fault(
                    "wrong-type", Message("board.sheetdata.sheet", own=repr(own)), (*path, name)
                )
                good = False
                continue
            self.reader.check_keys(own, KEYS, (*path, name))
            good = self.read(own, common, (*path, name), name) and good
        if good and not self.sheets:
            self.reader.fault("missing-key", Message("board.sheetdata.no-sheets"), path)
            return False
        return good

    def read(self, data: Mapping[str, Json], given: Letters, path: Path, name: str = "") -> bool:
        """Read one sheet; False if nothing can be placed on it."""
        letters = self.letters(data.get("legend"), given, (*path, "legend"))
        read_grid = self._grid(data, letters, path)
        if read_grid is None:
            return False
        grid, letters_of = read_grid
        title, drawn = self._title(data, path), self._drawn(data, path)
        first = self.sheets[-1].end if self.sheets else 0
        field = max((sheet.field for sheet in self.sheets), default=-1) + 1
        made = MapSheet(name, grid, first, field, (0, 0), title or name, drawn)
        if "joins" in data:
            made = self._joined(made, data["joins"], (*path, "joins"))
        self.sheets.append(made)
        for n, letter in enumerate(letters_of):
            self.terrain.append(letter.terrain or "")
            self.areas += [(first + n, layer, area) for layer, area in letter.areas]
        return True

    def letters(self, own: Json, given: Letters, path: Path) -> dict[str, Letter]:
        """Return a legend completed by the one that holds for letters it leaves out."""
        letters = dict(given)
        for letter, kind in self.reader.mapping(own, path):
            areas: tuple[tuple[str, str], ...] = ()
            if isinstance(kind, dict) and "terrain" in kind:
                self.reader.check_keys(kind, ("terrain", "areas"), (*path, letter))
                areas = self._areas(kind.get("areas"), (*path, letter, "areas"))
                kind = kind["terrain"]
            if kind is None or isinstance(kind, str):
                letters[letter] = Letter(kind, areas)
                if kind is not None and self.known is not None and kind not in self.known:
                    self.reader.unknown("terrain", kind, self.known, (*path, letter))
            else:
                message = Message("board.sheetdata.name-terrain", kind=repr(kind))
                self.reader.fault("wrong-type", message, (*path, letter))
        return letters

    def _areas(self, data: Json, path: Path) -> tuple[tuple[str, str], ...]:
        """Return the areas of a letter, by layer."""
        areas: list[tuple[str, str]] = []
        for layer, area in self.reader.mapping(data, path):
            if isinstance(area, str):
                areas.append((layer, area))
            else:
                message = Message("board.sheetdata.name-area", area=repr(area))
                self.reader.fault("wrong-type", message, (*path, layer))
        return tuple(areas)

    # Grid and terrain

    def _grid(
        self, data: Mapping[str, Json], letters: Letters, path: Path
    ) -> tuple[HexGrid, list[Letter]] | None:
        listed = self.reader.texts(data.get("terrain"), (*path, "terrain"))
        rows = [(n, row.split() if " " in row.strip() else list(row.strip())) for n, row in listed]
        if not rows or not rows[0][1]:
            self.reader.fault("missing-key", Message("board.sheetdata.no-rows-terrain"), (*path, "terrain"))
            return None
        wide = len(rows[0][1])
        for n, row in rows:
            if len(row) != wide:
                message = Message(
                    "board.sheetdata.uneven-rows", n=n + 1, count=len(row), rows=rows[0][0] + 1, wide=wide
                )
                self.reader.fault("uneven-rows", message, (*path, "terrain", n))
            for column, letter in enumerate(row, start=1):
                if letter not in letters:
                    message = Message(
                        "board.sheetdata.unknown-terrain", n=n + 1, column=column, letter=repr(letter)
                    )
                    known = [Message("board.reading.known", names=" ".join(sorted(letters)))]
                    self.reader.fault("unknown-terrain", message, (*path, "terrain", n), known)
        layout = self._layout(data, path)
        if layout is None or any(len(row) != wide for _, row in rows):
            return None
        try:
            return _lay_out([row for _, row in rows], letters, layout)
        except ValueError as error:
            self.reader.fault("bad-numbers", error.args[0], (*path, "digits"))
            return None

    def _layout(self, data: Mapping[str, Json], path: Path) -> dict[str, Any] | None:
        """Return how a sheet is numbered and shifted, as `HexGrid` takes it; None if something is wrong."""
        fault, before = self.reader.fault, len(self.reader.faults)
        layout: dict[str, Any] = {key: data.get(key, among[0]) for key, among in CHOICES.items()}
        for key, among in CHOICES.items():
            if layout[key] not in among:
                known = tuple(choice or '""' for choice in among)
                message = Message("board.sheetdata.one-of", key=key, known=known, given=repr(layout[key]))
                fault("not-one-of", message, (*path, key))
        first, prefix, digits = data.get("first", 1), data.get("prefix", ""), data.get("digits")
        layout |= {
            "first": _pair(first),
            "prefix": prefix,
            "digits": None if digits is None else _pair(digits),
        }
        if not all(_whole(number) and number <= MOST_FIRST for number in layout["first"]):
            message = Message("board.sheetdata.first-number", first=repr(first), most=MOST_FIRST)
            fault("wrong-type", message, (*path, "first"))
        written = layout["digits"] or ()
        if not all(
            number in WRITTEN or (_whole(number) and 1 <= number <= MOST_DIGITS) for number in written
        ):
            fault("wrong-type", Message("board.sheetdata.digits", digits=repr(digits)), (*path, "digits"))
        elif any(number in WRITTEN and at == 0 for number, at in zip(written, layout["first"], strict=False)):
            fault("wrong-type", Message("board.sheetdata.letters-from-one"), (*path, "first"))
        letters = isinstance(prefix, str) and len(prefix) <= 8 and prefix.isascii()
        if not letters or (prefix and not str(prefix).isalpha()):
            message = Message("board.sheetdata.prefix-up-eight-letters", prefix=repr(prefix))
            fault("wrong-type", message, (*path, "prefix"))
        return layout if len(self.reader.faults) == before else None

    # Beside the other sheets

    def _title(self, data: Mapping[str, Json], path: Path) -> str:
        title = data.get("title", "")
        if not isinstance(title, str):
            self.reader.fault(
                "wrong-type", Message("board.sheetdata.title-text", title=repr(title)), (*path, "title")
            )
            return ""
        return title

    def _drawn(self, data: Mapping[str, Json], path: Path) -> tuple[Literal["beside", "below"], str] | None:
        how: Literal["beside", "below"] = "below" if "below" in data else "beside"
        if how not in data:
            return None
        other = self._earlier(data[how], (*path, how))
        return (how, other.name) if other is not None else None

    def _earlier(self, name: Json, path: Path) -> MapSheet | None:
        """Return the earlier sheet of this name."""
        sheet = next((sheet for sheet in self.sheets if sheet.name == name), None)
        if sheet is None:
            known = ", ".join(sheet.name for sheet in self.sheets) or "none yet"
            message = Message("board.sheetdata.unknown-sheet", name=repr(name), known=known)
            self.reader.fault("unknown-sheet", message, path)
        return sheet

    def _joined(self, made: MapSheet, join: Json, path: Path) -> MapSheet:
        """Return the sheet placed in the field of the one that it joins."""
        if not isinstance(join, dict) or sorted(join) != ["at", "sheet"]:
            message = Message("board.sheetdata.1301", join=repr(join))
            self.reader.fault("wrong-type", message, path)
            return made
        other = self._earlier(join["sheet"], (*path, "sheet"))
        if other is None:
            return made
        at = join["at"]
        printed = other.grid.read(at) if isinstance(at, str) else None
        if printed is None:
            sample = other.grid.number(other.grid.hexes[0]) if other.grid.hexes else ""
            message = Message("board.sheetdata.unknown-hex", at=repr(at), other=other.name, sample=sample)
            self.reader.fault("unknown-hex", message, (*path, "at"))
            return made
        if other.grid.pointy != made.grid.pointy:
            self.reader.fault("bad-join", Message("board.sheetdata.tops-differ", other=other.name), path)
            return made
        there, own = other.grid.spot_of(*printed), made.grid.spot(0)
        spot = other.spot[0] + there[0] - own[0], other.spot[1] + there[1] - own[1]
        placed = replace(made, field=other.field, spot=spot)
        self._check_overlap(placed, path)
        return placed

    def _check_overlap(self, made: MapSheet, path: Path) -> None:
        """Check that no hex of a sheet overlaps another sheet in its field."""
        for sheet in self.sheets:
            if sheet.field != made.field or not _near(sheet, made):
                continue
            spots, own = _spots(sheet), _spots(made)
            shared = sorted(own.keys() & spots.keys())
            if shared:
                number, other = sheet.grid.number(spots[shared[0]]), made.grid.number(own[shared[0]])
                more = f", and {len(shared) - 1} more" if len(shared) > 1 else ""
                message = Message(
                    "board.sheetdata.overlapping-sheets",
                    other=other,
                    made=made.name,
                    one=number,
                    sheet=sheet.name,
                    more=more,
                )
                help = [Message("board.sheetdata.sheets-overlap-one-them-leaves")]
                self.reader.fault("overlapping-sheets", message, path, help)


def _near(sheet: MapSheet, other: MapSheet) -> bool:
    """Return True if the lines of two sheets overlap, and the places along them."""
    low, high = sheet.grid.ends
    other_low, other_high = other.grid.ends
    return all(
        low[n] + sheet.spot[n] <= other_high[n] + other.spot[n]
        and other_low[n] + other.spot[n] <= high[n] + sheet.spot[n]
        for n in (0, 1)
    )


def _spots(sheet: MapSheet) -> dict[Spot, int]:
    """Return the spot of each hex of a sheet in its field."""
    spots: dict[Spot, int] = {}
    for hex in sheet.grid.hexes:
        column, south = sheet.grid.spot(hex)
        spots[column + sheet.spot[0], south + sheet.spot[1]] = hex
    return spots


def plain(legend: Legend) -> dict[str, Letter]:
    """Return the letters of a legend that names terrains alone."""
    return {letter: Letter(terrain) for letter, terrain in legend.items()}


def _lay_out(
    rows: list[list[str]], letters: Letters, layout: Mapping[str, Any]
) -> tuple[HexGrid, list[Letter]]:
    """Return the grid of a sheet, and what its letters mean in the order of its hexes."""
    by_number = rows if layout["rows_from"] == "top" else rows[::-1]
    if layout["columns_from"] == "right":
        by_number = [row[::-1] for row in by_number]
    lines = by_number if layout["tops"] == "pointy" else list(zip(*by_number, strict=True))
    # an unknown letter was reported; treat it as a hex without terrain
    laid_out = [letters.get(letter, Letter("")) for line in lines for letter in line]
    bare = HexGrid(len(rows[0]), len(rows), **layout)
    holes = [bare.number(hex) for hex, letter in enumerate(laid_out) if letter.terrain is None]
    return (HexGrid(len(rows[0]), len(rows), **layout, without=holes) if holes else bare), laid_out


def _pair(value: Json) -> tuple[Any, Any]:
    """Return what is said of columns and of rows: a pair, or one value for both."""
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (value, value)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
