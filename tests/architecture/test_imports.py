"""Rooms import what the table in docs/architecture.md allows, and nothing else."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.code import ROOT, Import, Module, modules, room_of, rooms

GUIDE = ROOT / "docs" / "architecture.md"
HEADS = ("room", "what it holds", "imports")
# third-party libraries as they are imported, where that is not their name on the index
LIBRARIES = {
    "ruamel.yaml": "ruamel",
    "ruamel.yaml.clib": "ruamel",
    "imap-tools": "imap_tools",
    "resvg-py": "resvg_py",
    "pyoxipng": "oxipng",
    "jinja": "jinja2",
}
# extras whose libraries are imported where they are used, with a message if they are missing
EXTRAS = ("mail", "png", "league", "cluster")
# what only those need who test, imported by nothing else: package -> its libraries
TESTERS = {"pbem.testing.conformance": {"pytest"}}
# what is there in a browser only: module -> the names it imports there
BROWSER = {"pbem.trust.noble": {"pyodide", "pbem_noble"}, "pbem.cli.site.finding": {"pbem_page"}}


def table() -> dict[str, frozenset[str]]:
    """Room -> rooms it may import, from the table of the guide."""
    lines = GUIDE.read_text("utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if _cells(line) == list(HEADS))
    found: dict[str, frozenset[str]] = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        room, _, allowed = _cells(line)
        found[room.strip("`")] = frozenset(allowed.replace("-", "").replace(",", " ").split())
    return {room: _spelled_out(allowed, found) for room, allowed in found.items()}


def _spelled_out(allowed: frozenset[str], rules: dict[str, frozenset[str]]) -> frozenset[str]:
    """Put rooms in the place of `room+` (it and all that it may import) and `room/*` (those inside it)."""
    out: set[str] = set()
    for name in allowed:
        room = name.removesuffix("+")
        if name.endswith("/*"):
            out |= {inside for inside in rules if inside.startswith(name[:-1])}
        else:
            out.add(room)
        if room != name:
            out |= _spelled_out(rules["rules.py" if room == "rules" else room], rules)
    return frozenset(out)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def allowed_for(room: str, rules: dict[str, frozenset[str]]) -> frozenset[str] | None:
    """What a room may import; None: everything."""
    said = rules["systems/*" if room.startswith("systems/") else room]
    if "all" in said:
        return None
    return frozenset("rules.py" if name == "rules" else name for name in said)


def breaches(module: Module, rules: dict[str, frozenset[str]]) -> list[str]:
    allowed = allowed_for(module.room, rules)
    return [
        f"{module.file}:{one.line}: {module.room} must not import {one.module}"
        for one in module.imports()
        if _is_ours(one)
        and allowed is not None
        and room_of(one.module) not in {*allowed, module.room, "pbem"}
    ]


def _is_ours(one: Import) -> bool:
    return one.module.split(".")[0] == "pbem"


def test_the_table_has_a_line_for_every_room() -> None:
    known = table()
    assert known["text"] == frozenset() and known["cli"] == {"all"}, "the table was not understood"
    missing = [r for r in rooms() if ("systems/*" if r.startswith("systems/") else r) not in known]
    assert not missing, f"rooms without a line in {GUIDE.name}: {missing}"
    there = {"systems/*" if room.startswith("systems/") else room for room in rooms()}
    assert set(known) == there, f"the table has rooms that do not exist: {set(known) - there}"


def test_the_picture_shows_every_room() -> None:
    picture = GUIDE.read_text("utf-8").partition("## The rooms\n")[2].partition("\n## ")[0]
    shown = set(re.findall(r"[a-z_*/.]+", picture))
    assert set(table()) - {"__main__.py"} <= shown


@pytest.mark.parametrize("room", rooms())
def test_a_room_imports_only_what_it_may(room: str) -> None:
    rules = table()
    found = [fault for module in modules() if module.room == room for fault in breaches(module, rules)]
    assert not found, "\n".join(found)


def test_the_arrows_of_the_table_make_no_circle() -> None:
    rules = table()
    done: set[str] = set()
    while len(done) < len(rules):
        free = {
            room for room in rules if room not in done and (allowed_for(room, rules) or frozenset()) <= done
        }
        assert free, f"these rooms import each other in a circle: {sorted(set(rules) - done)}"
        done |= free


@pytest.mark.parametrize(
    ("file", "source", "seen"),
    [
        ("pbem/text/a.py", "import pbem.board", "pbem.board"),
        ("pbem/text/a.py", "from pbem import board", "pbem.board"),
        ("pbem/text/a.py", "from ..board.hexes import f", "pbem.board.hexes"),
        ("pbem/text/a.py", "from .. import board", "pbem.board"),
        ("pbem/text/a.py", "def f():\n    from pbem.board.hexes import g", "pbem.board.hexes"),
        ("pbem/text/a.py", "if TYPE_CHECKING:\n    import pbem.board.map as m", "pbem.board.map"),
        ("pbem/text/a.py", "import_module('pbem.board.map')", "pbem.board.map"),
        ("pbem/text/a.py", "importlib.import_module(f'pbem.cli.{name}')", "pbem.cli"),
        (
            "pbem/systems/one/__init__.py",
            "from ..victory.rules import blocks",
            "pbem.systems.victory.rules.blocks",
        ),
    ],
)
def test_no_way_of_importing_is_overlooked(tmp_path: Path, file: str, source: str, seen: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    module = Module(path, tmp_path)
    assert [one.module for one in module.imports()] == [seen]
    assert len(breaches(module, table())) == 1


def _package(module: Module) -> str:
    return module.name if module.is_package else module.name.rpartition(".")[0]


def test_third_party_libraries_are_those_the_package_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *(one for e in EXTRAS for one in project["optional-dependencies"][e])]
    names = [line.split(";")[0].split("[")[0] for line in lines]
    declared = {name.rstrip("<>=.,0123456789 ") for name in names}
    declared = {LIBRARIES.get(name, name) for name in declared}
    assert {"click", "ruamel"} <= declared, "pyproject.toml was not understood"
    # `referencing` is part of what jsonschema offers: its registry is an argument of its validators; and
    # `markupsafe` of what jinja2 does
    known = {*sys.stdlib_module_names, *declared, "pbem", "referencing", "markupsafe"}
    found = {
        f"{module.file}:{one.line}: {one.module}"
        for module in modules()
        for one in module.imports()
        if one.module.split(".")[0]
        not in {*known, *TESTERS.get(_package(module), ()), *BROWSER.get(module.name, ())}
    }
    assert not found, f"imported, but not among the dependencies: {sorted(found)}"


def test_cryptography_is_imported_in_its_one_home() -> None:
    """In the browser there is none: everything asks the seam (`pbem/trust/primitives.py`)."""
    found = {
        module.file
        for module in modules()
        for one in module.imports()
        if one.module.split(".")[0] == "cryptography"
    }
    assert found == {"pbem/trust/native.py"}
