"""Files that an editor changes read as if a person had changed them: comments, quotes and order stay."""

from __future__ import annotations

import copy
import difflib
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.text import yaml
from pbem.text.diagnostics import Refused
from pbem.workshop import patching
from pbem.workshop.patching import patched

MAP = """\
# my map
terrain:
  - "f . h"   # the north
  - ". . ~"

hexsides:
  # the Sarn
  river: ["0101/0102", "0102/0202"]   # two so far
links:
  road:
    - "0101-0102"
    # to the coast
    - "0102-0202-0302"
places:
  base:
    - {hex: "0101", name: Karsk, pp: 3}
    - hex: "0202"
      name: Dron
      pp: 1
names: {"0101": Karsk}
"""


def changed(text: str, change: Any) -> tuple[str, list[str]]:
    wanted = copy.deepcopy(yaml.load(text, "map.yaml").data)
    change(wanted)
    done = patched(text, "map.yaml", wanted)
    assert yaml.load(done, "map.yaml").data == wanted
    diff = difflib.unified_diff(text.splitlines(), done.splitlines(), lineterm="", n=0)
    return done, [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_nothing_changes_no_byte() -> None:
    assert changed(MAP, lambda data: None) == (MAP, [])


def test_a_row_of_letters_is_one_line_and_keeps_its_comment() -> None:
    def change(data: Any) -> None:
        data["terrain"][0] = "f m h"

    assert changed(MAP, change)[1] == ['-  - "f . h"   # the north', '+  - "f m h"   # the north']


def test_a_river_that_goes_on_is_one_line_and_the_comment_above_stays() -> None:
    def change(data: Any) -> None:
        data["hexsides"]["river"].append("0202/0302")

    assert changed(MAP, change)[1] == [
        '-  river: ["0101/0102", "0102/0202"]   # two so far',
        '+  river: ["0101/0102", "0102/0202", "0202/0302"]   # two so far',
    ]


def test_a_long_list_goes_on_in_the_next_line() -> None:
    def change(data: Any) -> None:
        data["hexsides"]["river"] += [f"{n:02}01/{n:02}02" for n in range(10, 20)]

    done, diff = changed(MAP, change)
    assert max(map(len, done.splitlines())) <= 112
    assert (
        diff[2]
        == '+          "1501/1502", "1601/1602", "1701/1702", "1801/1802", "1901/1902"]   # two so far'
    )


def test_a_new_road_a_road_less_and_a_new_place_are_a_line_each() -> None:
    def change(data: Any) -> None:
        data["links"]["road"] = ["0102-0202-0302", "0301-0302"]
        data["places"]["base"].append({"hex": "0302", "name": "Velm", "pp": 0})
        data["places"]["base"][1]["pp"] = 2

    assert changed(MAP, change)[1] == [
        '-    - "0101-0102"',
        '+    - "0301-0302"',
        "-      pp: 1",
        "+      pp: 2",
        '+    - {hex: "0302", name: Velm, pp: 0}',
    ]


def test_what_was_not_there_comes_at_the_end_and_what_goes_takes_its_lines() -> None:
    def change(data: Any) -> None:
        data["areas"] = {"country": {"Reich": ["0101"]}}
        del data["links"]
        data["hexsides"]["canal"] = ["0101/0201"]

    diff = changed(MAP, change)[1]
    assert '+  canal: ["0101/0201"]' in diff and '+  country: {Reich: ["0101"]}' in diff
    assert "-links:" in diff and len(diff) == 8


def test_quotes_and_line_ends_are_those_of_the_file() -> None:
    text = "title: 'It''s'\r\nterrain:\r\n  - '. .'\r\n"
    wanted = {"title": "It's not", "terrain": [". x"], "first": 2}
    assert patched(text, "map.yaml", wanted) == "title: 'It''s not'\r\nterrain:\r\n  - '. x'\r\nfirst: 2\r\n"


def test_a_file_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Refused):
        patched("a: [1", "map.yaml", {"a": [2]})


def test_a_file_that_would_say_something_else_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patching, "entry", lambda key, value, indent: f"{key}: lost\n")
    with pytest.raises(Refused) as refused:
        patched("a: 1\n", "map.yaml", {"a": 1, "b": [2]})
    assert refused.value.diagnostics[0].code == "not-written"


def some(luck: random.Random, deep: int = 3) -> Any:
    kind = luck.randrange(5 if deep else 3)
    if kind < 3:
        return luck.choice(["0101", "plain", "it's: {odd}", "# no", "", "yes", 0, 7, True, False, None])
    if kind == 3:
        return [some(luck, deep - 1) for _ in range(luck.randrange(4))]
    return {
        luck.choice(["a", "b", "c d", "0101", "~"]): some(luck, deep - 1) for _ in range(luck.randrange(4))
    }


def walk(seed: int, count: int, text: str = MAP) -> Iterator[tuple[str, Any]]:
    """Yield texts of a file with what each should say; each change is made on the text of the one before.

    So all styles meet.
    """
    luck = random.Random(seed)
    before = yaml.load(text, "map.yaml").data
    for _ in range(count):
        wanted = copy.deepcopy(before)
        for _ in range(luck.randrange(1, 4)):
            inside: Any = wanted
            while True:
                keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
                key = luck.choice(keys) if keys else None
                if key is None or luck.random() < 0.4 or not isinstance(inside[key], dict | list):
                    break
                inside = inside[key]
            if key is not None and luck.random() < 0.25:
                del inside[key]
            elif isinstance(inside, dict):
                inside[key or "new"] = some(luck)
            else:
                inside.insert(luck.randrange(len(inside) + 1), some(luck))
        before = wanted or {"terrain": []}
        text = patched(text, "map.yaml", before)
        yield text, before


def test_whatever_is_changed_the_file_says_it_afterwards() -> None:
    for text, wanted in walk(7, 150):
        assert yaml.load(text, "map.yaml").data == wanted


@pytest.mark.parametrize("blanks", [0, 1])
def test_a_new_entry_after_one_on_one_line_is_on_one_too_as_far_as_it_fits(blanks: int) -> None:
    def change(data: Any) -> None:
        data["decks"]["new"] = {"id": "x" * (130 + blanks), "of": 1}

    done, lines = changed("decks:\n  old: {id: a, of: 1}\n", change)
    assert len(lines) == (1 if not blanks else 3), done


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_what_comes_at_the_end_of_a_file_begins_a_line_whether_the_last_one_ended_or_not(end: str) -> None:
    assert changed(f"a:\n  - 1{end}", lambda data: data["a"].append(2))[0].split() == "a: - 1 - 2".split()
    assert (
        changed(f"a:\n  b: 1{end}", lambda data: data["a"].update(c=2))[0].split() == "a: b: 1 c: 2".split()
    )
    assert changed(f"a: 1{end}", lambda data: data.update(b=2))[0].split() == "a: 1 b: 2".split()
