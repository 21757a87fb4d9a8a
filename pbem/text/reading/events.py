"""The event stream of ruamel.yaml, the only part of it in use, with one exception for all it raises."""

from collections.abc import Iterator
from typing import Any


class Unreadable(Exception):
    """The end of reading by the YAML library.

    `__cause__` is what it raised.
    """


def events(text: str, pure: bool = False) -> Iterator[Any]:
    """Yield the parse events of a text; `pure` uses the scanner in Python, not the one in C."""
    from ruamel.yaml import YAML

    try:
        yield from YAML(typ="safe", pure=pure).parse(text)
    except Exception as error:  # beside YAMLError: AssertionError, TypeError, RecursionError have been seen
        raise Unreadable from error
