"""The finder of modules on a site. It is sent as `pbem_found.py`, so it imports nothing of pbem.

JavaScript holds the bytecode of a module until it is imported. Only the sources of rules systems
are there, because games pin them. A system is fetched when it is first imported.
"""

from __future__ import annotations

import importlib
import marshal
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

_SYSTEMS = "pbem.systems."
_HEAD = 16
"""The bytes before the code proper in a file of bytecode."""


class _Loader(SourceFileLoader):
    """A loader of one module; files beside the module are found as usual."""

    code: Callable[[], bytes]

    def get_code(self, fullname: str) -> CodeType:
        """Return the bytecode."""
        code: CodeType = marshal.loads(memoryview(self.code())[_HEAD:])
        return code


class Found:
    """A finder of modules with bytecode below a folder, each known by the name of its source.

    `later` are systems that `bring` fetches; it returns the names of their modules. `code` gives
    the bytecode of one.
    """

    def __init__(
        self,
        folder: str,
        later: Iterable[str],
        bring: Callable[[str], Iterable[str]],
        code: Callable[[str], bytes],
    ) -> None:
        self._folder, self._later, self._bring, self._code = folder, set(later), bring, code
        self._files: dict[str, str] = {}

    def add(self, names: Iterable[str]) -> None:
        """Learn the names of more modules."""
        for name in names:
            self._files[name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")] = name

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, or None if another finder may know it.

        ImportError, as for a system that is not installed, if the system of a module can't be brought.
        """
        system = name.removeprefix(_SYSTEMS).partition(".")[0] if name.startswith(_SYSTEMS) else ""
        if system in self._later:
            self._fetch(system, name)
        file = self._files.get(name)
        if file is None:
            return None
        at = f"{self._folder}/{file}"
        loader = _Loader(name, at)
        loader.code = lambda: self._code(file)
        below = [at.removesuffix("/__init__.py")] if file.endswith("/__init__.py") else None
        return spec_from_file_location(name, at, loader=loader, submodule_search_locations=below)

    def _fetch(self, system: str, name: str) -> None:
        try:
            self.add(self._bring(system))
        except Exception as fault:  # whatever JavaScript raises
            raise ImportError(str(fault), name=name) from fault
        self._later.discard(system)
        importlib.invalidate_caches()


def install(folder: str, later: Iterable[str], known: Iterable[str]) -> None:
    """Find modules by what the page gives, before anything else is asked."""
    page = importlib.import_module("pbem_page")
    made = Found(
        folder, later, lambda name: list(page.bring(name)), lambda name: bytes(page.code(name).to_bytes())
    )
    made.add(known)
    sys.meta_path.insert(0, made)
