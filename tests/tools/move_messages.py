"""Move sentences from code to catalogues: `python -m tests.tools.move_messages PATH...`

Every text in the code for which there is a German sentence becomes `Message(id, field=...)`. Its English goes
verbatim to `words/en`, its German to `words/de` under the same id, and what nobody says any more leaves the
files of patterns. What needs a person is printed. `--list` changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import json
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from pbem.text.loading import load_data
from pbem.text.sentences import FIELD
from tests.tools import sentences

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pbem"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SMALL = frozenset("""a an the is are of to it its that this and which be was were for on has have with as at
by or so found wanted there what where who whose been had they their your you""".split())  # fmt: skip
WRAPPERS = frozenset("""describe unparse escape fingerprint clipped safe visible _visible str repr int sorted
list tuple strong""".split())  # fmt: skip
UNSAID = (*sentences.UNSAID, "Message", "search", "match", "fullmatch", "sub", "getattr", "join", "replace",
          "endswith", "partition", "removeprefix", "removesuffix", "strip", "count", "index")  # fmt: skip
STRICT = ("sentences", "fragments")  # files with nothing that only systems say
NEAR = 12  # lines between a sentence and the diagnostic with it


def shaped(key: str, other: str) -> tuple[str, str]:
    """Return a pattern and its translation with the fields called {a}, {b} in the order of the pattern."""
    names = {name: LETTERS[n] for n, name in enumerate(dict.fromkeys(FIELD.findall(key)))}
    return tuple(
        FIELD.sub(lambda found: f"{{{names.get(found[1], found[1])}}}", text) for text in (key, other)
    )  # type: ignore[return-value]


@dataclass
class Words:
    """The German sentences of today, and the files they are in."""

    files: list[Path]
    others: Mapping[str, str] = field(default_factory=dict)  # that are not to be taken out
    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in self.files:
            data = load_data(path.read_bytes(), path.name)
            for key, text in (data.get("values", {}) if "values" in data else data).items():
                if isinstance(text, str):
                    self.known.setdefault(*shaped(key, text))
        self.known = {**self.others, **self.known}

    def prune(self, gone: set[str]) -> int:
        """Take the sentences with these shapes out of the files; return how many they were."""
        removed = 0
        for path in self.files:
            kept = []
            for line in path.read_text("utf-8").split("\n"):
                entry = re.fullmatch(r"""( *)("(?:[^"\\]|\\.)*"|'[^']*'|[^"'\s#][^:#"']*): .*""", line)
                key = next(iter(load_data(line.strip(), "line")), "") if entry and ": >" not in line else ""
                if key and sentences.shape(str(key)) in gone:
                    removed += 1
                else:
                    kept.append(line)
            path.write_text("\n".join(kept), "utf-8")
        return removed


@dataclass
class Moved:
    """A sentence that has an id: its words in both languages, with the names of its fields."""

    id: str
    english: str
    german: str | None
    names: tuple[str, ...]  # of the fields, in the order of the English sentence as a pattern


class Home:
    """Where a file's sentences go: the name that ids begin with, and the folders of the catalogues."""

    def __init__(self, path: Path) -> None:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] == "systems":
            self.name = parts[1].replace("_", "-")
            self.topic = self._topic(parts[2:], path)
            self.folders = {
                c: PACKAGE / "systems" / parts[1] / "words" / c / "messages" for c in ("en", "de")
            }
        else:
            self.name = parts[0]
            self.topic = self._topic(parts[1:], path)
            self.folders = {c: PACKAGE / "words" / c / parts[0] for c in ("en", "de")}

    def _topic(self, parts: tuple[str, ...], path: Path) -> str:
        if parts[0] == "rules" and len(parts) > 1:
            parts = parts[1:]
        name = parts[0] if parts[0] != "__init__" else self.name
        return name.strip("_").replace("_", "-")


