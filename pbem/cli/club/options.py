"""Commands that work in a game folder, and outside one over all games."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.cli.club.games import all_games, no_games
from pbem.cli.games.home import games
from pbem.cli.shell.options import directory_option, here, inside_option, open_folder

F = TypeVar("F", bound=Callable[..., Any])


def in_folder_or_all(function: F) -> F:
    """Make a command one that works in a game folder, and outside one over all games.

    It has `-C` and `--in`. It gets the folder or None, and the folders of all games where there is none.
    """

    @directory_option
    @inside_option
    @functools.wraps(function)
    def wrapped(*args: Any, inside: str | None, **options: Any) -> Any:
        roots = several(inside)
        return function(None if roots else open_folder(), roots, *args, **options)

    return wrapped  # type: ignore[return-value]


def several(inside: str | None) -> list[Path]:
    """Return the folders of all games, or [] where one game is meant: in its folder, or beside it alone."""
    if inside is None and here().is_dir():
        near = games(here())
        if len(near) == 1 or not (near or _no_folder_named()):
            return []
    roots = all_games(inside)
    if not roots and inside is not None:
        raise no_games(inside)
    return roots  # without any game, opening the folder says what is wrong


def _no_folder_named() -> bool:
    """Return True without `-C`: a folder that was named and has no game is a mistake."""
    return not (click.get_current_context().find_root().obj or {}).get("directory")
