"""Syntax trees read quickly, for who looks at each node of a module or of many."""

from __future__ import annotations

import ast


def children(node: ast.AST) -> list[ast.AST]:
    """Return the children as `ast.iter_child_nodes` does, without the marks for reading and writing."""
    inner: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            inner += [child for child in value if isinstance(child, ast.AST)]
        elif isinstance(value, ast.AST) and name != "ctx":
            inner.append(value)
    return inner


def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes as `ast.walk` does, at once."""
    listed = [tree]
    for node in listed:
        listed += children(node)
    return tuple(listed)
