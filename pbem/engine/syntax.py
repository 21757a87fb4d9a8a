"""Syntax trees read quickly, for who looks at each node of a module or of many."""

from __future__ import annotations

import ast


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


def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """As `ast.walk`, all at once."""
    found = [tree]
    for node in found:
        found += children(node)
    return tuple(found)
