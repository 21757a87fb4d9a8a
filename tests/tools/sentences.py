"""The sentences that the program says in code, found by reading it: `python -m tests.tools.sentences [CODE]`.

English stands where it is said; what it is in another language is in pbem/cli/words, by the
English with its fields as {a}, {b}, {c}. With CODE only what has no translation is listed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.text.sentences import FIELD
from tests.tools.syntax import children, nodes

ROOT = Path(__file__).parents[2] / "pbem"
FIELDS = "abcdefghijklmnop"
# callee -> which of its arguments are sentences, by place or name
SAID: dict[str, tuple[int | str, ...]] = {
    "Diagnostic": (1, "message", "help", "notes"),
    "note": (0,),
    "spoken": (0,),
    "told": (0,),
    "result": (0,),
    "made": (1,),
    "confirmed": (0, 2),
    "confirm": (0,),
    "prompt": (0,),
    "progress": (0,),
    "UsageError": (0,),
    "BadParameter": (0,),
    "ClickException": (0,),
    "strong": (0,),
    "good": (0,),
    "bad": (0,),
    "PbemError": (0,),
    "TrustError": (0,),
    "_refused": (0, 1),
    "Step": (1,),
    "PartyState": (1, 2),
    "illegal": (2, "help"),
    "unknown": (2, "help"),
    "bad_data": (1,),
}
# callee whose texts are for the program alone
UNSAID = (
    "compile",
    "cast",
    "deferred",
    "find",
    "startswith",
    "endswith",
    "AssertionError",
    "split",
    "files",
    "TypeVar",
)
ROOMS = (
    "text", "trust", "board", "model", "kit", "engine", "stages", "mail", "archive", "report", "bot", "cli",
)  # fmt: skip


def said(room: str) -> dict[str, str]:
    """Return {sentence with its fields: its first place (`archive/x.py:12`)}."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / room).rglob("*.py")):
        tree = _tree(path)
        for text, line in _said_in(tree):
            if any(c.isalpha() for c in _plain(text)):
                found.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
    return found


def _plain(text: str) -> str:
    for name in FIELDS:
        text = text.replace(f"{{{name}}}", "")
    return text


def _parts(tree: ast.AST) -> set[int]:
    """Return the texts that are part of another one."""
    return {id(part) for node in nodes(tree) if isinstance(node, ast.JoinedStr) for part in node.values}


# rooms and files whose other texts are for authors of rules, for machines, or letters to others
UNHEARD = (
    "text/catalogues.py", "text/messages.py", "text/sentences.py",
    "text/reading/marks.py", "text/dataclass.py", "text/narrow.py", "text/diagnostics.py",
    "model/elements.py", "model/events.py",
    "model/fields.py", "model/typed.py", "engine/game.py", "kit/chart.py", "kit/costs.py",
    "kit/hidden.py", "kit/paths.py", "kit/supply.py", "engine/adjudicate.py", "engine/answers.py",
    "engine/knowing.py", "engine/points.py",
    "engine/play.py", "engine/registry.py", "engine/schemas.py",
    "archive/folder/game_yaml.py", "archive/letters/outbox.py",
    "bot/games.py",
    "cli/commands/completion.py", "cli/commands/rules/__init__.py",
)  # fmt: skip
# what the reader of YAML tells its caller, who words it anew (text/reading/syntax.py)
OF_THE_PARSER = (
    "found unexpected end of stream", "found unexpected document separator", "expected escape sequence",
    "mapping values are not allowed", "sequence entries are not allowed", "could not find expected ':'",
    "cannot start any token",
)  # fmt: skip
TO_MACHINES = (
    "default-src",
    "image/svg",
    "sealed|",
    "echo {a} |",
    "user=",
    "n,a=",
    "core.",
    "advice.",
    "outbox/",
)


def others(room: str, least: int = 3) -> dict[str, str]:
    """Return other texts of several words in a room: parts of sentences, and returned texts."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / room).rglob("*.py")):
        if path.relative_to(ROOT).as_posix() in UNHEARD:
            continue
        for text, line in _texts_of(path):
            words = len(_WORDS.findall(_plain(text)))
            if "\n" in text or text.startswith(TO_MACHINES) or _NAME.fullmatch(text):
                continue  # lines of a document are told line by line
            if _PROSE.match(text) and words >= least and text not in OF_THE_PARSER:
                found.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
    return found


def _texts_of(path: Path) -> Iterator[tuple[str, int]]:
    """Return the texts of a file that a user may read, each with its line."""
    tree = _tree(path)
    plain = _unsaid(tree)
    for node in nodes(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in plain:
            for text in _texts(node, {}, 3):
                yield text, node.lineno


def _unsaid(tree: ast.AST) -> set[int]:
    """Return texts that no user reads: docstrings, patterns, names of types, and parts of other texts."""
    found = _parts(tree)
    for node in nodes(tree):
        if isinstance(node, ast.Expr):
            found.add(id(node.value))
        elif isinstance(node, ast.Assert) and node.msg is not None:
            found.add(id(node.msg))
        elif isinstance(node, ast.Call) and _name(node.func) in UNSAID:
            found |= {id(each) for each in node.args}
            if isinstance(node.func, ast.Attribute):
                found.add(id(node.func.value))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and _is_documented(node):
            found.add(id(node.value))
    return found


def _is_documented(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(one, ast.Attribute) and one.attr == "__doc__" for one in targets)


def of_rules(package: str) -> dict[str, str]:
    """Return the sentences of a package's rules: refusals, names of options, reasons in events."""
    room = f"systems/{package}"
    return {**others(room, 1), **said(room)}


