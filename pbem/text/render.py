"""Diagnostics as text: one line each for editors, in full for people, JSON for programs.

Nothing that a file or a statement holds can do more to a terminal than print.
"""

import json
from collections.abc import Callable, Iterable, Mapping

from pbem.text.chars import cell, visible
from pbem.text.diagnostics import Diagnostic, Span
from pbem.text.messages import Message, as_data

_WIDTH = 100  # columns of an excerpt; longer lines are cut around the fault
_CUT = "\u2026"
_LABELS = {
    "error": "text.render.error",
    "warning": "text.render.warning",
    "rule": "text.render.rule",
    "note": "text.render.note",
    "help": "text.render.help",
}


def concise(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one line per diagnostic, with `file:line:column:` first if known."""
    return "\n".join(_headline(fault) for fault in diagnostics)


def full(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, str] | None = None,
    told: Callable[[str], str] = str,
) -> str:
    """Return each diagnostic with its line, carets under the fault, rule, notes and help.

    `sources` gives the text of the files by the name they have in the spans; without it there are no
    excerpts. Blocks are separated by an empty line; there is no line break at the end. `told` gives each
    sentence in the language of the reader.
    """
    return "\n\n".join("\n".join(_block(fault, sources or {}, told)) for fault in diagnostics)


def as_plain(diagnostic: Diagnostic) -> dict[str, object]:
    """Return a diagnostic as plain data for JSON output, without empty members.

    Texts are English. `id` and `fields` are those of the message; `notes_messages` and `help_messages` give
    them for notes and help.
    """
    plain: dict[str, object] = {
        "severity": diagnostic.severity,
        "family": diagnostic.family,
        "code": diagnostic.code,
        "message": diagnostic.message,
    }
    if isinstance(diagnostic.message, Message):
        plain |= as_data(diagnostic.message)
    if (span := diagnostic.span) is not None:
        plain["file"] = span.file
        plain["start"] = {"line": span.line, "column": span.column}
        plain["end"] = {"line": span.end_line, "column": span.end_column}
    for member in ("path", "rule", "notes", "help"):
        if value := getattr(diagnostic, member):
            plain[member] = list(value) if isinstance(value, tuple) else value
    for member in ("notes", "help"):
        if texts := [as_data(text) for text in getattr(diagnostic, member) if isinstance(text, Message)]:
            plain[f"{member}_messages"] = texts
    return plain


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a JSON array with one object per diagnostic, pure ASCII."""
    text = json.dumps([as_plain(fault) for fault in diagnostics], indent=2)
    return text.replace("\x7f", "\\u007f")


def _headline(fault: Diagnostic, told: Callable[[str], str] = str) -> str:
    where = ""
    if fault.span:
        where = f"{fault.span.file}:{fault.span.line}:{fault.span.column}: "
    elif fault.path:
        where = ".".join(str(step) for step in fault.path) + ": "
    return visible(f"{where}{told(Message(_LABELS[fault.severity]))}[{fault.code}]: {told(fault.message)}")


def _block(fault: Diagnostic, sources: Mapping[str, str], told: Callable[[str], str]) -> list[str]:
    lines = [_headline(fault, told)]
    gutter = "  "
    if fault.span and (source := _line(sources.get(fault.span.file), fault.span.line)) is not None:
        number = str(fault.span.line)
        gutter = " " * (len(number) + 1)
        shown, carets = _excerpt(source, fault.span)
        lines += [f"{gutter}|", f"{number} | {shown}".rstrip(), f"{gutter}| {carets}"]
    remarks = [("rule", fault.rule)] if fault.rule else []
    remarks += [("note", note) for note in fault.notes] + [("help", text) for text in fault.help]
    for label, text in remarks:
        lines.append(f"{gutter}= {told(Message(_LABELS[label]))}: {visible(told(text or ''))}")
    return lines


def _line(text: str | None, number: int) -> str | None:
    """Return the line of that number without its end, or None if there is no such line."""
    if text is None:
        return None
    start = 0
    for _ in range(number - 1):
        start = text.find("\n", start) + 1
        if start == 0:
            return None
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].removesuffix("\r")


def _excerpt(source: str, span: Span) -> tuple[str, str]:
    """Return the line, or the part around the fault, and the carets that go below it."""
    first = min(span.column - 1, len(source))
    last = span.end_column - 1 if span.end_line == span.line else len(source)
    last = max(first + 1, min(last, len(source)))
    # a window in characters first, so that a line of megabytes is not walked through
    left = max(0, first - _WIDTH // 2) if len(source) > _WIDTH else 0
    cells = [cell(char) for char in source[left : left + _WIDTH]]
    lead = _CUT if left > 0 else ""
    before = sum(width for _, width in cells[: first - left])
    below = sum(width for _, width in cells[first - left : last - left])
    shown = lead + "".join(text for text, _ in cells)
    if left + _WIDTH < len(source):
        shown += _CUT
    return shown, " " * (len(lead) + before) + "^" * max(1, below)
