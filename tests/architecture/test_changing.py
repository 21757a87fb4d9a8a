"""Who takes a whole game folder changes it; who reads takes `Readable` of `archive/folder/parts.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pbem.archive
from tests.tools.syntax import nodes

ROOT = Path(pbem.archive.__file__).parent
CHANGES = {"working", "working_long", "commit"}


def takers(wanted: str) -> Iterator[tuple[str, ast.FunctionDef, str, ast.AST]]:
    """Functions with a parameter of this type: place, function, parameter, and where it may be used (of a
    constructor the whole class)."""
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        owners = {id(f): c for c in nodes(tree) if isinstance(c, ast.ClassDef) for f in c.body}
        for one in nodes(tree):
            if not isinstance(one, ast.FunctionDef):
                continue
            for each in (*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs):
                if each.annotation is not None and ast.unparse(each.annotation).strip("'") == wanted:
                    yield f"{path.relative_to(ROOT)}:{one.name}", one, each.arg, owners.get(id(one), one)


def test_who_takes_the_whole_folder_changes_it_or_hands_it_to_one_who_does() -> None:
    found = list(takers("Folder"))
    names = {one.name for _, one, *_ in (*found, *takers("Changed"))}
    names |= {where.name for *_, where in found if isinstance(where, ast.ClassDef)}
    idle = [place for place, _, name, where in found if not changes(where, name, names)]
    assert len(found) > 20
    assert not idle, "these read only: let them take `Readable`"


def changes(where: ast.AST, name: str, others: set[str]) -> bool:
    """Whether it is changed there, or given to somebody else who takes it whole."""
    own = {name, f"self.{name}"}
    for node in nodes(where):
        if isinstance(node, ast.Attribute) and node.attr in CHANGES and ast.unparse(node.value) in own:
            return True
        if isinstance(node, ast.Call) and any(ast.unparse(each) in own for each in node.args):
            called = ast.unparse(node.func).rpartition(".")[2]
            if called in others or called == "__init__":
                return True
    return False
