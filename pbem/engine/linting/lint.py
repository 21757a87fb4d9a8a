"""The determinism lint (architecture, `systems`): breaches of D1 to D8 in an AST of rules code.

| rule | in rules code | because |
|---|---|---|
| D1 | no clock, environment, file, network, thread, `random`, `hash()`, `id()` | machines differ in them |
| D2 | no loop over a set, or anything whose order was not decided | the order changes from run to run |
| D3 | no floats | rounding differs; odds are ratios of integers |
| D4 | no module-level mutable state, no cache that outlives a run | the second game would see the first |
| D5 | no `input`; chance through `roll`, choice through `ask` | replay could not repeat it |
| D6 | no `try/finally`, `with` or broad `except` around an `await` | a suspended run is closed, not ended |
| D7 | no `await` while iterating a live container | the answer may change it |
| D8 | changes go to the game and nowhere else | nothing else is saved |

A line that is right all the same carries `# lint: D2 <reason>`. Without a reason it does not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pbem.engine.linting import lint_order
from pbem.engine.linting.lint_scopes import Scopes
from pbem.engine.linting.syntax import children, nodes
from pbem.text.diagnostics import Diagnostic, Span, in_order
from pbem.text.messages import Message

MODULES = frozenset(
    "asyncio concurrent ctypes datetime gc getpass glob http inspect io locale logging multiprocessing os"
    " pathlib pickle platform queue random resource sched secrets select shelve shutil signal socket sqlite3"
    " ssl subprocess sys tempfile threading time urllib uuid weakref zoneinfo".split()
)
FLOAT_MODULES = frozenset("cmath decimal numpy statistics".split())
WHOLE_MATH = frozenset("gcd lcm isqrt comb perm factorial prod floor ceil trunc".split())
BUILTINS = frozenset("open print breakpoint hash id exec eval compile __import__ globals locals".split())
CONTAINERS = frozenset("dict list set defaultdict Counter OrderedDict deque bytearray".split())
CHANGERS = frozenset(
    "add append appendleft clear discard extend insert pop popitem popleft remove reverse setdefault sort"
    " update".split()
)
CACHES = frozenset("cache lru_cache".split())
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
STATIC = frozenset("world scenario options".split())
_ALLOWED = re.compile(r"#\s*lint:\s*(D[1-8])\s+\S")


def lint(source: str, name: str) -> list[Diagnostic]:
    """Return every breach in one module, in order."""
    try:
        tree = ast.parse(source)
    except UNREADABLE as fault:
        line = getattr(fault, "lineno", None) or 1
        return [
            Diagnostic(
                "not-python",
                Message("engine.lint.not-python", fault=fault),
                span=Span(name, line, 1, line, 2),
            )
        ]
    return _lint(source, tree, name, lint_order.functions_that_return_sets(nodes(tree)))


def _lint(source: str, tree: ast.Module, name: str, set_functions: frozenset[str]) -> list[Diagnostic]:
    allowed: dict[int, set[str]] = {}
    for number, text in enumerate(source.splitlines(), 1):
        for rule in _ALLOWED.findall(text):
            allowed.setdefault(number, set()).add(rule)
    breaches = [*_Lint(tree).breaches(), *lint_order.breaches(tree, set_functions)]
    return in_order(
        _diagnostic(breach, name)
        for breach in breaches
        if breach.rule not in allowed.get(breach.node_line, ())
    )


def lint_files(files: Iterable[Path], root: Path) -> list[Diagnostic]:
    """Return every breach in these modules; their names are relative to `root`."""
    sources = [(path.relative_to(root).as_posix(), path.read_text("utf-8")) for path in sorted(files)]
    trees: dict[str, ast.Module] = {}
    together: frozenset[str] = frozenset()
    for name, source in sources:
        try:
            trees[name] = ast.parse(source)
        except UNREADABLE:
            continue  # reported by `lint`
        together |= lint_order.functions_that_return_sets(nodes(trees[name]))
    return [
        breaches
        for name, source in sources
        for breaches in (_lint(source, trees[name], name, together) if name in trees else lint(source, name))
    ]


def lint_folder(folder: Path) -> list[Diagnostic]:
    """Return every breach in the modules of a package."""
    return lint_files(folder.rglob("*.py"), folder.parent)


def _diagnostic(breach: lint_order.Breach, name: str) -> Diagnostic:
    node = breach.node
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    end_line, end = getattr(node, "end_lineno", None) or line, getattr(node, "end_col_offset", None) or column
    span = Span(name, line, column, end_line, end + 1)
    help_ = (breach.help,) if breach.help else ()
    return Diagnostic(breach.code, breach.message, family="illegal", span=span, rule=breach.rule, help=help_)


class _Lint:
    """D1 and D3 to D8 over one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = nodes(tree)
        self.scopes = Scopes(tree)
        self.containers = frozenset(_module_containers(tree))
        self.fractions = frozenset(_fraction_names(self.nodes))

    def breaches(self) -> Iterator[lint_order.Breach]:
        for node in self.nodes:
            yield from self._world(node)
            yield from self._floats(node)
            yield from self._state(node)
            yield from self._awaits(node)
            yield from self._changes(node)
            yield from self._audience(node)

    # D1, D5 -------------------------------------------------------------------------------------------------

    def _world(self, node: ast.AST) -> Iterator[lint_order.Breach]:
        for module in _imported(node):
            if module.split(".")[0] in MODULES:
                message = Message("engine.lint.imported-depends-machine-moment", module=module)
                yield lint_order.Breach(
                    "D1", "outside-world", node, message, Message("engine.lint.hand-value-in-data")
                )
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and not self.scopes.binds(node.func)
        ):
            name = node.func.id
            if name == "input":
                yield lint_order.Breach(
                    "D5",
                    "own-choice",
                    node,
                    Message("engine.lint.input-called"),
                    Message("engine.lint.ask-decision-instead"),
                )
            elif name in BUILTINS:
                message = Message("engine.lint.called-differs-between-machines-runs", name=name)
                yield lint_order.Breach("D1", "outside-world", node, message)

    # D3 -----------------------------------------------------------------------------------------------------

    def _floats(self, node: ast.AST) -> Iterator[lint_order.Breach]:
        help_ = Message("engine.lint.use-whole-numbers-ratios-fractions")
        for module in _imported(node):
            if module.split(".")[0] in FLOAT_MODULES:
                yield lint_order.Breach(
                    "D3",
                    "float",
                    node,
                    Message("engine.lint.imported-counts-in-floats", module=module),
                    help_,
                )
        match node:
            case ast.Constant(value=float() | complex()):
                yield lint_order.Breach(
                    "D3",
                    "float",
                    node,
                    Message("engine.lint.number-no-whole-number", value=repr(node.value)),
                    help_,
                )
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()) if not self._is_exact(node):
                yield lint_order.Breach(
                    "D3", "float", node, Message("engine.lint.makes-a-float", what="/"), help_
                )
            case ast.Call(func=ast.Name(id="float" | "complex")):
                message = Message("engine.lint.makes-a-float", what=f"{ast.unparse(node.func)}()")
                yield lint_order.Breach("D3", "float", node, message, help_)
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in WHOLE_MATH:
                yield lint_order.Breach(
                    "D3", "float", node, Message("engine.lint.math-counts-in-floats", name=name), help_
                )
            case ast.ImportFrom(module="math"):
                for name in (alias.name for alias in node.names):
                    if name not in WHOLE_MATH:
                        yield lint_order.Breach(
                            "D3",
                            "float",
                            node,
                            Message("engine.lint.math-counts-in-floats", name=name),
                            help_,
                        )

    def _is_exact(self, node: ast.AST | None) -> bool:
        """Return True if names and annotations show a Fraction, for which `/` is exact."""
        match node:
            case ast.BinOp():
                return self._is_exact(node.left) or self._is_exact(node.right)
            case ast.AugAssign():
                return self._is_exact(node.target) or self._is_exact(node.value)
            case ast.Call(func=func):
                return _last_name(func) == "Fraction"
            case ast.Attribute(attr=name):
                return name in self.fractions
            case ast.Name():
                return node.id in self.fractions or self._is_exact(self.scopes.assigned(node))
        return False

    # D4 -----------------------------------------------------------------------------------------------------

    def _state(self, node: ast.AST) -> Iterator[lint_order.Breach]:
        if isinstance(node, ast.Global):
            names = ", ".join(node.names)
            yield lint_order.Breach(
                "D4", "module-state", node, Message("engine.lint.module-changed-function", changed=names)
            )
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                name = _last_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
                if name in CACHES:
                    message = Message("engine.lint.keeps-results", name=f"@{name}")
                    yield lint_order.Breach(
                        "D4", "cache", decorator, message, Message("engine.lint.keep-in-world-pass")
                    )
            for default in [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]:
                if _is_container(default):
                    message = Message("engine.lint.default-can-changed-shared-all", node=node.name)
                    yield lint_order.Breach("D4", "module-state", default, message)
        changed = _changed_name(node)
        if changed is not None and changed.id in self.containers and self.scopes.is_module_name(changed):
            if self.scopes.inside_function(changed):
                message = Message("engine.lint.module-changed-function", changed=changed.id)
                yield lint_order.Breach("D4", "module-state", node, message)

    # D6, D7 -------------------------------------------------------------------------------------------------

    def _awaits(self, node: ast.AST) -> Iterator[lint_order.Breach]:
        if isinstance(node, ast.Try):
            if node.finalbody and _awaits_in([*node.body, *node.handlers, *node.orelse]):
                yield lint_order.Breach(
                    "D6", "guarded-await", node, Message("engine.lint.try-finally-around-await")
                )
            for handler in node.handlers:
                if _is_broad(handler) and _awaits_in(node.body):
                    yield lint_order.Breach(
                        "D6", "guarded-await", handler, Message("engine.lint.broad-except-around-await")
                    )
        if isinstance(node, ast.With | ast.AsyncWith) and _awaits_in(node.body):
            yield lint_order.Breach("D6", "guarded-await", node, Message("engine.lint.block-around-await"))
        if isinstance(node, ast.AsyncFor):
            yield lint_order.Breach(
                "D7", "live-iteration", node, Message("engine.lint.async-awaits-while-iterating")
            )
        if isinstance(node, ast.For) and _awaits_in(node.body) and self._is_live(node.iter):
            message = Message("engine.lint.iterated-while-body-awaits-answer", iter=ast.unparse(node.iter))
            yield lint_order.Breach(
                "D7", "live-iteration", node.iter, message, Message("engine.lint.iterate-over-list")
            )

    def _is_live(self, iterated: ast.expr) -> bool:
        """Return True if the expression is a container that others can change meanwhile."""
        match iterated:
            case ast.Call(func=ast.Attribute(attr="items" | "keys" | "values")):
                return True
            case ast.Call(func=ast.Name(id="reversed" | "enumerate" | "zip")):
                return any(self._is_live(argument) for argument in iterated.args)
            case ast.Attribute():
                return True
            case ast.Subscript(value=inner):
                return not isinstance(iterated.slice, ast.Slice) and self._is_live(inner)
            case ast.Name():
                origin = self.scopes.assigned(iterated)
                return origin is not None and not isinstance(origin, ast.Name) and self._is_live(origin)
        return False

    # D8 -----------------------------------------------------------------------------------------------------

    def _changes(self, node: ast.AST) -> Iterator[lint_order.Breach]:
        help_ = Message("engine.lint.change-position-through-game-nothing")
        if isinstance(node, ast.Call):
            name = _last_name(node.func)
            if name in ("setattr", "delattr", "__setattr__", "__delattr__"):
                if self.scopes.function_name(node) not in ("__post_init__", "__init__", "__new__"):
                    yield lint_order.Breach(
                        "D8", "foreign-change", node, Message("engine.lint.changes-object", name=name), help_
                    )
        for target in _targets(node):
            owner = target.value if isinstance(target, ast.Attribute | ast.Subscript) else None
            if owner is None:
                continue
            base = _base_name(owner)
            if base is not None and self.scopes.is_import_or_class(base):
                message = Message("engine.lint.changes-module-class", target=ast.unparse(target))
                yield lint_order.Breach("D8", "foreign-change", node, message, help_)
            elif _through_static(owner):
                message = Message("engine.lint.changes-never-changes-in-game", target=ast.unparse(target))
                yield lint_order.Breach("D8", "foreign-change", node, message, help_)

    # D9 -----------------------------------------------------------------------------------------------------

    def _audience(self, node: ast.AST) -> Iterator[lint_order.Breach]:
        if not isinstance(node, ast.Call) or _last_name(node.func) != "emit":
            return
        for keyword in node.keywords:
            if keyword.arg == "to" and isinstance(keyword.value, ast.Constant | ast.JoinedStr):
                if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None):
                    message = Message("engine.lint.audience", given=ast.unparse(keyword.value))
                    help_ = Message("engine.lint.name-players")
                    yield lint_order.Breach("D9", "bad-audience", keyword.value, message, help_)


