"""The rules systems of a site, each brought when it is first imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_ABOVE = "pbem.systems."


class Later:
    """A finder that finds nothing, but has a system brought before the others look for it."""

    def __init__(self, names: Iterable[str], bring: Callable[[str], object]) -> None:
        self._left, self._bring = set(names), bring

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Bring the system of a module; ImportError, as for one that is not installed, if that fails."""
        system = name.removeprefix(_ABOVE).partition(".")[0] if name.startswith(_ABOVE) else ""
        if system not in self._left:
            return None
        try:
            self._bring(system)
        except Exception as fault:  # whatever JavaScript raises
            raise ImportError(str(fault), name=name) from fault
        self._left.discard(system)
        importlib.invalidate_caches()
        return None


def watch_for(names: Iterable[str]) -> None:
    """Have these systems brought by the page when they are first imported."""
    from importlib import import_module

    page = import_module("pbem_later")
    sys.meta_path.insert(0, Later(names, page.bring))
