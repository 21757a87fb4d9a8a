"""Beginnings of a scenario from files of other programs."""

from __future__ import annotations

import gzip
import json
import random
import re
import struct
import zlib
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from pbem.board.map import GameMap
from pbem.text.diagnostics import Refused
from pbem.text.yaml import load
from pbem.workshop.importing import read
from tests.cli.play import pbem

TABLE = b"hex;terrain;name\n101;clear;Karsk\n0102;forest;\n0203;sea;\n"
TMX = b"""<?xml version="1.0" encoding="UTF-8"?>
<map orientation="hexagonal" width="3" height="2" staggeraxis="x" staggerindex="odd">
 <tileset firstgid="1"><tile id="0" type="clear"/><tile id="1" type="forest"/></tileset>
 <layer width="3" height="2"><data encoding="csv">
1,2,1,
2147483650,0,1
</data></layer>
</map>"""
WXX = """<?xml version='1.0' encoding='utf-16'?>
<map type="WORLD" hexOrientation="COLUMNS" tilesWide="2" tilesHigh="2">
<terrainmap>Blank\t0\tHills\t1\tFlat Forest\t2</terrainmap>
<tiles viewLevel="WORLD" tilesWide="2" tilesHigh="2">
<tilerow>
1\t1000.0\t0\t0\tZ
0\t0.0\t0\t0\tZ
</tilerow>
<tilerow>
2\t10.0\t0\t0\tZ
7\t10.0\t0\t0\tZ
</tilerow>
</tiles>
</map>"""


def packed(text: str, encoding: str = "utf-16") -> bytes:
    return gzip.compress(text.encode(encoding))


BUILD = """<VASSAL.build.GameModule name="A module">
 <VASSAL.build.module.PlayerRoster><entry>Union</entry><entry>Rebels</entry></VASSAL.build.module.PlayerRoster>
 <VASSAL.build.module.map.boardPicker.Board name="Front" image="front.png">
  <VASSAL.build.module.map.boardPicker.board.HexGrid dx="86.6" dy="100" sideways="false"/>
 </VASSAL.build.module.map.boardPicker.Board>
 <VASSAL.build.widget.TabWidget entryName="Union troops">
  <VASSAL.build.widget.PieceSlot entryName="1st Corps">piece</VASSAL.build.widget.PieceSlot>
 </VASSAL.build.widget.TabWidget>
 <VASSAL.build.widget.PieceSlot entryName="=SUM(A1)">piece</VASSAL.build.widget.PieceSlot>
</VASSAL.build.GameModule>"""


def module(build: str, name: str = "buildFile.xml") -> bytes:
    kept = BytesIO()
    with ZipFile(kept, "w") as archive:
        archive.writestr(name, build)
        archive.writestr("../../evil.txt", "evil")
    return kept.getvalue()


def test_a_table_of_hexes_becomes_a_map(tmp_path: Path) -> None:
    (tmp_path / "hexes.csv").write_bytes(TABLE)
    ran = pbem("scenario", "import", tmp_path / "hexes.csv", tmp_path / "my")
    assert "2 columns and 3 rows" in ran.err
    data = load((tmp_path / "my" / "imported-map.yaml").read_bytes(), "map").data
    drawn = GameMap.from_data(data)
    assert [drawn.number(hex) for hex in drawn.hexes] == ["0101", "0102", "0203"]
    assert [drawn.terrain(hex) for hex in drawn.hexes] == ["clear", "forest", "sea"]
    assert data["names"] == {"0101": "Karsk"}
    again = pbem("scenario", "import", tmp_path / "hexes.csv", tmp_path / "my", code=1)
    assert "file-in-use" in again.err and "is there already" in again.err


def test_a_map_of_tiled_is_read_and_turned_tiles_count_as_themselves() -> None:
    found = read("map.tmx", TMX).map
    assert found["terrain"] == ["c f c", "f _ c"] and found["shifted"] == "even"
    data = {
        "orientation": "hexagonal",
        "staggeraxis": "x",
        "tilesets": [{"firstgid": 1, "tiles": [{"id": 0, "type": "clear"}]}],
        "layers": [{"type": "tilelayer", "width": 2, "data": [1, 7]}],
    }
    assert read("map.tmj", json.dumps(data).encode()).map["terrain"] == ["c t"]
    turned = read("map.tmx", TMX.replace(b'staggeraxis="x"', b'staggeraxis="y"'))
    assert turned.map["tops"] == "pointy" and turned.map["shifted"] == "even"
    chart = GameMap.from_data(turned.map)
    assert set(chart.numbers(chart.neighbours(chart.index("0201")))) == {"0101", "0301", "0102"}


TILESET = b'<tileset name="land"><tile id="0" type="clear"/><tile id="1" class="forest"/></tileset>'


