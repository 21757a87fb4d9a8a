"""Reports as pages, maps as drawings and pictures: what the commands make of them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from pbem.cli.games.table import Table
from pbem.engine import system as systems
from pbem.text.schema import check, find
from tests.cli.play import Ran, pbem


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game with a map, some stages old; nothing here changes it."""
    table = Table(tmp_path_factory.mktemp("pages"), systems.find("victory"), "sarn_strait", seed="larch")
    table.sit_down("The Sarn Strait")
    for _ in range(3):
        table.play_stage()
    return table


def red(table: Table, *args: str, code: int = 0) -> Ran:
    return pbem("-C", table.seats["red"].root, *args, code=code)


def test_a_report_as_a_page_goes_to_a_file_that_only_its_owner_reads(played: Table, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    said = red(played, "report", "--out", str(out))
    assert said.out == "" and str(out) in said.err
    page = out.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and "Report for Red (Red)" in page and "<svg" in page
    assert out.stat().st_mode & 0o077 == 0


def test_the_public_page_may_be_read_by_all(played: Table, tmp_path: Path) -> None:
    out = tmp_path / "public.html"
    pbem("-C", played.gm.root, "report", "--public", "--out", str(out))
    assert "Public report" in out.read_text("utf-8")
    assert out.stat().st_mode & 0o044


def test_the_form_is_the_one_asked_for_or_that_of_the_file_name(played: Table, tmp_path: Path) -> None:
    assert red(played, "report", "--format", "html").out.startswith("<!DOCTYPE html>")
    assert red(played, "report").out.startswith(red(played, "report", "--format", "text").out[:20])
    red(played, "report", "--out", str(tmp_path / "a.json"))
    assert (tmp_path / "a.json").read_text("utf-8") == red(played, "report", "--format", "json").out
    red(played, "report", "--out", str(tmp_path / "a.txt"))
    assert (tmp_path / "a.txt").read_text("utf-8") == red(played, "report").out
    assert check(red(played, "report", "--json").json, find("report")) == []


def test_a_file_that_cannot_be_written_is_a_plain_refusal(played: Table, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = red(played, "report", "--out", str(tmp_path / "file" / "x.html"), code=1)
    assert "can't write" in said.err


def test_the_map_comes_as_a_drawing_with_or_without_layers(played: Table, tmp_path: Path) -> None:
    whole = red(played, "map", "--format", "svg").out
    assert whole.startswith("<svg") and "m-L-numbers" in whole
    red(played, "map", "--out", str(tmp_path / "m.svg"), "--hide", "numbers")
    assert "m-L-numbers" not in (tmp_path / "m.svg").read_text("utf-8")
    assert red(played, "map", "1", "--format", "svg").out != whole


def test_a_layer_that_there_is_not_is_refused_with_those_there_are(played: Table) -> None:
    said = red(played, "map", "--format", "svg", "--hide", "number", code=1)
    assert "there is no layer 'number'" in said.err and "did you mean 'numbers'?" in said.err
    said = red(played, "map", "--format", "svg", "--show", "units", code=1)
    assert "there is no layer 'units'. Use one of: supply, zoc" in said.err


def test_supply_is_drawn_from_the_start_if_one_asks(played: Table) -> None:
    hidden, shown = (red(played, "map", "--format", "svg", *more).out for more in ((), ("--show", "supply")))
    switched_off = 'id="layer-supply" display="none"'
    assert switched_off in hidden and switched_off not in shown


def test_a_part_of_the_map_is_a_picture_of_a_place_that_there_is(played: Table, tmp_path: Path) -> None:
    said = red(played, "map", "--around", "0606", code=2)
    assert "--around draws a picture" in said.err
    said = red(played, "map", "--out", str(tmp_path / "m.png"), "--around", "9999", code=1)
    assert "there is no place '9999'" in said.err


@pytest.mark.skipif(importlib.util.find_spec("resvg_py") is None, reason="needs the extra png")
def test_a_picture_has_the_areas_that_are_asked_for(
    played: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resvg_py

    drawn: list[str] = []
    made = resvg_py.svg_to_bytes
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

    def listening(*, svg_string: str, **how: object) -> object:
        drawn.append(svg_string)
        return made(svg_string=empty)

    monkeypatch.setattr(resvg_py, "svg_to_bytes", listening)
    red(played, "map", "--out", str(tmp_path / "m.png"), "--show", "supply")
    assert 'id="layer-supply"><path' in drawn[0] and "layer-zoc" not in drawn[0]


@pytest.mark.skipif(importlib.util.find_spec("resvg_py") is None, reason="needs the extra png")
def test_the_map_comes_as_a_picture(played: Table, tmp_path: Path) -> None:
    light, dark = tmp_path / "light.png", tmp_path / "dark.png"
    red(played, "map", "--out", str(light), "--around", "0606")
    red(played, "map", "--out", str(dark), "--around", "0606", "--dark")
    assert light.read_bytes()[:8] == dark.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert light.read_bytes() != dark.read_bytes()
    assert "name it with --out FILE" in red(played, "map", "--format", "png", code=2).err


def test_without_the_library_a_picture_is_refused_with_a_way_out(
    played: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = red(played, "map", "--out", str(tmp_path / "m.png"), code=1)
    assert "pip install 'pbem[png]'" in said.err and not (tmp_path / "m.png").exists()
