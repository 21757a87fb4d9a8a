"""The replacement of a compiled library does what those who use it need."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.site.replaced.rpds import HashTrieMap, HashTrieSet, List

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
import rpds
assert rpds.__file__.startswith(sys.argv[1]), rpds.__file__
from pbem.text import schema
found = []
for value in ({"a": 1, "b": [1, "x"]}, {"a": "no"}, {"b": [{}]}, [], {"c": 1}):
    faults = schema.check(value, json.loads(sys.argv[2]))
    found.append([str(one.message) for one in faults])
print(json.dumps(found))
"""
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"$ref": "#/$defs/one"}}},
    "required": ["a"],
    "additionalProperties": False,
    "$defs": {"one": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
}


def test_schemas_are_checked_with_it_as_with_the_library() -> None:
    import pbem.cli.site.replaced as replaced

    folder = str(Path(str(replaced.__file__)).parent)
    found = []
    for program in (PROGRAM, PROGRAM.replace("sys.path.insert(0, sys.argv[1])\n", "").replace("assert", "#")):
        command = [sys.executable, "-c", program, folder, json.dumps(SCHEMA)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert found[0] == found[1]
    assert [bool(one) for one in found[0]] == [False, True, True, True, True]


def test_changes_give_another_collection() -> None:
    first: HashTrieMap[str, int] = HashTrieMap({"a": 1})
    assert dict(first.insert("b", 2)) == {"a": 1, "b": 2} and dict(first) == {"a": 1}
    assert dict(first.update({"c": 3}, d=4)) == {"a": 1, "c": 3, "d": 4}
    assert dict(first.remove("a")) == {}
    assert HashTrieMap.convert(first) is first and HashTrieMap.convert({"a": 1}) == first
    with pytest.raises(KeyError):
        first.remove("x")
    one: HashTrieSet[str] = HashTrieSet(["a"])
    assert set(one.insert("b")) == {"a", "b"} and set(one) == {"a"} and "a" in one
    assert set(one.update(["c"], ["d"])) == {"a", "c", "d"}
    row: List[int] = List([1, 2])
    assert list(row.push_front(0)) == [0, 1, 2] and list(row) == [1, 2]
    assert List([1, 2]) == row and len(List()) == 0


OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "map": lambda lib: lib.HashTrieMap({"a": 1}, b=2),
    "map of pairs": lambda lib: lib.HashTrieMap([("a", 1)]),
    "inserted": lambda lib: lib.HashTrieMap({"a": 1}).insert("a", 2),
    "updated": lambda lib: lib.HashTrieMap({"a": 1}).update({"b": 2}, {"a": 3}, c=4),
    "not there": lambda lib: lib.HashTrieMap({"a": 1}).get("x", "none"),
    "missing": lambda lib: lib.HashTrieMap({"a": 1})["x"],
    "removed": lambda lib: lib.HashTrieMap({"a": 1, "b": 2}).remove("a"),
    "converted": lambda lib: type(lib.HashTrieMap.convert({"a": 1})).__name__,
    "equal maps": lambda lib: lib.HashTrieMap(a=1) == lib.HashTrieMap({"a": 1}),
    "length of a map": lambda lib: len(lib.HashTrieMap(a=1, b=2)),
    "set": lambda lib: sorted(lib.HashTrieSet(["b", "a", "b"])),
    "set with more": lambda lib: sorted(lib.HashTrieSet(["b"]).insert("a")),
    "sets together": lambda lib: sorted(lib.HashTrieSet(["b"]).update(["a"], ["c"])),
    "in a set": lambda lib: ["a" in lib.HashTrieSet(["a"]), "b" in lib.HashTrieSet(["a"])],
    "length of a set": lambda lib: len(lib.HashTrieSet("aab")),
    "list of one": lambda lib: list(lib.List([1, 2])),
    "list of several": lambda lib: list(lib.List(1, 2)),
    "list of a row in a row": lambda lib: [list(one) for one in lib.List([[1], [2]])],
    "pushed": lambda lib: list(lib.List([1]).push_front(0)),
    "equal lists": lambda lib: [lib.List([1]) == lib.List([1]), lib.List([1]) == lib.List([2])],
    "alike in a dictionary": lambda lib: len({lib.List([1]), lib.List([1]), lib.List([2])}),
    "maps in a dictionary": lambda lib: len({lib.HashTrieMap(a=1), lib.HashTrieMap(a=1)}),
    "length of a list": lambda lib: len(lib.List([1, 2])),
    "said": lambda lib: [repr(lib.List([1])), repr(lib.HashTrieMap(a=1)), repr(lib.HashTrieSet(["a"]))],
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_answers_as_the_library_does(name: str) -> None:
    import rpds

    from pbem.cli.site.replaced import rpds as replaced

    def told(lib: Any) -> Any:
        try:
            made = OPERATIONS[name](lib)
        except KeyError as missing:
            return ["missing", missing.args]
        return dict(made) if isinstance(made, Mapping) else made

    assert told(replaced) == told(rpds)
