"""Which facts a standing order may test: read from the source of a decision's `facts`, since the names are
needed before there is a question to ask.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from pbem.engine.decisions import Decision


def fact_names(asked: type[Decision[Any]]) -> tuple[str, ...] | None:
    """The names of the facts that `when:` may test for a decision: the keys of the mapping that its `facts`
    writes down. None where they cannot be read from its source, because they are put together otherwise.
    """
    if asked.facts is Decision.facts:
        return ()
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(asked.facts)))
    except (OSError, SyntaxError):
        return None
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Return):
            continue
        keys = node.value.keys if isinstance(node.value, ast.Dict) else [None]
        for key in keys:
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return None
            names[key.value] = None
    return tuple(names)
