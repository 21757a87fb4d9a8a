"""Rule D2 of the determinism lint: nothing is done in the order of a set.

A set is known by how it is written, by its annotation, and by what functions of the code say they return.
Loops over strings of a set change from process to process; loops over integers do not show it in any test.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pbem.engine.linting.syntax import nodes
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

SET_TYPES = frozenset("set frozenset Set AbstractSet FrozenSet MutableSet KeysView ItemsView".split())
SET_METHODS = frozenset("union intersection difference symmetric_difference".split())
ORDERED_BY = frozenset("list tuple enumerate iter next zip map filter reversed dict deque".split())
ORDER_FREE = frozenset("sorted set frozenset len any all sum min max".split())
ORDERED_BY_METHODS = frozenset("join extend fromkeys".split())


@dataclass(frozen=True)
class Breach:
    """A breach of a rule at a node of the tree."""

    rule: str
    code: str
    node: ast.AST
    message: str
    help: str = ""

    @property
    def node_line(self) -> int:
        return getattr(self.node, "lineno", 1)


def functions_that_return_sets(nodes_in: Sequence[ast.AST]) -> frozenset[str]:
    """Return the names of functions annotated to return a set; those of methods with a dot before."""
    methods = {node for owner in nodes_in if isinstance(owner, ast.ClassDef) for node in owner.body}
    return frozenset(
        f".{node.name}" if node in methods else node.name
        for node in nodes_in
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_set_type(node.returns)
    )


def breaches(tree: ast.Module, set_functions: frozenset[str]) -> list[Breach]:
    """Return every place where the order of a set shows."""
    attributes = frozenset(
        node.target.id
        for owner in nodes(tree)
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and _is_set_type(node.annotation)
    )
    walk = _Walk(set_functions, attributes)
    walk.visit(tree)
    return walk.found


def _is_set_type(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.split("[")[0].split(".")[-1] in SET_TYPES
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.BinOp):  # set[str] | None
        return _is_set_type(annotation.left) or _is_set_type(annotation.right)
    name = annotation.attr if isinstance(annotation, ast.Attribute) else getattr(annotation, "id", "")
    return name in SET_TYPES


class _Walk(ast.NodeVisitor):
    """Keeps the names that are sets in the scopes around the node it is at."""

    def __init__(self, set_functions: frozenset[str], attributes: frozenset[str]) -> None:
        self.functions = set_functions
        self.attributes = attributes
        self.scopes: list[dict[str, bool]] = [{}]
        self.found: list[Breach] = []
        self.excused: set[ast.AST] = set()

    # scopes and names ---------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        self.scopes.append({arg.arg: _is_set_type(arg.annotation) for arg in args})
        self.generic_visit(node)
        self.scopes.pop()

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def _bind(self, target: ast.expr, value: bool) -> None:
        if isinstance(target, ast.Name):
            self.scopes[-1][target.id] = value

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        is_set = self.is_set(node.value)
        for target in node.targets:
            if isinstance(target, ast.Tuple | ast.List) and is_set:
                self._breach(node.value, "is unpacked")
            self._bind(target, is_set)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        self._bind(
            node.target, _is_set_type(node.annotation) or (node.value is not None and self.is_set(node.value))
        )

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.generic_visit(node)
        self._bind(node.target, self.is_set(node.value))

    # what is a set ------------------------------------------------------------------------------------------

    def is_set(self, node: ast.expr) -> bool:
        """Return True if the code shows that this is a set."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name():
                return next((scope[node.id] for scope in reversed(self.scopes) if node.id in scope), False)
            case ast.Attribute():
                return node.attr in self.attributes
            case ast.IfExp():
                return self.is_set(node.body) or self.is_set(node.orelse)
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
                return self.is_set(node.left) or _is_view(node.left)
            case ast.Call(func=ast.Name(id=name)):
                return name in ("set", "frozenset") or name in self.functions
            case ast.Call(func=ast.Attribute(attr=name, value=owner)):
                same = name in SET_METHODS or name == "copy"
                known = name in self.functions or f".{name}" in self.functions
                return (same and self.is_set(owner)) or known
            case ast.Await(value=inner):
                return self.is_set(inner)
        return False

    # where order shows --------------------------------------------------------------------------------------

    def _breach(self, node: ast.expr, how: str) -> None:
        text = ast.unparse(node)
        shown = text if len(text) <= 60 else text[:57] + "..."
        message = Message("engine.lint-order.set-order-set-not-decided", shown=shown, how=how)
        self.found.append(
            Breach(
                "D2", "undecided-order", node, message, Message("engine.lint-order.sort-first-key-tells-all")
            )
        )

    def _check(self, node: ast.expr, how: str) -> None:
        if self.is_set(node):
            self._breach(node, how)

    def visit_For(self, node: ast.For) -> None:
        self._check(node.iter, "is iterated")
        self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> None:
        self._check(node.value, Message("engine.lint-order.spread-out"))
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self._check(node.value, Message("engine.lint-order.yielded-from"))
        self.generic_visit(node)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> None:
        if node not in self.excused:
            for generator in node.generators:
                self._check(generator.iter, "is iterated")
        self.generic_visit(node)

    visit_ListComp = _comprehension
    visit_GeneratorExp = _comprehension
    visit_DictComp = _comprehension

    def visit_Set(self, node: ast.Set) -> None:
        self._excuse_starred(node.elts)
        for element in node.elts:
            self.visit(element.value if isinstance(element, ast.Starred) else element)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in ORDER_FREE:
            self.excused.update(node.args)
        if name in ORDERED_BY or method in ORDERED_BY_METHODS:
            for argument in node.args:
                self._check(argument, f"goes through {name or method}()")
        if method == "pop" and not node.args and isinstance(node.func, ast.Attribute):
            self._check(node.func.value, Message("engine.lint-order.popped-from"))
        self.generic_visit(node)

    def _excuse_starred(self, elements: list[ast.expr]) -> None:
        self.excused.update(element.value for element in elements if isinstance(element, ast.Starred))


def _is_view(node: ast.expr) -> bool:
    """Return True if the node is `mapping.keys()` or `mapping.items()`: arithmetic with them gives sets."""
    match node:
        case ast.Call(func=ast.Attribute(attr="keys" | "items"), args=[]):
            return True
    return False
