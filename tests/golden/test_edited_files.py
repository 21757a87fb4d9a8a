"""What an editor makes of files, value by value: texts, tables, counters, outlines, and two people at once.

Each case has many changes in one file. If a difference is meant, run `pytest tests/golden --update-golden`
and read it.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.board.shapes import read as read_shapes
from pbem.bot.answers import clever
from pbem.bot.games import stages
from pbem.engine.powers import seats_at_start
from pbem.engine.system import find
from pbem.workshop import outline_values, trying, writing
from pbem.workshop.cell_patching import changed as cells_changed
from pbem.workshop.differences import differences
from pbem.workshop.editing import open_folder
from pbem.workshop.shape_of import Column, Table
from pbem.workshop.trying import Tried
from pbem.workshop.written import Entries, Texts, Written
from tests.golden.digests import digest
from tests.golden.test_workshops import laid, spread
from tests.nightly import IN_CI, in_ci
from tests.primer import SYSTEM
from tests.unit.workshop.test_patching import MAP, walk

STEPS, SHOWN = 12, 12
"""Changes to a file, and lines of a difference that are written out."""
CRLF = """\
title: 'It''s'
a: # why
  - x  # one
  - {b: 1,
     c: "two"}
b: {a: [], d: ~}
last: [1, 2,
  3]""".replace("\n", "\r\n")
SHEETS = [
    b'id,owner,hex,note\nR-1,red,0305,"first, and ""best"""\n\nB-2,blue,,\nR-3,red\n',
    b"\xef\xbb\xbfHEX;Id;owner;id\r\n305;R-1;red;x\r\n;B-2;;y\r\n0101; R-3 ;red",
    'id\tname\thex\r\nR-1\tKöln\t0101\r\nB-2\t"a\nb"\t\r\n'.encode("cp1252"),
    b"",
]
CELLS = [
    {("R-1", "hex"): "0405", ("B-2", "hex"): 'a "b"', ("R-3", "owner"): "", ("Z-1", "hex"): "0101"},
    {("R-3", "hex"): "a;b", ("R-1", "strength"): "4", ("R-3", "strength"): "a,b"},
    {},
]
ROWS: list[dict[str, Any]] = [
    {},
    {"R-1": None, "B-9": {"owner": "blue", "hex": "03;03"}},
    {"R-3": None, "B-2": None, "A-1": {}},
]
UNITS: dict[str, Any] = {
    "units": {
        "GE": {"0806": ["GE-HQ1 HQ-A 6-4", "GE-2", ""], "0807": ["GE-3 INF"]},
        "SU": {"pool": ["SU-1 ARM 5", "GE-2 again"]},
        "odd": [1],
    }
}
OOB: dict[str, Any] = {
    "oob": {
        "axis": {
            "units": {"N-1": {"t": "infantry", "cv": 4, "late": True}, "N-2": {"t": "armour"}},
            "planes": {"P-1": {"t": "air"}},
        },
        "west": {"units": {"W-1": {"t": "x", "cv": 0}}},
    },
    "setup": {"0603": ["N-1/3", "N-2"], "0604": ["P-1", "N-1"]},
}
WORK: list[dict[str, Any]] = [
    {
        "GE-2": {"owner": "GE", "text": "MIL 3", "hex": "0806"},
        "GE-3": {"owner": "SU", "text": "INF", "hex": "0806"},
    },
    {"SU-1": None, "GE-2": None, "GE-9": {"text": "new"}},
    {
        "N-1": {
            "owner": "axis",
            "section": "units",
            "hex": "0603",
            "face": "3",
            "t": "guard",
            "cv": "12",
            "late": "no",
        }
    },
    {"N-1": {"owner": "west", "section": "planes", "hex": "0605", "t": "infantry", "cv": "4"}, "P-1": None},
    {
        "W-1": {"owner": "west", "section": "units", "hex": "0604", "face": "2", "t": "x"},
        "X-1": {"t": "2x", "cv": "[a"},
        "N-2": {"owner": "axis", "section": "units", "t": "armour"},
    },
]
KINDS = {
    "units": {"<id>": {"t": "text", "cv~": "number", "late~": "bool"}},
    "planes~": {"<id>": {"t": "text"}},
}
SHAPES: dict[str, Any] = {
    "size": [300, 200],
    "arcs": {
        "a0": [100, 0, 100, 100],
        "a1": [100, 100, 0, 100, 0, 0, 100, 0],
        "west": [100, 0, 200, 0, 200, 100, 100, 100],
        "a4": [20, 120, 60, 120, 60, 160, 20, 120],
    },
    "areas": {
        "A": {"ring": ["a0", "a1"], "water": True, "label": [50, 50], "stand": [60, 60]},
        "B": {"ring": ["-a0", "west"]},
    },
    "blank": {"sea": {"rings": [["a4"]]}},
    "belongs": {"A": "B"},
}
OUTLINES: dict[str, Any] = {
    "beside": [200, 0, 250, 0, 250, 100, 201, 100],
    "A": [0, 0, 100, 0, 100, 50, 0, 100],
    "sea": [20, 120, 60, 120, 60, 160],
    "flat": [1, 1, 2, 2, 1, 1, 2, 2],
    "far": [0, 0, 5, 0, 99999, 9],
    "half": [0.5, 0, 5, 0, 9, 9],
    "in": {"size": [400, 400], "points": [110, 10, 150, 10, 150, 50]},
    "size": {"size": [0, 400], "points": [110, 10, 150, 10, 150, 50]},
}
PAIRS: list[tuple[Any, Any]] = [
    ([1, 2, 3], [1, 2, 4, 5]),
    ([1, 2], [2, 1]),
    ([{"id": "a", "n": 1}, {"id": "b"}], [{"id": "b", "n": 2}, {"id": "c"}]),
    ([{"hex": "1", "n": 1}, {"hex": "1", "n": 2}], [{"hex": "1", "n": 1}, {"hex": "1", "n": 3}]),
    ([[1, 2], [3]], [[1, 2], [4]]),
    ([], [{"id": "a"}]),
    (True, 1),
    (None, "x" * 100),
    ({"a": {"b": 1}}, {"a": {"c": 1}}),
    ({"a": 1}, [1]),
]


