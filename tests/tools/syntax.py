"""Syntax trees read quickly: several tests look at each node of the whole package."""

from __future__ import annotations

import ast
from functools import cache


def children(node: ast.AST) -> list[ast.AST]:
    """As `ast.iter_child_nodes`, without the marks that say whether a name is read or written."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST) and name != "ctx":
            found.append(value)
    return found


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """As `ast.walk`, once for all who ask about the same tree."""
    found = [tree]
    for node in found:
        found += children(node)
    return tuple(found)