class Catalogue:
    """The sentences that have ids, those of `text` and of the room or system at hand."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.by_shape: dict[str, list[Moved]] = {}
        self.ids: set[str] = set()
        self.new: list[tuple[str, Moved]] = []  # with its topic
        for folder in {PACKAGE / "words/en/text", home.folders["en"]}:
            for path in sorted(folder.glob("*.yaml")):
                for id, text in load_data(path.read_bytes(), path.name).items():
                    self._keep(Moved(id, text, None, tuple(dict.fromkeys(FIELD.findall(text)))))

    def _keep(self, one: Moved) -> None:
        self.ids.add(one.id)
        self.by_shape.setdefault(shaped(one.english, "")[0], []).append(one)

    def add(self, topic: str, wanted: str, english: str, german: str | None, names: tuple[str, ...]) -> Moved:
        """Return the message with these words: one that is there, or a new one."""
        shape = shaped(english, "")[0]
        for one in self.by_shape.get(shape, ()):
            if len(one.names) == len(names) and not re.search(r"\[\[|\{\w+[|:]", english + one.english):
                return one
            if one.english == english:
                return one
        id = self._free(f"{self.home.name}.{topic}", wanted, english)
        made = Moved(id, english, german, names)
        self._keep(made)
        self.new.append((topic, made))
        return made

    def _free(self, prefix: str, wanted: str, english: str) -> str:
        plain = re.sub(r"\{\w+([|:])([^|}]*)[^}]*\}", r" \2 ", english)
        words = re.findall(r"[a-z0-9]+", FIELD.sub(" ", plain).lower())
        main = [word for word in words if word not in SMALL] or words or ["text"]
        tries = [wanted] if wanted else []
        tries += ["-".join(main[:n]) for n in range(min(5, len(main)), len(main) + 1)]
        for slug in tries:
            if f"{prefix}.{slug}" not in self.ids:
                return f"{prefix}.{slug}"
        return next(i for n in range(2, 99) if (i := f"{prefix}.{tries[-1]}-{n}") not in self.ids)

    def write(self) -> None:
        """Append the new messages to the files of their topics."""
        for topic, one in self.new:
            for code, text in (("en", one.english), ("de", one.german)):
                if text is None:
                    continue
                path = self.home.folders[code] / f"{topic}.yaml"
                if not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    what = "Messages" if code == "en" else "Meldungen"
                    path.write_text(f"# {what}: {self.home.name}.{topic}\n", "utf-8")
                with path.open("a", encoding="utf-8") as file:
                    file.write(f"{one.id}: {json.dumps(text, ensure_ascii=False)}\n")


class File:
    """A file of code whose sentences are moved."""

    def __init__(self, path: Path, words: Words, catalogue: Catalogue, ids: bool = False) -> None:
        self.path, self.words, self.catalogue, self.ids = path, words, catalogue, ids
        self.topic = Home(path).topic
        self.source = path.read_text("utf-8")
        self.tree = ast.parse(self.source)
        self.above: dict[ast.AST, ast.AST] = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }
        self.lines = [0]
        for line in self.source.encode().split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.moved: set[str] = set()  # shapes
        self.todo: list[str] = []
        self.constants: dict[str, str] = {}  # that were sentences, with their ids
        self.documented = {id(d) for d in self._documentation()}

    def run(self) -> str:
        """Return the new source."""
        edits = list(self._constants())
        whole: set[ast.AST] = set()  # f-strings that are moved; the texts in them go along
        for node in ast.walk(self.tree):  # what is outside comes first
            if not isinstance(node, ast.Constant | ast.JoinedStr):
                continue
            outer = self._outer(node)
            if outer is None:
                made = self._made(node)
                if made is not None:
                    whole.add(node)
                    edits.append((self._at(node), made))
            elif outer not in whole and not isinstance(self.above[node], ast.JoinedStr):
                shape = self._shape(node)
                if shape in self.words.known and " " in shape and self._why_not(node) is None:
                    self._note(node, shape, "inside an f-string that is no sentence")
        data = self.source.encode()
        for (start, end), made in sorted(edits, reverse=True):
            data = data[:start] + made.encode() + data[end:]
        text = data.decode()
        return (
            _with_import(text, "pbem.rules" if "systems" in self.path.parts else "pbem.text.messages")
            if edits
            else text
        )

    def _constants(self) -> Iterator[tuple[tuple[int, int], str]]:
        """Return the edits for sentences that are private constants of the module: there the id remains, and
        the message is made where the constant is used."""
        for statement in self.tree.body:
            if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
                continue
            name, value = statement.targets[0].id, statement.value
            if (
                not name.startswith("_")
                or not isinstance(value, ast.Constant)
                or not isinstance(value.value, str)
            ):
                continue
            german = self.words.known.get(value.value)
            uses = [
                n
                for n in ast.walk(self.tree)
                if isinstance(n, ast.Name) and n.id == name and n is not statement.targets[0]
            ]
            if german is None or len(value.value.split()) < 2 or not all(map(self._in_function, uses)):
                continue
            slug = name.strip("_").lower().replace("_", "-")
            one = self.catalogue.add(self.topic, slug, value.value, german, ())
            self.moved.add(value.value)
            self.constants[name] = one.id
            self.documented.add(id(value))
            yield self._at(value), f'"{one.id}"'
            for use in uses:
                if not isinstance(self.above.get(use), ast.FormattedValue):
                    yield self._at(use), f"Message({name})"

    def _outer(self, node: ast.AST) -> ast.JoinedStr | None:
        """Return the outermost f-string that a text is part of."""
        found, above = None, self.above.get(node)
        while above is not None and not isinstance(above, ast.stmt):
            found = above if isinstance(above, ast.JoinedStr) else found
            above = self.above.get(above)
        return found

    def _at(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[
            node.end_lineno - 1
        ] + node.end_col_offset

    def _documentation(self) -> Iterator[ast.AST]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Expr):
                yield node.value

    def _shape(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        assert isinstance(node, ast.JoinedStr)
        text, number = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            else:
                text += f"{{{LETTERS[number]}}}"
                number += 1
        return text

    def _why_not(self, node: ast.expr) -> str | None:
        """Return why a text cannot be moved by machine; empty where it is no sentence at all."""
        shape = self._shape(node)
        if shape is None or id(node) in self.documented or shape != shape.strip() or not shape:
            outer = shape is not None and shape.strip() in self.words.known and len(shape.split()) > 1
            return "blanks at its ends" if outer and id(node) not in self.documented else ""
        words = re.findall(r"[A-Za-z]{2,}", FIELD.sub("", shape))
        if (len(words) < 2 or " " not in shape.strip()) and not self._is_said(node):
            return ""
        above = self.above.get(node)
        if isinstance(above, ast.Assert) and above.msg is node:
            return ""
        if isinstance(above, ast.Compare | ast.Subscript | ast.match_case | ast.MatchValue):
            return "compared or looked up"
        if isinstance(above, ast.Dict) and node in above.keys:
            return "key of a mapping"
        if isinstance(above, ast.Attribute):
            return "a method of it is called"
        if isinstance(above, ast.Call) and sentences._name(above.func) in UNSAID and node in above.args:
            return ""
        if isinstance(above, ast.BinOp | ast.AugAssign):
            return "put together with +"
        if not self._in_function(node):
            return "said when the module is imported: keep its id, and make the message where it is used"
        literal = (
            "".join(str(p.value) for p in node.values if isinstance(p, ast.Constant))
            if isinstance(node, ast.JoinedStr)
            else shape
        )
        if re.search(r"\[\[|\]\]|\{[a-z]\w*[}|]", literal):
            return "holds signs of the syntax of sentences"
        return None

    def _in_function(self, node: ast.AST) -> bool:
        inner, above = node, self.above.get(node)
        while above is not None:
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
                if inner in above.body:
                    return True
            elif isinstance(above, ast.Lambda) and inner is above.body:
                return True
            inner, above = above, self.above.get(above)
        return False

    def _is_said(self, node: ast.expr) -> bool:
        """Whether the text is an argument that people read (`tests/tools/sentences.py`)."""
        above: ast.AST | None = self.above.get(node)
        inner: ast.AST = node
        while isinstance(above, ast.IfExp | ast.Tuple | ast.List | ast.BoolOp | ast.keyword):
            inner, above = above, self.above.get(above)
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
            return self._is_said_by(above.targets[0].id, above)
        if not isinstance(above, ast.Call):
            return False
        for place in sentences.SAID.get(sentences._name(above.func), ()):
            if isinstance(place, int) and place < len(above.args) and above.args[place] is inner:
                return True
            if isinstance(inner, ast.keyword) and inner.arg == place:
                return True
        return False

    def _is_said_by(self, name: str, statement: ast.stmt) -> bool:
        """Whether people read what has this name in the function."""
        scope: ast.AST = statement
        while not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            scope = self.above[scope]
        uses = (n for n in ast.walk(scope) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        if not isinstance(scope, ast.FunctionDef):
            return False
        return any(self._is_said(n) for n in uses if n.id == name and not self._is_assigned(n))

    def _is_assigned(self, node: ast.AST) -> bool:
        above = self.above.get(node)
        while isinstance(above, ast.IfExp | ast.Tuple | ast.List | ast.BoolOp):
            above = self.above.get(above)
        return isinstance(above, ast.Assign)

    def _made(self, node: ast.expr, nested: bool = False) -> str | None:
        """Return the source of the message in place of a text; None if it stays."""
        shape = self._shape(node)
        why = self._why_not(node)
        if shape is None or why == "":
            return None
        german = self.words.known.get(shape)
        if not any(map(str.isalpha, FIELD.sub("", shape))):
            if why is None:
                self._note(node, shape, "nothing but fields")
            return None
        if german is None and not (self._is_said(node) and why is None):
            if why == "blanks at its ends":
                self._note(node, shape, why)
            return None
        if why is not None and not (
            why.startswith("said when") and self.ids and isinstance(node, ast.Constant)
        ):
            self._note(node, shape, why)
            return None
        if why is not None:
            self._note(node, shape, "is an id now: make the message where it is used")
            self.moved.add(shape)
            return f'"{self.catalogue.add(self.topic, "", shape, german, ()).id}"'
        if german is None:
            self._note(node, shape, "moved, but has no German")
        english, names, fields = self._fields(node)
        if german is not None:
            german = self._german(german, english, node, names)
        one = self.catalogue.add(self.topic, self._code(node), english, german, tuple(dict.fromkeys(names)))
        self.moved.add(shape)
        ordered = dict.fromkeys(names)
        given = ", ".join(f"{to}={fields[name]}" for name, to in zip(ordered, one.names, strict=True))
        return f'Message("{one.id}"{", " + given if given else ""})'

    def _note(self, node: ast.expr, shape: str, why: str) -> None:
        self.todo.append(f"{self.path.relative_to(ROOT)}:{node.lineno}: {why}: {shape!r}")

    def _code(self, node: ast.expr) -> str:
        """Return the code of the diagnostic that the text is the message of, if no other has it here."""
        code = self._code_of(node)
        return code if code and self.source.count(f'"{code}"') == 1 else ""

    def _code_of(self, node: ast.expr) -> str:
        above = self.above.get(node)
        if isinstance(above, ast.Call):
            return _code_in(above, node)
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
            scope: ast.AST = above
            while not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                scope = self.above[scope]
            for call in ast.walk(scope):
                if isinstance(call, ast.Call) and len(call.args) > 1 and isinstance(call.args[1], ast.Name):
                    if call.args[1].id == above.targets[0].id and 0 <= call.lineno - above.lineno < NEAR:
                        return _code_in(call, call.args[1])
        return ""

    def _fields(self, node: ast.expr) -> tuple[str, list[str], dict[str, str]]:
        """Return the sentence with named fields, those names in order, and the source of each value."""
        if isinstance(node, ast.Constant):
            return str(node.value), [], {}
        assert isinstance(node, ast.JoinedStr)
        english, names, fields = "", [], dict[str, str]()
        for part in node.values:
            if isinstance(part, ast.Constant):
                english += str(part.value)
                continue
            assert isinstance(part, ast.FormattedValue)
            value, forms = self._value(part)
            name = self._name_of(part.value)
            taken = [name, *(f"{name}_{n}" for n in range(2, 20))]
            name = next(n for n in taken if n not in fields or fields[n] == value)
            fields[name] = value
            names.append(name)
            english += f"{{{name}|{'|'.join(forms)}}}" if forms else f"{{{name}}}"
        return english, names, fields

    def _value(self, part: ast.FormattedValue) -> tuple[str, tuple[str, ...]]:
        """Return the source of a field's value, and the plural forms of its word if it is a `counted`."""
        value = part.value
        if part.format_spec is not None or part.conversion == 97:
            return f"f{self._segment_of(part)!r}".replace("'", '"', 1)[:-1] + '"', ()
        if isinstance(value, ast.Call) and sentences._name(value.func) == "counted":
            texts = [a.value for a in value.args[1:] if isinstance(a, ast.Constant)]
            if texts and len(texts) == len(value.args) - 1:
                one, many = str(texts[0]), str(texts[1]) if len(texts) > 1 else f"{texts[0]}s"
                return self._source(value.args[0]), (one, many)
        source = self._source(value)
        if isinstance(value, ast.Name) and value.id in self.constants:
            source = f"Message({value.id})"
        if part.conversion == 114:
            return f"repr({source})", ()
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr == "join"
            and isinstance(value.func.value, ast.Constant)
            and value.func.value.value == ", "
        ):
            listed = value.args[0]
            inner = self._source(listed)
            return (
                f"tuple{inner}"
                if isinstance(listed, ast.GeneratorExp) and inner[0] == "("
                else f"tuple({inner})"
            ), ()
        return source, ()

    def _segment_of(self, part: ast.FormattedValue) -> str:
        text = ast.unparse(ast.JoinedStr([part]))
        return text[2:-1]

    def _source(self, node: ast.expr) -> str:
        """Return the source of an expression, with the texts in it moved."""
        start, end = self._at(node)
        if isinstance(node, ast.Constant | ast.JoinedStr):
            made = self._made(node, nested=True)
            return made if made is not None else self._text(start, end, node)
        edits = []
        todo: list[ast.AST] = list(ast.iter_child_nodes(node))
        while todo:
            inner = todo.pop()
            if isinstance(inner, ast.Constant | ast.JoinedStr):
                made = self._made(inner, nested=True)
                if made is not None:
                    edits.append((self._at(inner), made))
                    continue
                if isinstance(inner, ast.Constant):
                    continue
            todo += ast.iter_child_nodes(inner)
        if sys.version_info < (3, 12):  # places inside f-strings are not to be relied on
            if edits or not self._fits(node, start, end):
                return _unparsed(node, dict(self._by_node(node)))
        text = self.source.encode()
        for (s, e), made in sorted(edits, reverse=True):
            text = text[:s] + made.encode() + text[e:]
            end += len(made.encode()) - (e - s)
        return text[start:end].decode()

    def _fits(self, node: ast.expr, start: int, end: int) -> bool:
        try:
            return ast.dump(
                ast.parse(self.source.encode()[start:end].decode(), mode="eval").body
            ) == ast.dump(node)
        except (SyntaxError, UnicodeDecodeError):
            return False

    def _text(self, start: int, end: int, node: ast.expr) -> str:
        return self.source.encode()[start:end].decode() if self._fits(node, start, end) else _quoted(node)

    def _by_node(self, node: ast.expr) -> Iterator[tuple[int, str]]:
        todo: list[ast.AST] = [node]
        while todo:
            inner = todo.pop()
            if isinstance(inner, ast.Constant | ast.JoinedStr):
                made = self._made(inner, nested=True)
                if made is not None:
                    yield id(inner), made
                    continue
            todo += ast.iter_child_nodes(inner)

    def _german(self, german: str, english: str, node: ast.expr, names: list[str]) -> str:
        forms = dict(re.findall(r"\{(\w+)\|([^}]*)\}", english))
        by_letter = {LETTERS[n]: name for n, name in enumerate(names)}

        def put(found: re.Match[str]) -> str:
            name = by_letter.get(found[1], found[1])
            if name not in forms:
                return f"{{{name}}}"
            one, many = forms[name].split("|")
            own = [self.words.known.get(f"1 {one}"), self.words.known.get(f"{{a}} {many}")]
            if None in own:
                self._note(node, english, f"no German for {one}, {many}")
            said = [
                (text or word).removeprefix("1 ").removeprefix("{a} ")
                for text, word in zip(own, (one, many), strict=True)
            ]
            return f"{{{name}|{'|'.join(said)}}}"

        return FIELD.sub(put, german)

    def _name_of(self, node: ast.expr) -> str:
        """Return a name for a field by the expression of its value."""
        name = _named(node).strip("_").lower()
        name = re.sub(r"[^a-z0-9_]", "", name)
        return f"{name}_" if keyword.iskeyword(name) else name or "value"


