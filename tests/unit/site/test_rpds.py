"""The replacement of a compiled library does what those who use it need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
