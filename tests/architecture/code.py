"""The modules of the package as syntax trees, and what each of them imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from tests.tools.syntax import nodes

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pbem"


@dataclass(frozen=True)
class Import:
    """One imported module, by its full name, and the line where it stands."""

    module: str
    line: int


class Module:
    """One file of the package."""

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self.path = path
        self.file = path.relative_to(root).as_posix()
        parts = list(path.relative_to(root).with_suffix("").parts)
        self.is_package = parts[-1] == "__init__"
        self.name = ".".join(parts[:-1] if self.is_package else parts)
        self.text = path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        return room_of(self.name)

    def imports(self) -> Iterator[Import]:
        """Every import: of the module, inside functions, for type checkers only, and by name in a string."""
        for node in nodes(self.tree):
            if isinstance(node, ast.Import):
                yield from (Import(alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from self._from(node)
            elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
                yield from (Import(name, node.lineno) for name in _texts(node.args[:1]))

    def _from(self, node: ast.ImportFrom) -> Iterator[Import]:
        """`from pbem import rules` imports the module `pbem.rules`."""
        base = self._absolute(node)
        for alias in node.names:
            full = f"{base}.{alias.name}"
            yield Import(full if is_module(full) else base, node.lineno)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name.split(".")
        up = node.level - (1 if self.is_package else 0)
        package = package[: len(package) - up]
        return ".".join([*package, *([node.module] if node.module else [])])


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    """String constants, and the fixed beginnings of f-strings, cut at the last full dot."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            yield str(node.values[0].value).rpartition(".")[0]


@cache
def is_module(name: str) -> bool:
    """Is there a module of the package with this full name?"""
    path = ROOT.joinpath(*name.split("."))
    return name.startswith("pbem.") and (path.with_suffix(".py").is_file() or path.is_dir())


def room_of(module: str) -> str:
    """`pbem.text.yaml` -> text, `pbem.rules` -> rules.py, `pbem.systems.victory.rules.set_up` ->
    systems/victory, `pbem.archive.folder.layout` -> archive/folder, `pbem.archive`, the front door of
    these rooms, -> archive.

    The package itself, which holds nothing but the version, is called `pbem`.
    """
    parts = module.split(".")
    if len(parts) == 1:
        return "pbem"
    if parts[1] in ("systems", "archive"):
        return "/".join(parts[1:3])
    alone = {"rules": "rules.py", "__main__": "__main__.py"}
    return alone.get(parts[1], parts[1])


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, by path."""
    return tuple(Module(path) for path in sorted(PACKAGE.rglob("*.py")))


def rooms() -> tuple[str, ...]:
    """The rooms that exist, a system each for itself."""
    return tuple(sorted({module.room for module in modules()} - {"pbem"}))
