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
from tests.tools.syntax import nodes

ROOT = Path(__file__).parents[2] / "pbem"
FIELDS = "abcdefghijklmnop"
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
            yield _text(node), node.lineno


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
    return others(f"systems/{package}", 1)


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


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text that an expression has, its fields as {a}, {b}; "" if it is none."""
    if isinstance(node, ast.Constant):
        return node.value.strip() if isinstance(node.value, str) else ""
    fields = iter(FIELDS)
    parts = [
        str(part.value) if isinstance(part, ast.Constant) else f"{{{next(fields)}}}" for part in node.values
    ]
    return "".join(parts).strip()


@cache
def everything() -> dict[str, str]:
    """Return all sentences of the program, and parts of sentences, each with its place."""
    return {text: where for room in ROOMS for text, where in others(room).items()}


def main() -> None:
    """Print all sentences, or those that a language lacks."""
    from pbem.cli.shell.language import words

    known = words(sys.argv[1]) if len(sys.argv) > 1 else {}
    for text, where in everything().items():
        if text not in known:
            print(f"{where}\t{text!r}")


if __name__ == "__main__":
    main()
