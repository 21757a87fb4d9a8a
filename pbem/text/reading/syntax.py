"""The YAML library's complaints in words for people who write order files."""

from typing import NamedTuple

from pbem.text.chars import called
from pbem.text.diagnostics import Diagnostic, Span
from pbem.text.messages import Message
from pbem.text.reading.events import Unreadable
from pbem.text.reading.source import Source


class _Meaning(NamedTuple):
    code: str
    message: str  # the id, as for help
    help: str
    opened: bool = False  # True if the fault lies where the construct began


_QUOTE = _Meaning("unclosed-quote", "text.syntax.quoted-text-begins-here", "text.syntax.close-quotes", True)
_LETTER = _Meaning(
    "bad-escape",
    "text.syntax.found-backslash-letter-means",
    "text.syntax.in-double-quotes-write",
)
_ESCAPE = _Meaning("bad-escape", "text.syntax.found-escape-stands-no", "text.syntax.write-character-itself")
_COLON = _Meaning(
    "unexpected-colon",
    "text.syntax.found-key-colon-none",
    "text.syntax.check-indentation-line-one",
)
_DASH = _Meaning(
    "unexpected-dash",
    "text.syntax.found-list-entry-none",
    "text.syntax.begin-entry-line-own",
)
_ALONE = _Meaning("missing-colon", "text.syntax.found-text-alone-wanted", "text.syntax.write-key-value", True)
_LIST = _Meaning("unclosed-bracket", "text.syntax.list-begins-here-not", "text.syntax.write-bracket", True)
_MAP = _Meaning("unclosed-bracket", "text.syntax.braces-open-here-not", "text.syntax.write-brace", True)
_MORE = _Meaning("several-documents", "text.syntax.found-more-text-after", "")
_END = _Meaning("unfinished", "text.syntax.file-ends-value-wanted", "text.syntax.look-bracket-not-closed")
_VALUE = _Meaning("missing-value", "text.syntax.found-nothing-can-value", "text.syntax.write-one-put-text")
_INDENT = _Meaning("bad-indentation", "text.syntax.does-not-fit-stands", "text.syntax.indent-like-neighbours")
_ENTRY = _Meaning("bad-indentation", "text.syntax.found-no-list-entry", "text.syntax.begin-blank")
_PERCENT = _Meaning("directive", "text.yaml.directive", "text.yaml.leave-out-lines-begin")
_TAG = _Meaning("tag", "text.syntax.found-tag-wanted-plain", "text.syntax.put-text-begins-in")
_ANCHOR = _Meaning("anchor", "text.syntax.found-anchor-wanted-plain", "text.syntax.put-text-begins-in-quotes")
_ALIAS = _Meaning("alias", "text.syntax.found-alias-wanted-plain", "text.syntax.put-text-begins-in-quotes-2")
_BLOCK = _Meaning(
    "bad-block-text", "text.syntax.found-odd-beginning-block", "text.syntax.after-begin-new-line"
)
_OTHER = _Meaning(
    "not-yaml", "text.syntax.found-something-not-yaml", "text.syntax.put-text-special-characters"
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
    """Return a diagnostic for what stopped the YAML library.

    `last` is the place it had reached, from 1.
    """
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
    span = Span(source.name, line, column, line, column + 1)
    if "cannot start any token" in problem:
        return _no_token(lines[line - 1][column - 1 : column], span)
    help = (Message(meaning.help),) if meaning.help else ()
    return Diagnostic(meaning.code, Message(meaning.message), span=span, help=help)


def _meaning(problem: str, context: str) -> _Meaning:
    for table, text in ((_PROBLEMS, problem), (_CONTEXTS, context)):
        for words, meaning in table.items():
            if words in text:
                return meaning
    return _OTHER


def _no_token(char: str, span: Span) -> Diagnostic:
    if char == "\t":
        help = Message("text.syntax.indent-separate-blanks")
        return Diagnostic("tab", Message("text.syntax.found-tab-wanted-blanks"), span=span, help=(help,))
    shown = f'"{char}"' if char.isprintable() and char else called(char or "\0")
    help = Message("text.syntax.put-text-in-double")
    message = Message("text.syntax.found-beginning-unquoted-text", shown=shown)
    return Diagnostic("needs-quotes", message, span=span, help=(help,))
