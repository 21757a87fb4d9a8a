"""Ids as people write them in an order file: `r-ar2`, `Haska`; and suggestions for unknown words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.archive import order_file
from pbem.cli.writing.naming import Names
from pbem.cli.writing.plain import Plain, plainly
from pbem.text.diagnostics import Diagnostic
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean
from pbem.text.yaml import Document

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder
    from pbem.engine.decisions import Option
    from pbem.engine.resolve import Question

_PARTS = ("answers", "ahead", "standing")
_LISTS = ("ahead", "standing")
_MOST = 40  # faults that get hints, and options to search for one
_FEW = 12  # words to list


def tried(folder: Folder, document: Document, checked: Checked) -> Checked:
    """Return the file with corrected ids, if that has fewer faults; each fault with suggestions."""
    if not isinstance(document.data, dict) or folder.stage < 0:
        return checked
    names = Names.of(folder)
    meant = _Meant(names, choices(folder, names))
    data = {key: meant.in_ids(value) if key in _PARTS else value for key, value in document.data.items()}
    plain = Plain(folder, names, meant.choices)
    data = {key: plain.answers(value) if key == "answers" else value for key, value in data.items()}
    data = {key: plain.entries(value) if key in _LISTS else value for key, value in data.items()}
    if meant.read or plain.read or data != document.data:
        again = order_file.check(folder, Document(document.name, document.text, data, document.marks))
        if _errors(again) < _errors(checked) or plain.by_rules:
            read = {word: names.full(id) for word, id in meant.read.items()} | plain.read
            notes = _read(read) if read else []
            checked = replace(again, diagnostics=[*again.diagnostics, *notes])
    hinted = [_hinted(folder, names, document.data, plain, fault) for fault in checked.diagnostics[:_MOST]]
    return replace(checked, diagnostics=[*hinted, *checked.diagnostics[_MOST:]])


def _read(words: dict[str, str]) -> list[Diagnostic]:
    """Return a warning with how words were read."""
    readings = [Message("cli.spelling.read-as", word=word, words=meant) for word, meant in words.items()]
    message: Message = reduce(
        lambda left, more: Message("cli.spelling.and-more", one=left, more=more), readings
    )
    return [Diagnostic("other-spelling", message, severity="warning")]


def choices(folder: Folder, names: Names) -> dict[str, str]:
    """Return the rules' words that an order file may use now, by their plain spelling."""
    return {**_choices(order_file.schema(folder)), **_choices_now(folder, names)}


def _errors(checked: Checked) -> int:
    return sum(fault.severity == "error" for fault in checked.diagnostics)


class _Meant:
    """A reader of words as ids and as words of the rules; `read` has those written otherwise."""

    def __init__(self, names: Names, choices: dict[str, str]) -> None:
        self.names, self.choices = names, choices
        self.read: dict[str, str] = {}

    def in_ids(self, value: Any) -> Any:
        """Return the value with ids for counters and places, and the rules' words (`march`)."""
        if isinstance(value, dict):
            return {key: self.in_ids(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.in_ids(item) for item in value]
        if not isinstance(value, str) or value in self.choices.values():
            return value
        meant = self.names.find(value) or self.choices.get(plainly(value))
        if meant is None or meant == value:
            return value
        self.read[value] = meant
        return meant


def _choices(schema: Any) -> dict[str, str]:
    """Return the words that a schema lets one choose from, by their plain spelling."""
    words: dict[str, str] = {}
    if isinstance(schema, dict):
        words |= {plainly(word): word for word in schema.get("enum", ()) if isinstance(word, str)}
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    for part in parts:
        words |= _choices(part)
    return words


def _choices_now(folder: Folder, names: Names) -> dict[str, str]:
    """Return the words of present options, which only the rules know, by their plain spelling."""
    spellings: dict[str, str] = {}
    for question in order_file.questions(folder):
        for option in _options(folder, question):
            words = [word for word in _texts(option.answer) if names.find(word) is None]
            spellings |= {plainly(word): word for word in words}
    return spellings


def _options(folder: Folder, question: Question) -> Iterator[Option]:
    view = folder.view()
    decision = view.system.decision(question.kind, question.party, question.fields)
    return islice(decision.options(view.game), _MOST)


def _hinted(folder: Folder, names: Names, data: Any, plain: Plain, fault: Diagnostic) -> Diagnostic:
    """Return a fault with suggestions for an unknown id, if the rules gave none."""
    if fault.severity != "error" or any("did you mean" in line for line in fault.help):
        return fault
    if fault.code == "wrong-type":
        return replace(fault, help=(*fault.help, *_written(names, plain, _at(data, fault), fault)))
    unknown = [word for word in _words(data, fault) if names.find(word) is None]
    hints = [hint for word in unknown for hint in names.hints(word) or _offered(folder, fault, word)]
    return replace(fault, help=(*fault.help, *hints)) if hints else fault


def _offered(folder: Folder, fault: Diagnostic, word: str) -> list[str]:
    """Return suggestions for a word that is no counter and no place (a card, a country).

    They are named by the options of its question.
    """
    asked = [question for question in order_file.questions(folder) if question.key in fault.path]
    known: dict[str, None] = {}
    for question in asked:
        for option in _options(folder, question):
            known |= dict.fromkeys(_texts(option.answer))
    near = did_you_mean(word, known)
    if near is not None or not known or word in known:
        return [Message("text.suggest.did-you-mean-bare", near=near)] if near is not None else []
    return [Message("cli.spelling.you-may-name", known=tuple(known))] if len(known) <= _FEW else []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _written(names: Names, plain: Plain, word: Any, fault: Diagnostic) -> list[str]:
    """Return how to write what a bare word in the file means."""
    if not isinstance(word, str):
        return []
    if word in plain.several:
        alike = [hint for part in word.split() if names.find(part) is None for hint in names.hints(part)]
        legal = Message("cli.spelling.orders-legal-lists-them")
        return [*alike, *(Message("cli.spelling.write", line=line) for line in plain.several[word])] or [
            legal
        ]
    if not fault.message.endswith("wanted a list"):
        return []
    parts = [part for part in re.split(r"[\s,;>\u2010-\u2015-]+", word) if part]
    ids = [names.find(part) for part in parts]
    line = flow([id or word for id in ids] if parts and all(ids) else [word])
    return [Message("cli.spelling.write", line=line)]


def _at(data: Any, fault: Diagnostic) -> Any:
    """Return the value in the file at the place of a fault."""
    for step in fault.path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _words(data: Any, fault: Diagnostic) -> Iterator[str]:
    """Yield the words at the place of a fault that its message names."""
    data = _at(data, fault)
    for value in data.values() if isinstance(data, dict) else [data]:
        if isinstance(value, str) and value in fault.message:
            yield value
