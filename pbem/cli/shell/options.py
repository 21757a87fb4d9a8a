"""Options that several commands share, and the folder a command works in."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.games.memory import opened
from pbem.cli.shell.console import note
from pbem.cli.shell.language import choose, of_computer, of_game
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

F = TypeVar("F", bound=Callable[..., Any])


def _keep_directory(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.find_root().obj = {"directory": value}


def _keep_json(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    if value:
        ctx.find_root().meta["pbem.json"] = True
    return value


def _keep_wait(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().meta["pbem.wait"] = True


directory_option = click.option(
    "-C",
    "directory",
    metavar="DIR",
    type=click.Path(),
    expose_value=False,
    callback=_keep_directory,
    help="cli.options.option-dir",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_keep_json, help="cli.options.option-json"
)
key_option = click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(),
    help="cli.options.option-key",
)
jobs_option = click.option("--jobs", metavar="N", type=click.IntRange(1, 256), help="cli.options.option-jobs")
cluster_option = click.option("--cluster", metavar="ADDRESS", help="cli.options.option-cluster")
reader_option = click.option(
    "--as",
    "reader",
    metavar="PLAYER",
    callback=lambda ctx, param, value: value.strip().lower() if value else value,
    help="cli.options.option-as",
)


class Stage(click.IntRange):
    """The number of a stage."""

    name = "stage"

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; a word instead is most likely a place on the map."""
        if isinstance(value, str) and not value.strip().lstrip("-").isdigit():
            self.fail(Message("cli.options.wanted-a-stage", value=value), param, ctx)
        return int(super().convert(value, param, ctx))


STAGE = Stage()
wait_option = click.option(
    "--wait",
    is_flag=True,
    expose_value=False,
    callback=_keep_wait,
    help="cli.options.option-wait",
)
lang_option = click.option(
    "--lang",
    metavar="CODE",
    envvar="PBEM_LANG",
    default=of_computer,
    callback=choose,
    help="cli.options.option-lang",
)
mail_lang_option = click.option(
    "--lang",
    metavar="CODE",
    default=None,
    help="cli.options.option-lang-of-mail",
)
out_option = click.option(
    "--out",
    "out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="cli.options.option-out",
)
yes_option = click.option("--yes", is_flag=True, help="cli.options.option-yes")


inside_option = click.option(
    "--in",
    "inside",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="cli.options.option-in",
)


def here() -> Path:
    """Return the directory of `-C`, else the current one."""
    ctx = click.get_current_context()
    root = ctx.find_root().obj
    return Path((root or {}).get("directory") or ".")


def open_folder() -> Folder:
    """Return the game folder here, or that of `-C`; Refused if there is none.

    Called beside a single game, it is that one.
    """
    from pbem.archive import Folder
    from pbem.cli.shell.keys import passphrase
    from pbem.text.diagnostics import Refused

    start = here()
    if not start.is_dir():
        raise click.UsageError(Message("cli.options.no-such-folder", start=start))
    wait = bool(click.get_current_context().find_root().meta.get("pbem.wait"))
    try:
        folder = Folder.open(start, passphrase, wait=wait)
    except Refused as fault:
        if fault.diagnostics[0].code != "no-game":
            raise
        folder = Folder.open(_only_game(start, fault), passphrase, wait=wait)
    if folder.finished:
        note(Message("cli.options.former-command-is-finished-now"))
    of_game(folder)
    opened(folder.root)
    return folder


def _only_game(start: Path, fault: Exception) -> Path:
    """Return the one game below a place; raise the fault unless there is exactly one."""
    from pbem.cli.games.home import games

    roots = games(start)
    if len(roots) != 1:
        raise fault
    note(Message("cli.options.in-the-game-below", folder=os.path.relpath(roots[0])))
    return roots[0]


def in_folder(function: F) -> F:
    """Make a command one that works in a game folder: it has `-C` and gets the folder as first argument."""

    @directory_option
    @functools.wraps(function)
    def wrapped(*args: Any, **options: Any) -> Any:
        return function(open_folder(), *args, **options)

    return wrapped  # type: ignore[return-value]
