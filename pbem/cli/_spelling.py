"""Ids as people write them in an order file: `r-ar2`, `Haska`; and what was meant by what is no id at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.archive import order_file
from pbem.cli._naming import Names
from pbem.text.diagnostics import Diagnostic
from pbem.text.yaml import Document

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder

_PARTS = ("answers", "ahead")
_MOST = 40  # faults that get hints


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
    hinted = [_hinted(names, document.data, one) for one in checked.diagnostics[:_MOST]]
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


def _hinted(names: Names, data: Any, fault: Diagnostic) -> Diagnostic:
    """With what was meant by an unknown id, if the rules gave no hint themselves."""
    if fault.severity != "error" or any("did you mean" in line for line in fault.help):
        return fault
    hints = [hint for word in _words(data, fault) if names.find(word) is None for hint in names.hints(word)]
    return replace(fault, help=(*fault.help, *hints)) if hints else fault


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