def texts() -> Iterator[str]:
    for name, text in (("map", MAP), ("crlf", CRLF)):
        before = text
        for number, (after, _) in enumerate(walk(3, STEPS, text), 1):
            diff = list(
                difflib.unified_diff(before.splitlines(True), after.splitlines(True), name, f"{number}", n=0)
            )[2:]
            yield f"== {name} {number}: {len(diff)} lines {digest(after)}"
            yield from (repr(line)[1:-1][:140] for line in diff[:SHOWN])
            before = after


def sheets() -> Iterator[str]:
    for source in SHEETS:
        for cells in CELLS:
            for rows in ROWS:
                yield f"{cells} {rows}"
                yield repr(cells_changed(source, cells, rows)) if source or not cells else "-"


def written() -> Iterator[str]:
    entries = Entries("oob", "oob.yaml", KINDS, {"t": "text", "cv": "number", "late": "bool"}, "setup")
    kinds: list[tuple[Written, dict[str, Any]]] = [(Texts("units", "units.yaml"), UNITS), (entries, OOB)]
    for kind, data in kinds:
        yield f"{kind.heads} {kind.members}"
        yield from (f"{id}: {row}" for id, row in kind.rows(data).items())
        for work in WORK[:2] if data is UNITS else WORK[2:]:
            now = json.loads(json.dumps({key: {**value, "odd": {}} for key, value in data.items()}))
            kind.changed(now, work)
            yield f"{work} becomes {json.dumps(now)}"


def tables() -> Iterator[str]:
    """Counters of two sides and two kinds, in lists and by id, as far as they fit the columns."""
    columns = [
        Column("type", ("type",), "name"),
        Column("at", ("from", 0), "number"),
        Column("late", ("late",), "bool"),
    ]
    parts = Column("parts", ("parts",), [{"type": "name", "count": "number"}])
    for listed in (False, True):
        table = Table("counters", ("oob", "<side>", "units", "<kind>"), listed, [*columns, parts])
        other = Table("counters-air", ("oob", "<side>", "air"), listed, columns)
        for odd in ({}, {"odd": 1}, {"parts": [{"type": "x", "count": 2}, {"type": "y z", "count": 10}]}):
            units = {"a1": {"type": "IN", "late": True, **odd}, "a2": {"type": "AR", "from": [3]}}
            rows: Any = [{"id": id, **fields} for id, fields in units.items()] if listed else units
            value = {
                side: {"units": {"land": rows, "sea": rows}, "air": rows[:1] if listed else {}}
                for side in ("red", "blue")
            }
            for name, text in writing._tables([table, other], value).items():
                yield f"== {listed} {odd} {name}"
                yield text