# ---- reading the tree ---------------------------------------------------------------------------------


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module]
    return []


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _base_name(node: ast.expr) -> ast.Name | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _is_container(node: ast.expr | None) -> bool:
    if isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    return isinstance(node, ast.Call) and _last_name(node.func) in CONTAINERS


def _fraction_names(nodes_in: Iterable[ast.AST]) -> Iterator[str]:
    """Yield arguments and fields annotated as Fraction."""
    for node in nodes_in:
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            name = node.arg if isinstance(node, ast.arg) else getattr(node.target, "id", "")
            if ast.unparse(node.annotation).strip("'\"") == "Fraction":
                yield name


def _module_containers(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_container(node.value):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign | ast.Delete):
        flat: list[ast.expr] = []
        for target in node.targets:
            flat += target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        return flat
    return [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign) else []


def _changed_name(node: ast.AST) -> ast.Name | None:
    """Return the name whose container a statement or call changes: `NAME[...] = x`, `NAME.append(x)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGERS:
        return node.func.value if isinstance(node.func.value, ast.Name) else None
    for target in _targets(node):
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            return target.value
        if isinstance(node, ast.AugAssign) and isinstance(target, ast.Name):
            return target
    return None


def _through_static(node: ast.expr) -> bool:
    """Return True if the access goes through `.world`, `.scenario` or `.options`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and node.attr in STATIC:
            return True
        node = node.value
    return False


def _awaits_in(body: Iterable[ast.AST]) -> bool:
    """Return True if there is an `await` in these statements, apart from inner functions."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(children(node))
    return False


def _is_broad(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or _last_name(kind) in ("Exception", "BaseException") for kind in kinds)