def test_a_tileset_of_tiled_in_a_file_of_its_own_is_read_if_it_is_beside_the_map(tmp_path: Path) -> None:
    inside = TMX[: TMX.index(b"<tileset")], TMX[TMX.index(b"</tileset>") + len(b"</tileset>") :]

    def taken(source: str, name: str) -> tuple[set[str], str]:
        (tmp_path / "map.tmx").write_bytes(
            inside[0] + f'<tileset firstgid="1" source="{source}"/>'.encode() + inside[1]
        )
        ran = pbem("scenario", "import", tmp_path / "map.tmx", tmp_path / name)
        data = load((tmp_path / name / "imported-map.yaml").read_bytes(), "map").data
        return {*data["legend"].values()} - {"~"}, ran.err

    found, said = taken("land.tsx", "without")
    assert "terrain1" in found and "land.tsx is not beside the map" in said
    (tmp_path / "land.tsx").write_bytes(TILESET)
    (tmp_path / "land.json").write_text(
        json.dumps({"tiles": [{"id": 0, "type": "clear"}, {"id": 1, "class": "forest"}]})
    )
    for source in ("land.tsx", "land.json"):
        found, said = taken(source, source.replace(".", "-"))
        assert {"clear", "forest"} <= found and "terrain1" not in found, found
    other = tmp_path / "other"
    other.mkdir()
    (other / "land.tsx").write_bytes(TILESET)
    (tmp_path / "link.tsx").symlink_to(other / "land.tsx")
    for n, source in enumerate(
        ("other/land.tsx", "../land.tsx", str(other / "land.tsx"), "link.tsx", "map.tmx")
    ):
        assert "terrain1" in taken(source, f"never-{n}")[0], source


def test_a_map_of_tiled_with_squares_is_refused() -> None:
    for kind in (b"orthogonal", b"isometric", b"staggered"):
        with pytest.raises(Refused) as refused:
            read("map.tmx", TMX.replace(b'orientation="hexagonal"', b'orientation="' + kind + b'"'))
        assert [one.code for one in refused.value.diagnostics] == ["square-map"]


def test_a_map_of_worldographer_is_read_column_by_column() -> None:
    found = read("map.wxx", packed(WXX)).map
    assert found["legend"] == {"f": "Flat Forest", "h": "Hills", "t": "terrain7", "_": None}
    assert found["terrain"] == ["h f", "_ t"] and found["shifted"] == "even"
    assert read("map.wxx", packed(WXX, "utf-8")).map == found
    rows = read("map.wxx", packed(WXX.replace("COLUMNS", "ROWS"))).map
    chart = GameMap.from_data(rows)
    assert rows["tops"] == "pointy" and rows["terrain"] == found["terrain"]
    assert set(chart.numbers(chart.neighbours(chart.index("0101")))) == {"0201"}, "the second row lies on"
    bare = gzip.compress(WXX.replace('encoding="utf-16"', "").encode("utf-16-be"))
    assert read("map.wxx", bare).map == found, "without a mark for the order of bytes"
    with pytest.raises(Refused, match="square-map"):
        read("map.wxx", packed(WXX.replace("COLUMNS", "SQUARE")))


@pytest.mark.parametrize(
    ("hexes", "layout", "numbers"),
    [
        (["A1", "A2", "C3"], {"digits": ["letters", 1]}, ["A1", "A2", "C3"]),
        (["a01", "b02"], {"digits": ["letters", 2]}, ["A01", "B02"]),
        (["Z1", "AA2"], {"digits": ["letters", 1], "first": [26, 1]}, ["Z1", "AA2"]),
        (["Z1", "AA2", "BB3"], {"digits": ["double", 1]}, ["Z1", "AA2", "BB3"]),
        (["1A", "12C"], {"digits": [1, "letters"]}, ["1A", "12C"]),
        (["A.01", "B.02"], {"digits": ["letters", 2], "separator": "."}, ["A.01", "B.02"]),
    ],
)
def test_hexes_of_a_table_may_have_letters(
    hexes: list[str], layout: dict[str, Any], numbers: list[str]
) -> None:
    rows = "".join(f"{hex},forest,Town {hex}\n" for hex in hexes)
    made = read("hexes.csv", f"hex,terrain,name\n{rows}".encode()).map
    chart = GameMap.from_data({key: value for key, value in made.items() if key != "names"})
    assert {key: made[key] for key in layout if key != "first"} == {
        key: value for key, value in layout.items() if key != "first"
    }
    assert [chart.number(hex) for hex in chart.hexes] == sorted(numbers, key=lambda one: numbers.index(one))
    assert made["names"] == {number: f"Town {hex}" for number, hex in zip(numbers, hexes, strict=True)}
    GameMap.from_data(made)


