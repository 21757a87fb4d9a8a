"""The folder of a scenario under an editor: work is done on whatever the files say, and nowhere else."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from pbem.board.map import GameMap
from pbem.engine.installed import entry_points
from pbem.engine.system import find
from pbem.text import yaml
from pbem.text.diagnostics import Refused
from pbem.text.flow import flow
from pbem.workshop import beside
from pbem.workshop.board_values import BoardValues
from pbem.workshop.editing import after_work, digests, open_folder
from pbem.workshop.folders import read_folder
from pbem.workshop.writing import files_of

SYSTEMS = sorted(entry_points("pbem.systems"))


def folder(root: Path, system: str = "victory", name: str = "") -> Path:
    found = find(system)
    for file, text in files_of(found, name or found.scenarios()[0], "my-river").items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, "utf-8")
    return root


def work(root: Path, **changes: Any) -> dict[str, tuple[Any, Any]]:
    values = open_folder(root).values
    named = {key.replace("__", "/"): value for key, value in changes.items()}
    return {key: (values.get(key), value) for key, value in named.items()}


def write(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).write_bytes(data)


def test_work_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    root = folder(tmp_path)
    before = open_folder(root).values
    done = work(
        root,
        t__0305="m",
        s__river__0305__0306=1,
        l__road__0101__0102=1,
        l__road__0102__0103=1,
        l__road__0302__0402=None,
        n__0404="Hügel",
        p__base__0404={"name": "New", "kind": "town", "pp": 1, "port": False, "home": None},
        **{"c__counters.csv__R-IN1__hex": "0405", "r__counters.csv__R-SS1": None},
    )
    opened = open_folder(root)
    write(root, opened.changed(done))
    after = open_folder(root).values
    for key, (_, value) in done.items():
        assert after.get(key) == value, key
    gone = {key for key in before if before[key] != after.get(key)} - set(done)
    assert gone == {key for key in before if key.startswith("c/counters.csv/R-SS1/")}
    text = (root / "map.yaml").read_text("utf-8")
    assert '- "0101-0102-0103"' in text and '- "0202-0302"' in text and '- "0402-0502"' in text
    assert text.startswith("# The map: rows of letters")


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_scenario_of_the_package_can_be_edited_and_undone(name: str, tmp_path: Path) -> None:
    """All values taken away and put back: the same scenario, and not a fault more."""
    system = find(name)
    for scenario in system.scenarios():
        root = folder(tmp_path / scenario, name, scenario)
        opened = open_folder(root)
        values = {key: value for key, value in opened.values.items() if key[:2] in ("s/", "l/", "p/", "n/")}
        write(root, opened.changed({key: (value, None) for key, value in values.items()}))
        emptied = open_folder(root, check=False)
        assert not {key for key in emptied.values if key[:2] in ("s/", "l/", "p/")}
        write(root, emptied.changed({key: (None, value) for key, value in values.items()}))
        found = open_folder(root)
        same = {key: value for key, value in found.values.items() if key[:2] in ("s/", "l/", "p/", "n/")}
        assert same == values and not found.found.errors


def test_rows_that_count_from_the_south_are_painted_where_they_are(tmp_path: Path) -> None:
    root = folder(tmp_path, "ocs")
    opened = open_folder(root)
    assert opened.values["t/05.10"] == "w" and opened.values["t/01.01"] == "~"
    write(root, opened.changed({"t/05.10": ("w", "h")}))
    rows = yaml.load((root / "map.yaml").read_bytes(), "map.yaml").data["terrain"]
    assert rows[1] == ". w . . h f w . h . . v . w . ."


LAYOUTS = [
    {},
    {"rows_from": "bottom", "separator": ".", "first": 0},
    {"columns_from": "right", "shifted": "odd"},
    {"tops": "pointy"},
    {"tops": "pointy", "columns_from": "right", "rows_from": "bottom", "shifted": "odd"},
    {"digits": ["letters", 2], "order": "row"},
    {"tops": "pointy", "digits": ["letters", 1], "separator": ".", "first": [1, 5]},
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_letter_is_that_of_its_hex_on_every_kind_of_board(layout: dict[str, Any]) -> None:
    letters = [f"a{n}" for n in range(12)]
    terrain = [" ".join(letters[n : n + 4]) for n in (0, 4, 8)]
    data = {**layout, "legend": {letter: f"kind-{letter}" for letter in letters}, "terrain": terrain}
    chart, board = GameMap.from_data(data), BoardValues(data)
    values = board.values()
    for hex in chart.hexes:
        assert f"kind-{values[f't/{chart.number(hex)}']}" == chart.terrain(hex)
    one = chart.number(chart.hexes[5])
    painted = GameMap.from_data(board.changed({f"t/{one}": "a0"}))
    assert painted.terrain(painted.index(one)) == "kind-a0"
    grown = BoardValues(board.changed({"size/": [6, 5, "a1"]})).values()
    assert {key: grown[key] for key in values if key[:2] == "t/"} == {
        key: value for key, value in values.items() if key[:2] == "t/"
    }, "no hex that was there is another one now"


def test_the_map_grows_where_its_numbers_end(tmp_path: Path) -> None:
    root = folder(tmp_path)
    opened = open_folder(root)
    done = {"size/": (None, [20, 10, "."]), "t/2010": (".", "m"), "t/1209": (".", "f")}
    assert opened.conflicts(done) == [
        {"key": "size/", "before": None, "mine": [20, 10, "."], "theirs": [12, 8]}
    ]
    done["size/"] = ([12, 8], [20, 10, "."])
    assert opened.conflicts(done) == []
    after = after_work(opened, done)
    assert len(after.board.where) == 200 and after.values["t/2010"] == "m" and after.values["t/0305"] == "."
    south = open_folder(folder(tmp_path, "ocs"))
    grown = after_work(south, {"size/": ([16, 11], [17, 12, "."])}).values
    assert grown["t/05.10"] == "w" and grown["t/05.12"] == "." and grown["t/17.01"] == "."
    for columns, rows in ((100_000, 100_000), (12, 0), (0, 8), (12, -1), (-1, -8), (1, 100_000), ("12", 8)):
        with pytest.raises(Refused):
            opened.changed({"size/": ([12, 8], [columns, rows])})


def test_what_somebody_else_changed_is_kept_or_asked_about(tmp_path: Path) -> None:
    root = folder(tmp_path)
    done = work(root, t__0305="m", **{"c__counters.csv__R-IN1__hex": "0405"})
    text = (root / "counters.csv").read_text("utf-8")
    (root / "counters.csv").write_text(text.replace("R-IN2,red,IN,4,0306", "R-IN2,red,IN,4,0307"), "utf-8")
    now = open_folder(root)
    assert now.conflicts(done) == []
    write(root, now.changed(done))
    text = (root / "counters.csv").read_text("utf-8")
    assert "R-IN1,red,IN,4,0405" in text and "R-IN2,red,IN,4,0307" in text, "both changes"

    (root / "counters.csv").write_text(text.replace("R-IN1,red,IN,4,0405", "R-IN1,red,IN,4,0202"), "utf-8")
    later = {"c/counters.csv/R-IN1/hex": ("0405", "0606")}
    assert open_folder(root).conflicts(later) == [
        {"key": "c/counters.csv/R-IN1/hex", "before": "0405", "mine": "0606", "theirs": "0202"}
    ]


def test_digests_notice_every_file_that_counts_and_no_other(tmp_path: Path) -> None:
    root = folder(tmp_path)
    before = digests(root)
    (root / "board.png").write_bytes(b"\x89PNG")
    (root / "counters.csv.bak").write_bytes(b"")
    assert digests(root) == before and set(before) == {"counters.csv", "map.yaml", "scenario.yaml"}
    (root / "scenario.yaml").write_text("broken: [", "utf-8")
    assert digests(root) != before


def test_work_that_no_page_sends_gives_a_refusal_and_never_a_traceback(tmp_path: Path) -> None:
    root, luck = folder(tmp_path), random.Random(3)
    opened = open_folder(root)
    keys = [*luck.sample(sorted(opened.values), 60), "x/y", "l/road/0101", "p//", "s/river/", "size/no",
            "t/9999", "../../x/y", "c/counters.csv/R-IN1/evil", "c/../x/y/z", "r/counters.csv/=1+1",
            "f/../../etc/passwd", "L/" + "x" * 50, "n/0101", "a/country/0101", "size/",
            "l/road/0101/0101", "a/b",
            "layout//tops", "layout//first", "m/scenario.yaml/map", "m/x/y"]  # fmt: skip
    codes: set[str] = set()
    odd = [
        None,
        1,
        "",
        "x" * 399,
        "=1+1",
        "\u202eab",
        [],
        [1],
        {},
        {"hex": 3},
        {"a": {"b": [1]}},
        True,
        "a\nb",
        -1,
    ]
    for _ in range(200):
        done = {luck.choice(keys): (None, luck.choice(odd)) for _ in range(luck.randrange(1, 5))}
        try:
            files = opened.changed(done)
        except Refused as refused:
            codes |= {fault.code for fault in refused.diagnostics}
            continue
        assert set(files) <= {
            "map.yaml",
            "counters.csv",
            "scenario.yaml",
            "counters.yaml",
            "words.yaml",
            "README.md",
        }
        try:
            open_folder(root, files, check=luck.random() < 0.1)
        except Refused:
            continue
    assert "odd-work" in codes


def test_hostile_folders_are_refused(tmp_path: Path) -> None:
    root = folder(tmp_path / "a")
    (root / "map.yaml").rename(tmp_path / "elsewhere.yaml")
    (root / "map.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    with pytest.raises(Refused):
        open_folder(root)
    for rows in (
        "terrain: 3\n",
        'terrain: ["a b", "c"]\n',
        "sheets: {a: 3}\n",
        "sheets: []\n",
        "terrain: []\n",
    ):
        (root / "map.yaml").unlink()
        (root / "map.yaml").write_text(rows, "utf-8")
        with pytest.raises(Refused):
            open_folder(root)
    fifo = folder(tmp_path / "b")
    (fifo / "counters.csv").unlink()
    os.mkfifo(fifo / "counters.csv")
    with pytest.raises(Refused):
        open_folder(fifo)


def test_what_the_editor_keeps_is_private_and_never_travels(tmp_path: Path) -> None:
    root = folder(tmp_path / "a")
    before = read_folder(root).whole
    name = beside.keep_picture(root, b"\x89PNG\r\n\x1a\n" + bytes(50))
    beside.keep(root, {beside.RECOVERY: b'{"work": {}}'})
    assert name == "board.png" and beside.picture(root) == ("png", b"\x89PNG\r\n\x1a\n" + bytes(50))
    for path in (root / ".editor").iterdir():
        assert path.stat().st_mode & 0o777 == 0o600, path
    assert (root / ".editor" / ".gitignore").read_bytes() == b"*\n"
    after = read_folder(root).whole
    assert before is not None and after is not None and before.bytes == after.bytes
    beside.keep_picture(root, b"\xff\xd8\xff" + bytes(50))
    assert [path.name for path in sorted((root / ".editor").iterdir())] == [
        ".gitignore",
        "board.jpg",
        "recovery.json",
    ]
    for bad in (b"", b"GIF89a", b"<svg/>", b"RIFF0000WAVE"):
        with pytest.raises(Refused) as refused:
            beside.keep_picture(root, bad)
        assert refused.value.diagnostics[0].code == "no-picture"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    root = folder(tmp_path / "a")
    (tmp_path / "outside").mkdir()
    (root / ".editor").symlink_to(tmp_path / "outside")
    for call in (
        lambda: beside.keep(root, {beside.RECOVERY: b"{}"}),
        lambda: beside.read_json(root, beside.RECOVERY),
        lambda: beside.drop(root, beside.RECOVERY),
    ):
        with pytest.raises(Refused):
            call()
    assert list((tmp_path / "outside").iterdir()) == []
    (root / ".editor").unlink()
    (root / ".editor").mkdir()
    (root / ".editor" / "recovery.json").symlink_to(tmp_path / "outside" / "file")
    with pytest.raises(Refused):
        beside.keep(root, {beside.RECOVERY: b"{}"})


def test_a_sheet_is_added_beside_the_first_and_painted_in_one_work(tmp_path: Path) -> None:
    root = folder(tmp_path, "victory", "sarn_strait")
    opened = open_folder(root)
    work: dict[str, tuple[Any, Any]] = {
        "sheet/east": (None, [4, 3, ".", "e", "beside", "main"]),
        "t/e0102": (".", "f"),
        "n/e0102": (None, "Fern"),
    }
    assert opened.conflicts(work) == []
    after = after_work(opened, work)
    assert not after.found.errors, after.found.errors
    sheets = after.board.data["sheets"]
    assert (
        sheets["east"]["terrain"] == [". . . .", "f . . .", ". . . ."] and sheets["east"]["beside"] == "main"
    )
    assert sheets["main"]["terrain"] == opened.board.data["terrain"], "the numbers of the first stay"
    gone = after.board.changed({"sheet/east": None})
    assert list(gone["sheets"]) == ["main"]


def test_a_box_is_added_changed_and_taken_away(tmp_path: Path) -> None:
    root = folder(tmp_path, "ocs", find("ocs").scenarios()[0])
    opened = open_folder(root)
    board = opened.board
    (key,) = (key for key in opened.values if key.startswith("x/-/"))
    now = board.changed({"x/-/FarSea": '{name: "Far Sea", side: aster}', key: None})
    assert now["boxes"] == {"FarSea": {"name": "Far Sea", "side": "aster"}}
    faulty = after_work(opened, {"x/-/FarSea": (None, "{name: [")})
    assert any(error.span is not None and error.span.file == "map.yaml" for error in faulty.found.errors)


def test_the_hexes_of_an_area_stay_when_its_name_changes(tmp_path: Path) -> None:
    root = folder(tmp_path, "wif", find("wif").scenarios()[0])
    opened = open_folder(root)
    said = yaml.load(f"v: {opened.values['x/sea/NS']}", "v").data["v"]
    assert "members" not in said and said["boxes"]
    now = opened.board.changed({"x/sea/NS": flow({**said, "name": "Grey Sea"})})["areas"]["sea"]["NS"]
    assert now == {**opened.board.data["areas"]["sea"]["NS"], "name": "Grey Sea"}


def test_a_border_that_is_dragged_is_an_arc_that_both_areas_share(tmp_path: Path) -> None:
    """The map brings no shapes: those with which the package draws it are taken in with the first change."""
    root = folder(tmp_path, "diplomacy", "three_shores")
    opened = open_folder(root)
    key = next(key for key, value in opened.values.items() if key.startswith("h/arc/") and len(value) > 8)
    points = opened.values[key]
    moved = [*points[:2], points[2] + 5, *points[3:]]
    after = after_work(opened, {key: (points, moved), "h/spot/TAL/label": (None, [670, 370])})
    assert not after.found.errors, after.found.errors
    assert after.values[key] == moved and after.values["h/spot/TAL/label"] == [670, 370]
    assert after.board.data["shapes"]["size"] == [1000, 760]
    other = {
        k: v for k, v in opened.values.items() if k.startswith("h/") and k not in (key, "h/spot/TAL/label")
    }
    assert all(after.values[k] == v for k, v in other.items())


def test_a_folder_without_its_counters_in_yaml_has_none_to_edit(tmp_path: Path) -> None:
    """Where the system would write them there; those that are there are rows."""
    root = folder(tmp_path, "totaler-krieg")
    start = "r/counters.yaml/"
    assert any(key.startswith(start) for key in open_folder(root).values)
    (root / "counters.yaml").unlink()
    opened = open_folder(root)
    assert opened.written is None and not any(key.startswith(start) for key in opened.values)
