"""Members of scenario.yaml and counters.yaml changed by a form, and sheets that are numbered and joined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.board.shapes import read
from pbem.text import yaml
from pbem.text.diagnostics import Refused
from pbem.workshop.board_values import BoardValues
from pbem.workshop.editing import after_work, open_folder
from tests.unit.workshop.test_editing import SYSTEMS, folder, work, write


def member(root: Path, name: str, value: Any) -> dict[str, tuple[Any, Any]]:
    key = f"m/scenario.yaml/{name}"
    return {key: (open_folder(root).values.get(key), value)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_form_has_what_no_other_tool_changes(system: str, tmp_path: Path) -> None:
    opened = open_folder(folder(tmp_path, system))
    said = yaml.load((tmp_path / "scenario.yaml").read_bytes(), "scenario.yaml").data
    shown = {key[16:] for key in opened.values if key.startswith("m/scenario.yaml/")}
    assert set(said) - shown == ({"pbem", "system", "setup"} if "setup" in said else {"pbem", "system"})


def test_a_member_changes_its_lines_and_keeps_the_comments(tmp_path: Path) -> None:
    root = folder(tmp_path, "wbts")
    before = (root / "scenario.yaml").read_text("utf-8")
    write(root, open_folder(root).changed(member(root, "rail_points", {"north": 4, "south": 9})))
    assert (root / "scenario.yaml").read_text("utf-8") == before.replace(
        "rail_points: {north: 4, south: 3}", "rail_points: {north: 4, south: 9}"
    )
    write(root, open_folder(root).changed(member(root, "entrenchments", None)))
    assert "entrenchments" not in yaml.load((root / "scenario.yaml").read_bytes(), "scenario.yaml").data
    write(root, open_folder(root).changed(member(root, "winter_months", [12, 1])))
    assert open_folder(root).values["m/scenario.yaml/winter_months"] == [12, 1]


def test_text_and_form_of_the_same_file_both_count(tmp_path: Path) -> None:
    root = folder(tmp_path, "ocs")
    text = (root / "scenario.yaml").read_text("utf-8")
    key = "m/counters.yaml/bren"
    bren = open_folder(root).values[key]
    done = {
        "f/scenario.yaml": (text, text.replace("Crossing the Tol", "Over the Tol")),
        **member(root, "turns", 9),
        key: (bren, {**bren, "rail_cap": 7}),
    }
    after = after_work(open_folder(root), done)
    assert after.found.errors == []
    assert (
        after.values["m/scenario.yaml/title"] == "Over the Tol" and after.values["m/scenario.yaml/turns"] == 9
    )
    assert after.values[key]["rail_cap"] == 7 and after.values["m/counters.yaml/aster"]["rail_cap"] == 3


@pytest.mark.parametrize(
    "key", ["m/map.yaml/terrain", "m/scenario.yaml/map", "m/words.yaml/de", "m//", "layout/x/tops"]
)
def test_what_is_in_no_form_is_refused(key: str, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        open_folder(folder(tmp_path)).changed({key: (None, "x")})


def test_a_map_that_shrinks_loses_what_lay_on_its_hexes_and_nothing_else(tmp_path: Path) -> None:
    root = folder(tmp_path, "wbts")
    smaller = after_work(open_folder(root), {"size/": ([10, 8], [9, 8, "C"])}).board
    assert smaller.data["areas"]["navigable"]["sea"] == ["0902", "0908"]
    assert {*smaller.data["areas"]["state"]["Lowmark"]} == {
        f"{c:02}{r:02}" for c in range(1, 10) for r in range(5, 9)
    }
    assert smaller.data["hexsides"] == open_folder(root).board.data["hexsides"]
    least = after_work(open_folder(root), {"size/": ([10, 8], [5, 5, "C"])}).board
    assert least.data["links"]["rail"] == ["0501-0502-0503-0504-0505"]
    assert [one["hex"] for one in least.data["places"]["settlement"]] == ["0502", "0303", "0505", "0305"]


def test_a_board_is_numbered_as_printed_and_its_second_sheet_joins_the_first(tmp_path: Path) -> None:
    root = folder(tmp_path)
    write(root, open_folder(root).changed(work(root, **{"sheet/east": [4, 8, ".", "e", "beside", "main"]})))
    joined = work(root, **{"layout/east/joins": {"sheet": "main", "at": "1301"}, "layout/east/beside": None})
    opened = after_work(open_folder(root), joined)
    chart = opened.board.chart
    assert chart.distance(chart.index("1201"), chart.index("e0101")) == 1
    assert opened.board.data["sheets"]["east"].keys() == {"prefix", "terrain", "joins"}
    done = {"layout/east/tops": (None, "pointy"), **joined}
    with pytest.raises(Refused, match="tops"):
        after_work(open_folder(root), done)


def test_letters_and_pointy_hexes_come_by_the_layout(tmp_path: Path) -> None:
    root = folder(tmp_path)
    done = work(
        root,
        **{
            "layout//tops": "pointy",
            "layout//order": "row",
            "layout//digits": [1, "letters"],
            "size/": [4, 3, "."],
        },
    )
    after = after_work(open_folder(root), done)
    assert [hex for hex in after.values if hex.startswith("t/")][:4] == ["t/A1", "t/A2", "t/A3", "t/A4"]


def test_an_outline_shares_its_borders_and_an_area_that_goes_takes_its_own(tmp_path: Path) -> None:
    root = folder(tmp_path, "diplomacy")
    old = {key: (value, None) for key, value in open_folder(root).values.items() if key.startswith("x/")}
    new = {f"x/province/{id}": (None, f"{{name: {id}, terrain: inland}}") for id in ("AAA", "BBB")}
    rings: dict[str, tuple[Any, Any]] = {
        "ring/AAA": (None, [50, 50, 250, 50, 250, 150, 250, 250, 50, 250]),
        "ring/BBB": (None, [250, 50, 450, 50, 450, 250, 250, 250]),
    }
    board = after_work(open_folder(root), {**old, **new, **rings}).board
    shapes = read(dict(board.shapes))
    assert shapes.touching.keys() == {("AAA", "BBB")}
    (border,) = shapes.touching["AAA", "BBB"]
    assert {*shapes.arcs[border].points} == {(250, 50), (250, 150), (250, 250)}
    assert shapes.size == (1000, 720) and not board.data.get("places", {}).get("centre")
    alone = BoardValues(board.changed({"x/province/BBB": None}))
    assert [*read(dict(alone.shapes)).areas] == ["AAA"]
    with pytest.raises(Refused):
        after_work(open_folder(root), {**old, **new, "ring/AAA": (None, [1, 1, 2, 2])})
