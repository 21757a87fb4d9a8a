"""Loading and checking an order file, for `orders check`, `orders sign` and `bid`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import result
from pbem.cli.shell.words import safe
from pbem.cli.writing.meaning import line_in_words
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder
    from pbem.text.diagnostics import Diagnostic
    from pbem.text.yaml import Document

_MOST = (256 << 10) + 1  # one byte over the loader's limit, so that the loader reports it


def checked_file(folder: Folder, name: str) -> Checked:
    """Return the result of checking a file; faults of reading are among its diagnostics."""
    from pbem.archive import need_going_on
    from pbem.cli.writing import survival
    from pbem.text.diagnostics import Diagnostic

    need_going_on(folder)
    with Path(name).open("rb") as file:
        source = file.read(_MOST)
    checked = _loaded(folder, source, name)
    if checked.ok:
        return checked
    alien = survival.foreign(source, name)
    if alien is not None:
        return replace(checked, diagnostics=[alien])
    meant = survival.saved(source, name)
    if meant is not None:
        again = _loaded(folder, meant.text, name)
        if again.ok or _errors(again) < _errors(checked):
            message = Message("cli.orders.as-meant", name=name, said="; ".join(meant.said))
            note = Diagnostic("as-meant", message, severity="warning")
            return replace(again, diagnostics=(note, *again.diagnostics))
    lost = _lost(source, name)
    return replace(checked, diagnostics=(*lost, *checked.diagnostics)) if lost else checked


def _errors(checked: Checked) -> int:
    return sum(fault.severity == "error" for fault in checked.diagnostics)


def _loaded(folder: Folder, source: bytes | str, name: str) -> Checked:
    from pbem.archive import order_file
    from pbem.text.diagnostics import Refused

    try:
        return _checked(folder, order_file.load(folder, source, name))
    except Refused as fault:
        return order_file.Checked(diagnostics=fault.diagnostics)


def _checked(folder: Folder, document: Document) -> Checked:
    """Return the result of checking a file as it is, or with corrected spelling if it has faults.

    Ids may be in any case, places by name, and unknown words get suggestions.
    """
    from pbem.archive import order_file
    from pbem.cli.writing import spelling as _spelling

    checked = order_file.check(folder, document)
    return checked if checked.ok else _spelling.tried(folder, document, checked)


def _lost(source: bytes, name: str) -> list[Diagnostic]:
    """Return the fault of indentation that a mail program removed, the cause of many others."""
    from pbem.mail.mend import lost_indentation

    lost = lost_indentation(source.decode("utf-8", "replace"), name)
    return [lost] if lost else []


def show_understood(checked: Checked) -> None:
    """Print what would be signed, in words."""
    result(
        Message("cli.orders.understood")
        if checked.understood
        else Message("cli.orders.understood-only-ready")
    )
    for line in checked.understood:
        result(f"  {line_in_words(safe(line, 2000))}")


def show_faults(checked: Checked) -> None:
    """Print every diagnostic in full, warnings too."""
    from pbem.cli.shell.failures import show

    if checked.diagnostics:
        show(checked.diagnostics)


def order_file(folder: Folder) -> Path:
    """Return the usual order file of the current stage."""
    return folder.root / "private" / f"orders-{folder.progress.open_stage:04d}.yaml"


def named_or_usual(folder: Folder, name: str | None) -> str:
    """Return the named file, else that of the current stage; Refused if that does not exist."""
    from pbem.text.diagnostics import Diagnostic, Refused

    if name is not None:
        return name
    path = order_file(folder)
    if not path.is_file():
        from pbem.archive import order_file as orders

        orders.need_asked(folder)
        help_ = (Message("cli.orders.orders-new-writes-it"),)
        raise Refused(Diagnostic("no-file", Message("cli.orders.no-file", path=shown(path)), help=help_))
    return shown(path)


def shown(path: Path) -> str:
    """Return a path as one would type it here."""
    near = between(path, Path())
    return str(path) if near.startswith("..") else near


def between(path: Path, start: Path) -> str:
    """Return the way from a folder to a path; across Windows drives the whole path."""
    try:
        return os.path.relpath(path, start)
    except ValueError:
        return str(path)


file_argument = click.argument(
    "file", metavar="[FILE]", required=False, type=click.Path(exists=True, dir_okay=False)
)
