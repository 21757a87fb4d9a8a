"""The scenarios in the workshop: their files, what the editor gets of them and writes after a change, and
what the check says of a folder in which something is missing or wrong.

Diffs and faults are there as text, everything else as digests. If a difference is meant, run
`pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.web.editor.faces import faces
from pbem.cli.web.editor.model import model
from pbem.engine.system import find
from pbem.text.diagnostics import Refused
from pbem.text.render import concise, full
from pbem.workshop.editing import open_folder
from pbem.workshop.folders import read_folder
from pbem.workshop.telling import holds, own_lines
from pbem.workshop.writing import files_of
from tests.golden.digests import digest
from tests.golden.test_pictures import SCENARIOS
from tests.nightly import in_ci

CHANGED, DAMAGED = 24, 7
"""Values of a folder that are changed, and lines of each file that are taken out or written twice."""
MOST = 8
"""Lines of a difference that are written out."""
SHOWN = [one for one in SCENARIOS if not one[1].endswith(("_two", "_beyond", "_fronts_1943"))]
"""Others have the same map."""


def laid(root: Path, system: str, scenario: str) -> dict[str, str]:
    """Write the folder of a scenario."""
    files = files_of(find(system), scenario, scenario)
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8", newline="")
    return files


def spread(listed: list[Any], count: int) -> list[Any]:
    return listed[:: max(1, len(listed) // count)][:count]


def kind_of(key: str) -> tuple[str, str]:
    """Return of what kind a value is: those of a table by their column."""
    return key[0], key.rpartition("/")[2] if key[0] == "c" else ""


def folder(root: Path, system: str, scenario: str) -> Iterator[str]:
    """Yield the files of a scenario, what it says of itself, and the parts of what the editor gets."""
    for name, text in sorted(laid(root, system, scenario).items()):
        yield f"{name}: {len(text.splitlines())} lines {digest(text)}"
    whole = find(system).whole(scenario)
    yield from (str(line) for line in (*own_lines(find(system), whole), *holds(find(system), whole)))
    opened = open_folder(root)
    parts = {**model(opened, "de"), **faces(opened, "en")}
    yield from (f"{key} {digest(json.dumps(value))}" for key, value in parts.items() if key != "digests")


def changes(root: Path, system: str, scenario: str) -> Iterator[str]:
    """Yield the lines that change if a value becomes that of another of its kind, or goes."""
    laid(root, system, scenario)
    opened = open_folder(root)
    keys = list(opened.values)
    for number, key in enumerate(spread(keys, CHANGED)):
        before = opened.values[key]
        alike = [opened.values[other] for other in keys if kind_of(other) == kind_of(key)]
        after = None if number % 4 == 3 else next((value for value in alike if value != before), None)
        yield f"{key}: {json.dumps(before)[:60]} becomes {json.dumps(after)[:60]}"
        try:
            changed = opened.changed({key: (before, after)})
        except Refused as refused:
            yield concise(refused.diagnostics)
            continue
        for name, data in changed.items():
            old, new = (text.decode().splitlines() for text in (opened.files.get(name, b""), data))
            diff = list(difflib.unified_diff(old, new, name, "now", lineterm="", n=0))
            yield from (line[:150] for line in diff[:MOST])
            yield f"{len(diff)} lines {digest(chr(10).join(diff))}"


def faults(root: Path, system: str, scenario: str) -> Iterator[str]:
    """Yield what the check says of a folder that lacks a line, or has a line twice."""
    for name, text in sorted(laid(root, system, scenario).items()):
        lines = text.splitlines(keepends=True)
        said = [n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
        for number, n in enumerate(spread(said, DAMAGED)):
            wrong = [*lines[:n], *lines[n : n + 1] * (2 if number % 2 else 0), *lines[n + 1 :]]
            found = read_folder(root, {name: "".join(wrong).encode()})
            yield f"{name}:{n + 1} {'twice' if number % 2 else 'gone'}: {lines[n].strip()[:60]}"
            yield from full(found.faults[:3], {name: "".join(wrong)}).splitlines()


@in_ci
@pytest.mark.parametrize("part", [folder, changes, faults])
@pytest.mark.parametrize(("system", "scenario"), SHOWN)
def test_the_workshop_has_of_a_scenario_what_it_had(
    system: str,
    scenario: str,
    part: Callable[[Path, str, str], Iterator[str]],
    tmp_path: Path,
    golden: Callable[[str, str], None],
) -> None:
    lines = (line.replace(str(tmp_path), "") for line in part(tmp_path, system, scenario))
    golden(f"{system}-{scenario}-{part.__name__}.txt", "".join(f"{line}\n" for line in lines))
