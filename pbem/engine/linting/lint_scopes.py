"""Names and scopes of one module for the determinism lint: where a name is bound, and to what."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pbem.engine.linting.syntax import children

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Scopes:
    """The function around every node, and the names that each scope binds.

    Names of class bodies do not count.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._function: dict[ast.AST, Function | None] = {tree: None}
        self._bound: dict[Function | None, dict[str, dict[int, ast.expr | None]]] = {None: {}}
        self._parent: dict[Function, Function | None] = {}
        self._outside: set[str] = set()
        self._walk(tree, None)

    def _walk(self, root: ast.AST, function: Function | None) -> None:
        waiting = [(child, function, False) for child in children(root)]
        while waiting:
            node, inside, in_class = waiting.pop()
            self._function[node] = inside
            for name, value in _bindings(node) if not in_class else ():
                self._bound[inside].setdefault(name, {})[_line(node)] = value
            if inside is None and isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef):
                self._outside.update(name for name, _ in _bindings(node))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                self._parent[node] = inside
                self._bound[node] = {argument.arg: {0: None} for argument in _arguments(node)}
                inside, in_class = node, False
            in_class = in_class or isinstance(node, ast.ClassDef)
            waiting += [(child, inside, in_class) for child in children(node)]

    def binds(self, name: ast.Name) -> bool:
        """Return True if the name is bound in a visible scope and so is no builtin."""
        return self._home(name) is not False

    def is_module_name(self, name: ast.Name) -> bool:
        """Return True if this is the module's own name, not a local one."""
        return self._home(name) is None

    def is_import_or_class(self, name: ast.Name) -> bool:
        """Return True if the name is an import or a class of this module."""
        return self.is_module_name(name) and name.id in self._outside

    def inside_function(self, node: ast.AST) -> bool:
        return self._function.get(node) is not None

    def function_name(self, node: ast.AST) -> str:
        """Return the name of the function around a node; empty at module level and in a lambda."""
        return getattr(self._function.get(node), "name", "")

    def assigned(self, name: ast.Name) -> ast.expr | None:
        """Return the value last bound to the name in its function, in a line above.

        None for arguments and names from elsewhere.
        """
        home = self._home(name)
        if home is None or isinstance(home, bool):
            return None
        above = {line: value for line, value in self._bound[home][name.id].items() if line < name.lineno}
        return above[max(above)] if above else None

    def _home(self, name: ast.Name) -> Function | bool | None:
        """Return the scope that binds a name: a function, None for the module, False for none."""
        scope = self._function.get(name)
        while scope is not None:
            if name.id in self._bound[scope]:
                return scope
            scope = self._parent[scope]
        return None if name.id in self._bound[None] else False


def _arguments(function: Function) -> list[ast.arg]:
    args = function.args
    extra = [argument for argument in (args.vararg, args.kwarg) if argument is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]


def _line(node: ast.AST) -> int:
    """Return the line of a node, or of its first part where it has none: `with`, a comprehension."""
    while not hasattr(node, "lineno"):
        node = children(node)[0]
    return int(node.lineno)


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names that a node binds, with the value if it is evident."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from ((alias.asname or alias.name.split(".")[0], None) for alias in node.names)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name, None
        case ast.Assign():
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.NamedExpr(target=ast.Name(id=name)):
            yield name, node.value
    yield from _unpacked(node)


def _unpacked(node: ast.AST) -> Iterator[tuple[str, None]]:
    """Yield the names bound by loops, unpacking, `with` and `except`, whose value is unknown."""
    targets: list[ast.expr | None] = []
    if isinstance(node, ast.Assign):
        targets = [target for target in node.targets if not isinstance(target, ast.Name)]
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        targets = [node.target]
    elif isinstance(node, ast.withitem):
        targets = [node.optional_vars]
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name, None
    elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name, None
    for target in targets:
        for inner in ast.walk(target) if target is not None else ():
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id, None
