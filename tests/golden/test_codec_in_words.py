"""What somebody reads whose answer has another form than it must, and what editors know of that form."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pbem.model.codec import HexNumber, Name, Pattern, Range, faults_in, schema_of


@dataclass(frozen=True)
class Move:
    """A unit and where it goes."""

    unit: Name
    to: HexNumber | None = None
    half: Fraction = Fraction(1)


Few = Annotated[int, Range(1, 3)]
Short = Annotated[str, Pattern("[ab]{1,2}", "a or b")]
KINDS: dict[str, tuple[Any, list[Any]]] = {
    "text": (str, ["x", "", 1, True, None, ["x"], {"a": 1}, 1.5, 10**18 - 1, 10**18, -(10**18)]),
    "number": (int, [0, -7, "7", False, None, 10**18, 1.0, "x" * 40, "x" * 41, "a\nb"]),
    "yes or no": (bool, [True, False, 0, "true", None]),
    "nothing": (type(None), [None, 0, ""]),
    "anything": (Any, [None, {"a": [1]}]),
    "fraction": (Fraction, [2, "1/2", "-3/4", "2/4", "4/2", "0/3", "1/0", True, "x", [1]]),
    "one to three": (Few, [1, 3, 0, 4, "2", True]),
    "short": (Short, ["a", "ab", "", "abc", 3, None]),
    "words": (Literal["march", "sail", 3], ["march", 3, "3", True, "mrach", None, ["march"]]),
    "true or three": (Literal[True, 3], [True, 3, 1, False]),
    "maybe": (int | None, [None, 1, "x"]),
    "maybe few": (Few | None, [None, 3, 9]),
    "few or words": (Few | Literal["all", "none"], [2, "all", 9, "some", [2]]),
    "short or number": (Short | int, ["b", 5, "c", None]),
    "fraction or words": (Fraction | Literal["half"], ["1/2", "half", "whole"]),
    "yes or list": (bool | tuple[int, ...], [True, [1], [1, "x"], {}, "x"]),
    "text or mapping": (str | dict[str, int], ["x", {"a": 1}, {"a": "x"}, 5]),
    "list or move": (tuple[Move, ...] | Move, [[], {"unit": "A"}, {"unit": "A B"}, [{"unit": ""}], "A"]),
    "list": (tuple[int, ...], [[], [1, 2], [1, "x", None], "12", {"a": 1}, None]),
    "pair": (tuple[int, str], [[1, "a"], ["a", 1], [1], [1, "a", 2], None]),
    "mapping": (dict[str, tuple[int, ...]], [{}, {"a": [1]}, {"a": ["x"], "b": 2}, [1], None]),
    "move": (
        Move,
        [
            {"unit": "A-1", "to": "0305", "half": "1/2"},
            {"unit": "A-1", "to": None},
            {},
            {"unit": "", "too": "0305"},
            {"unit": "A", "to": "305", "half": 0.5},
            {"Unit": "A"},
            {"nothing-like-it": 1, "unit": "A"},
            [],
            None,
        ],
    ),
}


def told() -> str:
    lines: list[str] = []
    for name, (kind, values) in KINDS.items():
        lines += [f"{name}", f"  schema {json.dumps(schema_of(kind))}"]
        for value in values:
            lines.append(f"  {json.dumps(value)}")
            for fault in faults_in(kind, value):
                at = ".".join(map(str, fault.path)) or "here"
                lines.append(f"    {fault.code} {at}: {fault.message} {' '.join(fault.help)}".rstrip())
    return "\n".join(lines) + "\n"


def test_each_fault_of_an_answer_reads_as_it_did(golden: Callable[[str, str], None]) -> None:
    golden("codec-in-words.txt", told())
