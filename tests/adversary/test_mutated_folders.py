"""Folders of scenarios with a seeded change somewhere: refused with a place, or a game; never a crash."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pbem.engine.adjudicate import adjudicate, start
from pbem.engine.answers import Inputs
from pbem.engine.installed import entry_points
from pbem.engine.system import find
from pbem.workshop.folders import read_folder
from pbem.workshop.writing import files_of
from tests.unit.engine.mutating import NASTY

SYSTEMS = sorted(entry_points("pbem.systems"))
HOW = (
    "token",
    "token",
    "token",
    "line",
    "twice",
    "swap",
    "letter",
    "cut",
    "bytes",
    "encoding",
    "case",
    "gone",
)
OF_FILES = {"no-scenario", "no-counters", "missing-file"}
"""What is said of a folder that lacks a file, and so of no place in one."""
TOKEN = re.compile(r"[A-Za-z0-9_.~/-]+")


def change(files: dict[str, bytes], dice: random.Random) -> None:
    """Change a file as people, spreadsheets and strangers do."""
    name = dice.choice(sorted(files))
    how, data = dice.choice(HOW), files[name]
    lines = data.split(b"\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    if how == "token":
        found = list(TOKEN.finditer(data.decode("utf-8", "replace")))
        one = dice.choice(found) if found else None
        if one is not None:
            new = str(dice.choice([*NASTY, *(each[0] for each in found[:200])]))
            text = data.decode("utf-8", "replace")
            files[name] = (text[: one.start()] + new + text[one.end() :]).encode("utf-8", "replace")
    elif how == "line":
        files[name] = b"\n".join(lines[:at] + lines[at + 1 :])
    elif how == "twice":
        files[name] = b"\n".join([*lines[:at], lines[at], lines[at], *lines[at + 1 :]])
    elif how == "swap":
        lines[at], lines[other] = lines[other], lines[at]
        files[name] = b"\n".join(lines)
    elif how == "letter" and data:
        place = dice.randrange(len(data))
        files[name] = data[:place] + dice.choice(b" \t0:,;\"'{}[]-&*!=").to_bytes() + data[place + 1 :]
    elif how == "cut":
        files[name] = data[: dice.randrange(len(data) + 1)]
    elif how == "bytes" and data:
        place = dice.randrange(len(data))
        files[name] = data[:place] + dice.randbytes(dice.choice((1, 4, 40))) + data[place:]
    elif how == "encoding":
        text = (
            data.decode("utf-8", "replace")
            .replace(",", dice.choice(",;\t"))
            .replace("\n", dice.choice(("\n", "\r\n")))
        )
        files[name] = text.encode(dice.choice(("utf-8-sig", "cp1252", "utf-16")), "replace")
    elif how == "case":
        files[dice.choice((name.upper(), name.title(), f"x{name}"))] = files.pop(name)
    elif how == "gone":
        del files[name]


def judged(root: Path, system: str, seed: str) -> str:
    """What becomes of a changed folder: refused with a place, or a game that asks its first question."""
    dice = random.Random(seed)
    scenario = dice.choice(find(system).scenarios())
    files = {name: text.encode() for name, text in files_of(find(system), scenario).items()}
    for _ in range(dice.choice((1, 1, 2, 3))):
        change(files, dice)
    root.mkdir()
    for name, data in files.items():
        (root / name).write_bytes(data)
    found = read_folder(root)
    assert sorted(path.name for path in root.iterdir()) == sorted(files), "reading a folder writes nothing"
    assert all(str(one.message) and one.code for one in found.faults)
    if found.errors or found.whole is None or found.system is None:
        assert found.errors and all(one.span or one.path or one.code in OF_FILES for one in found.errors), (
            found.errors
        )
        return "refused"
    own = found.system.with_scenario(found.whole)
    adjudicate(own, start(own, found.whole.id), Inputs(0))
    return "taken"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_changed_folder_is_refused_with_a_place_or_played(system: str, tmp_path: Path) -> None:
    found = {judged(tmp_path / str(n), system, f"folder/{system}/{n}") for n in range(20)}
    assert found == {"refused", "taken"}


def test_a_key_that_does_not_travel_is_named_with_its_line(tmp_path: Path) -> None:
    """Found by 10,000 mutations: the refusal said neither file nor line."""
    files = files_of(find("diplomacy"), find("diplomacy").scenarios()[0])
    for name, text in files.items():
        (tmp_path / name).write_text(text.replace("first_year:", "first_^year:"), "utf-8")
    found = [one for one in read_folder(tmp_path).errors if one.code == "bad-key"]
    assert found and found[0].span is not None and found[0].span.file == "scenario.yaml"
    lines = (tmp_path / "scenario.yaml").read_text("utf-8").splitlines()
    assert lines[found[0].span.line - 1].startswith("first_^year:")


@pytest.mark.parametrize(
    "text", ["# nothing yet\n", "", "aster:\n", "5\n", "[]\n", "aster: 5\n", "aster: {units: 3}\n"]
)
def test_a_file_of_counters_that_says_nothing_or_something_else_breaks_no_table(
    text: str, tmp_path: Path
) -> None:
    """Found by 10,000 mutations: a counters.yaml of comments alone beside tables gave a traceback."""
    for name, said in files_of(find("ocs"), find("ocs").scenarios()[0]).items():
        (tmp_path / name).write_text(said, "utf-8")
    (tmp_path / "counters.yaml").write_text(text, "utf-8")
    found = read_folder(tmp_path)
    says_nothing = not text.rstrip("\n") or text[0] == "#" or text == "aster:\n"
    wrong = [one for one in found.errors if one.span is not None and one.span.file == "counters.yaml"]
    assert bool(wrong) is not says_nothing, found.faults


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_thousands_of_changed_folders(system: str, tmp_path: Path) -> None:
    for n in range(900):
        judged(tmp_path / str(n), system, f"folder/{system}/many/{n}")
