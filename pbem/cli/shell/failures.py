"""The end of every run: one clear message on standard error and an exit code (product, 3).

Refused input shows its diagnostics. An unforeseen exception is our mistake and says so; the
traceback is there with `PBEM_DEBUG=1`.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.language import help_of, spoken
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.text.diagnostics import Diagnostic

DONE, REFUSED, USAGE, AWAITED = 0, 1, 2, 3
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_MOST_SOURCE = 1 << 20  # bytes of a file that is read again to show the line at fault


def guarded(run: Callable[[], Any]) -> int:
    """Run the program and give its exit code."""
    try:
        code = run()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as fault:
        _usage(fault)
        return fault.exit_code
    except (click.Abort, KeyboardInterrupt) as why:
        return _stopped(why)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # the reader has closed the pipe
        return DONE
    return code if isinstance(code, int) and not isinstance(code, bool) else DONE


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever a command raises into its message and the exit code; click's own exceptions pass."""
    try:
        yield
    except (click.exceptions.Exit, click.ClickException, BrokenPipeError):
        raise
    except (click.Abort, KeyboardInterrupt) as why:
        raise click.exceptions.Exit(_stopped(why)) from None
    except Exception as fault:
        raise click.exceptions.Exit(_failed(fault)) from None


def _stopped(why: BaseException) -> int:
    """Say that the user stopped the command; after `^C` on a line of its own."""
    line = "\n" if isinstance(why, KeyboardInterrupt) else ""
    click.echo(line + spoken(Message("cli.failures.stopped")), err=True)
    return REFUSED


def _usage(fault: click.ClickException) -> None:
    ctx = fault.ctx if isinstance(fault, click.UsageError) else None
    if isinstance(fault, click.exceptions.NoArgsIsHelpError):  # its message is the help of the command
        click.echo(fault.format_message(), err=True)
        return
    with ctx or nullcontext():  # its language
        if ctx is not None:
            click.echo(ctx.get_usage(), err=True)
            _note(Message("cli.failures.help-says-more", command=ctx.command_path))
        click.echo(f"{_error()}: {spoken(fault.format_message())}", err=True)
        if isinstance(fault, click.NoSuchOption) and ctx is not None and ctx.parent is not None:
            group = ctx.find_root().command
            if any(fault.option_name in option.opts for option in group.params):
                name, word = fault.option_name, ctx.info_name
                _note(Message("cli.failures.option-goes-before-command", option=name, command=word))
        param = fault.param if isinstance(fault, click.MissingParameter) else None
        if isinstance(param, click.Option) and param.help:
            click.echo(f"  {'/'.join(param.opts)}: {help_of(param.help)}", err=True)


def _error() -> str:
    return spoken(Message("text.render.error"))


def _note(message: Message) -> None:
    """Print a line that belongs to the error above, indented."""
    click.echo(f"  {spoken(message)}", err=True)


def _failed(fault: Exception) -> int:
    from pbem.text.diagnostics import PbemError, Refused

    if isinstance(fault, Refused):
        show(fault.diagnostics)
    elif isinstance(fault, PbemError):
        _say(str(fault))
    elif isinstance(fault, OSError) and fault.filename is not None:
        _say(f"{fault.filename}: {(fault.strerror or str(fault)).lower()}")
    elif isinstance(fault, OSError) and fault.strerror:
        _say(fault.strerror.lower())
    else:
        return _our_mistake(fault)
    if _is_full(fault):
        _note(Message("cli.failures.make-room-on-disk"))
    if os.environ.get("PBEM_DEBUG"):
        _traceback(fault)
    return REFUSED


def _is_full(fault: Exception) -> bool:
    """Return True if a disk was full, or the user's quota."""
    from pbem.cli.shell.console import wants_json

    first = fault if isinstance(fault, OSError) else fault.__cause__
    return not wants_json() and isinstance(first, OSError) and first.errno in _FULL


def _say(message: str) -> None:
    """Print an error that is no diagnostic of a file."""
    from pbem.cli.shell.console import wants_json
    from pbem.text.diagnostics import Diagnostic

    if wants_json():
        show([Diagnostic("failed", _visible(message))])
    else:
        click.echo(f"{_error()}: {spoken(_visible(message))}", err=True)


def show(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics on standard error; as JSON if the command was asked for JSON."""
    from pbem.cli.shell.console import wants_json
    from pbem.text import render

    listed = list(diagnostics)
    if wants_json():
        click.echo(render.as_json(listed), err=True)
        return
    text = render.full(listed, _sources(listed), spoken)
    for line in text.split("\n"):
        head, mark, rest = line.partition(f"{_error()}[")
        word, bracket, tail = rest.partition("]")
        coloured = bool(bracket) and not head.startswith(" ")
        click.echo(head + click.style(mark + word + bracket, fg="red") + tail if coloured else line, err=True)


def _sources(diagnostics: Iterable[Diagnostic]) -> dict[str, str]:
    """Return the named files, as far as readable, to show the lines at fault."""
    sources: dict[str, str] = {}
    for name in dict.fromkeys(fault.span.file for fault in diagnostics if fault.span is not None):
        try:
            path = Path(name)
            if path.is_file() and path.stat().st_size <= _MOST_SOURCE:
                sources[name] = path.read_bytes().decode("utf-8")
        except (OSError, ValueError):
            continue
    return sources


def _our_mistake(fault: Exception) -> int:
    if os.environ.get("PBEM_DEBUG"):
        _traceback(fault)
    else:
        from pbem import __version__

        kind = _visible(f"{type(fault).__name__}: {fault}")
        click.echo(
            spoken(Message("cli.failures.pbem-made-a-mistake", version=__version__, kind=kind[:200])),
            err=True,
        )
        _note(Message("cli.failures.nothing-was-changed"))
        _note(Message("cli.failures.please-report-it"))
    return REFUSED


def _traceback(fault: Exception) -> None:
    import traceback

    click.echo(_visible("".join(traceback.format_exception(fault)), keep="\n"), err=True)


def _visible(text: str, keep: str = "") -> str:
    if isinstance(text, Message) and text.isprintable():
        return text  # with its id
    return "".join(c if c.isprintable() or c in keep else "?" for c in text)