def is_phrase(text: str) -> bool:
    """Return True if a reader would take the text for English: it has more than a word or a name."""
    plain = _plain(shape(text))
    return " " in plain and bool(_WORDS.search(plain)) and not _ONE_FIELD.fullmatch(text)


def shape(text: str) -> str:
    """Return a sentence with neutral field names: `{unit} to {hex}` is `{a} to {b}`."""
    names = iter(FIELDS)
    return FIELD.sub(lambda _: f"{{{next(names)}}}", text)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


_PROSE = re.compile(r"[a-z{`;,('\"]")
_WORDS = re.compile(r"[a-z]{2,}")
# texts that are ids of what was computed, or words that only stand with others
_ONE_FIELD = re.compile(
    r"\{player\}.*|\{thrower\}.*|, then|\{a\}\(\.\.\.\) wants|\{a\} (in|from|on|\{b\}).*|, \{a\} side"
)
_NAME = re.compile(r"[\w./:|{}-]+")


def _said_in(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for scope in nodes(tree):
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            continue
        names = _assigned(scope)
        for node in _own(scope):
            if isinstance(node, ast.Call) and (places := SAID.get(_name(node.func))) is not None:
                for place in places:
                    for each in _argument(node, place):
                        for text in _texts(each, names, 0):
                            yield text, node.lineno


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a scope without those of the functions in it."""
    todo = children(scope)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or isinstance(
            scope, ast.Module
        ):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                todo += children(node)


def _assigned(scope: ast.AST) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in _own(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    for one, value in zip(target.elts, node.value.elts, strict=False):
                        if isinstance(one, ast.Name):
                            found.setdefault(one.id, []).append(value)
    return found


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _argument(call: ast.Call, place: int | str) -> Iterator[ast.expr]:
    if isinstance(place, int):
        if place < len(call.args):
            yield call.args[place]
    else:
        yield from (each.value for each in call.keywords if each.arg == place)


def _texts(node: ast.expr, names: dict[str, list[ast.expr]], depth: int) -> Iterator[str]:
    """Return the texts that an expression can have, as far as its source shows, with those in its fields."""
    if depth > 4:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.strip()
    elif isinstance(node, ast.JoinedStr):
        text, number = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            else:
                text += f"{{{FIELDS[number]}}}"
                number += 1
                if isinstance(part, ast.FormattedValue):
                    yield from _texts(part.value, names, depth + 1)
        yield text.strip()
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, names, depth + 1)
        yield from _texts(node.orelse, names, depth + 1)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from _texts(each, names, depth + 1)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _texts(node.left, names, depth + 1)
        yield from _texts(node.right, names, depth + 1)
    elif isinstance(node, ast.Tuple | ast.List):
        for each in node.elts:
            yield from _texts(each, names, depth + 1)
    elif isinstance(node, ast.Name):
        for each in names.get(node.id, ()):
            yield from _texts(each, {}, depth + 1)
    elif isinstance(node, ast.Call):
        called = _name(node.func)
        if called == "counted" and len(node.args) > 1:
            words = [each.value for each in node.args[1:] if isinstance(each, ast.Constant)]
            if words:
                yield f"1 {words[0]}"
                many = words[1] if len(words) > 1 else f"{words[0]}s"
                yield f"{{a}} {many}"
        elif called in ("safe", "strong", "good", "bad", "visible", "_visible", "str", "listed"):
            for each in node.args[:1]:
                yield from _texts(each, names, depth + 1)


@cache
def everything() -> dict[str, str]:
    """Return all sentences of the program, and parts of sentences, each with its place."""
    found = {text: where for room in ROOMS for text, where in others(room).items()}
    found |= {text: where for room in ROOMS for text, where in said(room).items()}
    return found


def main() -> None:
    """Print all sentences, or those that a language lacks."""
    from pbem.cli.shell.language import words

    known = words(sys.argv[1]) if len(sys.argv) > 1 else {}
    for text, where in everything().items():
        if text not in known:
            print(f"{where}\t{text!r}")


if __name__ == "__main__":
    main()
