"""Entry points of installed packages, read from the files that installers write.

A short form of `importlib.metadata`, for folders on the path alone. Its imports would take longer
than everything else that a command needs to find its rules.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter
from typing import Any

from pbem.text.dataclass import dataclass

_INFO = (".dist-info", ".egg-info")
_ENTRY = re.compile(r"\s*([^=#;\[]+?)\s*=\s*([\w.]+)\s*:\s*([\w.]+)")


@dataclass(frozen=True)
class EntryPoint:
    """An object in a module, by the name under which a package offers it."""

    name: str
    module: str
    attribute: str

    def load(self) -> Any:
        """Import the module and give the object."""
        return attrgetter(self.attribute)(importlib.import_module(self.module))


def entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name.

    Of two with one name the package found first counts.
    """
    points: dict[str, EntryPoint] = {}
    for text in _declarations():
        if f"[{group}]" in text:
            for point in _of_group(text, group):
                points.setdefault(point.name, point)
    return points


def _declarations() -> Iterator[str]:
    """Yield the files in which installed packages declare entry points, in the order of the path."""
    seen: set[str] = set()
    for place in dict.fromkeys(sys.path):
        try:
            names = sorted(os.listdir(place or "."))
        except OSError:
            continue
        for name in names:
            package = name.lower().partition("-")[0]
            if not name.lower().endswith(_INFO) or package in seen:
                continue
            with suppress(OSError, UnicodeDecodeError):
                with open(os.path.join(place, name, "entry_points.txt"), encoding="utf-8") as file:
                    yield file.read()
            seen.add(package)


def _of_group(text: str, group: str) -> Iterator[EntryPoint]:
    inside = False
    for line in text.splitlines():
        if line.strip().startswith("["):
            inside = line.strip() == f"[{group}]"
            continue
        match = _ENTRY.match(line) if inside else None
        if match is not None:
            yield EntryPoint(*match.groups())
