"""The reader of maps in plain data (a scenario's YAML), which finds every fault, not only the first.

A map of one sheet has the keys of a sheet (`sheetdata`) itself; one of several has them under `sheets`, one
of boxes and areas alone has none.

    sheets:   {west: {prefix: w, terrain: [...]}, east: {prefix: e, terrain: [...]}}
    boxes:    {AsterSea: {name: Aster Sea, terrain: sea, supplies: infinite}}     # any data; null: none
    hexsides: {river: ["0406/0507"]}
    links:    {road: ["0202-0302-0402"], ferry: {far: true, chains: ["0102-0905"]}}   # chains, by network
    places:   {base: [{hex: "0202", name: Karsk}]}
    areas:    {country: {Reich: ["0902", "1003..1107"]},          # layers; `..` spans a rectangle
               sea: {NS: {name: Narrow Sea, members: ["0501..0704"], terrain: sea, boxes: [0, 1, 2]}}}
    names:    {"0305": Karsk}
    shapes:   {size: [1000, 720], arcs: {...}, areas: {...}}      # how areas are drawn (`shapes`)

An area that is a mapping is a location itself: counters may stand in it, links may lead to it. Its `members`
are hexes, boxes and other areas; its `boxes` are locations NS.0, NS.1 ... that are in it. The ids of boxes
and such areas have letters, digits, `_` and `.`. Links join neighbouring hexes; hexes that are not adjacent
only on sheets that are not joined, or in a network that is `far`; boxes and areas with anything. Keys
beginning with x- are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import NamedTuple

from pbem.board.locations import Locations, MapSheet, pairs_of
from pbem.board.places import Path, Place
from pbem.board.reading import Reader
from pbem.board.shapes import Shapes
from pbem.board.shapes import read as read_shapes
from pbem.board.sheetdata import SHEET, Legend, SheetReader, plain
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message

CONTENT = ("boxes", "hexsides", "links", "places", "areas", "names", "shapes")
ONE_SHEET = (*SHEET, *CONTENT)
SEVERAL = ("sheets", "legend", *CONTENT)
ID = re.compile(r"[A-Za-z](?:[A-Za-z0-9_]|\.(?!\.)){0,39}")


class Words(NamedTuple):
    """The names a rules system knows, to check a map against.

    None: any name will do.
    """

    terrains: Collection[str] | None = None
    hexsides: Collection[str] | None = None
    links: Collection[str] | None = None
    places: Collection[str] | None = None
    layers: Collection[str] | None = None


@dataclass
class MapData:
    """The result of reading: the content of a `GameMap`.

    The terrain of a missing hex is empty.
    """

    sheets: Sequence[MapSheet]
    terrain: list[str]
    boxes: list[Place] = field(default_factory=list)
    areas: list[Place] = field(default_factory=list)
    hexsides: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    links: dict[str, dict[int, set[int]]] = field(default_factory=dict)
    places: dict[str, list[Place]] = field(default_factory=dict)
    layers: dict[str, dict[int, str]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    shapes: Shapes | None = None

    @property
    def joined(self) -> list[tuple[int, int]]:
        """Return the pairs of locations that links join."""
        return pairs_of(self.links)


def read(data: Mapping[str, Json], legend: Legend, words: Words, path: Path) -> MapData:
    """Read a map, or refuse it with all its faults. `legend` holds for letters that the map does not name."""
    reader = Reader(path)
    sheets = SheetReader(reader, words.terrains)
    if "sheets" in data:
        reader.check_keys(data, SEVERAL, ())
        placed = sheets.read_all(data["sheets"], data.get("legend"), legend)
    else:
        reader.check_keys(data, ONE_SHEET, ())
        boxed = "terrain" not in data and ("boxes" in data or "areas" in data)
        placed = boxed or sheets.read(data, plain(legend), ())
    if placed:
        content = _Content(reader, words, sheets).read(data)
    if not placed or reader.faults:
        raise Refused(reader.faults)
    return content


class _Content:
    """A reader of the content of sheets and of boxes and areas."""

    def __init__(self, reader: Reader, words: Words, sheets: SheetReader) -> None:
        self.reader, self.words = reader, words
        self.found = MapData(sheets.sheets, list(sheets.terrain))
        self.where = Locations(sheets.sheets)
        self.taken: set[str] = set()  # ids of boxes and areas
        self.members: list[tuple[str, str, Json, Path]] = []  # (layer, area, members, path)
        self.lettered = sheets.areas

    def read(self, data: Mapping[str, Json]) -> MapData:
        self._check_numbers()
        self._read_boxes(data.get("boxes"))
        self._read_areas(data.get("areas"))
        self.where = Locations(self.found.sheets, self.found.boxes, self.found.areas)
        self._read_hexsides(data.get("hexsides"))
        self._read_links(data.get("links"))
        self._read_places(data.get("places"))
        for hex, layer, name in self.lettered:
            self._put(layer, name, hex, ("areas", layer))
        for layer, name, listed, path in self.members:
            self._fill(layer, name, listed, path)
        self._read_names(data.get("names"))
        self._read_shapes(data.get("shapes"))
        return self.found

    def _read_shapes(self, data: Json) -> None:
        if data is not None:
            try:
                self.found.shapes = read_shapes(data, (*self.reader.path, "shapes"))
            except Refused as refused:
                self.reader.faults.extend(refused.diagnostics)

    # Boxes and areas

    def _check_numbers(self) -> None:
        """Check that no number is on two sheets."""
        sheets = self.found.sheets
        for n, sheet in enumerate(sheets):
            for other in sheets[:n]:
                twice = [
                    number for number in map(sheet.grid.number, sheet.grid.hexes) if number in other.grid
                ]
                if twice:
                    message = Message(
                        "board.mapdata.numbers-too-such",
                        count=len(twice),
                        sheet=sheet.name,
                        other=other.name,
                        twice=twice[0],
                    )
                    help = [Message("board.mapdata.give-sheets-prefix-each")]
                    self.reader.fault("listed-twice", message, ("sheets", sheet.name), help, on_key=True)

    def _read_boxes(self, data: Json) -> None:
        for id, own in self.reader.mapping(data, ("boxes",)):
            made = self._location("box", id, own, ("boxes", id), self.found.boxes)
            if made is not None:
                self._give(made, own, ("boxes", id))

    def _read_areas(self, data: Json) -> None:
        layers = list(self.reader.mapping(data, ("areas",)))
        self.reader.check_names("layer", [layer for layer, _ in layers], self.words.layers, ("areas",))
        lettered = dict.fromkeys(layer for _, layer, _ in self.lettered)
        self.reader.check_names("layer", lettered, self.words.layers, ("legend",))
        boxes: list[tuple[str, Place, Path]] = []
        for layer, named in layers:
            self.found.layers.setdefault(layer, {})
            for name, listed in self.reader.mapping(named, ("areas", layer)):
                path: Path = ("areas", layer, name)
                if not isinstance(listed, dict):
                    self.members.append((layer, name, listed, path))
                    continue
                made = self._location(layer, name, listed, path, self.found.areas)
                if made is not None:
                    self.members.append((layer, name, listed.get("members"), (*path, "members")))
                    boxes.append((layer, made, path))
        self._read_area_boxes(boxes)

    def _read_area_boxes(self, areas: Iterable[tuple[str, Place, Path]]) -> None:
        """Read the boxes of areas, then their names and terrain: boxes have the lower integers."""
        listed = list(areas)
        for layer, area, path in listed:
            for n, label in enumerate(self.reader.items(area.data.get("boxes"), (*path, "boxes"))):
                below: Path = (*path, "boxes", n)
                if isinstance(label, bool) or not isinstance(label, str | int):
                    self.reader.fault(
                        "wrong-type", Message("board.mapdata.number-name", label=repr(label)), below
                    )
                    continue
                id = f"{area.number}.{label}"
                own: dict[str, Json] = {"of": area.number}
                name = area.data.get("name")
                own |= {"name": f"{name} {label}"} if isinstance(name, str) else {}
                own |= {"terrain": area.data["terrain"]} if "terrain" in area.data else {}
                made = self._location("box", id, own, below, self.found.boxes)
                if made is not None:
                    self._give(made, own, below)
                    self.members.append((layer, area.number, [id], below[:-1]))
        first = len(self.where.ids) + len(self.found.boxes)
        for n, (layer, area, path) in enumerate(listed):
            placed = Place(layer, first + n, area.number, area.data, area.path)
            self.found.areas[n] = placed
            self._give(placed, dict(area.data), path)
            self.found.layers[layer][placed.hex] = area.number

    def _location(self, kind: str, id: str, own: Json, path: Path, to: list[Place]) -> Place | None:
        """Return a box or an area with an id of its own, or None (with a fault) without one."""
        if not ID.fullmatch(id) or id.endswith("."):
            message = Message("board.mapdata.bad-id", id=repr(id))
            self.reader.fault(
                "bad-id", message, path, [Message("board.mapdata.name-other-characters-goes-under")], True
            )
            return None
        if own is not None and not isinstance(own, dict):
            self.reader.fault("wrong-type", Message("board.mapdata.map-says", own=repr(own), id=id), path)
            return None
        if id in self.where or id in self.taken:
            self.reader.fault(
                "listed-twice", Message("board.mapdata.names-two-locations", id=id), path, on_key=True
            )
            return None
        made = Place(kind, len(self.where.ids) + len(to), id, own or {}, self.reader.path + path)
        to.append(made)
        self.taken.add(id)
        return made

    def _give(self, made: Place, own: Json, path: Path) -> None:
        """Set terrain and name of a box or an area, in the order of integers."""
        data = own if isinstance(own, dict) else {}
        terrain, name, known = data.get("terrain", ""), data.get("name"), self.words.terrains
        if not isinstance(terrain, str):
            self.reader.fault(
                "wrong-type", Message("board.mapdata.terrain-text", terrain=repr(terrain)), (*path, "terrain")
            )
        elif terrain and known is not None and terrain not in known:
            self.reader.unknown("terrain", terrain, known, (*path, "terrain"))
        self.found.terrain.append(str(terrain))
        if name is not None:
            self._name(made.hex, name, (*path, "name"))

    def _fill(self, layer: str, name: str, listed: Json, path: Path) -> None:
        for n, text in self.reader.texts(listed, path):
            for i in self._span(text, (*path, n)):
                self._put(layer, name, i, (*path, n))

    def _put(self, layer: str, name: str, i: int, path: Path) -> None:
        """Put a location into an area of a layer; it can be in one only."""
        inside = self.found.layers.setdefault(layer, {})
        if inside.setdefault(i, name) != name:
            message = Message("board.mapdata.in-in", number=self.where.number(i), inside=inside[i], name=name)
            self.reader.fault("listed-twice", message, path)

    # What lies on the sheets

    def _read_hexsides(self, data: Json) -> None:
        kinds = list(self.reader.mapping(data, ("hexsides",)))
        self.reader.check_names("hexside", [kind for kind, _ in kinds], self.words.hexsides, ("hexsides",))
        for kind, names in kinds:
            sides = self.found.hexsides.setdefault(kind, set())
            for n, name in self.reader.texts(names, ("hexsides", kind)):
                path: Path = ("hexsides", kind, n)
                try:
                    side = self.where.hexside_hexes(name)
                except Refused as fault:
                    self.reader.take(fault, path)
                    continue
                if side in sides:
                    self.reader.fault(
                        "listed-twice", Message("board.mapdata.listed-twice", name=name, kind=kind), path
                    )
                sides.add(side)

    def _read_links(self, data: Json) -> None:
        networks = list(self.reader.mapping(data, ("links",)))
        self.reader.check_names("link", [name for name, _ in networks], self.words.links, ("links",))
        for network, chains in networks:
            joined = self.found.links.setdefault(network, {})
            path: Path = ("links", network)
            far = False
            if isinstance(chains, dict):
                self.reader.check_keys(chains, ("far", "chains"), path)
                far = chains.get("far") is True
                chains, path = chains.get("chains"), (*path, "chains")
            for n, chain in enumerate(self.reader.items(chains, path)):
                for a, b in self._steps(chain, far, (*path, n)):
                    joined.setdefault(a, set()).add(b)
                    joined.setdefault(b, set()).add(a)

    def _steps(self, chain: Json, far: bool, path: Path) -> Iterator[tuple[int, int]]:
        """Yield the links of a chain: "0202-0302-0402", or a list of ids."""
        texts = chain.split("-") if isinstance(chain, str) else chain if isinstance(chain, list) else None
        if texts is None:
            self.reader.fault(
                "wrong-type",
                Message("board.mapdata.text", chain=repr(chain)),
                path,
                [f'in quotes: "{chain}"'],
            )
            return
        steps = [self._index(text.strip() if isinstance(text, str) else text, path) for text in texts]
        if len(steps) < 2:
            self.reader.fault(
                "broken-chain", Message("board.mapdata.chain-such-0202-0302-0402", chain=repr(chain)), path
            )
        for a, b in pairwise(steps):
            if a is None or b is None:
                continue
            if a == b:
                self.reader.fault(
                    "broken-chain", Message("board.mapdata.follows-itself", hex=self.where.number(a)), path
                )
            elif far or self._may_join(a, b):
                yield a, b
            else:
                pair = " and ".join(self.where.numbers((a, b)))
                self.reader.fault(
                    "broken-chain", Message("board.mapdata.follow-each-other-but-not", pair=pair), path
                )

    def _may_join(self, a: int, b: int) -> bool:
        sheet, other = self.where.sheet(a), self.where.sheet(b)
        return sheet is None or other is None or sheet.field != other.field or self.where.adjacent(a, b)

    def _read_places(self, data: Json) -> None:
        kinds = list(self.reader.mapping(data, ("places",)))
        self.reader.check_names("place", [kind for kind, _ in kinds], self.words.places, ("places",))
        for kind, entries in kinds:
            listed = self.found.places.setdefault(kind, [])
            for n, entry in enumerate(self.reader.items(entries, ("places", kind))):
                path: Path = ("places", kind, n)
                if not isinstance(entry, dict) or "hex" not in entry:
                    self.reader.fault("missing-key", Message("board.mapdata.missing-key", kind=kind), path)
                    continue
                i = self._index(entry["hex"], (*path, "hex"))
                if i is not None:
                    listed.append(Place(kind, i, self.where.number(i), entry, self.reader.path + path))

    def _read_names(self, data: Json) -> None:
        for id, name in self.reader.mapping(data, ("names",)):
            i = self._index(id, ("names", id))
            if i is not None:
                self._name(i, name, ("names", id))

    def _name(self, i: int, name: Json, path: Path) -> None:
        if not isinstance(name, str) or not name:
            self.reader.fault("wrong-type", Message("board.mapdata.name-text", name=repr(name)), path)
            return
        self.found.names[i] = name

    # Ids and spans

    def _index(self, id: Json, path: Path) -> int | None:
        try:
            return self.where.index(id)
        except Refused as fault:
            self.reader.take(fault, path)
            return None

    def _span(self, text: str, path: Path) -> list[int]:
        """Return a location, or the rectangle "1003..1107" as far as its sheet has it."""
        first, dots, last = text.partition("..")
        a = self._index(first, path)
        b = self._index(last, path) if dots else a
        if a is None or b is None:
            return []
        if not dots:
            return [a]
        sheet = self.where.sheet(a)
        if sheet is None or sheet is not self.where.sheet(b):
            self.reader.fault("bad-span", Message("board.mapdata.bad-span", text=repr(text)), path)
            return []
        grid = sheet.grid
        (column_a, row_a), (column_b, row_b) = (
            grid.column_row(a - sheet.first),
            grid.column_row(b - sheet.first),
        )
        columns = range(min(column_a, column_b), max(column_a, column_b) + 1)
        rows = range(min(row_a, row_b), max(row_a, row_b) + 1)
        spanned = (grid.at(column, row) for column in columns for row in rows)
        return [sheet.first + hex for hex in spanned if hex is not None]
