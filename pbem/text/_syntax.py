"""What the YAML library's complaints mean in the words of somebody who writes order files."""

from typing import NamedTuple

from pbem.text._events import Unreadable
from pbem.text._source import Source
from pbem.text.chars import called, clipped
from pbem.text.diagnostics import Diagnostic, Span


class _Meaning(NamedTuple):
    code: str
    message: str
    help: str
    opened: bool = False  # the fault lies where the library says that it began, not where it noticed


_QUOTE = _Meaning("unclosed-quote", "the quoted text that begins here has no end", "close the quotes", True)
_LETTER = _Meaning(
    "bad-escape",
    "found a backslash with a letter that means nothing after it",
    r"in double quotes write \\ for a backslash, or use single quotes",
)
_ESCAPE = _Meaning("bad-escape", "found an escape that stands for no character", "write the character itself")
_COLON = _Meaning(
    "unexpected-colon",
    "found a key with a colon where none can be",
    "check the indentation of this line and the one before; text that holds a colon needs quotes",
)
_DASH = _Meaning(
    "unexpected-dash",
    "found a list entry where none can be",
    "begin the entry on a line of its own, indented like its neighbours",
)
_ALONE = _Meaning("missing-colon", "found text alone, wanted a key with a colon", "write key: value", True)
_LIST = _Meaning(
    "unclosed-bracket", "the list that begins here is not closed, or lacks a comma", "write ]", True
)
_MAP = _Meaning(
    "unclosed-bracket", "the braces that open here are not closed, or lack a comma", "write }", True
)
_MORE = _Meaning(
    "several-documents", "found more text after the end of the document, wanted one document", ""
)
_END = _Meaning(
    "unfinished", "the file ends where a value is wanted", "look for a bracket that is not closed"
)
_VALUE = _Meaning(
    "missing-value", "found nothing that can be a value", "write one, or put the text in quotes"
)
_INDENT = _Meaning(
    "bad-indentation", "this does not fit what stands above it", "indent it like its neighbours"
)
_ENTRY = _Meaning("bad-indentation", "found no list entry among list entries", "begin it with - and a blank")
_PERCENT = _Meaning("directive", "found a directive, wanted plain YAML", "leave out lines that begin with %")
_TAG = _Meaning("tag", "found a tag, wanted plain text", "put text that begins with ! in quotes")
_ANCHOR = _Meaning("anchor", "found an anchor, wanted plain text", "put text that begins with & in quotes")
_ALIAS = _Meaning("alias", "found an alias, wanted plain text", "put text that begins with * in quotes")
_BLOCK = _Meaning(
    "bad-block-text", "found an odd beginning of a block of text", "after | or > begin a new line"
)
_OTHER = _Meaning(
    "not-yaml", "found something that is not YAML", "put text with special characters in quotes"
)

# The first that fits is taken. The scanner in C and the one in Python word the same problem differently.
_PROBLEMS = {
    "found unexpected end of stream": _QUOTE,
    "found unexpected document separator": _QUOTE,
    "unknown escape": _LETTER,
    "escape c": _ESCAPE,
    "expected escape sequence": _ESCAPE,
    "mapping values are not allowed": _COLON,
    "sequence entries are not allowed": _DASH,
    "could not find expected ':'": _ALONE,
    "',' or ']'": _LIST,
    "',' or '}'": _MAP,
    "<document start>": _MORE,
    "node content": _VALUE,
    "expected key": _INDENT,
    "<block end>": _INDENT,
    "'-' indicator": _ENTRY,
    "directive": _PERCENT,
}
_CONTEXTS = {
    "a directive": _PERCENT,
    "%": _PERCENT,
    "a tag": _TAG,
    "an anchor": _ANCHOR,
    "an alias": _ALIAS,
    "a block scalar": _BLOCK,
}


def explain(error: Unreadable, source: Source, last: tuple[int, int]) -> Diagnostic:
    """A diagnostic for what stopped the YAML library. `last` is the place it had reached, from 1."""
    cause = error.__cause__
    problem = str(getattr(cause, "problem", None) or "")
    context = str(getattr(cause, "context", None) or "")
    noticed, began = getattr(cause, "problem_mark", None), getattr(cause, "context_mark", None)
    lines = source.text.split("\n")
    meaning = _meaning(problem, context)
    if (
        meaning is _VALUE
        and noticed is not None
        and not "".join(lines[noticed.line :])[noticed.column :].strip()
    ):
        meaning = _END
    mark = began if meaning.opened and began is not None else noticed or began
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else last
    while line > 1 and (line > len(lines) or not lines[line - 1].strip()):
        line -= 1  # the end of the file: show its last line
        column = len(lines[line - 1].rstrip("\r")) + 1
    if "cannot start any token" in problem:
        meaning = _no_token(lines[line - 1][column - 1 : column])
    span = Span(source.name, line, column, line, column + 1)
    return Diagnostic(meaning.code, meaning.message, span=span, help=(meaning.help,) if meaning.help else ())


def _meaning(problem: str, context: str) -> _Meaning:
    for table, said in ((_PROBLEMS, problem), (_CONTEXTS, context)):
        for words, meaning in table.items():
            if words in said:
                return meaning
    return _OTHER


def _no_token(char: str) -> _Meaning:
    if char == "\t":
        return _Meaning("tab", "found a tab, wanted blanks", "indent and separate with blanks")
    shown = f'"{char}"' if char.isprintable() and char else called(char or "\0")
    help = "put the text in double quotes"
    return _Meaning("needs-quotes", f"found {clipped(shown)} at the beginning of unquoted text", help)
