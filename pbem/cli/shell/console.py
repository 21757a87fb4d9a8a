"""The output of every command: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from pbem.cli.shell.language import spoken
from pbem.text.messages import Message, Worded

_PATIENCE = 1.0  # seconds before a progress bar appears
_MOST_LINES = 40
_PART = "pbem.part"


_held: list[str] | None = None  # lines held back to be shown page by page


def result(text: str = "", before: str = "") -> None:
    """Print a line of the result in the reader's language; `before` is in front of it as it is."""
    if text.count("\n") < _MOST_LINES:  # longer output is a document of its own
        text = spoken(text)
    ready(before + text)


def ready(text: str) -> None:
    """Print a text that is in the reader's language already."""
    if _held is not None:
        _held.append(text)
    else:
        click.echo(text)


@contextmanager
def paged() -> Iterator[None]:
    """Show long results a page at a time (the program in PAGER, PAGER=cat for none).

    Without a terminal they are printed as they come.
    """
    global _held
    if _held is not None or not (sys.stdout.isatty() and sys.stdin.isatty()) or wants_json():
        yield
        return
    _held = []
    try:
        yield
    finally:
        lines, _held = _held, None
        text = "".join(f"{line}\n" for line in lines)
        import shutil

        if text.count("\n") >= shutil.get_terminal_size().lines:
            click.echo_via_pager(text)
        else:
            click.echo(text, nl=False)


def note(text: str = "", before: str = "") -> None:
    """Print a line that is no result: what was done, what comes next, warnings. Silent with `--json`.

    `before` is in front of it as it is.
    """
    if not wants_json():
        click.echo(before + spoken(text), err=True)


def good(text: str) -> Worded:
    """Say it in the reader's language, in green on a terminal; the words say it too."""
    return Worded(click.style(spoken(text), fg="green"))


def bad(text: str) -> Worded:
    """Say it in the reader's language, in red on a terminal; the words say it too."""
    return Worded(click.style(spoken(text), fg="red"))


def strong(text: str) -> Worded:
    """Say it in the reader's language, bold on a terminal."""
    return Worded(click.style(spoken(text), bold=True))


def wants_json() -> bool:
    """Return True if the running command was called with `--json`."""
    ctx = click.get_current_context(silent=True)
    return bool(ctx is not None and ctx.find_root().meta.get("pbem.json"))


@contextmanager
def as_part() -> Iterator[None]:
    """Print no JSON of commands that another one runs: it prints one account of all."""
    meta = click.get_current_context().find_root().meta
    meta[_PART] = True
    try:
        yield
    finally:
        del meta[_PART]


def print_json(value: Any) -> None:
    """Print a result for programs: ASCII, which any terminal and encoding can carry."""
    ctx = click.get_current_context(silent=True)
    if ctx is None or _PART not in ctx.find_root().meta:
        click.echo(json.dumps(value, indent=2))


def made(data: dict[str, Any], lines: Iterable[str]) -> None:
    """Print the result of a command: the data with `--json`, else the lines."""
    if wants_json():
        print_json(data)
        return
    for line in lines:
        result(line)


def to_send(written: Iterable[Path]) -> list[str]:
    """Return the written files that are mail."""
    return [str(path) for path in written if path.parent.name == "outbox"]


def is_terminal() -> bool:
    """Return True if somebody can be asked on a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmed(question: str, yes: bool, otherwise: str) -> None:
    """Go on if the user says so; without a terminal, or with `--json`, only with `--yes`.

    `otherwise` says what to do then.
    """
    if yes:
        return
    if not is_terminal() or wants_json():
        raise click.UsageError(otherwise)
    if not agrees(question):
        note(Message("cli.console.nothing-was-done"))
        raise click.Abort


def agrees(question: str, default: bool = False) -> bool:
    """Ask until the user answers yes or no, in the user's language or in English. Enter is the default."""
    yes, no = spoken(Message("cli.console.yes")), spoken(Message("cli.console.no"))
    letters = f"{yes[0].upper()}/{no[0]}" if default else f"{yes[0]}/{no[0].upper()}"
    answers = {"": default, "no": False, "n": False, no: False, no[0]: False}
    answers |= {"yes": True, "y": True, yes: True, yes[0]: True}
    while True:
        typed: str = click.prompt(
            spoken(question), default="", show_default=False, err=True, prompt_suffix=f" [{letters}]: "
        )
        if typed.strip().lower() in answers:
            return answers[typed.strip().lower()]
        note(Message("cli.console.yes-or-no", yes=yes[0], no=no[0]))


@contextmanager
def progress(words: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback `(done, total)` that draws a bar on a terminal after a second of work."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    began = time.monotonic()
    bar: Any = None
    task: Any = None

    def step(done: int, total: int) -> None:
        nonlocal bar, task
        if bar is None and time.monotonic() - began > _PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(spoken(words), total=total)
        if bar is not None:
            bar.update(task, completed=done, total=total)

    try:
        yield step
    finally:
        if bar is not None:
            bar.stop()
