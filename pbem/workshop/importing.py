"""Import what other programs know of a map: a table of hexes, Tiled, Worldographer, VASSAL.

Nothing is unpacked: of a module one member is read, within bounds. XML with a DOCTYPE is refused, as entities
can grow without end. A map of Tiled leads to tilesets in its own folder, no other file to any.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import zlib
from base64 import b64decode
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.workshop.foreign import MOST, MOST_MODULE, Beside, Imported, damaged, from_json, refused, xml
from pbem.workshop.modules import read as read_module

MOST_ACROSS = 200
MOST_TILES = MOST_ACROSS * MOST_ACROSS
MOST_CELLS = 20 * MOST_TILES
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER = re.compile(r"([0-9]{1,3})[.,]([0-9]{1,3})|([0-9]{2})([0-9]{2})|([0-9]{3})([0-9]{3})")
_LETTERED = re.compile(r"([A-Za-z]{1,3})[.,-]?([0-9]{1,3})|([0-9]{1,3})[.,-]?([A-Za-z]{1,3})")
_FLIPS = 0x0FFFFFFF  # the four high bits of a tile say how it is turned


def read(name: str, data: bytes, *, rows_first: bool = False, beside: Beside = lambda name: None) -> Imported:
    """Return what a file holds, by the ending of its name; Refused for others and for damaged ones.

    `rows_first`: in a table of hexes the first half of a number counts rows. `beside`: for tilesets of Tiled.
    """
    ending = name.lower().rpartition(".")[2]
    most = MOST_MODULE if ending == "vmod" else MOST
    if len(data) > most:
        raise refused("too-large", Message("workshop.importing.too-large", most=most >> 20))
    if ending not in KNOWN:
        raise refused("unknown-format", Message("workshop.importing.unknown", known=KNOWN))
    if ending == "csv":
        return _table(data, rows_first=rows_first)
    return _TILED[ending](data, beside) if ending in _TILED else _READERS[ending](data)


# --- a table of hexes -----------------------------------------------------------------------------------


def _table(data: bytes, *, rows_first: bool = False) -> Imported:
    """Read rows of hex, terrain, and a name if there is one."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    if text.count(delimiter) > MOST_CELLS:
        raise _too_many()
    try:
        rows = list(islice(csv.reader(io.StringIO(text), delimiter=delimiter), MOST_TILES + 2))
    except csv.Error:
        raise damaged() from None
    if len(rows) > MOST_TILES + 1:
        raise _too_many()
    heads = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "hex" not in heads or "terrain" not in heads:
        raise refused("bad-table", Message("workshop.importing.heads"))
    records = [dict(zip(heads, (cell.strip() for cell in row), strict=False)) for row in rows[1:]]
    records = [row for row in records if row.get("hex")]
    numbers = _numbers([row["hex"] for row in records])
    cells: dict[tuple[int, int], str] = {}
    for row in records:
        first, second = numbers.places[row["hex"]]
        cells[(second, first) if rows_first else (first, second)] = row.get("terrain") or "clear"
    made = _grid(cells)
    made.map = {**numbers.layout, **made.map}
    if rows_first:
        made.map = {"order": "row", **made.map}
        made.map |= {"digits": numbers.layout["digits"][::-1]} if numbers.layout else {}
    names = {numbers.written(row["hex"]): row["name"][:80] for row in records if row.get("name")}
    if names:
        made.map["names"] = names
    return made


@dataclass
class _Numbered:
    """Hexes of a table: their column and row, and how a map says that it numbers them so."""

    places: dict[str, tuple[int, int]]
    layout: dict[str, Any]

    def written(self, hex: str) -> str:
        """Return a number as the map writes it."""
        column, row = self.places[hex]
        return hex.upper().replace("-", "") if self.layout else f"{column:02d}{row:02d}"


def _numbers(hexes: Sequence[str]) -> _Numbered:
    """Return where hexes are by their numbers: 0305, 3.5, A5, AA5, 5A; Refused for one that is no number."""
    lettered = [_LETTERED.fullmatch(hex) for hex in hexes]
    if not hexes or not all(lettered):
        odd = next((hex for hex in hexes if _NUMBER.fullmatch(hex.zfill(4)) is None), None)
        if odd is not None:
            raise refused("bad-hex", Message("workshop.importing.bad-hex", hex=odd[:40]))
        matches = {hex: _NUMBER.fullmatch(hex.zfill(4)) for hex in hexes}
        return _Numbered(
            {
                hex: _pair([part for part in match.groups() if part])
                for hex, match in matches.items()
                if match
            },
            {},
        )
    parts = {
        hex: [part for part in match.groups() if part]
        for hex, match in zip(hexes, lettered, strict=True)
        if match
    }
    if len({part[0].isdigit() for part in parts.values()}) > 1:
        raise refused("bad-hex", Message("workshop.importing.mixed-hexes"))
    by_letter = not next(iter(parts.values()))[0].isdigit()
    letters = [part[0 if by_letter else 1].upper() for part in parts.values()]
    long = [text for text in letters if len(text) > 1]
    double = any(text[0] != "A" for text in long) and all(len(set(text)) == 1 for text in long)
    digits = [part[1 if by_letter else 0] for part in parts.values()]
    width = min(map(len, digits)) if any(text.startswith("0") for text in digits) else 1
    kind = "double" if double else "letters"
    layout: dict[str, Any] = {"digits": [kind, width] if by_letter else [width, kind]}
    places = {}
    for hex, match in parts.items():
        line, place = (
            _letter_number(match[0 if by_letter else 1].upper(), double),
            int(match[1 if by_letter else 0]),
        )
        places[hex] = (line, place) if by_letter else (place, line)
    separators = {hex[len(parts[hex][0])] for hex in hexes} & {".", ","}
    if separators:
        layout["separator"] = separators.pop()
    return _Numbered(places, layout)


