"""Checks of steps of leaves (`game.at`, `steps`): those that the outline lacks, and unused ones.

Read from the source: which step a procedure goes to shows only when it is played. A name that is put together
in the code could be any, so then nothing is said of steps that are not named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from pbem.engine.system import System
from pbem.text.diagnostics import Diagnostic, Span
from pbem.text.messages import Message


def steps(system: System) -> Iterator[Diagnostic]:
    """Yield steps that the code names and the outline lacks, and steps that no code names."""
    known = {step.id for leaf in system.outline.walk() for step in leaf.steps}
    named: set[str] = set()
    everything = True
    for path in sorted(system.folder.rglob("*.py")):
        for node, name in _named(path):
            if name is None:
                everything = False
            elif not (meant := {step for step in known if _is(step, name)}):
                where = path.relative_to(system.folder.parent).as_posix()
                span = Span(
                    where, node.lineno, node.col_offset + 1, node.end_lineno or 1, node.end_col_offset or 1
                )
                message = Message("testing.stepping.unknown-name", name=name)
                help_ = (Message("testing.stepping.steps", known=", ".join(sorted(known)) or "none"),)
                yield Diagnostic("unknown-name", message, span=span, help=help_)
            else:
                named |= meant
    for name in sorted(known - named) if everything else ():
        yield Diagnostic("unused", Message("testing.stepping.unused", name=name))


def _is(step: str, name: str) -> bool:
    return step == name or step.endswith(f".{name}")


def _named(path: Path) -> Iterator[tuple[ast.expr, str | None]]:
    """Yield every name of a step in a module; None for one that is computed."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("game"), attr="at"), args=[name]):
                yield name, _text(name)
            case ast.Call(func=ast.Name("steps") | ast.Attribute(attr="steps"), args=[_, ast.List(parts)]):
                for part in parts:
                    first = part.elts[0] if isinstance(part, ast.Tuple) and part.elts else part
                    yield first, _text(first)
            case ast.Call(func=ast.Name("steps"), args=[_, parts]):
                yield parts, None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
