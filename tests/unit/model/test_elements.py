"""Answers with sections come apart into elements, and are put together again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.model.codec import from_json
from pbem.model.elements import Part, form_of


@dataclass(frozen=True)
class Steps:
    """Lists that may stand under a heading."""

    grouped: ClassVar[bool] = True
    march: tuple[str, ...] = ()
    fight: tuple[str, ...] = ()


@dataclass(frozen=True)
class Letter:
    """The same lists, with or without the heading."""

    word: str = ""
    steps: Steps | None = None
    march: tuple[str, ...] = ()
    fight: tuple[str, ...] = ()


def test_lists_under_a_heading_are_those_without_it() -> None:
    form = form_of(Letter)
    letter = from_json(Letter, {"word": "go", "steps": {"march": ["A"], "fight": ["B"]}, "fight": ["C"]})
    elements = list(form.elements(letter))
    assert elements == [
        (("word",), Part("word", "go")),
        (("steps", "march", 0), Part("march", "A")),
        (("steps", "fight", 0), Part("fight", "B")),
        (("fight", 0), Part("fight", "C")),
    ], "faults are found where the entry stands in the file"
    assert form.whole(part for _, part in elements) == Letter("go", None, ("A",), ("B", "C"))
    assert form.lines(letter) == ["word: go", "march: A", "fight: B", "fight: C"]
