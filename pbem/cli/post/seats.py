"""Commands for the owner's seat, or with --as for that of a player whose keys the GM holds."""

from __future__ import annotations

import functools
from typing import Any

import click

from pbem.cli.post.proxied import acting_for
from pbem.cli.shell.options import F, directory_option, open_folder


def in_seat(function: F) -> F:
    """Make a command work in a game folder; with --as in that of a player whose keys the GM holds.

    It gets the folder as first argument. What it signs for such a player is in the GM's folder after it.
    """

    @directory_option
    @click.option("--as", "seat", metavar="PLAYER", help="cli.options.option-for")
    @functools.wraps(function)
    def wrapped(*args: Any, seat: str | None, **options: Any) -> Any:
        folder = open_folder()
        seat = seat.strip().lower() if seat is not None else None
        if seat in (None, folder.me):
            return function(folder, *args, **options)
        with acting_for(folder, str(seat)) as other:
            return function(other, *args, **options)

    return wrapped  # type: ignore[return-value]
