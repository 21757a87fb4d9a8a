"""The grid of a VASSAL module, and what photographs say of themselves."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from pbem.board.map import GameMap
from pbem.report.svg.sheet import Fields
from pbem.workshop.modules import board_picture, corners_of, laid_board, numbered
from pbem.workshop.photographs import as_stored, size_of, turned, untagged

GRID = "VASSAL.build.module.map.boardPicker.board.HexGrid"
NUMBERS = "VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"
USUAL = 'color="0,0,0" first="H" hDescend="false" hDrawOff="0" hLeading="1" hOff="1" hType="N" '
USUAL += (
    'locationFormat="$gridLocation$" rotateText="0" sep="" stagger="false" vDescend="false" vDrawOff="0" '
)
USUAL += 'vLeading="1" vOff="1" vType="N" visible="true"'


def grid(numbers: str = USUAL, more: str = 'sideways="false"') -> str:
    """A grid as the editor of VASSAL writes it."""
    said = f'<{GRID} color="0,0,0" cornersLegal="false" dotsVisible="false" dx="86.6" dy="100.0" {more}'
    return f'{said} edgesLegal="false" snapTo="true" x0="60" y0="50"><{NUMBERS} {numbers}/></{GRID}>'


def at(text: str, size: tuple[int, int] = (1000, 800)) -> dict[str, tuple[int, int]]:
    return numbered(ElementTree.fromstring(text), size)


def test_hexes_lie_where_the_module_draws_them() -> None:
    found = at(grid())
    assert found["0101"] == (60, 50) and found["0102"] == (60, 150)
    assert found["0201"] == (147, 100), "the second column lies half a hex further down"
    assert found["0301"] == (233, 50)


@pytest.mark.parametrize(
    ("change", "hex", "spot"),
    [
        (('first="H"', 'first="V"'), "0201", (60, 150)),
        (('stagger="false"', 'stagger="true"'), "0202", (147, 100)),
        (('vType="N"', 'vType="A"'), "02c", (147, 200)),
        (('sep=""', 'sep="."'), "02.01", (147, 100)),
        (('hLeading="1"', 'hLeading="0"'), "201", (147, 100)),
        (('vDescend="false"', 'vDescend="true"'), "0110", (60, 50)),
    ],
)
def test_numbers_are_those_of_the_module(change: tuple[str, str], hex: str, spot: tuple[int, int]) -> None:
    assert at(grid(USUAL.replace(*change)))[hex] == spot


def test_pointy_tops_swap_across_and_down() -> None:
    found = at(grid(more='sideways="true"'))
    assert found["0101"] == (50, 60) and found["0201"] == (100, 147)


def test_a_grid_that_makes_no_sense_has_no_hexes() -> None:
    assert at(grid().replace('dx="86.6"', 'dx="0"')) == {}
    assert at(grid().replace('dx="86.6"', 'dx="1e999"')) == {}
    assert at(grid(USUAL.replace('hOff="1"', 'hOff="x"'))) == {}


def png(wide: int, high: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\0" * wide) * high)
    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def module(inner: str) -> bytes:
    kind = "VASSAL.build.module.map.boardPicker.Board"
    board = f'<{kind} name="Map" image="map.png">{inner}</{kind}>'
    zoned = "VASSAL.build.module.map.boardPicker.board.ZonedGrid"
    text = f"<VASSAL.build.GameModule>{board}</VASSAL.build.GameModule>"
    kept = BytesIO()
    with ZipFile(kept, "w") as archive:
        archive.writestr("buildFile.xml", text.replace("ZONED", zoned))
        archive.writestr("images/map.png", png(1000, 800))
    return kept.getvalue()


def test_the_grid_of_a_module_lays_the_picture_of_its_board() -> None:
    chart = GameMap.from_data({"shifted": "even", "legend": {".": "clear"}, "terrain": [". . . . . ."] * 6})
    fields = Fields(chart)
    hexes = {chart.number(hex): fields.centre(hex) for hex in chart.hexes}
    corners = corners_of(hexes, lambda one: chart.numbers(chart.beside(chart.index(one))))
    assert set(corners[:4]) == {"0101", "0601", "0106", "0606"} and len(corners) == 6
    for inner in (grid(), f"<ZONED>{grid()}</ZONED>"):
        board = laid_board(module(inner), corners)
        assert board is not None and board[1] == png(1000, 800)
        assert board[0]["picture"] == {"file": "", "wide": 1000, "high": 800}
        assert board[0]["corners"]["0101"] == [60, 50] and board[0]["corners"]["0606"] == [493, 600]
    assert laid_board(module(""), corners) is None, "a board without hexes"
    assert laid_board(module(grid(USUAL.replace('vType="N"', 'vType="A"'))), corners) is None, "other numbers"
    assert board_picture(module("")) == png(1000, 800)


def test_charts_and_pages_of_help_are_no_boards_however_large_they_are() -> None:
    """In modules as VASSAL writes them, a page of help may be larger than the map."""
    kind, kept = "VASSAL.build.module.map.boardPicker.Board", BytesIO()
    boards = f'<{kind} image="help.png" name="Help"/><{kind} image="map.png" name="Map">{grid()}</{kind}>'
    with ZipFile(kept, "w") as archive:
        archive.writestr("buildFile.xml", f"<VASSAL.build.GameModule>{boards}</VASSAL.build.GameModule>")
        archive.writestr("images/help.png", png(2000, 1600))
        archive.writestr("images/map.png", png(1000, 800))
    assert board_picture(kept.getvalue()) == png(1000, 800)
    board = laid_board(kept.getvalue(), ["0101", "0601", "0606", "0106"])
    assert board is not None and board[1] == png(1000, 800)


def jpeg(how: int, order: str = "<") -> bytes:
    """The beginning of a photograph of 400 x 300 that a camera marked as turned."""
    entry = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, how, 0)
    tiff = {"<": b"II*\0", ">": b"MM\0*"}[order] + struct.pack(f"{order}IH", 8, 1) + entry
    exif = b"Exif\0\0" + tiff
    frame = struct.pack(">BHHB", 8, 300, 400, 3)
    return (
        b"\xff\xd8" + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
        + b"\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda\0\0pixels"
    )  # fmt: skip


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("how", range(1, 9))
def test_a_turned_photograph_says_so_until_it_is_kept(how: int, order: str) -> None:
    data = jpeg(how, order)
    assert turned(data) == how and size_of(data) == (400, 300)
    kept = untagged(data)
    assert (
        turned(kept) == 1
        and len(kept) == len(data)
        and sum(a != b for a, b in zip(kept, data, strict=True)) <= 1
    )


@pytest.mark.parametrize(
    ("how", "shown", "stored"),
    [
        (1, (10, 20), (10, 20)),
        (3, (10, 20), (390, 280)),
        (6, (10, 20), (20, 290)),  # held upright: what is at the top was at the left
        (8, (10, 20), (380, 10)),
    ],
)
def test_points_follow_the_pixels(how: int, shown: tuple[int, int], stored: tuple[int, int]) -> None:
    """Of a photograph stored as 400 x 300, which a browser shows as 300 x 400 if it is turned."""
    wide, high = (300, 400) if how > 4 else (400, 300)
    assert as_stored(shown, how, wide, high) == stored


@pytest.mark.parametrize("cut", range(0, 80, 3))
def test_a_damaged_photograph_says_nothing_and_breaks_nothing(cut: int) -> None:
    cut_short = jpeg(6)[:cut]
    for data in (cut_short, cut_short + b"\xff" * 40, png(3, 3)[:cut], b"RIFF    WEBPVP8 "[:cut]):
        assert 1 <= turned(data) <= 8
        assert untagged(data)[:2] == data[:2]
        size_of(data)
