"""Modules of VASSAL: the board's picture, its grid with numbers, the counters and the sides.

A hex of VASSAL is counted by lines of hexes and along them; `sideways` swaps across and down.

    <...HexGrid dx="86.6" dy="100" x0="60" y0="50" sideways="false">
      <...HexGridNumbering first="H" hOff="1" vOff="1" hType="N" vType="N" hLeading="1" vLeading="1" sep=""
                           hDescend="false" vDescend="false" stagger="true"/>
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.workshop.foreign import (
    BAD_ZIP,
    BUILD,
    MOST,
    MOST_MODULE,
    Imported,
    damaged,
    opened,
    refused,
    xml,
)
from pbem.workshop.photographs import size_of

MOST_PIECES = 5_000
MOST_LINES = 400
_BOARD = "VASSAL.build.module.map.boardPicker.Board"
_GRID = "VASSAL.build.module.map.boardPicker.board.HexGrid"
_NUMBERS = "VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"
Spot = tuple[int, int]


@dataclass
class Module:
    """A module that was opened: what its build file says, and its boards with pictures."""

    root: ElementTree.Element
    zip: ZipFile

    def boards(self) -> list[tuple[ElementTree.Element, str]]:
        """Return the boards with a picture and its member: those with hexes first, then by size.

        Charts and pages of help are boards too, and their pictures may be larger than the map.
        """
        sizes = {member.filename: member.file_size for member in self.zip.infolist()}
        boards = [
            (board, name)
            for board in self.root.iter(_BOARD)
            if board.get("image") and (name := f"images/{board.get('image')}") in sizes
        ]
        return sorted(boards, key=lambda pair: (next(pair[0].iter(_GRID), None) is None, -sizes[pair[1]]))


def read(data: bytes) -> Imported:
    """Return the counters and sides of a module, and in notes the grids of its boards."""
    root = _opened(data).root
    made = Imported()
    sides = [str(entry.text).strip() for entry in root.iter("entry") if (entry.text or "").strip()]
    _pieces(root, "", sides, made)
    if sides:
        made.notes.append(Message("workshop.importing.sides", sides=tuple(sides)))
    for board in root.iter(_BOARD):
        for grid in board.iter(_GRID):
            note = Message(
                "workshop.importing.grid",
                board=board.get("name", "")[:80],
                picture=board.get("image", "")[:80],
                dx=grid.get("dx", "?")[:20],
                dy=grid.get("dy", "?")[:20],
                pointy=grid.get("sideways") == "true",
            )
            made.notes.append(note)
    made.notes.append(Message("workshop.importing.counters", count=len(made.counters)))
    return made


def board_picture(data: bytes) -> bytes:
    """Return the picture of the board in a module, with hexes if one has; Refused if it has none."""
    if len(data) > MOST_MODULE:
        raise refused("too-large", Message("workshop.importing.too-large", most=MOST_MODULE >> 20))
    module = _opened(data)
    for _, name in module.boards():
        return _member(module.zip, name)
    raise refused("no-board", Message("workshop.importing.no-board-picture"))


def laid_board(data: bytes, corners: Sequence[str]) -> tuple[dict[str, Any], bytes] | None:
    """Return how the grid of a board lies on its picture, by these hexes of a map, and the picture.

    None if no board numbers its hexes so.
    """
    try:
        module = _opened(data)
        for board, name in module.boards():
            picture = _member(module.zip, name)
            alignment = _alignment(board, size_of(picture[: 1 << 20]), corners)
            if alignment is not None:
                return alignment, picture
    except (LookupError, *BAD_ZIP):
        pass
    return None


def _alignment(
    board: ElementTree.Element, size: Spot | None, corners: Sequence[str]
) -> dict[str, Any] | None:
    for grid in board.iter(_GRID) if size is not None and corners else ():
        assert size is not None
        at = numbered(grid, size)
        corner_at = {hex: at[hex.lower()] for hex in corners if hex.lower() in at}
        if len(corner_at) == len(corners):
            return {
                "pbem_board": 1,
                "picture": {"file": "", "wide": size[0], "high": size[1]},
                "corners": {hex: [x, y] for hex, (x, y) in corner_at.items()},
                "moved": {},
            }
    return None


def numbered(grid: ElementTree.Element, size: Spot) -> dict[str, Spot]:
    """Return the pixel of the middle of every hex of a grid on a picture, by its number in small letters."""
    try:
        dx, dy = (float(grid.get(name, "0")) for name in ("dx", "dy"))
        x0, y0 = (int(float(grid.get(name, "0"))) for name in ("x0", "y0"))
        if not (4 <= dx <= 10_000 and 4 <= dy <= 10_000):
            return {}
        numbering = next(grid.iter(_NUMBERS), None)
        rules = _Numbers(
            {} if numbering is None else numbering.attrib, grid.get("sideways") == "true", (dx, dy), size
        )
    except (ValueError, OverflowError):
        return {}
    across, down = size[::-1] if rules.sideways else size
    spots: dict[str, Spot] = {}
    for column in range(-1, min(MOST_LINES, int(across / dx) + 2)):
        for row in range(-1, min(MOST_LINES, int(down / dy) + 2)):
            x = round(column * dx) + x0
            y = round(row * dy + (dy / 2 if column % 2 else 0)) + y0
            x, y = (y, x) if rules.sideways else (x, y)
            if 0 <= x < size[0] and 0 <= y < size[1]:
                spots.setdefault(rules.name(column, row).lower(), (x, y))
    return spots


class _Numbers:
    """The numbering of a grid, as its attributes say it."""

    def __init__(
        self, attributes: Mapping[str, str], sideways: bool, apart: tuple[float, float], size: Spot
    ) -> None:
        self.sideways = sideways
        self._first, self._sep = attributes.get("first", "H"), attributes.get("sep", "")
        self._types = attributes.get("hType", "N"), attributes.get("vType", "N")
        self._off = int(attributes.get("hOff", "0")), int(attributes.get("vOff", "0"))
        self._leading = int(attributes.get("hLeading", "1")), int(attributes.get("vLeading", "1"))
        self._descend = attributes.get("hDescend") == "true", attributes.get("vDescend") == "true"
        self._stagger = attributes.get("stagger", "true") == "true"
        self._most = int(size[0] / apart[1] + 0.5), int(size[1] / apart[0] + 0.5)

    def name(self, column: int, row: int) -> str:
        """Return the number of a hex by its line and its place along it."""
        along_h, along_v = self._descend
        line_back, row_back = (along_v, along_h) if self.sideways else (along_h, along_v)
        most_lines, most_rows = self._most[::-1] if self.sideways else self._most
        number, place = column, row
        if line_back:
            number = most_lines - column
        if row_back:
            place = most_rows - row
        if self._stagger and column % 2:
            place += -1 if row_back else 1
        parts = [
            _counted(value + off, kind, leading)
            for value, off, kind, leading in zip(
                (number, place), self._off, self._types, self._leading, strict=True
            )
        ]
        return self._sep.join(parts if self._first == "H" else parts[::-1])


def _counted(value: int, kind: str, leading: int) -> str:
    """Return one half of a number: figures with leading zeros, or letters A to Z, AA, BB."""
    sign, value = ("-" if value < 0 else ""), abs(value)
    if kind == "A":
        return sign + chr(ord("A") + value % 26) * (value // 26 + 1)
    return sign + str(value).zfill(leading + 1)


def _opened(data: bytes) -> Module:
    module = opened(data)
    return Module(
        xml(_member(module, next((name for name in BUILD if name in module.namelist()), ""))), module
    )


def _member(module: ZipFile, name: str) -> bytes:
    """Return a member of a module within bounds."""
    if not name or module.getinfo(name).file_size > MOST:
        raise refused("damaged-file", Message("workshop.importing.no-build-file"))
    try:
        with module.open(name) as file:
            return file.read(MOST + 1)
    except BAD_ZIP:
        raise damaged() from None


def _pieces(root: ElementTree.Element, side: str, sides: Sequence[str], made: Imported) -> None:
    """Collect the slots of pieces with the side that a palette around them names."""
    waiting = [(root, side)]
    while waiting:
        node, of = waiting.pop()
        name = node.get("entryName") or node.get("name") or ""
        of = next((named_side for named_side in sides if named_side.lower() in name.lower()), of)
        if node.tag.endswith("PieceSlot") and len(made.counters) < MOST_PIECES:
            made.counters.append((name[:80], of))
        waiting += [(child, of) for child in reversed(node)]


def corners_of(hexes: Mapping[str, Spot], near: Callable[[str], Sequence[str]]) -> list[str]:
    """Return the hexes that say how a picture lies: the four corners of a map, and two neighbours."""
    if not hexes:
        return []
    ways = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ends = [min(hexes, key=lambda hex: (a * hexes[hex][0] + b * hexes[hex][1], hex)) for a, b in ways]
    return list(dict.fromkeys([*ends, *near(ends[0])[:2]]))
