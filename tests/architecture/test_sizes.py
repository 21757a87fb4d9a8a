"""Files that are one thing and functions that fit a screen; what is too big is listed as a debt, with why."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.code import ROOT, Module, modules
from tests.tools.syntax import nodes

FILE, FUNCTION, COMMAND = 700, 60, 120
# what is longer, and why that is so for now: file -> why, file:function -> why
DEBTS: dict[str, str] = {}

TESTS = [Module(path) for path in sorted((ROOT / "tests").rglob("*.py"))]
EVERYTHING = [*modules(), *TESTS]
COMMANDS = [
    module
    for module in modules()
    if module.file.startswith("pbem/cli/commands/")
    and (module.path.name != "__init__.py" or module.path.parent.name not in ("commands", "master"))
]


def functions(module: Module) -> Iterator[tuple[str, int]]:
    """Every function: (file:name, lines from `def` to its end)."""
    for node in nodes(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{module.file}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


@cache
def too_big() -> dict[str, str]:
    """Everything over the limits, with how big it is."""
    found = {
        module.file: f"{lines} lines, wanted less than {FILE}"
        for module in EVERYTHING
        if (lines := module.text.count("\n")) >= FILE
    }
    found |= {
        name: f"{lines} lines, wanted less than {FUNCTION}"
        for module in EVERYTHING
        for name, lines in functions(module)
        if lines >= FUNCTION
    }
    return found


def test_files_and_functions_are_small() -> None:
    faults = [f"{name}: {why}" for name, why in sorted(too_big().items()) if name not in DEBTS]
    assert not faults, "\n".join(faults)


def test_debts_that_are_paid_are_struck_off() -> None:
    assert set(DEBTS) <= set(too_big()), f"no longer too big: {set(DEBTS) - set(too_big())}"


def test_a_file_holds_one_command() -> None:
    assert len(COMMANDS) > 10, "the commands were not found"
    long = {module.file: lines for module in COMMANDS if (lines := module.text.count("\n")) >= COMMAND}
    assert not long, f"wanted less than {COMMAND} lines: {long}"


def test_a_room_has_at_most_thirty_modules() -> None:
    found = Counter(module.path.parent for module in modules() if module.path.name != "__init__.py")
    crowded = {folder.relative_to(ROOT).as_posix(): count for folder, count in found.items() if count > 30}
    assert len(found) > 30 and not crowded, crowded


@pytest.mark.parametrize("where", ["pbem", "tests"])
def test_every_file_begins_with_what_it_is_for(where: str) -> None:
    silent = [
        module.file
        for module in EVERYTHING
        if module.file.startswith(f"{where}/") and module.tree.body and not ast.get_docstring(module.tree)
    ]
    assert not silent, f"no docstring at the top: {silent}"


def test_lines_are_counted_from_the_first_to_the_last(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("@mark\ndef f(\n    a,\n):\n    return (\n        a\n    )\n")
    assert list(functions(Module(tmp_path / "a.py", tmp_path))) == [("a.py:f", 6)]
