"""Import what other programs know of a map: a table of hexes, Tiled, Worldographer, VASSAL.

Nothing is unpacked: of a module one member is read, within bounds. XML with a DOCTYPE is refused, as entities
can grow without end, and no file leads to another.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

MOST, MOST_MODULE = 16 << 20, 32 << 20
MOST_ACROSS = 200
MOST_PIECES = 5_000
BUILD = ("buildFile.xml", "buildFile")
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER = re.compile(r"([0-9]{1,3})[.,]([0-9]{1,3})|([0-9]{2})([0-9]{2})|([0-9]{3})([0-9]{3})")
_BAD_ZIP = (
    *(BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, LookupError, ValueError),
    *(zlib.error, lzma.LZMAError, struct.error),
)
"""Exceptions of the library for a damaged zip."""
_FLIPS = 0x0FFFFFFF  # the four high bits of a tile say how it is turned


@dataclass
class Imported:
    """The map as far as the file tells it, counters by name and side, and what a person should know."""

    map: dict[str, Any] = field(default_factory=dict)
    counters: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(name: str, data: bytes) -> Imported:
    """Return what a file holds, by the ending of its name; Refused for others and for damaged ones."""
    if len(data) > MOST:
        raise _refused("too-large", Message("workshop.importing.too-large", most=MOST >> 20))
    ending = name.lower().rpartition(".")[2]
    if ending not in _READERS:
        raise _refused("unknown-format", Message("workshop.importing.unknown", known=tuple(sorted(_READERS))))
    return _READERS[ending](data)


# --- a table of hexes -----------------------------------------------------------------------------------


def _table(data: bytes) -> Imported:
    """Read rows of hex, terrain, and a name if there is one."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=delimiter))
    except csv.Error:
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None
    heads = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "hex" not in heads or "terrain" not in heads:
        raise _refused("bad-table", Message("workshop.importing.heads"))
    cells: dict[tuple[int, int], str] = {}
    names: dict[str, str] = {}
    for row in rows[1:]:
        said = dict(zip(heads, (cell.strip() for cell in row), strict=False))
        if not said.get("hex"):
            continue
        match = _NUMBER.fullmatch(said["hex"].zfill(4))
        if match is None:
            raise _refused("bad-hex", Message("workshop.importing.bad-hex", hex=said["hex"][:40]))
        column, line = (int(part) for part in match.groups() if part is not None)
        cells[column, line] = said.get("terrain") or "clear"
        if said.get("name"):
            names[f"{column:02d}{line:02d}"] = said["name"][:80]
    made = _grid(cells)
    if names:
        made.map["names"] = names
    return made


def _grid(cells: Mapping[tuple[int, int], str]) -> Imported:
    """Return the map of terrain by column and row; hexes that are not named do not exist."""
    if not cells:
        raise _refused("bad-table", Message("workshop.importing.no-hexes"))
    columns, lines = ([where[n] for where in cells] for n in (0, 1))
    first = min(0 if 0 in (*columns, *lines) else 1, min(columns), min(lines))
    wide, high = max(columns) - first + 1, max(lines) - first + 1
    if wide > MOST_ACROSS or high > MOST_ACROSS:
        raise _refused("too-many", Message("workshop.importing.too-many", most=MOST_ACROSS))
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


def _letters(kinds: Sequence[str]) -> dict[str, str]:
    """Return a letter for each kind of terrain: its first if that is free."""
    taken: dict[str, str] = {}
    for kind in kinds:
        wanted = [*(kind[:1].lower(), kind[:1].upper()), *_LETTERS]
        free = next((one for one in wanted if one in _LETTERS and one not in taken.values()), None)
        if free is None:
            raise _refused("too-many", Message("workshop.importing.too-many-kinds", most=len(_LETTERS)))
        taken[kind] = free
    return taken


# --- Tiled ----------------------------------------------------------------------------------------------


def _tmj(data: bytes) -> Imported:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None
    try:
        kinds = {
            int(sets["firstgid"]) + int(tile["id"]): str(tile.get("type") or tile.get("class") or "")
            for sets in said["tilesets"]
            for tile in sets.get("tiles", [])
        }
        layer = next(one for one in said["layers"] if one.get("type") == "tilelayer")
        return _tiles(layer["data"], int(layer["width"]), kinds, said)
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None


def _tmx(data: bytes) -> Imported:
    root = _xml(data)
    try:
        kinds = {
            int(sets.attrib["firstgid"]) + int(tile.attrib["id"]): tile.get("type") or tile.get("class") or ""
            for sets in root.iter("tileset")
            for tile in sets.iter("tile")
        }
        layer = next(root.iter("layer"))
        listed = layer.find("data")
        if listed is None or listed.get("encoding") != "csv":
            raise _refused("damaged-file", Message("workshop.importing.csv-layers"))
        gids = [int(part) for part in (listed.text or "").replace("\n", "").split(",") if part.strip()]
        return _tiles(gids, int(layer.attrib["width"]), kinds, root.attrib)
    except (LookupError, TypeError, ValueError, StopIteration):
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None


