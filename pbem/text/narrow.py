"""JSON whose shape was checked, with the type that the check left it: asserted, for the program and for who
reads it. Foreign data is never read with these, but with a schema, a codec or `trust/shapes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pbem.text.canonical import Json

W = TypeVar("W", bound=str)


def mapping(value: object) -> dict[str, Json]:
    """An object."""
    assert isinstance(value, dict), f"a {type(value).__name__}, where an object was checked"
    return value


def items(value: object) -> list[Json]:
    """A list."""
    assert isinstance(value, list), f"a {type(value).__name__}, where a list was checked"
    return value


def text(value: object) -> str:
    """A text."""
    assert isinstance(value, str), f"a {type(value).__name__}, where a text was checked"
    return value


def number(value: object) -> int:
    """A whole number."""
    assert type(value) is int, f"a {type(value).__name__}, where a number was checked"
    return value


def word(value: object, words: Sequence[W]) -> W:
    """One of a few words."""
    found = next((word for word in words if word == value), None)
    assert found is not None, f"{value!r}, where one of {', '.join(words)} was checked"
    return found


def texts(value: object) -> list[str]:
    """A list of texts."""
    return [text(one) for one in items(value)]


def optional_text(value: object) -> str | None:
    """A text, or null."""
    return None if value is None else text(value)
