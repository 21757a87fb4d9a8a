"""Ids as people write them in an order file: `r-ar2`, `Haska`; and what was meant by what is no id at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.archive import order_file
from pbem.cli._naming import Names
from pbem.text.diagnostics import Diagnostic
from pbem.text.suggest import did_you_mean
from pbem.text.yaml import Document

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder

_PARTS = ("answers", "ahead")
_MOST = 40  # faults that get hints, options that are looked at for one
_FEW = 12  # words that are listed


def tried(folder: Folder, document: Document, checked: Checked) -> Checked:
    """The file with its ids as the game has them, if that has fewer faults; each with what was meant."""
    if not isinstance(document.data, dict) or folder.stage < 0:
        return checked
    names = Names.of(folder)
    read: dict[str, str] = {}
    data = {
        key: _in_ids(names, value, read) if key in _PARTS else value for key, value in document.data.items()
    }
    if read:
        again = order_file.check(folder, Document(document.name, document.text, data, document.marks))
        if _errors(again) < _errors(checked):
            said = "; ".join(f"{word} is read as {names.full(id)}" for word, id in read.items())
            note = Diagnostic("other-spelling", said, severity="warning")
            checked = replace(again, diagnostics=[*again.diagnostics, note])
    hinted = [_hinted(folder, names, document.data, one) for one in checked.diagnostics[:_MOST]]
    return replace(checked, diagnostics=[*hinted, *checked.diagnostics[_MOST:]])


def _errors(checked: Checked) -> int:
    return sum(one.severity == "error" for one in checked.diagnostics)


def _in_ids(names: Names, value: Any, read: dict[str, str]) -> Any:
    """The same value with every word that is a counter or a place as its id."""
    if isinstance(value, dict):
        return {key: _in_ids(names, item, read) for key, item in value.items()}
    if isinstance(value, list):
        return [_in_ids(names, item, read) for item in value]
    if not isinstance(value, str):
        return value
    id = names.find(value)
    if id is None or id == value:
        return value
    read[value] = id
    return id


def _hinted(folder: Folder, names: Names, data: Any, fault: Diagnostic) -> Diagnostic:
    """With what was meant by an unknown id, if the rules gave no hint themselves."""
    if fault.severity != "error" or any("did you mean" in line for line in fault.help):
        return fault
    unknown = [word for word in _words(data, fault) if names.find(word) is None]
    hints = [hint for word in unknown for hint in names.hints(word) or _offered(folder, fault, word)]
    return replace(fault, help=(*fault.help, *hints)) if hints else fault


def _offered(folder: Folder, fault: Diagnostic, word: str) -> list[str]:
    """What may have been meant by a word that is no counter and no place (a card, a country): one that the
    options of its question name."""
    asked = [one for one in order_file.questions(folder) if one.key in fault.path]
    known: dict[str, None] = {}
    for question in asked:
        view = folder.view()
        decision = view.system.decision(question.kind, question.party, question.fields)
        for option in islice(decision.options(view.game), _MOST):
            known |= dict.fromkeys(_texts(option.answer))
    near = did_you_mean(word, known)
    if near is not None or not known or word in known:
        return [f"did you mean {near}?"] if near is not None else []
    return [f"you may name: {', '.join(known)}"] if len(known) <= _FEW else []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _words(data: Any, fault: Diagnostic) -> Iterator[str]:
    """The words at the place of a fault that its message names."""
    for step in fault.path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return
    for value in data.values() if isinstance(data, dict) else [data]:
        if isinstance(value, str) and value in fault.message:
            yield value
