"""`pbem board use`: maps on a picture of one's own board, which nobody else ever gets."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest
from platformdirs import user_data_path

from pbem.cli.web.desk import Desk
from tests.cli.play import Seat, pbem
from tests.cli.test_table import Visitor
from tests.practising import practising

SECRET = b"the map of a publisher, scanned"


def png(text: bytes = SECRET) -> bytes:
    """A picture of 1200 x 900 black pixels with a text in it that shows wherever it gets to."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\0" * 1200 for _ in range(900))
    head = struct.pack(">IIBBBBB", 1200, 900, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, data)
        for kind, data in (
            (b"IHDR", head),
            (b"tEXt", b"Title\0" + text),
            (b"IDAT", zlib.compress(rows)),
            (b"IEND", b""),
        )
    )


def aligned(**changes: Any) -> dict[str, Any]:
    corners = {"0101": [50, 60], "1201": [710, 95], "1208": [710, 585], "0108": [50, 550], "0102": [50, 130]}
    picture = {"file": "scan.png", "wide": 1200, "high": 900}
    return {"pbem_board": 1, "picture": picture, "corners": corners, "moved": {}, **changes}


CROSSED = {"0101": [0, 0], "1201": [900, 0], "1208": [0, 600], "0108": [900, 600], "0606": [5, 5]}


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, str]:
    place = Desk(tmp_path_factory.mktemp("table"))
    return place, practising(place, "victory", "red")


@pytest.fixture
def seat(laid: tuple[Desk, str]) -> Seat:
    return Seat(laid[0].at_hand(laid[1]).root)


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    (tmp_path / "scan.png").write_bytes(png())
    (tmp_path / "board.json").write_text(json.dumps(aligned()), "utf-8")
    return tmp_path / "scan.png"


def test_maps_reports_and_the_table_are_drawn_on_it(seat: Seat, scan: Path, laid: tuple[Desk, str]) -> None:
    inside = base64.b64encode(png()).decode()
    ran = seat.pbem("board", "use", scan)
    assert "stays on this computer" in ran.err and "5 points" in ran.err
    assert inside in seat.pbem("map", "--format", "svg").out
    page = seat.pbem("report", "--format", "html").out
    assert inside in page and "img-src data:;" in page
    assert inside not in seat.pbem("map", "--format", "svg", "--public").out
    visitor, name = Visitor(laid[0]), laid[1]
    table = visitor.ask("GET", f"/g/{name}/table").body.decode()
    assert f"/g/{name}/picture/board.png" in table and inside not in table
    shown = visitor.ask("GET", f"/g/{name}/picture/board.png")
    assert shown.body == png() and shown.headers["Content-Type"] == "image/png"
    assert seat.pbem("board", "drop", "--json").json == {"dropped": True}
    assert inside not in seat.pbem("map", "--format", "svg").out
    assert "no picture" in seat.pbem("board", "drop").err
    assert visitor.ask("GET", f"/g/{name}/picture/board.png").status == 404


def test_it_is_private_and_in_nothing_that_others_get(seat: Seat, scan: Path, tmp_path: Path) -> None:
    from pbem.archive import Folder
    from pbem.cli.web.handing_on import packed

    seat.pbem("board", "use", scan)
    (kept,) = user_data_path("pbem", appauthor=False).glob("boards/*/board.png")
    assert not (seat.root / "private" / "board").exists()
    assert kept.stat().st_mode & 0o077 == 0 and kept.parent.stat().st_mode & 0o077 == 0
    out = tmp_path / "report.html"
    seat.pbem("report", "--out", out)
    assert out.stat().st_mode & 0o077 == 0
    assert SECRET not in packed(Folder.open(seat.root))
    tracked = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=seat.root, capture_output=True
    )
    assert b"board.png" not in tracked.stdout
    for path in seat.root.rglob("*"):
        inside = path.is_file() and (SECRET in path.read_bytes() or b"scan.png" in path.read_bytes())
        assert not inside or path.parent.name == "board", path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"corners": {}}, "fewer than 4"),
        ({"corners": {"w0101": [1, 1], "w0201": [2, 2]}}, "fewer than 4"),
        ({"corners": CROSSED}, "disagree"),
        ({"picture": {"file": "scan.png", "wide": 1200, "high": 900, "sha256": "0" * 64}}, "another picture"),
        ({"picture": {"file": "scan.png"}}, "wide"),
        ({"corners": {"0101": ["x", 1]}}, "corners"),
        ({"pbem_board": 2}, "pbem_board"),
    ],
)  # fmt: skip
def test_a_picture_that_lies_otherwise_is_refused_and_changes_nothing(
    seat: Seat, scan: Path, change: dict[str, Any], said: str
) -> None:
    seat.pbem("board", "drop")
    (scan.parent / "board.json").write_text(json.dumps(aligned(**change)), "utf-8")
    ran = seat.pbem("board", "use", scan, code=1)
    assert said in ran.err, ran.err
    codes = ("other-map", "other-picture", "missing-key", "wrong-type", "not-one-of")
    assert any(f"error[{code}]" in ran.err for code in codes)
    assert not list(user_data_path("pbem", appauthor=False).glob("boards/*/board.json"))


