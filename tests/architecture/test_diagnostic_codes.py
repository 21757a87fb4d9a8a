"""Every code of a diagnostic is named in some test or example: none is there that nobody ever saw."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.architecture.code import ROOT, modules
from tests.tools.syntax import nodes

MAKERS = ("Diagnostic", "NotAccepted")


@cache
def codes() -> dict[str, str]:
    """Every code in the package, and a file that gives it."""
    found: dict[str, str] = {}
    for module in modules():
        if not any(maker in module.text for maker in MAKERS):
            continue
        for node in nodes(module.tree):
            if isinstance(node, ast.Call) and _name(node.func) in MAKERS and node.args:
                for code in _words(node.args[0]):
                    found.setdefault(code, module.file)
    return found


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _words(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_words(node.body), *_words(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


@cache
def named() -> frozenset[str]:
    """The codes that some test (in quotes, or as a command prints it) or some example names."""
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "test_diagnostic_codes.py"]
    text = "\n".join(path.read_text("utf-8") for path in tests)
    examples = "\n".join(path.read_text("utf-8") for path in (ROOT / "pbem/systems").rglob("examples/*.yaml"))
    in_tests = set(re.findall(r"""["'\[]([A-Za-z0-9-]+)["'\]]""", text))
    return frozenset(in_tests | set(re.findall(r"[A-Za-z0-9-]+", examples)))


def test_every_code_is_named_in_a_test_or_an_example() -> None:
    missing = {code: file for code, file in codes().items() if code not in named()}
    assert len(codes()) > 200
    listed = "\n".join(f"  {code} of {file}" for code, file in sorted(missing.items()))
    assert not missing, f"no test or example names these, so nobody has seen them:\n{listed}"
