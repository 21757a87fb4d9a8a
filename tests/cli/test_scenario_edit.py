"""The editor's server: the folder as values, work that is checked, kept and saved, and nothing outside."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.web import app as web
from pbem.cli.web.editor.at_editor import AtEditor, Bench
from tests.cli.play import pbem
from tests.cli.test_table import Said, Visitor

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


class Page(Visitor):
    """The page of an editor."""

    def __init__(self, root: Path, lang: str = "en") -> None:
        super().__init__(Bench(root))
        bench = Bench(root)
        self.app = web.application(bench, self.gate, lang=lang, rooms=[AtEditor(bench, lang)])

    def board(self) -> Any:
        return json.loads(self.ask("GET", "/edit/board", HTTP_ACCEPT="application/json").body)

    def send(self, data: bytes) -> Said:
        more = {"CONTENT_TYPE": "application/octet-stream", "HTTP_ACCEPT": "application/json"}
        return self.ask("POST", "/edit/picture", data, **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    pbem("scenario", "new", "victory", tmp_path / "my-river")
    return tmp_path / "my-river"


def test_the_page_gets_the_map_its_words_and_what_the_rules_know(root: Path) -> None:
    page = Page(root, "de")
    assert "Werkzeuge" in page.ask("GET", "/edit").text
    found = page.board()
    assert found["values"]["t/0305"] == "." and len(found["hexes"]) == 96
    assert {one["key"] for one in found["terrains"]} >= {"clear", "forest", "desert", "sea"}
    assert [one["key"] for one in found["hexsides"]] == ["river"]
    base = next(one for one in found["places"] if one["key"] == "base")
    assert [field["key"] for field in base["fields"]] == ["name", "kind", "pp", "port", "home"]
    assert base["fields"][1]["among"] == ["city", "town"] and base["fields"][4]["null"]
    assert found["tables"][0]["place"] == "hex" and found["faults"] == []


def test_the_check_is_that_of_the_command_and_names_file_line_and_hex(root: Path) -> None:
    page = Page(root)
    work = {"c/counters.csv/R-IN1/hex": ["0305", "0701"], "c/counters.csv/R-HB1/hex": ["0202", "0305"]}
    found = page.json("/edit/check", work=work)["faults"]
    assert found and {one["file"] for one in found} == {"counters.csv"}
    assert any("0701" in one["hexes"] and one["line"] == 2 for one in found), found
    page.json("/edit/save", work=work, digests=page.board()["digests"])
    said = json.loads(pbem("scenario", "check", root, "--json", code=1).out)
    assert [one["message"] for one in said] == [one["message"] for one in found]


def test_a_save_writes_the_lines_that_changed(root: Path) -> None:
    page = Page(root)
    before = (root / "map.yaml").read_text("utf-8")
    found = page.board()
    assert page.json("/edit/save", work={"t/0305": [".", "m"]}, digests=found["digests"])["saved"] == [
        "map.yaml"
    ]
    assert (root / "map.yaml").read_text("utf-8") == before.replace(
        '". . . . . ~ ~ ~ f . m m"', '". . m . . ~ ~ ~ f . m m"'
    )
    assert page.board()["values"]["t/0305"] == "m"


def test_a_file_changed_outside_is_never_written_over(root: Path) -> None:
    page = Page(root)
    digests = page.board()["digests"]
    table = (root / "counters.csv").read_text("utf-8").replace("R-IN2,red,IN,4,0306", "R-IN2,red,IN,3,0306")
    (root / "counters.csv").write_text(table, "utf-8")
    work = {"c/counters.csv/R-IN1/hex": ["0305", "0304"]}
    assert page.json("/edit/save", work=work, digests=digests) == {"changed": True, "conflicts": []}
    assert (root / "counters.csv").read_text("utf-8") == table
    now = page.json("/edit/board", work=work)
    assert now["values"]["c/counters.csv/R-IN2/cv"] == "3" and now["conflicts"] == []
    assert page.json("/edit/save", work=work, digests=now["digests"])["saved"] == ["counters.csv"]
    assert "R-IN1,red,IN,4,0304" in (root / "counters.csv").read_text("utf-8")
    clash = {"c/counters.csv/R-IN1/hex": ["0305", "0404"]}
    said = page.json("/edit/save", work=clash, digests=page.board()["digests"])
    assert said["conflicts"][0]["theirs"] == "0304"


def test_work_that_was_not_saved_is_kept_until_it_is(root: Path) -> None:
    page = Page(root)
    work = {"t/0305": [".", "m"]}
    page.json("/edit/keep", work=work)
    kept = root / ".editor" / "recovery.json"
    assert kept.stat().st_mode & 0o777 == 0o600 and Page(root).board()["recovery"] == work
    assert pbem("scenario", "check", root).out == "", "it is no part of the scenario"
    page.json("/edit/save", work=work, digests=page.board()["digests"])
    assert not kept.exists() and Page(root).board()["recovery"] == {}
    page.json("/edit/keep", work=work)
    page.json("/edit/keep", work={})
    assert not kept.exists()


def test_a_text_that_is_no_scenario_any_more_is_named_and_not_saved(root: Path) -> None:
    page = Page(root)
    text = (root / "scenario.yaml").read_text("utf-8")
    work = {"f/scenario.yaml": [text, text.replace("system: victory", "system: victry")]}
    found = page.json("/edit/check", work=work)["faults"]
    assert found[0]["file"] == "scenario.yaml" and found[0]["line"] == 3
    assert "faults" in page.json("/edit/save", work=work, digests=page.board()["digests"])
    assert (root / "scenario.yaml").read_text("utf-8") == text


def test_a_picture_stays_beside_the_scenario_and_is_known_by_its_first_bytes(root: Path) -> None:
    page = Page(root)
    assert page.board()["pictures"] == {} and page.ask("GET", "/edit/picture").status == 404
    assert page.send(PNG).status == 200
    found = page.ask("GET", "/edit/picture")
    assert found.body == PNG and found.headers["Content-Type"] == "image/png"
    for bad in (b"<svg xmlns='x'/>", b"GIF89a", b"PK\x03\x04 no zip", b""):
        assert page.send(bad).status == 409, bad
    assert page.ask("GET", "/edit/picture").body == PNG, "a refusal changes nothing"
    corners = {"0101": [10, 20], "0102": [10, 90]}
    picture = {"file": "board.png", "wide": 800, "high": 600}
    assert page.json("/edit/align", picture=picture, corners=corners, moved={"x" * 99: [1, 2], "0305": "no"})
    said = {"pbem_board": 1, "picture": picture, "corners": corners, "moved": {"x" * 40: [1, 2]}}
    assert page.board()["pictures"] == {"": {"file": "board.png", "laid": said}}
    assert page.json("/edit/align", corners=corners)["faults"][0]["code"] == "no-alignment"
    assert page.send(PNG).status == 200
    assert page.board()["pictures"][""]["laid"] is None, "another picture, another grid"


def test_the_board_of_a_module_is_taken_within_bounds(root: Path) -> None:
    page = Page(root)
    board = '<VASSAL.build.module.map.boardPicker.Board image="{}" name="Map"/>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as module:
        module.writestr("buildFile.xml", f"<m>{board.format('map.png')}{board.format('../evil.png')}</m>")
        module.writestr("images/map.png", PNG)
        module.writestr("images/unit.png", PNG * 9)
        module.writestr("images/../evil.png", b"x")
    assert page.send(out.getvalue()).status == 200 and page.ask("GET", "/edit/picture").body == PNG
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as module:
        module.writestr("buildFile.xml", f"<m>{board.format('map.png')}</m>")
        module.writestr("images/map.png", bytes(20 << 20))
    assert page.send(out.getvalue()).status == 409, "20 MiB of nothing in 20 kB"
    assert sorted(path.name for path in root.iterdir()) == [
        ".editor",
        "counters.csv",
        "map.yaml",
        "scenario.yaml",
    ]


@pytest.mark.parametrize(
    "path", ["/edit", "/edit/board", "/edit/picture", "/edit/look", "/static/edit-edit.js"]
)
def test_nobody_else_sees_the_editor(root: Path, path: str) -> None:
    page = Page(root)
    assert page.ask("GET", path, HTTP_COOKIE=None).status == 403
    assert page.ask("GET", path, HTTP_HOST="evil.example").status == 403


@pytest.mark.parametrize("path", ["board", "check", "keep", "save", "align", "picture"])
def test_no_other_page_changes_anything(root: Path, path: str) -> None:
    said = Page(root).ask("POST", f"/edit/{path}", b"{}", HTTP_ORIGIN="http://evil.example")
    assert said.status == 403 and not (root / ".editor").exists()


def test_questions_that_no_page_asks_get_an_answer_in_words(root: Path) -> None:
    page = Page(root)
    odd = (b"", b"[]", b"{", b'{"work": 3}', b'{"work": {"t/0305": [1]}}', b'{"work": {"a": [1, 2]}}',
           b'{"work": {"size/": [null, ["x", {}]]}}', b'{"corners": {"a": 3}, "picture": {}}')  # fmt: skip
    for path in ("board", "check", "keep", "save", "align"):
        for body in odd:
            assert page.ask("POST", f"/edit/{path}", body).status in (200, 409), (path, body)
    assert page.ask("GET", "/g/x/").status == 404 and page.ask("GET", "/").status == 404, "no table here"


def test_the_page_says_that_the_editor_is_closed(root: Path) -> None:
    said = Page(root).ask("POST", "/end")
    assert "The editor is closed" in said.text and "pbem scenario edit" in said.text


def test_the_command_refuses_what_no_editor_can_draw(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "no scenario.yaml" in pbem("scenario", "edit", tmp_path / "empty", "--no-browser", code=1).err
