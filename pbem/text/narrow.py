"""Type assertions for JSON whose shape was checked.

Foreign data is never read with these, but with a schema, a codec or `trust/shapes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pbem.text.canonical import Json

W = TypeVar("W", bound=str)


def mapping(value: object) -> dict[str, Json]:
    """Return the value as an object."""
    assert isinstance(value, dict), f"a {type(value).__name__}, where an object was checked"
    return value


def items(value: object) -> list[Json]:
    """Return the value as a list."""
    assert isinstance(value, list), f"a {type(value).__name__}, where a list was checked"
    return value


def text(value: object) -> str:
    """Return the value as a text."""
    assert isinstance(value, str), f"a {type(value).__name__}, where a text was checked"
    return value


def number(value: object) -> int:
    """Return the value as a whole number."""
    assert type(value) is int, f"a {type(value).__name__}, where a number was checked"
    return value


def word(value: object, words: Sequence[W]) -> W:
    """Return the value as one of a few words."""
    match = next((word for word in words if word == value), None)
    assert match is not None, f"{value!r}, where one of {', '.join(words)} was checked"
    return match


def texts(value: object) -> list[str]:
    """Return the value as a list of texts."""
    return [text(item) for item in items(value)]


def optional_text(value: object) -> str | None:
    """Return the value as a text, or None for null."""
    return None if value is None else text(value)