def _pair(parts: Sequence[str]) -> tuple[int, int]:
    column, row = (int(part) for part in parts)
    return column, row


def _letter_number(text: str, double: bool) -> int:
    """Return the place of a letter: A is 1, AA 27; with `double` BB 28, else AB 28."""
    value = 0
    for sign in text:
        value = value * 26 + ord(sign) - ord("A") + 1
    return (len(text) - 1) * 26 + ord(text[0]) - ord("A") + 1 if double else value


def _grid(cells: Mapping[tuple[int, int], str]) -> Imported:
    """Return the map of terrain by column and row; hexes that are not named do not exist."""
    if not cells:
        raise refused("bad-table", Message("workshop.importing.no-hexes"))
    columns, lines = ([where[n] for where in cells] for n in (0, 1))
    first = min(0 if 0 in (*columns, *lines) else 1, min(columns), min(lines))
    wide, high = max(columns) - first + 1, max(lines) - first + 1
    if wide > MOST_ACROSS or high > MOST_ACROSS:
        raise _too_many()
    kinds = sorted(set(cells.values()))
    letters = _letters(kinds)
    rows = [
        " ".join(letters.get(cells.get((first + c, first + r), ""), "_") for c in range(wide))
        for r in range(high)
    ]
    legend: dict[str, Any] = {letters[kind]: kind for kind in kinds}
    if any("_" in row.split() for row in rows):
        legend["_"] = None
    made: dict[str, Any] = {"shifted": "even", "legend": legend, "terrain": rows}
    if first != 1:
        made["first"] = first
    notes = [Message("workshop.importing.map", columns=wide, rows=high, kinds=tuple(kinds))]
    return Imported(made, notes=[*notes])


def _too_many() -> Refused:
    return refused("too-many", Message("workshop.importing.too-many", most=MOST_ACROSS))


def _letters(kinds: Sequence[str]) -> dict[str, str]:
    """Return a letter for each kind of terrain: its first if that is free."""
    taken: dict[str, str] = {}
    for kind in kinds:
        wanted = [*(kind[:1].lower(), kind[:1].upper()), *_LETTERS]
        free = next(
            (letter for letter in wanted if letter in _LETTERS and letter not in taken.values()), None
        )
        if free is None:
            raise refused("too-many", Message("workshop.importing.too-many-kinds", most=len(_LETTERS)))
        taken[kind] = free
    return taken


# --- Tiled ----------------------------------------------------------------------------------------------


_TILESET = re.compile(r"[^/\\:]+\.(tsx|tsj|json)", re.IGNORECASE)
"""A tileset in a file of its own, beside the map: a map names no file anywhere else."""


def _tmj(data: bytes, beside: Beside) -> Imported:
    tiled = from_json(data)
    try:
        kinds, missing = _kinds([(int(sets["firstgid"]), sets) for sets in tiled["tilesets"]], beside)
        layer = next(candidate for candidate in tiled["layers"] if candidate.get("type") == "tilelayer")
        gids = layer["data"]
        if isinstance(gids, str):
            gids = _packed_tiles(gids, layer.get("compression") or "")
        return _tiles(gids, int(layer["width"]), kinds, tiled, missing)
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
        raise damaged() from None


def _tmx(data: bytes, beside: Beside) -> Imported:
    root = xml(data)
    try:
        sets = [(int(tileset.attrib["firstgid"]), _of_xml(tileset)) for tileset in root.iter("tileset")]
        kinds, missing = _kinds(sets, beside)
        layer = next(root.iter("layer"))
        listed = layer.find("data")
        if listed is None or listed.find("chunk") is not None:
            raise refused("damaged-file", Message("workshop.importing.csv-layers"))
        if listed.get("encoding") == "base64":
            gids = _packed_tiles(listed.text or "", listed.get("compression") or "")
        elif listed.get("encoding") == "csv":
            if (text := listed.text or "").count(",") > MOST_TILES:
                raise _too_many()
            gids = [int(part) for part in text.replace("\n", "").split(",") if part.strip()]
        else:
            gids = [int(tile.get("gid", "0")) for tile in listed.iter("tile")]
        return _tiles(gids, int(layer.attrib["width"]), kinds, root.attrib, missing)
    except (LookupError, TypeError, ValueError, StopIteration):
        raise damaged() from None


