"""ruamel.yaml's event stream, the only part of that library used, with one exception for all it raises."""

from collections.abc import Iterator
from typing import Any


class Unreadable(Exception):
    """The YAML library stopped. `__cause__` is what it raised."""


def events(text: str, pure: bool = False) -> Iterator[Any]:
    """The parse events of a text; `pure` asks for the scanner in Python even where the one in C is there."""
    from ruamel.yaml import YAML

    try:
        yield from YAML(typ="safe", pure=pure).parse(text)
    except Exception as error:  # beside YAMLError: AssertionError, TypeError, RecursionError have been seen
        raise Unreadable from error
