"""Docstrings begin with what a caller gets: a verb for functions, a noun phrase for the rest.

`style.md` asks for one sentence of at most 100 columns, after the number of the rule in a rules system.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.code import PACKAGE, Module, modules, rooms
from tests.tools.syntax import nodes

COLUMNS = 100
# questions and riddles, for any docstring
RIDDLES = frozenset(
    "What Whatever Who Whoever Whom Whose Where Wherever When Whenever Why How Whether Which Whichever "
    "Is Are Was Does Do Did Has Can Could May Might Must Would Will "
    "Under Of In On At By For From To With Without As If Not It They He She This These Those There Nothing "
    "Nobody Somebody Something Everybody Everything".split()
) - {"Do"}
# what no verb is, for functions
NOUNS = frozenset(
    "The A An All Both Each Every No None One Some Two Three Own Only True False Its His Their".split()
)
# a rule, or a step of one: `4.12.3:`, `R-110:`, `D-DOPT :`, `p.1.5 (3):`
_RULE = re.compile(r"(?=\S*[0-9-])[A-Za-z0-9][^:\n]{0,45}: ")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def is_predicate(node: Documented) -> bool:
    """Return True if a function returns only True or False."""
    return (
        not isinstance(node, ast.Module | ast.ClassDef)
        and bool(node.returns)
        and ast.unparse(node.returns) == "bool"
    )


def faults(node: Documented, text: str) -> list[str]:
    """Return what is wrong with the first sentence of a docstring."""
    sentence = " ".join(text.strip().partition("\n\n")[0].split())
    rest = _RULE.sub("", sentence, count=1)
    first = rest.partition(" ")[0].rstrip(".,:;")
    function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    found = []
    if first in RIDDLES or (function and first in NOUNS) or rest.startswith("The same"):
        found.append(f"begins with {first!r}")
    if len(sentence) > COLUMNS:
        found.append(f"has {len(sentence)} columns")
    if sentence[-1:] not in ((".", ":") if function else (".", ":", "?")):
        found.append("ends without a full stop")
    if re.match("Return (if|whether) ", rest) and is_predicate(node):
        found.append("is no `Return True if`")
    return found


def documented(module: Module) -> Iterator[tuple[Documented, str, int]]:
    """Yield what has a docstring, the docstring, and its line."""
    for node in nodes(module.tree):
        if isinstance(node, Documented) and (text := ast.get_docstring(node)):
            yield node, text, node.body[0].lineno


@cache
def shown(package: Path) -> str:
    """Return the words of a rules system in one text: its schemas show docstrings of decisions to players."""
    files = sorted((package / "words").rglob("*.yaml"))
    return " ".join(" ".join(path.read_text("utf-8").split()) for path in files)


def is_shown(module: Module, node: Documented, text: str) -> bool:
    """Return True if players read a docstring, so that the words of its system translate it."""
    if not isinstance(node, ast.ClassDef) or not module.room.startswith("systems/"):
        return False
    return " ".join(text.split("\n\n")[0].split()) in shown(PACKAGE.parent / "pbem" / module.room)


@cache
def bad() -> dict[str, list[str]]:
    """Return the docstrings with a fault, by room."""
    found: dict[str, list[str]] = {}
    for module in modules():
        for node, text, line in documented(module):
            if (wrong := faults(node, text)) and not is_shown(module, node, text):
                name = getattr(node, "name", "")
                found.setdefault(module.room, []).append(f"{module.file}:{line} {name} {' and '.join(wrong)}")
    return found


@pytest.mark.parametrize("room", rooms())
def test_docstrings_say_what_a_caller_gets(room: str) -> None:
    wrong = bad().get(room, [])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('def f():\n    """What a caller gets."""', "begins with 'What'"),
        ('def f():\n    """R-110: Where units go."""', "begins with 'Where'"),
        ('def f():\n    """4.12.3 (1): The same for a hex."""', "begins with 'The'"),
        ('class C:\n    """The same for a hex."""', "begins with 'The'"),
        ('"""Under what an answer is held."""', "begins with 'Under'"),
        ('def f():\n    """Return the hexes"""', "ends without a full stop"),
        ('def f():\n    """Return ' + "hexes " * 20 + 'now."""', "columns"),
        ('def f() -> bool:\n    """Return whether it is so."""', "is no `Return True if`"),
    ],
)
def test_faults_are_found(source: str, fault: str) -> None:
    tree = ast.parse(source)
    node = tree.body[0] if isinstance(tree.body[0], ast.FunctionDef | ast.ClassDef) else tree
    assert any(fault in one for one in faults(node, ast.get_docstring(node) or ""))


def test_plain_docstrings_have_no_fault() -> None:
    for text in (
        "Return the hexes.",
        "D-DOPT (R-109): Return the step.",
        "4.4: Move the unit.\n\nWhat else?",
    ):
        tree = ast.parse(f'def f() -> bool:\n    """{text}"""')
        assert faults(tree.body[0], text) == [], text  # type: ignore[arg-type]