def _of_xml(tileset: ElementTree.Element) -> dict[str, Any]:
    """Return a tileset of XML as JSON has it."""
    return {**tileset.attrib, "tiles": [tile.attrib for tile in tileset.iter("tile")]}


def _kinds(
    tilesets: Sequence[tuple[int, Mapping[str, Any]]], beside: Beside
) -> tuple[dict[int, str], list[str]]:
    """Return the class of each tile, and the files of tilesets that are not beside the map."""
    kinds: dict[int, str] = {}
    missing: list[str] = []
    for first, sets in tilesets:
        source = str(sets.get("source", ""))
        if source:
            data = beside(source) if _TILESET.fullmatch(source) else None
            if data is None:
                missing.append(source[:80])
                continue
            sets = _of_xml(xml(data)) if source.lower().endswith(".tsx") else from_json(data)
        for tile in sets.get("tiles", []):
            kinds[first + int(tile["id"])] = str(tile.get("type") or tile.get("class") or "")
    return kinds, missing


def _packed_tiles(text: str, how: str) -> list[int]:
    """Return the tiles of a layer in base64, packed by gzip or zlib or not at all; Refused for others."""
    try:
        data = b64decode("".join(text.split()), validate=True)
        if how in ("gzip", "zlib"):
            data = zlib.decompressobj(wbits=47).decompress(data, MOST_TILES * 4 + 1)
        elif how:
            raise refused("damaged-file", Message("workshop.importing.csv-layers"))
        return list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))
    except (zlib.error, struct.error, ValueError):
        raise damaged() from None


def _tiles(
    gids: Any, wide: int, kinds: Mapping[int, str], tiled: Mapping[str, Any], missing: Sequence[str]
) -> Imported:
    if tiled.get("orientation", "hexagonal") != "hexagonal":
        raise refused("square-map", Message("workshop.importing.square-map"))
    if not 0 < wide <= MOST_ACROSS or len(gids) > MOST_TILES:
        raise _too_many()
    cells: dict[tuple[int, int], str] = {}
    for n, gid in enumerate(gids):
        tile = int(gid) & _FLIPS
        if tile:
            cells[n % wide + 1, n // wide + 1] = kinds.get(tile) or f"terrain{tile}"
    made = _grid(cells)
    made.notes += [Message("workshop.importing.no-tileset", file=file) for file in missing]
    if tiled.get("orientation") == "hexagonal" and tiled.get("staggeraxis") != "x":
        made.map["tops"] = "pointy"
    made.map["shifted"] = "even" if tiled.get("staggerindex", "odd") == "odd" else "odd"
    return made


# --- Worldographer --------------------------------------------------------------------------------------


_ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\0<": "utf-16-be", b"<\0": "utf-16-le"}
"""Encodings by the first two bytes; the program itself writes UTF-16 with and without a mark."""


def _wxx(data: bytes) -> Imported:
    """Read a map of Worldographer: XML in gzip, a `tilerow` for each column, a line for each hex."""
    packed = zlib.decompressobj(wbits=31)
    try:
        plain = packed.decompress(data, MOST + 1)
        if len(plain) > MOST:
            raise refused("too-large", Message("workshop.importing.too-large", most=MOST >> 20))
        root = xml(plain.decode(_ENCODINGS.get(plain[:2], "utf-8-sig")).encode())
    except (zlib.error, UnicodeDecodeError):
        raise damaged() from None
    tops = root.get("hexOrientation", "COLUMNS")
    if tops not in ("COLUMNS", "ROWS"):
        raise refused("square-map", Message("workshop.importing.square-map"))
    listed = [part.strip() for part in (root.findtext("terrainmap") or "").split("\t", 2 * MOST_TILES)]
    kinds = dict(zip(listed[1::2], listed[::2], strict=False))
    cells: dict[tuple[int, int], str] = {}
    for column, row in enumerate(root.iter("tilerow"), 1):
        text = (row.text or "").strip()
        lines = text.split("\n", MOST_ACROSS) if text else []
        if column > MOST_ACROSS or len(lines) > MOST_ACROSS:
            raise _too_many()
        for n, line in enumerate(lines, 1):
            number = line.split("\t")[0].strip()
            if (kind := kinds.get(number) or f"terrain{number[:20]}") != "Blank":
                cells[column, n] = kind[:80]
    made = _grid(cells)
    return Imported({"tops": "pointy", **made.map}, notes=made.notes) if tops == "ROWS" else made


_TILED = {"tmj": _tmj, "tmx": _tmx}
_READERS = {"vmod": read_module, "wxx": _wxx}
KNOWN = ("csv", *_TILED, *_READERS)
