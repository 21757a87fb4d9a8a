"""All commands of the program, those of groups included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import click

from pbem.cli.main import cli


@cache
def paths() -> tuple[tuple[str, ...], ...]:
    """Every command as it is typed, groups too: `("orders",)`, `("orders", "check")`."""
    return tuple(_walk(cli, ()))


def _walk(group: click.Group, typed: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    context = click.Context(group, info_name="pbem")
    hidden = getattr(group, "known", ())
    for name in sorted({*group.list_commands(context), *hidden}):
        yield (*typed, name)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _walk(command, (*typed, name))
