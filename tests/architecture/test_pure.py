"""What computes a stage from statements opens no file: none of the room `stages`, however it is asked to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.code import Module, modules
from tests.tools.syntax import nodes

PURE = ("stages",)
# libraries by which files are reached, and the modules of ours that do it for others
LIBRARIES = {"fcntl", "glob", "io", "mmap", "os", "pathlib", "shutil", "sqlite3", "subprocess", "tempfile"}
OURS = {"pbem.text.writing", "pbem.text.loading", "pbem.archive", "pbem.mail", "pbem.cli"}
METHODS = {
    "exists", "glob", "is_dir", "is_file", "iterdir", "lstat", "mkdir", "open", "read_bytes", "read_text",
    "rename", "rglob", "scandir", "touch", "unlink", "write_bytes", "write_text",
}  # fmt: skip


def touched(module: Module) -> Iterator[tuple[str, int]]:
    """Everything in a module by which it could reach a file: (name, line)."""
    for one in module.imports():
        if one.module.split(".")[0] in LIBRARIES:
            yield one.module, one.line
        if any(one.module == ours or one.module.startswith(f"{ours}.") for ours in OURS):
            yield one.module, one.line
    for node in nodes(module.tree):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id == "open":
                yield "open()", node.lineno
            if isinstance(called, ast.Attribute) and called.attr in METHODS:
                yield f".{called.attr}()", node.lineno


def test_no_module_of_a_pure_room_opens_files() -> None:
    found = [
        f"{module.file}:{line}: {name}"
        for module in modules()
        if module.room in PURE
        for name, line in touched(module)
    ]
    assert not found, "\n".join(found)


def test_the_pure_rooms_are_there() -> None:
    counted = {room: sum(module.room == room for module in modules()) for room in PURE}
    assert counted["stages"] > 15, "the modules were not found"


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("from pathlib import Path", "pathlib"),
        ("def f(folder):\n    import os", "os"),
        ("from pbem.archive.folder.layout import read", "pbem.archive.folder.layout"),
        ("def f(root):\n    return (root / 'a').read_bytes()", ".read_bytes()"),
        ("def f(name):\n    return open(name)", "open()"),
    ],
)
def test_no_way_to_a_file_is_overlooked(tmp_path: Path, source: str, seen: str) -> None:
    path = tmp_path / "pbem" / "stages" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert [name for name, _ in touched(Module(path, tmp_path))] == [seen]
