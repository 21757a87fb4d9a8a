"""Reads a map from plain data (a scenario's YAML) and finds every fault in it, not only the first.

    shifted: even                     # also: first, rows_from, separator; see `HexGrid`
    legend:  {".": clear, f: forest, "_": null}                   # null: the sheet has no such hex
    terrain: ["f . h .", ". . . ."]   # rows as one sees them, north first; blanks may be left out
    hexsides: {river: ["0406/0507"]}
    links:    {road: ["0202-0302-0402"]}                          # chains of adjacent hexes, by network
    places:   {base: [{hex: "0202", name: Karsk}]}
    areas:    {country: {Reich: ["0902", "1003..1107"]}}          # layers; `..` spans a rectangle

Keys beginning with x- are left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from pbem.board.hexes import HexGrid
from pbem.board.places import Path, Place
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.suggest import did_you_mean

LAYOUT = ("shifted", "first", "rows_from", "separator")
KEYS = (*LAYOUT, "legend", "terrain", "hexsides", "links", "places", "areas")
Legend = Mapping[str, str | None]


class Words(NamedTuple):
    """The names a rules system knows, to check a map against. None: any name will do."""

    terrains: Collection[str] | None = None
    hexsides: Collection[str] | None = None
    links: Collection[str] | None = None
    places: Collection[str] | None = None


@dataclass
class MapData:
    """What was read: the makings of a `GameMap`. The terrain of a hex the sheet has not is empty."""

    grid: HexGrid
    terrain: list[str]
    hexsides: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    links: dict[str, dict[int, set[int]]] = field(default_factory=dict)
    places: dict[str, list[Place]] = field(default_factory=dict)
    areas: dict[str, dict[int, str]] = field(default_factory=dict)


def read(data: Mapping[str, Json], legend: Legend, words: Words, path: Path) -> MapData:
    """Read a map, or refuse it with all its faults. `legend` holds for letters that the map does not name."""
    reader = _Reader(words, path)
    reader.check_names("key", [key for key in data if not key.startswith("x-")], KEYS, ())
    found = reader.sheet(data, legend)
    if found is not None:
        reader.read_hexsides(data.get("hexsides"), found)
        reader.read_links(data.get("links"), found)
        reader.read_places(data.get("places"), found)
        reader.read_areas(data.get("areas"), found)
    if found is None or reader.faults:
        raise Refused(reader.faults)
    return found


class _Reader:
    """Walks the data and collects faults. What is faulty is left out, so that the rest can be checked."""

    def __init__(self, words: Words, path: Path) -> None:
        self.words, self.path = words, path
        self.faults: list[Diagnostic] = []

    # The sheet: layout and terrain

    def sheet(self, data: Mapping[str, Json], legend: Legend) -> MapData | None:
        """Grid and terrain; None when they are so faulty that nothing can be placed on them."""
        letters = self._letters(data.get("legend"), legend)
        listed = self._texts(data.get("terrain"), ("terrain",))
        rows = [(n, row.split() if " " in row.strip() else list(row.strip())) for n, row in listed]
        if not rows or not rows[0][1]:
            self._fault("missing-key", "found no rows of terrain", ("terrain",))
            return None
        wide = len(rows[0][1])
        for n, row in rows:
            if len(row) != wide:
                message = f"row {n + 1} has {len(row)} hexes, row {rows[0][0] + 1} has {wide}"
                self._fault("uneven-rows", message, ("terrain", n))
            for column, letter in enumerate(row, start=1):
                if letter not in letters:
                    message = f"row {n + 1}, column {column}: {letter!r} is not in the legend"
                    known = [f"known: {' '.join(sorted(letters))}"]
                    self._fault("unknown-terrain", message, ("terrain", n), known)
        layout = self._layout(data)
        if layout is None or any(len(row) != wide for _, row in rows):
            return None
        return self._lay_out([row for _, row in rows], letters, *layout)

    def _lay_out(
        self,
        rows: list[list[str]],
        letters: Legend,
        shifted: Literal["even", "odd"],
        first: int,
        rows_from: Literal["top", "bottom"],
        separator: str,
    ) -> MapData:
        by_number = rows if rows_from == "top" else rows[::-1]
        # an unknown letter was reported; here it stands for a hex without terrain
        terrain = [letters.get(row[column], "") for column in range(len(rows[0])) for row in by_number]

        def grid(without: Iterable[str]) -> HexGrid:
            size = len(rows[0]), len(rows)
            return HexGrid(*size, shifted, first, rows_from=rows_from, separator=separator, without=without)

        bare = grid(())
        holes = [bare.number(hex) for hex, kind in enumerate(terrain) if kind is None]
        return MapData(grid(holes) if holes else bare, [kind or "" for kind in terrain])

    def _layout(
        self, data: Mapping[str, Json]
    ) -> tuple[Literal["even", "odd"], int, Literal["top", "bottom"], str] | None:
        shifted, first, rows_from, separator = map(data.get, LAYOUT, ("even", 1, "top", ""))
        before = len(self.faults)
        if shifted not in ("even", "odd"):
            self._fault("not-one-of", f"shifted: found {shifted!r}, wanted even or odd", ("shifted",))
        if not isinstance(first, int) or isinstance(first, bool) or first < 0:
            message = f"first: found {first!r}, wanted the number of the first column and row"
            self._fault("wrong-type", message, ("first",))
        if rows_from not in ("top", "bottom"):
            self._fault("not-one-of", f"rows_from: found {rows_from!r}, wanted top or bottom", ("rows_from",))
        if separator not in ("", ".", ","):
            message = f"separator: found {separator!r}, wanted a point, a comma, or nothing"
            self._fault("not-one-of", message, ("separator",))
        if len(self.faults) > before or not isinstance(first, int):
            return None
        return (
            "even" if shifted == "even" else "odd",
            first,
            "top" if rows_from == "top" else "bottom",
            str(separator),
        )

    def _letters(self, own: Json, legend: Legend) -> dict[str, str | None]:
        letters = dict(legend)
        known = self.words.terrains
        for letter, kind in self._mapping(own, ("legend",)):
            if kind is None or isinstance(kind, str):
                letters[letter] = kind
                if kind is not None and known is not None and kind not in known:
                    self._unknown("terrain", kind, known, ("legend", letter))
            else:
                self._fault("wrong-type", f"found {kind!r}, wanted the name of a terrain", ("legend", letter))
        return letters

    # What lies on the sheet

    def read_hexsides(self, data: Json, found: MapData) -> None:
        kinds = list(self._mapping(data, ("hexsides",)))
        self.check_names("hexside", [kind for kind, _ in kinds], self.words.hexsides, ("hexsides",))
        for kind, names in kinds:
            sides = found.hexsides.setdefault(kind, set())
            for n, name in self._texts(names, ("hexsides", kind)):
                path: Path = ("hexsides", kind, n)
                try:
                    side = found.grid.hexside_hexes(name)
                except Refused as fault:
                    self._take(fault, path)
                    continue
                if side in sides:
                    self._fault("listed-twice", f"{name} is listed twice as {kind}", path)
                sides.add(side)

    def read_links(self, data: Json, found: MapData) -> None:
        networks = list(self._mapping(data, ("links",)))
        self.check_names("link", [name for name, _ in networks], self.words.links, ("links",))
        for network, chains in networks:
            joined = found.links.setdefault(network, {})
            for n, chain in self._texts(chains, ("links", network)):
                path: Path = ("links", network, n)
                hexes = [self._hex(found.grid, number.strip(), path) for number in chain.split("-")]
                if len(hexes) < 2:
                    message = f"found {chain!r}, wanted a chain such as 0202-0302-0402"
                    self._fault("broken-chain", message, path)
                for a, b in pairwise(hexes):
                    if a is None or b is None:
                        continue
                    if found.grid.adjacent(a, b):
                        joined.setdefault(a, set()).add(b)
                        joined.setdefault(b, set()).add(a)
                    else:
                        pair = " and ".join(found.grid.numbers((a, b)))
                        self._fault("broken-chain", f"{pair} follow each other but are not adjacent", path)

    def read_places(self, data: Json, found: MapData) -> None:
        kinds = list(self._mapping(data, ("places",)))
        self.check_names("place", [kind for kind, _ in kinds], self.words.places, ("places",))
        for kind, entries in kinds:
            listed = found.places.setdefault(kind, [])
            for n, entry in enumerate(self._items(entries, ("places", kind))):
                path: Path = ("places", kind, n)
                if not isinstance(entry, dict) or "hex" not in entry:
                    self._fault("missing-key", f"found a {kind} without its hex", path)
                    continue
                hex = self._hex(found.grid, entry["hex"], (*path, "hex"))
                if hex is not None:
                    listed.append(Place(kind, hex, found.grid.number(hex), entry, self.path + path))

    def read_areas(self, data: Json, found: MapData) -> None:
        for layer, named in self._mapping(data, ("areas",)):
            inside = found.areas.setdefault(layer, {})
            for name, listed in self._mapping(named, ("areas", layer)):
                for n, text in self._texts(listed, ("areas", layer, name)):
                    path: Path = ("areas", layer, name, n)
                    for hex in self._span(found.grid, text, path):
                        if inside.setdefault(hex, name) != name:
                            message = f"{found.grid.number(hex)} is in {inside[hex]} and in {name}"
                            self._fault("listed-twice", message, path)

    # Hexes and shapes

    def _hex(self, grid: HexGrid, number: Json, path: Path) -> int | None:
        try:
            return grid.index(number)
        except Refused as fault:
            self._take(fault, path)
            return None

    def _span(self, grid: HexGrid, text: str, path: Path) -> list[int]:
        """The hexes of "0902", or of the rectangle "1003..1107" as far as the sheet has them."""
        first, dots, last = text.partition("..")
        a = self._hex(grid, first, path)
        b = self._hex(grid, last, path) if dots else a
        if a is None or b is None:
            return []
        (column_a, row_a), (column_b, row_b) = grid.column_row(a), grid.column_row(b)
        columns = range(min(column_a, column_b), max(column_a, column_b) + 1)
        rows = range(min(row_a, row_b), max(row_a, row_b) + 1)
        spanned = (grid.at(column, row) for column in columns for row in rows)
        return [hex for hex in spanned if hex is not None]

    def _mapping(self, value: Json, path: Path) -> Iterator[tuple[str, Json]]:
        if isinstance(value, dict):
            yield from value.items()
        elif value is not None:
            self._fault("wrong-type", f"found {value!r}, wanted names with values", path)

    def _items(self, value: Json, path: Path) -> list[Json]:
        if isinstance(value, list):
            return value
        if value is not None:
            self._fault("wrong-type", f"found {value!r}, wanted a list", path)
        return []

    def _texts(self, value: Json, path: Path) -> list[tuple[int, str]]:
        """The texts of a list with their places in it. Whatever else stands there is a fault."""
        texts: list[tuple[int, str]] = []
        for n, item in enumerate(self._items(value, path)):
            if isinstance(item, str):
                texts.append((n, item))
            else:
                help = [f'in quotes: "{item}"']
                self._fault("wrong-type", f"found {item!r}, wanted text", (*path, n), help)
        return texts

    # Faults

    def check_names(self, what: str, found: Iterable[str], known: Collection[str] | None, path: Path) -> None:
        for name in found:
            if known is not None and name not in known:
                self._unknown(what, name, known, (*path, name), on_key=True)

    def _unknown(
        self, what: str, name: str, known: Collection[str], path: Path, on_key: bool = False
    ) -> None:
        near = did_you_mean(name, sorted(known))
        help = f"did you mean {near}?" if near else f"known: {', '.join(sorted(known))}"
        self._fault(f"unknown-{what}", f"unknown {what} {name!r}", path, [help], on_key)

    def _take(self, refused: Refused, path: Path) -> None:
        self.faults.extend(replace(fault, path=self.path + path) for fault in refused.diagnostics)

    def _fault(
        self, code: str, message: str, path: Path, help: Iterable[str] = (), on_key: bool = False
    ) -> None:
        self.faults.append(Diagnostic(code, message, path=self.path + path, help=tuple(help), on_key=on_key))