def test_what_is_no_picture_or_lies_nowhere_is_refused(seat: Seat, scan: Path, tmp_path: Path) -> None:
    (tmp_path / "scan.svg").write_text("<svg/>", "utf-8")
    assert "not a PNG, JPEG or WebP" in seat.pbem("board", "use", tmp_path / "scan.svg", code=1).err
    (tmp_path / "board.json").write_text("{", "utf-8")
    assert "damaged" in seat.pbem("board", "use", scan, code=1).err
    (tmp_path / "board.json").unlink()
    ran = seat.pbem("board", "use", scan, code=1)
    assert "error[not-aligned]" in ran.err
    assert "nothing says where the hexes are" in ran.err and "pbem scenario edit" in ran.err


def test_the_folder_of_the_editor_and_the_board_of_a_module_serve_as_well(seat: Seat, tmp_path: Path) -> None:
    from zipfile import ZipFile

    editor = tmp_path / "my-river" / ".editor"
    editor.mkdir(parents=True)
    (editor / "scan.png").write_bytes(png())
    known = {"file": "scan.png", "wide": 1200, "high": 900, "sha256": hashlib.sha256(png()).hexdigest()}
    (editor / "board.json").write_text(json.dumps(aligned(picture=known)), "utf-8")
    assert seat.pbem("board", "use", tmp_path / "my-river", "--json").json["hexes"] == 5
    with ZipFile(tmp_path / "game.vmod", "w") as module:
        board = '<VASSAL.build.module.map.boardPicker.Board name="Map" image="map.png"/>'
        module.writestr("buildFile.xml", f"<VASSAL.build.GameModule>{board}</VASSAL.build.GameModule>")
        module.writestr("images/map.png", png())
    seat.pbem("board", "use", tmp_path / "game.vmod", "--align", editor / "board.json")
    pbem("-C", seat.root, "board", "drop")


def test_every_game_on_the_same_map_has_the_picture_at_once(
    seat: Seat, laid: tuple[Desk, str], scan: Path
) -> None:
    """Whoever points one game at their scan has it in all."""
    other = Seat(laid[0].at_hand(laid[0].practice("victory", "blue")).root)
    seat.pbem("board", "use", scan)
    inside = base64.b64encode(png()).decode()
    assert inside in other.pbem("map", "--format", "svg").out
    assert other.pbem("board", "drop", "--json").json == {"dropped": True}
    assert inside not in seat.pbem("map", "--format", "svg").out


def test_boards_are_told_apart_by_their_hexes_and_terrain_alone() -> None:
    """Other rivers and towns lie on the same printed map."""
    from pbem.board.map import GameMap
    from pbem.cli.games.board_picture import store

    plain = {"legend": {".": "clear", "f": "forest"}, "terrain": [". f", ". ."]}
    river = {**plain, "hexsides": {"river": ["0101/0102"]}, "names": {"0101": "Karsk"}}
    places = [store(GameMap.from_data(data)) for data in (plain, river, {**plain, "terrain": [". .", ". ."]})]
    assert places[0] == places[1] != places[2]


