"""JSON whose shape was checked, with the type that the check left it: asserted, for the program and for who
reads it. Foreign data is never read with these, but with a schema, a codec or `trust/shapes.py`.
"""

from __future__ import annotations

from pbem.text.canonical import Json


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
