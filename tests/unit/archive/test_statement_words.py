"""Statements in words, names from strangers, findings in order, and what a merge says it did."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.folder.statement_words import name, text
from pbem.archive.git.merging import Merged
from pbem.archive.verifying.findings import Finding, Notes, few, shown
from pbem.archive.verifying.verification import Verification

NONCE = "ab" * 16
OPENED: Any = {
    "b/2": {"nonce": NONCE, "value": ["take", 2]},
    "a/1": {"nonce": NONCE, "value": "hold"},
}
BODIES: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "answers in the order in which they were given": (
        "order",
        {"orders": [{"decision": "z", "answer": ["r1", 2]}, {"decision": "a", "answer": None}]},
        ["z: [r1, 2]", "a: null"],
    ),
    "no open answer": ("order", {"orders": []}, ["no open answers"]),
    "an answer that is none": (
        "order",
        {"orders": ["odd", {"decision": "z"}, {"answer": 1}]},
        ["odd", "{decision: z}", "{answer: 1}"],
    ),
    "what is sealed and committed says only that it is": (
        "order",
        {"sealed": {"south": "ee", "gm": "dd"}, "commits": {"y": "ff", "x": "ff"}},
        ["x: committed", "y: committed", "sealed to gm, south"],
    ),
    "what was committed, without nonces": (
        "link",
        {"openings": OPENED},
        ["openings:", "  a/1: hold", "  b/2: [take, 2]"],
    ),
    "by the statement that it was in": (
        "unseal",
        {"openings": {"c" * 64: OPENED, "d" * 64: "odd"}},
        ["openings:", "  cccccccc a/1: hold", "  cccccccc b/2: [take, 2]"],
    ),
    "lists, mappings and what is neither, in order of name": (
        "ack",
        {"taken": ["b", "a"], "more": {"z": 1, "y": [2]}, "days": 3, "by": "noon", "openings": [1]},
        [
            "by: noon",
            "days: 3",
            "more:",
            "  y: [2]",
            "  z: 1",
            "openings:",
            "  - 1",
            "taken:",
            "  - b",
            "  - a",
        ],
    ),
    "what no file for people may hold": ("protest", {"text": "a\x07b\u202ec"}, ["text: a?b?c"]),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_statement_in_words(case: str) -> None:
    kind, body, lines = BODIES[case]
    said: Any = SimpleNamespace(type=kind, sender="north", stage=7, rev=3, sid="5d" * 32, body=body)
    head, sid, empty, *rest = text(said).split("\n")
    assert all(word in head for word in ("north", "7", "3"))
    assert (sid, empty, rest) == (f"sid {'5d' * 32}", "", [*lines, ""])
    assert name(said) == f"stages/0007/north-{kind}-3-5d5d5d5d.txt"


@pytest.mark.parametrize(("length", "whole"), [(398, True), (400, True), (401, False), (9000, False)])
def test_what_is_long_is_cut(length: int, whole: bool) -> None:
    said: Any = SimpleNamespace(
        type="ack", sender="gm", stage=1, rev=1, sid="5" * 64, body={"taken": ["x" * length]}
    )
    line = text(said).split("\n")[4].removeprefix("  - ")
    assert line == ("x" * length if whole else "x" * 397 + "...")


def test_a_name_from_a_stranger_is_fit_to_print() -> None:
    assert shown("a\x1b[1m\u00e4") == r"'a\x1b[1m\xe4'"
    assert shown("x" * 78) == f"'{'x' * 78}'"
    assert shown("x" * 79) == f"'{'x' * 76}..."
    assert few(["a", "b"]) == "'a', 'b'"
    assert few([*"abcde"]) == "'a', 'b', 'c', 'd', 'e'"
    assert few([*"abcdefg"]) == "'a', 'b', 'c', 'd', 'e' and 2 more"


def test_the_first_fault_is_that_of_the_earliest_stage() -> None:
    notes = Notes()
    notes.claimed("a", "somebody says so", 0, "north")
    notes.consistent("b", "so far")
    notes.proved("c", "proved", 1, "south")
    assert not notes.any_false()
    assert Verification(notes.findings).first_bad is None and Verification(notes.findings).ok
    notes.false("d", "late", 3)
    assert notes.any_false()
    notes.false("e", "early", 2, "north")
    notes.false("f", "early too", 2)
    notes.claimed("g", "no more")
    assert notes.any_false(), "it stays so"
    all_ = Verification(notes.findings)
    assert (str(all_.first_bad), all_.ok) == ("false: stage 2: early", False)
    notes.false("h", "before all stages")
    assert str(Verification(notes.findings).first_bad) == "false: before all stages"
    assert [one.code for one in all_.of("claimed")] == ["a", "g"]
    assert notes.findings[2] == Finding("proved", "c", "proved", 1, "south")
    assert notes.findings[1] == Finding("consistent", "b", "so far")


def test_a_merge_says_what_came_and_what_did_not() -> None:
    done = Merged(["a.json"], [3, 4], ["two of a kind"], ["letters/x"])
    words = ("1", "3", "4", "two of a kind", "letters/x")
    assert [word for word, line in zip(words, done.notes, strict=True) if word not in line] == []
    assert done.data() == {
        "files": ["a.json"],
        "stages": [3, 4],
        "forks": ["two of a kind"],
        "not_taken": ["letters/x"],
    }
