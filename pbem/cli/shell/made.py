"""Results that can go to a file: in which form, and private ones readable by their owner only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from pbem.cli.shell.console import note, paged, result
from pbem.text.messages import Message, Worded


def form_of(form: str | None, out: Path | None, endings: Mapping[str, str]) -> str:
    """Return the form: the named one, else by the ending of the file, else text."""
    if form is not None:
        return form
    ending = out.suffix.lower() if out is not None else ""
    if ending and ending not in endings:
        raise click.UsageError(Message("cli.made.no-such-ending", ending=ending, endings=tuple(endings)))
    return endings.get(ending, "text")


def give(made: str | bytes, out: Path | None, *, public: bool) -> None:
    """Print it, or write it to a file and say so. What is not public can be read by its owner only."""
    if out is None:
        if isinstance(made, bytes):
            raise click.UsageError(Message("cli.made.picture-wants-a-file"))
        with paged():
            result(made.removesuffix("\n"))
        return
    from pbem.text.writing import write_all

    path = out.absolute()
    data = made if isinstance(made, bytes) else made.encode("utf-8")
    write_all({path: data}, private=() if public else (path,))
    note(Worded(path))
