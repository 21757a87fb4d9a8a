"""Answers of the dialogue in the order file: put in their place, and found again after a break.

The owner's other text stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.resolve import Question
    from pbem.text.yaml import Document

_BEGUN = "private/begun.json"


def filled(text: str, answers: Mapping[str, Any], called: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return an order file with answers to its questions.

    `called` has other names of a question. Raises ValueError if the file has no room for one.
    """
    for key, value in answers.items():
        text = _put(text, (key, *(called or {}).get(key, ())), value)
    return text


def names_of(question: Question) -> tuple[str, ...]:
    """Return the names of a question in an order file."""
    from pbem.engine.answers import short_key

    return tuple(dict.fromkeys((question.key, short_key(question.key, question.kind), question.kind)))


def with_ahead(text: str, entries: Sequence[dict[str, Any]]) -> str:
    """Return an order file with more entries at the end of its list `ahead`; ValueError if it has no room."""
    from pbem.text.flow import flow

    document = _document(text)
    if document is None or not isinstance(document.data, dict):
        raise ValueError("no room")
    lines, before = text.rstrip("\n").split("\n"), document.data.get("ahead")
    if not entries:
        return text
    if "ahead" not in document.data:
        return "\n".join([*lines, "", "ahead:", *(f"  - {flow(entry)}" for entry in entries)]) + "\n"
    if not isinstance(before, list) or not before:
        raise ValueError("no room")
    first, last = document.span(("ahead", 0)), document.span(("ahead", len(before) - 1))
    dash = lines[first.line - 1].partition("-")[0]
    at = last.end_line - (last.end_column == 1)
    lines[at:at] = [f"{dash}- {flow(entry)}" for entry in entries]
    text = "\n".join(lines) + "\n"
    text_ = _document(text)
    if text_ is None or text_.data.get("ahead") != [*before, *entries]:
        raise ValueError("no room")
    return text


def given(path: Path, asked: Sequence[Question]) -> dict[str, Any] | None:
    """Return the answers in a file, by the keys of the questions.

    None if it is unreadable, or of a kind without answers.
    """
    data = data_of(path)
    if data is None:
        return None
    answers = data.get("answers")
    if not isinstance(answers, dict):
        return None if "answers" not in data or answers is not None else {}
    answers_by_key = {}
    for question in asked:
        name = next((name_ for name_ in names_of(question) if answers.get(name_) is not None), None)
        if name is not None:
            answers_by_key[question.key] = answers[name]
    return answers_by_key


def data_of(path: Path) -> dict[str, Any] | None:
    """Return an order file as data; None if it is unreadable or no mapping."""
    document = _document(path.read_bytes())
    return document.data if document is not None and isinstance(document.data, dict) else None


def _document(source: bytes | str) -> Document | None:
    from pbem.text.diagnostics import Refused
    from pbem.text.yaml import read

    try:
        reading = read(source, "orders")
    except Refused:
        return None
    return None if reading.faults else reading.document


def _put(text: str, names: Sequence[str], value: Any) -> str:
    document = _document(text)
    answers = document.data.get("answers") if document and isinstance(document.data, dict) else None
    if document is None or not isinstance(answers, dict):
        raise ValueError("no room")
    lines = text.split("\n")
    name = next((name_ for name_ in names if name_ in answers), None)
    if name is None:
        at = document.key_span(("answers",)).line
        lines[at:at] = _written(names[0], value)
        return "\n".join(lines)
    key, old = document.key_span(("answers", name)), document.span(("answers", name))
    first, after = key.line - 1, key.line
    if lines[first][: key.column - 1].strip():
        raise ValueError("no room")
    if answers[name] is not None:
        after = old.end_line - (old.end_column == 1)
        while after > key.line and (not lines[after - 1].strip() or lines[after - 1].lstrip()[0] == "#"):
            after -= 1
    lines[first:after] = _written(name, value)
    return "\n".join(lines)


def _written(key: str, value: Any) -> list[str]:
    """Return an answer as written by hand: a line for each element."""
    from pbem.text.flow import flow

    head = f"  {flow(key)}:"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return [head, *(f"    - {flow(item)}" for item in value)]
    if not isinstance(value, dict) or not any(_is_long(part) for part in value.values()):
        return [f"{head} {flow(value)}"]
    lines = [head]
    for name, part in value.items():
        if _is_long(part):
            lines += [f"    {flow(name)}:", *(f"      - {flow(item)}" for item in part)]
        else:
            lines.append(f"    {flow({name: part})[1:-1]}")
    return lines


def _is_long(part: Any) -> bool:
    return isinstance(part, list) and any(isinstance(item, dict | list) for item in part)


class Begun:
    """Unfinished long answers of the current stage."""

    def __init__(self, folder: Folder) -> None:
        self.path, self.stage = folder.root / _BEGUN, folder.progress.open_stage
        self.answers: dict[str, Any] = {}
        try:
            data = json.loads(self.path.read_bytes())
            if data["stage"] == self.stage:
                self.answers = dict(data["answers"])
        except (OSError, ValueError, KeyError, TypeError):
            pass

    def note(self, key: str, answer: Any) -> None:
        """Save an unfinished answer."""
        self.answers[key] = answer
        self._write()

    def done(self, key: str) -> None:
        """Forget an answer that is in the order file."""
        if self.answers.pop(key, None) is not None:
            self._write()

    def _write(self) -> None:
        from pbem.text.writing import write_all

        if not self.answers:
            self.path.unlink(missing_ok=True)
            return
        data = {"stage": self.stage, "answers": self.answers}
        write_all({self.path: json.dumps(data).encode()}, private=[self.path])
