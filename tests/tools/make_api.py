"""Write the API pages `docs/api/*.md` from the docstrings of `pbem.rules` and `pbem.testing`.

    python -m tests.tools.make_api                   # write the pages
    python -m tests.tools.make_api archive/folder    # print what each module of a room is for

The sources are parsed and never imported, so the pages are the same with every version of Python.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.text.writing import write_all
from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "api"
PAGES = {"rules": "pbem.rules", "testing": "pbem.testing"}
#: Sections of a page in order, with the names in each. Names that no section lists are an error.
SECTIONS: dict[str, dict[str, str]] = {
    "pbem.rules": {
        "A system": "System deferred",
        "Procedures": "procedure condition player_order power_order Game ask ask_all ask_each ask_how"
        " seal opened Sealed lodge roll Roll shuffle Shuffle consult steps",
        "Decisions": "decision Decision Option Points NoDefault fact",
        "Growing answers": "Growing Draft Next Part Entry NOTHING Drafting",
        "Counters and tracks": "Counter Tracks Record Board Position counter counters maybe where_any",
        "Events": "event Event",
        "What the fields of an event mean": "PlayerName Loser Thrower ThrowingAttacker Attacker Defender"
        " Before After Place Places Origin Way Destination UnitId UnitIds MaybeUnit AttackingUnit"
        " AttackingUnits DefendingUnit DefendingUnits Title Titles Prose Proses Count Losses Lost STOPPED"
        " Capture Flow Phrase Headed Ending Level bands",
        "Facts, views, maps": "Fact Audience PUBLIC GM_ONLY audience_of Facility Forecast End Fought together"
        " Reach Overlay",
        "Types of answers": "HexNumber LocationId Name Range Pattern Json dataclass to_json from_json",
        "Messages": "Message Diagnostic Refused did_you_mean",
    },
    "pbem.testing": {
        "Worked examples": "examples resolved run prepare view_facts",
    },
}
#: Modules whose docstring is a table of many small names: shown once, in place of the names.
TABLES = {"What the fields of an event mean": "pbem.model.meaning"}


@dataclass(frozen=True)
class Found:
    """Where a public name is defined: its node, and the text beside it if it is a value."""

    name: str
    node: ast.stmt
    module: str
    beside: str = ""


def path_of(module: str) -> Path:
    """Return the source file of a module or package."""
    way = ROOT.joinpath(*module.split("."))
    return way / "__init__.py" if way.is_dir() else way.with_suffix(".py")


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path_of(module).read_text("utf-8"))


def public(module: str) -> list[str]:
    """Return the names in `__all__` of a module."""
    for node in tree(module).body:
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == "__all__" for target in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    raise AssertionError(f"{module} has no __all__")


def find(module: str, name: str) -> Found:
    """Return the definition of a name, following imports to the module that defines it."""
    body = list(_statements(tree(module).body))
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pbem."):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return find(node.module, alias.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
            if not any("overload" in ast.unparse(each) for each in node.decorator_list):
                return Found(name, node, module)
        elif name in _assigned(node):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                return find(module, node.value.id)
            return Found(name, node, module, _text(following))
    raise AssertionError(f"{module} does not define {name}")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, also those inside `if` and `else`."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])
        else:
            yield node


def _assigned(node: ast.stmt) -> list[str]:
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [ast.unparse(target) for target in targets]


def _text(node: ast.stmt | None) -> str:
    """Return the string that follows a value as its description, if there is one."""
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return inspect.cleandoc(node.value.value)
    return ""


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, *, method: bool) -> str:
    """Return the call of a function under this name, as people write it, without `self`."""
    arguments = ast.unparse(node.args)
    if method:
        arguments = arguments.removeprefix("self").removeprefix("cls").removeprefix(", ")
    waits = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    gives = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{waits}{name}({arguments}){gives}"


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def _members(node: ast.ClassDef) -> Iterator[str]:
    """Yield a list item for each public field and method of a class that has a description."""
    for member, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(member, ast.AnnAssign) and not ast.unparse(member.target).startswith("_"):
            text = _text(following)
            default = f" = {ast.unparse(member.value)}" if member.value is not None else ""
            line = f"- `{ast.unparse(member.target)}: {ast.unparse(member.annotation)}{default}`"
            yield f"{line}: {_line(text)}" if text else line
        elif isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) and not member.name.startswith("_"):
            text = ast.get_docstring(member)
            if text:
                call = member.name if _is_property(member) else _signature(member, member.name, method=True)
                yield f"- `{call}`: {_line(text)}"


def _bases(found: Found, told: Collection[str]) -> Iterator[ast.ClassDef]:
    """Yield the bases of a class that come from `pbem` and have no entry of their own."""
    assert isinstance(found.node, ast.ClassDef)
    for name in map(ast.unparse, found.node.bases):
        if name.isidentifier() and name not in told and _is_known(found.module, name):
            base = find(found.module, name).node
            if isinstance(base, ast.ClassDef):
                yield base


def _is_known(module: str, name: str) -> bool:
    """Return True if a module defines a name, or imports it from `pbem`."""
    return any(
        (isinstance(node, ast.ClassDef) and node.name == name)
        or (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("pbem.")
            and any(alias.name == name for alias in node.names)
        )
        for node in tree(module).body
    )


def _line(text: str) -> str:
    """Return a description as one line of Markdown, paragraphs joined."""
    return " ".join(_page(text).split())


def _page(text: str) -> str:
    """Return a description without what only readers of the source need."""
    return text.replace("|", "\\|") if "\n| " not in text else text


def described(module: str, name: str) -> str:
    """Return the entry of a name on its page."""
    found = find(module, name)
    node = found.node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return f"### `{_signature(node, name, method=False)}`\n\n{ast.get_docstring(node) or ''}\n"
    if isinstance(node, ast.ClassDef):
        inherited = (one for base in _bases(found, public(module)) for one in _members(base))
        members = "\n".join([*inherited, *_members(node)])
        return f"### class `{name}`\n\n{ast.get_docstring(node) or ''}\n" + (
            f"\n{members}\n" if members else ""
        )
    return f"### `{name}`\n\n{found.beside or f'`{ast.unparse(node)}`'}\n"


def page(module: str) -> str:
    """Return the API page of a module."""
    sections = SECTIONS[module]
    listed = [name for names in sections.values() for name in names.split()]
    known = public(module)
    assert sorted(listed) == sorted(known), f"{module}: list in SECTIONS: {sorted(set(listed) ^ set(known))}"
    head = f"# `{module}`\n\nMade from docstrings by `python -m tests.tools.make_api`.\n\n"
    text = head + (ast.get_docstring(tree(module)) or "") + "\n"
    for section, names in sections.items():
        text += f"\n## {section}\n\n"
        if section in TABLES:
            text += (ast.get_docstring(tree(TABLES[section])) or "") + "\n"
            continue
        text += "\n".join(described(module, name) for name in names.split())
    return "\n".join(line.rstrip() for line in text.split("\n"))


def modules(room: str) -> list[str]:
    """Return a line for each module below a folder of `pbem`: its file and what its docstring begins with."""
    lines = []
    for path in sorted((ROOT / "pbem" / room).rglob("*.py")):
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        if said:
            first = " ".join(said.split("\n\n")[0].split()).partition(". ")[0]
            lines.append(f"{path.relative_to(ROOT / 'pbem').as_posix()}: {first.rstrip('.:')}.")
    return lines


def pages() -> dict[Path, str]:
    """Return every API page by its file."""
    return {FOLDER / f"{name}.md": page(module) for name, module in PAGES.items()}


def main() -> None:
    """Write the pages, or print the modules of a room."""
    if sys.argv[1:]:
        print("\n".join(modules(sys.argv[1])))
        return
    FOLDER.mkdir(exist_ok=True)
    write_all({path: text.encode() for path, text in pages().items()})


if __name__ == "__main__":
    main()