def _code_in(call: ast.Call, node: ast.expr) -> str:
    code = call.args[0] if call.args[1:2] == [node] else None
    if isinstance(code, ast.Constant) and re.fullmatch(r"[a-z]+(-[a-z]+)*", str(code.value)):
        return str(code.value)
    return ""


def _named(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id if node.id != "self" else "value"
    if isinstance(node, ast.Attribute):
        of_self = isinstance(node.value, ast.Name) and node.value.id == "self"
        return node.attr if of_self or node.attr not in ("id", "name", "number") else _named(node.value)
    if isinstance(node, ast.Subscript | ast.Await | ast.Starred):
        return _named(node.value)
    if isinstance(node, ast.Call):
        called = sentences._name(node.func)
        if called == "len":
            return "count"
        if called == "join":
            return _named(node.args[0])
        if called in (*WRAPPERS, "counted", "listed") and node.args:
            return _named(node.args[0])
        return called.removeprefix("_")
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return _named(node.generators[0].iter)
    if isinstance(node, ast.IfExp):
        return _named(node.test) if isinstance(node.body, ast.Constant) else _named(node.body)
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        return _named(node.left if isinstance(node, ast.BinOp) else node.operand)
    if isinstance(node, ast.BoolOp):
        return _named(node.values[0])
    if isinstance(node, ast.Compare):
        return _named(node.left)
    if isinstance(node, ast.List | ast.Tuple) and node.elts:
        return _named(node.elts[0])
    return "value"


def _unparsed(node: ast.expr, made: Mapping[int, str]) -> str:
    """Return the source of an expression from its tree, with these texts replaced."""
    marks: dict[str, str] = {}
    copies: dict[int, ast.AST] = {}
    node = deepcopy(node, copies)
    made = {id(copies[each]): source for each, source in made.items()}

    class Put(ast.NodeTransformer):
        def visit(self, inner: ast.AST) -> ast.AST:
            if id(inner) in made:
                mark = f"_moved_{len(marks)}_"
                marks[mark] = made[id(inner)]
                return ast.Name(mark, ast.Load())
            return self.generic_visit(inner)

    text = ast.unparse(Put().visit(node))
    for mark, source in marks.items():
        text = text.replace(mark, source)
    return text


def _quoted(node: ast.expr) -> str:
    return ast.unparse(node)


def _with_import(text: str, module: str) -> str:
    """Return the source with the import. Where something else is called `Message`, ours is a `Sentence`."""
    imported = {
        name.asname or name.name: node.module
        for node in ast.parse(text).body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    own = re.search(r"^class Message\b", text, re.MULTILINE)
    if imported.get("Message") in ("pbem.rules", "pbem.text.messages"):
        return text
    line = f"from {module} import Message"
    if own or "Message" in imported:
        text = re.sub(r"(?<![\w.])Message\((?=\"[a-z-]+\.|_[A-Z])", "Sentence(", text)
        line = "" if "Sentence" in imported else f"{line} as Sentence"
    tree = ast.parse(text)
    last = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    lines = text.split("\n")
    at = last[-1].end_lineno if last else (tree.body[0].end_lineno if ast.get_docstring(tree) else 0)
    lines.insert(at or 0, line)
    return "\n".join(lines)


def said_by_program() -> set[str]:
    """Return the shapes of all sentences that the rooms say as texts."""
    sentences._tree.cache_clear()
    sentences.everything.cache_clear()
    found = {sentences.shape(text) for text in sentences.everything()}
    return found.union(*({sentences.shape(t) for t in sentences.others(room, 1)} for room in sentences.ROOMS))


def said_by_rules(package: str) -> set[str]:
    """Return the shapes of all sentences that the rules in a package say as texts."""
    return {sentences.shape(text) for text in sentences.of_rules(package)}


def main() -> None:
    """Move the sentences of the files and folders that are named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="change nothing")
    parser.add_argument(
        "--ids", action="store_true", help="write ids where a module says sentences as it is imported"
    )
    given = parser.parse_args()
    files = [
        f for p in given.paths for f in (sorted(p.resolve().rglob("*.py")) if p.is_dir() else [p.resolve()])
    ]
    catalogues: dict[str, Catalogue] = {}
    moved: set[str] = set()
    every = sorted((PACKAGE / "cli/words/de").glob("*.yaml"))
    pruned: dict[str, Words] = {"": Words(every)}
    for path in files:
        home = Home(path)
        words = pruned[""]
        if "systems" in path.relative_to(PACKAGE).parts:
            folder = PACKAGE / "systems" / path.relative_to(PACKAGE).parts[1]
            own = sorted(folder.glob("words/de/*.yaml"))
            words = pruned.setdefault(folder.name, Words(own, Words(every).known))
        catalogue = catalogues.setdefault(home.name, Catalogue(home))
        file = File(path, words, catalogue, given.ids)
        text = file.run()
        print(*dict.fromkeys(file.todo), sep="\n") if file.todo else None
        moved |= file.moved
        if not given.list and text != file.source:
            path.write_text(text, "utf-8")
    new = sum(len(c.new) for c in catalogues.values())
    if not given.list:
        for catalogue in catalogues.values():
            catalogue.write()
        chosen = [str(f) for f in files]
        subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--quiet", "--fix", "--select", "I", *chosen], check=False
        )
        subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", *chosen], check=False)
        shapes = {sentences.shape(text) for text in moved}
        gone = shapes - said_by_program()
        went = sum(words.prune(shapes - said_by_rules(name)) for name, words in pruned.items() if name)
        went += Words([path for path in every if path.stem in STRICT]).prune(gone)
        for path in PACKAGE.glob("systems/*/__init__.py"):
            gone -= said_by_rules(path.parent.name)
        went += Words([path for path in every if path.stem not in STRICT]).prune(gone)
        print(f"{went} patterns went")
    print(f"{len(moved)} sentences moved, {new} new messages")


if __name__ == "__main__":
    main()