def _tiles(gids: Any, wide: int, kinds: Mapping[int, str], said: Mapping[str, Any]) -> Imported:
    if not 0 < wide <= MOST_ACROSS or len(gids) > MOST_ACROSS * MOST_ACROSS:
        raise _refused("too-many", Message("workshop.importing.too-many", most=MOST_ACROSS))
    cells: dict[tuple[int, int], str] = {}
    for n, gid in enumerate(gids):
        tile = int(gid) & _FLIPS
        if tile:
            cells[n % wide + 1, n // wide + 1] = kinds.get(tile) or f"terrain{tile}"
    made = _grid(cells)
    if said.get("orientation") == "hexagonal" and said.get("staggeraxis") != "x":
        made.map["tops"] = "pointy"
    made.map["shifted"] = "even" if said.get("staggerindex", "odd") == "odd" else "odd"
    return made


# --- Worldographer --------------------------------------------------------------------------------------


def _wxx(data: bytes) -> Imported:
    """Read a map of Worldographer: XML in gzip, a `tilerow` for each column, a line for each hex."""
    packed = zlib.decompressobj(wbits=31)
    try:
        plain = packed.decompress(data, MOST + 1)
        text = plain.decode("utf-16" if plain[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except (zlib.error, UnicodeDecodeError):
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None
    if len(plain) > MOST:
        raise _refused("too-large", Message("workshop.importing.too-large", most=MOST >> 20))
    root = _element(text)
    if root.get("hexOrientation", "COLUMNS") != "COLUMNS":
        raise _refused("pointy-tops", Message("workshop.importing.pointy-tops"))
    listed = [part.strip() for part in (root.findtext("terrainmap") or "").split("\t")]
    kinds = dict(zip(listed[1::2], listed[::2], strict=False))
    cells: dict[tuple[int, int], str] = {}
    for column, row in enumerate(root.iter("tilerow"), 1):
        lines = (row.text or "").strip().splitlines()
        if column > MOST_ACROSS or len(lines) > MOST_ACROSS:
            raise _refused("too-many", Message("workshop.importing.too-many", most=MOST_ACROSS))
        for n, line in enumerate(lines, 1):
            number = line.split("\t")[0].strip()
            if (kind := kinds.get(number) or f"terrain{number[:20]}") != "Blank":
                cells[column, n] = kind[:80]
    return _grid(cells)


# --- VASSAL ---------------------------------------------------------------------------------------------


def _vmod(data: bytes) -> Imported:
    try:
        with ZipFile(io.BytesIO(data)) as module:
            root = _xml(_member(module, next((name for name in BUILD if name in module.namelist()), "")))
    except _BAD_ZIP:
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None
    made = Imported()
    sides = [str(one.text).strip() for one in root.iter("entry") if (one.text or "").strip()]
    _pieces(root, "", sides, made)
    if sides:
        made.notes.append(Message("workshop.importing.sides", sides=tuple(sides)))
    for board in root.iter("VASSAL.build.module.map.boardPicker.Board"):
        for grid in board.iter("VASSAL.build.module.map.boardPicker.board.HexGrid"):
            said = Message(
                "workshop.importing.grid",
                board=board.get("name", "")[:80],
                picture=board.get("image", "")[:80],
                dx=grid.get("dx", "?")[:20],
                dy=grid.get("dy", "?")[:20],
                pointy=grid.get("sideways") == "true",
            )
            made.notes.append(said)
    made.notes.append(Message("workshop.importing.counters", count=len(made.counters)))
    return made


def board_picture(data: bytes) -> bytes:
    """Return the picture of the largest board in a module; Refused if it has none."""
    if len(data) > MOST_MODULE:
        raise _refused("too-large", Message("workshop.importing.too-large", most=MOST_MODULE >> 20))
    try:
        with ZipFile(io.BytesIO(data)) as module:
            root = _xml(_member(module, next((name for name in BUILD if name in module.namelist()), "")))
            wanted = {
                f"images/{board.get('image', '')}"
                for board in root.iter("VASSAL.build.module.map.boardPicker.Board")
                if board.get("image")
            }
            found = [one for one in module.infolist() if one.filename in wanted]
            if found:
                return _member(module, max(found, key=lambda one: one.file_size).filename)
    except _BAD_ZIP:
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None
    raise _refused("no-board", Message("workshop.importing.no-board-picture"))


def _member(module: ZipFile, name: str) -> bytes:
    """Return a member of a module within bounds."""
    if not name or module.getinfo(name).file_size > MOST:
        raise _refused("damaged-file", Message("workshop.importing.no-build-file"))
    with module.open(name) as file:
        return file.read(MOST + 1)


def _pieces(root: ElementTree.Element, side: str, sides: Sequence[str], made: Imported) -> None:
    """Collect the slots of pieces with the side that a palette around them names."""
    waiting = [(root, side)]
    while waiting:
        node, of = waiting.pop()
        name = node.get("entryName") or node.get("name") or ""
        of = next((one for one in sides if one.lower() in name.lower()), of)
        if node.tag.endswith("PieceSlot") and len(made.counters) < MOST_PIECES:
            made.counters.append((name[:80], of))
        waiting += [(child, of) for child in reversed(node)]


def _xml(data: bytes) -> ElementTree.Element:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None
    return _element(text)


def _element(text: str) -> ElementTree.Element:
    """Return the root of a text of XML; Refused if it is damaged or has a DOCTYPE."""
    if "<!" in text.replace("<!--", "").replace("<![CDATA[", ""):
        raise _refused("doctype", Message("workshop.importing.doctype"))
    try:
        return ElementTree.fromstring(text.partition("?>")[2] if text.startswith("<?xml") else text)
    except (ElementTree.ParseError, RecursionError, ValueError):
        raise _refused("damaged-file", Message("workshop.importing.damaged")) from None


_READERS = {"csv": _table, "tmj": _tmj, "tmx": _tmx, "vmod": _vmod, "wxx": _wxx}


def root_of(text: str) -> ElementTree.Element:
    """Return the root of a text of XML; Refused if it is damaged or declares anything."""
    return _element(text)


def damaged() -> Refused:
    """Return the refusal of a file that is not what its name says."""
    return _refused("damaged-file", Message("workshop.importing.damaged"))


def _refused(code: str, said: Message) -> Refused:
    return Refused(Diagnostic(code, said))