def shapes() -> Iterator[str]:
    for area, outline in OUTLINES.items():
        for before in (SHAPES, {}):
            try:
                yield f"{area}: {json.dumps(outline_values.outlined(before, area, outline))}"
            except ValueError as fault:
                yield f"{area}: refused {fault}"
    for area in ("A", "B", "sea"):
        left = outline_values.without(SHAPES, area)
        yield f"without {area}: {json.dumps(left)}"
    yield f"without all: {outline_values.without(outline_values.without(SHAPES, 'A'), 'B')}"
    known = read_shapes(SHAPES)
    yield f"{known.touching} {sorted(known.sides.items())}"


def compared() -> Iterator[str]:
    """Also scenarios with other terrain, and more differences than are listed."""
    system = find("victory")
    first = system.whole("sarn_strait")
    rows = first.data["map"]["terrain"]
    painted = {**first.data["map"], "terrain": [rows[0][::-1], *rows[1:]]}
    pairs = [({"own": before}, {"own": after}) for before, after in PAIRS]
    pairs += [({}, {"map": painted}), ({}, {"own": {str(n): n for n in range(300)}})]
    for sides in pairs:
        one, other = (replace(first, data={**first.data, **side}) for side in sides)
        lines = [str(line) for line in differences(system, one, other)]
        yield from (f"-- {len(lines)}", *lines[:SHOWN], *lines[-1:])


def tried() -> Iterator[str]:
    games = [Tried(known=("bid-revealed", "never")) for _ in range(2)]
    for number, game in enumerate(games):
        trying._play_once(SYSTEM, "ford", f"try/{number}", game)
        yield json.dumps(game.data())
    every = trying.all_of(games)
    yield from (json.dumps(every.data()), *map(str, trying.lines_of(every)))
    results = Counter(red=5, draw=2)
    whole = replace(
        every, games=7, results=results, points=[1, 4], lost=Counter(red=15, blue=6), unfinished=1
    )
    yield from map(str, trying.lines_of(whole))
    known = [
        {"event": "game-over", "result": "tie"},
        {"event": "victory-ended", "winner": "red"},
        {"event": "battle", "winner": "x"},
    ]
    yield from (trying._result(known[:n], ("a",)) for n in range(4))
    yield f"{trying._result([], ('a', 'b'))} {trying._result([], None)}"


def both(root: Path) -> Iterator[str]:
    """Two people change the same values: one as the file was, as the other did, or otherwise."""
    laid(root, "victory", "sarn_strait")
    opened = open_folder(root)
    keys = [*spread([key for key in opened.values if key[0] != "f"], 20), "r/counters.csv/new", "t/9999"]
    for key in keys:
        value = opened.values.get(key)
        works = {
            "same": (value, "mine"),
            "theirs": ("before", value),
            "neither": ("before", "mine"),
            "new": (None, 1),
        }
        for name, both_ in works.items():
            if not key.startswith("layout/"):
                yield f"{key} {name}: {json.dumps(opened.conflicts({key: both_}))[:150]}"


IN_A_MOMENT = [sheets, written, tables, shapes]
LONGER = [pytest.param(kind, marks=IN_CI) for kind in (texts, compared, tried)]


@pytest.mark.parametrize("kind", [*IN_A_MOMENT, *LONGER], ids=lambda kind: str(kind.__name__))
def test_files_are_changed_as_they_were(
    kind: Callable[[], Iterator[str]], golden: Callable[[str, str], None]
) -> None:
    golden(f"edited-{kind.__name__}.txt", "".join(f"{line}\n" for line in kind()))


@in_ci
def test_two_people_hear_of_what_both_changed(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    golden("edited-both.txt", "".join(f"{line}\n" for line in both(tmp_path)))


@in_ci
def test_a_unit_of_a_power_is_a_loss_of_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    system = find("wif")
    scenario = system.scenarios()[0]
    begun = next(stages(system, scenario, None, "loss", clever))
    powers = seats_at_start(system.scenario(scenario))
    position = begun.outcome.position
    (gone, *_) = (
        id
        for id, one in position.counters.items()
        if powers.get(one.get("owner", ""), "") != one.get("owner")
    )
    owner = position.counters[gone]["owner"]
    left = position.copy()
    del left.counters[gone]
    ended = replace(begun, number=1, outcome=replace(begun.outcome, position=left))
    monkeypatch.setattr(trying, "stages", lambda *_: iter([begun, ended]))
    tried_once = Tried()
    trying._play_once(system, scenario, "loss", tried_once)
    assert tried_once.lost == {powers[owner]: 1} and owner not in tried_once.lost
