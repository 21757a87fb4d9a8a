"""Reading the data files that come with the package."""

from typing import Any

from pbem.text.yaml import Document, Limits, load

_LIMITS = Limits(size=16 * 1024 * 1024, depth=32, values=500_000)  # tables and order of battle, our own files


def load_data(source: bytes | str, name: str) -> Any:
    """The plain value of a packaged YAML file; `name` is what to call it. Raises `Refused`.

    Same language as everywhere (protocol 7) with room for large tables. Nothing is kept: who needs the
    value twice keeps it.
    """
    return load_document(source, name).data


def load_document(source: bytes | str, name: str) -> Document:
    """The same with the places of its values, for messages."""
    return load(source, name, limits=_LIMITS)
