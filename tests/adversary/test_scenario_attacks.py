"""Attacks that content of games has carried before, tried on scenarios: every one is refused or harmless.

Each is named by where it was met.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from pbem.engine.scenarios.scenario_check import faults_of
from pbem.engine.scenarios.whole_scenario import MOST, pack, unpack
from pbem.engine.system import find
from pbem.text.canonical import NotCanonical
from pbem.text.diagnostics import Refused
from pbem.workshop import beside
from pbem.workshop.folders import MOST_FILE, read_folder
from pbem.workshop.importing import read
from pbem.workshop.writing import files_of

Change = Callable[[dict[str, Any]], Any]


def nested(deep: int) -> Any:
    return {"A": nested(deep - 1)} if deep else None


# ---- the object that travels: nothing is unpacked, and everything has bounds and a pattern ----

OBJECTS: dict[str, Change] = {
    "Wesnoth CVE-2007-5742, a path as an id": lambda d: d["units"].update({"../../x": d["units"]["R-IN1"]}),
    "Wesnoth CVE-2007-5742, a path as a chart": lambda d: d.update(charts={"../../units": {}}),
    "Wesnoth CVE-2007-6201, a count that hangs": lambda d: d["pool"]["red"].update(IN=10**18),
    "Wesnoth CVE-2007-6201, a map without end": lambda d: d["map"].update(terrain=[". " * 300] * 300),
    "Wesnoth CVE-2007-6201, sheets without end": lambda d: d["map"].update(
        sheets={f"s{n}": {"terrain": ["."]} for n in range(13)}
    ),
    "Wesnoth CVE-2007-6201, a turn without end": lambda d: d.update(last_turn=10**9),
    "Wesnoth CVE-2007-6201, deep data": lambda d: d["map"].update(boxes=nested(20)),
    "Wesnoth CVE-2018-1999023, code in a value": lambda d: d.update(title="{__import__('os')}\n"),
    "a script as an id": lambda d: d["units"].update({'R-"><script>': d["units"]["R-IN1"]}),
    "an unknown key": lambda d: d.update(weather="fine"),
    "a seat with a line break": lambda d: d["seats"].__setitem__(0, "red\n"),
    "a seat that is a path": lambda d: d["seats"].__setitem__(0, "../red"),
    "a bidirectional control in a name": lambda d: d["map"]["places"]["base"][0].update(name="Ka\u202esk"),
    "a huge number": lambda d: d["units"]["R-SU1"].update(cv=10**18),
    "a huge first number": lambda d: d["map"].update(first=10**6),
    "numbers that run together": lambda d: d["map"].update(digits=1),
    "victory by a hex that nobody can hold": lambda d: d["victory"].insert(
        0, {"kind": "hold", "who": ["red"], "hexes": ["0101"], "result": "Red"}
    ),
    "no seats": lambda d: d.update(seats=[]),
    "a line break in a name": lambda d: d["map"]["places"]["base"][0].update(name="Ka\nsk"),
    "a very long name": lambda d: d["map"]["places"]["base"][0].update(name="K" * 200),
}


@pytest.mark.parametrize("attack", OBJECTS)
def test_an_object_from_a_stranger_is_refused(attack: str) -> None:
    system, name = find("victory"), "sarn_strait"
    data = copy.deepcopy(dict(system.scenario(name)))
    OBJECTS[attack](data)
    charts = data.pop("charts", None)
    with pytest.raises(Refused) as refused:
        faults = faults_of(system, pack(system, name, data, charts=charts))
        if faults:
            raise Refused(faults)
    assert all(str(fault.message) for fault in refused.value.diagnostics)


@pytest.mark.parametrize(
    "data", [b" " * (MOST + 1), b'{"id":"a/../b"}', b"\xff", b"[" * 100_000, b'{"a":1e999}']
)
def test_bytes_that_are_no_scenario_are_refused(data: bytes) -> None:
    with pytest.raises((Refused, NotCanonical)):
        unpack(data)


# ---- the folder: fixed names in small letters, regular files, bounds before anything is built ----


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "folder"
    root.mkdir()
    for name, text in files_of(find("victory"), "sarn_strait").items():
        (root / name).write_text(text, "utf-8")
    return root


def appended(name: str, more: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        with open(root / name, "a", encoding="utf-8") as file:
            file.write(more)

    return change


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / name).read_text("utf-8")
        assert old in text
        (root / name).write_text(text.replace(old, new, 1), "utf-8")

    return change


def linked(root: Path) -> None:
    (root.parent / "secret.yaml").write_text("terrain: [SECRET]\n", "utf-8")
    (root / "map.yaml").unlink()
    (root / "map.yaml").symlink_to(root.parent / "secret.yaml")


def without_end(root: Path) -> None:
    (root / "words.yaml").unlink(missing_ok=True)
    os.mkfifo(root / "words.yaml")


def a_folder(root: Path) -> None:
    (root / "README.md").mkdir()


def charts(name: str, text: str = "a: 1\n") -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / "charts").mkdir()
        (root / "charts" / name).write_text(text, "utf-8")

    return change


BOMB = "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 20))
FOLDERS: dict[str, Callable[[Path], None]] = {
    "Wesnoth CVE-2007-5742, a link out of the folder": linked,
    "Wesnoth CVE-2015-5069, names on disks that know no case": charts("UNITS.yaml"),
    "Wesnoth CVE-2018-1999023, code by a tag": appended(
        "map.yaml", "x: !!python/object/apply:os.system [ls]\n"
    ),
    "a file in YAML that includes another": appended("map.yaml", "x: !include ../secret.yaml\n"),
    "a bomb of anchors": appended("scenario.yaml", "b0: &b0 [1]\n" + BOMB),
    "a merge of keys": appended("scenario.yaml", "x: &x {a: 1}\ny: {<<: *x}\n"),
    "a second document": appended("scenario.yaml", "---\nsystem: wif\n"),
    "a key twice": appended("scenario.yaml", "last_turn: 4\n"),
    "a pipe that nobody fills": without_end,
    "a folder in place of a file": a_folder,
    "a file without end": appended("map.yaml", "a: b\n" * MOST_FILE),
    "a chart with a path": charts("..yaml"),
    "a chart of another form": charts("numbers.yaml", "numbers: {battle_rounds: [1]}\n"),
    "a formula": replaced("counters.csv", "R-IN1,red,IN,4", '=HYPERLINK("http://x"),red,IN,4'),
    "a formula with a plus": replaced("counters.csv", "R-IN1,red,IN,4", "R-IN1,red,IN,+4"),
    "a formula with an at": replaced("counters.csv", "R-IN1,red,IN,4", "@SUM(1),red,IN,4"),
    "rows without end": appended("counters.csv", "".join(f"R-X{n},red,IN,3,0305,\n" for n in range(5001))),
    "a cell without end": replaced("counters.csv", "R-IN1,red,IN,4", f"R-IN1{'x' * 500},red,IN,4"),
    "a readme without end": lambda root: (root / "README.md").write_text("x" * 20_001, "utf-8") and None,
}


@pytest.mark.parametrize("attack", FOLDERS)
def test_a_folder_from_a_stranger_is_refused(attack: str, folder: Path) -> None:
    assert not read_folder(folder).errors
    FOLDERS[attack](folder)
    opened = read_folder(folder)
    assert opened.errors
    assert "SECRET" not in json.dumps([str(fault.message) for fault in opened.faults])


def test_a_game_that_never_asks_anybody_is_refused_at_once(tmp_path: Path) -> None:
    """Wesnoth CVE-2007-6201, a hang by content: found by importing a variant that begins without units."""
    system = find("diplomacy")
    for name, text in files_of(system, "three_shores").items():
        bare = "".join(line for line in text.splitlines(keepends=True) if name != "counters.csv")
        bare = re.sub(r"home: [a-z]+}", "home: null}", bare) or "id,owner,type,hex,coast\n"
        (tmp_path / name).write_text(bare, "utf-8")
    found = read_folder(tmp_path).errors
    assert [one.code for one in found] == ["no-question"] and found[0].help


def test_what_lies_beside_the_files_is_never_read(folder: Path) -> None:
    """Pictures, programs and folders of other names change nothing, and no picture is decoded."""
    before = read_folder(folder).whole
    (folder / "board.svg").write_text("<svg onload='alert(1)'/>", "utf-8")
    (folder / "map.py").write_text("raise SystemExit\n", "utf-8")
    (folder / ".editor").mkdir()
    (folder / ".editor" / "board.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 1000)
    (folder / "charts.d").mkdir()
    after = read_folder(folder).whole
    assert before is not None and after is not None and before.bytes == after.bytes


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<?xml version='1.0'?><svg/>",
        b"GIF89a",
        b"RIFF0000AVI ",
        b"",
    ],
)
def test_a_picture_is_known_by_its_first_bytes_and_is_never_a_drawing(data: bytes, tmp_path: Path) -> None:
    """A drawing can hold scripts; whatever its name says, it is not kept."""
    with pytest.raises(Refused):
        beside.keep_picture(tmp_path, data)
    assert not [*tmp_path.iterdir()]


# ---- files of other programs: no entities, no classes, no paths, every read within a bound ----

ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<map orientation='hexagonal' staggeraxis='x'>"
    "<layer width='1'><data encoding='csv'>&b;</data></layer></map>"
)


def module(**members: bytes) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as zipped:
        for name, data in members.items():
            zipped.writestr(name.replace("_", "."), data)
    return made.getvalue()


FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "TripleA #3442, MegaMek #4307, entities in Tiled": ("x.tmx", lambda: ENTITIES.encode()),
    "entities in Worldographer": ("x.wxx", lambda: gzip.compress(ENTITIES.encode("utf-16"))),
    "entities in a module": ("x.vmod", lambda: module(buildFile_xml=ENTITIES.encode())),
    "a bomb of gzip": ("x.wxx", lambda: gzip.compress(b"\0" * (64 << 20), 1)),
    "a bomb of zip": ("x.vmod", lambda: module(buildFile_xml=b" " * (64 << 20))),
    "a module without a build file": ("x.vmod", lambda: module(other=b"")),
    "no module": ("x.vmod", lambda: b"PK\x03\x04" + b"\0" * 100),
    "deep JSON": ("x.tmj", lambda: b"[" * 100_000),
    "tiles without end": ("x.tmj", lambda: json.dumps({"tilesets": [], "layers": [
        {"type": "tilelayer", "width": 10**9, "data": [1]}]}).encode()),
    "a table without end": (
        "x.csv", lambda: b"hex,terrain\n" + b"".join(b"%d.1,x\n" % n for n in range(1, 300))),
}  # fmt: skip


@pytest.mark.parametrize("attack", FILES)
def test_a_file_of_another_program_is_refused(attack: str, tmp_path: Path) -> None:
    name, make = FILES[attack]
    data = make()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Refused):
        read(name, data)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_module_writes_nothing_and_runs_nothing(tmp_path: Path) -> None:
    """MapTool #5421, zip slip; VASSAL loads classes that a module names, `pbem` reads names alone."""
    made = io.BytesIO()
    with ZipFile(made, "w") as zipped:
        zipped.writestr(
            "buildFile.xml", "<a><evil.Trojan name='x'/><VASSAL.x.PieceSlot entryName='1-2-3'/></a>"
        )
        zipped.writestr("../../evil.txt", "x")
        zipped.writestr("evil/Trojan.class", b"\xca\xfe\xba\xbe")
    (tmp_path / "x.vmod").write_bytes(made.getvalue())
    assert read("x.vmod", made.getvalue()).counters == [("1-2-3", "")]
    assert [path.name for path in tmp_path.iterdir()] == ["x.vmod"]
    assert not (tmp_path.parent / "evil.txt").exists() and not (tmp_path.parent.parent / "evil.txt").exists()