def test_a_table_may_count_rows_first() -> None:
    table = b"hex,terrain\nA1,clear\nA2,forest\nA3,sea\nB2,hills\n"
    made = read("hexes.csv", table, rows_first=True).map
    assert (
        made["terrain"] == ["c f s", "_ h _"] and made["order"] == "row" and made["digits"] == [1, "letters"]
    )
    chart = GameMap.from_data(made)
    assert sorted(map(chart.number, chart.hexes)) == ["A1", "A2", "A3", "B2"]
    with pytest.raises(Refused, match="same way"):
        read("hexes.csv", b"hex,terrain\nA1,clear\n2B,forest\n")


def layer(attributes: str, content: str) -> bytes:
    data = f"<data{attributes}>{content}</data>".encode()
    return re.sub(rb"<data .*</data>", data, TMX, flags=re.DOTALL)


@pytest.mark.parametrize("how", ["", "zlib", "gzip"])
def test_layers_of_tiled_may_be_packed(how: str) -> None:
    """As most files have them."""
    gids, rows = (1, 2, 1, 2, 0, 0x80000001), ["c f c", "f _ c"]
    tiles = struct.pack("<6I", *gids)
    data = {"": tiles, "zlib": zlib.compress(tiles), "gzip": gzip.compress(tiles)}[how]
    attribute = f' encoding="base64" compression="{how}"' if how else ' encoding="base64"'
    assert read("map.tmx", layer(attribute, f" {b64encode(data).decode()} ")).map["terrain"] == rows
    plain = "".join(f'<tile gid="{gid}"/>' for gid in gids)
    assert read("map.tmx", layer("", plain)).map["terrain"] == rows
    bomb = b64encode(zlib.compress(b"\0" * (64 << 20))).decode()
    with pytest.raises(Refused):
        read("map.tmx", layer(' encoding="base64" compression="zlib"', bomb))


def test_a_module_gives_names_and_sides_and_nothing_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "game.vmod").write_bytes(module(BUILD))
    ran = pbem("scenario", "import", tmp_path / "game.vmod", tmp_path / "my")
    assert "Union, Rebels" in ran.err and "hexes 86.6 apart" in ran.err
    text = (tmp_path / "my" / "imported-counters.csv").read_text("utf-8")
    assert text == "id,side,name\nC1,Union,1st Corps\nC2,,SUM(A1)\n"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["game.vmod", "imported-counters.csv", "my"]


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
HOSTILE = {
    "entities": ("a.vmod", module(BOMB), "doctype"),
    "entities of a map": ("a.tmx", BOMB.encode(), "doctype"),
    "entities in another encoding": ("a.tmx", BOMB.encode("utf-16"), "damaged-file"),
    "no module": ("a.vmod", b"PK\x03\x04", "damaged-file"),
    "a module without a build file": ("a.vmod", module("<a/>", "other.xml"), "damaged-file"),
    "a huge width": ("a.tmx", TMX.replace(b'<layer width="3"', b'<layer width="999999999"'), "too-many"),
    "no tiles": ("a.tmj", b"{}", "damaged-file"),
    "deep data": ("a.tmj", b"[" * 100_000, "damaged-file"),
    "another program": ("a.gbx", b"", "unknown-format"),
    "no columns": ("a.csv", b"a,b\n1,2\n", "bad-table"),
    "no hexes": ("a.csv", b"hex,terrain\n", "bad-table"),
    "a formula": ("a.csv", b"hex,terrain\n=1+1,clear\n", "bad-hex"),
    "entities in a gzip": ("a.wxx", packed(BOMB), "doctype"),
    "no gzip": ("a.wxx", WXX.encode(), "damaged-file"),
    "a gzip that grows": ("a.wxx", packed(WXX + " " * (32 << 20), "utf-8"), "too-large"),
    "a map without tiles": ("a.wxx", packed("<map/>"), "bad-table"),
    "rows without end": (
        "a.wxx",
        packed(WXX.replace("<tilerow>", "<tilerow/>" * 300 + "<tilerow>")),
        "too-many",
    ),
    "too large": ("a.csv", b" " * ((16 << 20) + 1), "too-large"),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_hostile_files_are_refused(attack: str) -> None:
    name, data, code = HOSTILE[attack]
    with pytest.raises(Refused) as refused:
        read(name, data)
    assert [one.code for one in refused.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("name", "data"), [("a.tmx", TMX), ("a.csv", TABLE), ("a.vmod", module(BUILD)), ("a.wxx", packed(WXX))]
)
def test_damaged_files_are_refused_or_read(name: str, data: bytes) -> None:
    dice = random.Random(name)
    for _ in range(500):
        damaged = bytearray(data)
        for _ in range(dice.randrange(1, 4)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            read(name, bytes(damaged[: dice.choice((len(damaged), dice.randrange(len(damaged))))]))
        except Refused:
            continue