def test_a_photograph_that_was_taken_upright_lies_right_everywhere(seat: Seat, tmp_path: Path) -> None:
    """A browser turns it, a program that makes PNG does not: it is kept so that neither has to."""
    from tests.unit.workshop.test_modules import jpeg

    (tmp_path / "photo.jpg").write_bytes(jpeg(6))  # stored as 400 x 300, shown as 300 x 400
    corners = {"0101": [20, 30], "1201": [280, 30], "1208": [280, 370], "0108": [20, 370], "0201": [43, 54]}
    said = aligned(picture={"file": "photo.jpg", "wide": 300, "high": 400}, corners=corners)
    (tmp_path / "board.json").write_text(json.dumps(said), "utf-8")
    seat.pbem("board", "use", tmp_path / "photo.jpg")
    (kept,) = user_data_path("pbem", appauthor=False).glob("boards/*/board.json")
    now = json.loads(kept.read_text("utf-8"))
    assert (now["picture"]["wide"], now["picture"]["high"]) == (400, 300)
    assert now["corners"]["0101"] == [30, 280] and now["corners"]["1208"] == [370, 20]
    assert (kept.parent / "board.jpg").read_bytes() == jpeg(1)
    drawn = seat.pbem("map", "--format", "svg").out
    assert 'width="400" height="300"' in drawn
    seat.pbem("board", "drop")


def test_the_grid_of_a_module_lays_its_picture(seat: Seat, tmp_path: Path) -> None:
    from tests.unit.workshop.test_modules import USUAL, grid, module

    (tmp_path / "game.vmod").write_bytes(module(grid().replace("86.6", "60").replace("100.0", "70")))
    ran = seat.pbem("board", "use", tmp_path / "game.vmod")
    assert "6 points" in ran.err
    (kept,) = user_data_path("pbem", appauthor=False).glob("boards/*/board.json")
    assert json.loads(kept.read_text("utf-8"))["corners"]["0101"] == [60, 50]
    seat.pbem("board", "drop")
    (tmp_path / "other.vmod").write_bytes(module(grid(USUAL.replace('vType="N"', 'vType="A"'))))
    ran = seat.pbem("board", "use", tmp_path / "other.vmod", code=1)
    assert "error[not-aligned]" in ran.err and "other.vmod" in ran.err and "other numbers" in ran.err


def test_a_map_of_areas_lies_on_a_picture_too(tmp_path: Path) -> None:
    """By the corners of the drawing, and by areas that were dragged to where they are printed."""
    place = Desk(tmp_path)
    name = place.practice("diplomacy", "france")
    seat = Seat(place.at_hand(name).root)
    (tmp_path / "scan.png").write_bytes(png())
    corners = {
        "top-left": [10, 20],
        "top-right": [1190, 20],
        "bottom-right": [1190, 880],
        "bottom-left": [10, 880],
    }
    (tmp_path / "board.json").write_text(
        json.dumps(aligned(corners=corners, moved={"PAR": [400, 500]})), "utf-8"
    )
    assert seat.pbem("board", "use", tmp_path / "scan.png", "--json").json["hexes"] == 4
    drawn, plain = (seat.pbem("map", "--format", "svg", *more).out for more in ((), ("--public",)))
    assert base64.b64encode(png()).decode() in drawn and "<image" not in plain
    assert "m-shoreline" in plain and "m-shoreline" not in drawn, "the board has borders of its own"
    assert "m-arm" in drawn or drawn.count("<use") > 20
    assert seat.pbem("board", "drop", "--json").json == {"dropped": True}


def test_each_sheet_has_a_picture_of_its_own() -> None:
    """Where no sheet has one, the map is drawn; the pictures of two are under their own hexes."""
    from dataclasses import replace

    from pbem.board.map import GameMap
    from pbem.report.svg.board import Board, Picture, Placing, on_hexes
    from pbem.report.svg.sheet import Fields

    sheet = {"terrain": [". . . ."] * 4}
    east = {**sheet, "prefix": "e", "beside": "main"}
    chart = GameMap.from_data({"legend": {".": "clear"}, "sheets": {"main": sheet, "east": east}})
    fields = Fields(chart)
    middles = {chart.number(hex): fields.centre(hex) for hex in chart.hexes}
    one = Picture("data:,e", 500, 500, middles, {}, "east")
    assert Placing(one, on_hexes(chart, fields, "east")).known == [hex for hex in middles if hex[0] == "e"]
    shown = [chart.number(hex) for hex in chart.hexes if Board((one,)).shows(chart, hex)]
    assert shown == [hex for hex in middles if hex[0] == "e"]
    both = Board((one, replace(one, sheet="main")))
    assert all(both.shows(chart, hex) for hex in chart.hexes)
