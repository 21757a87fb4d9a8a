"""`pbem help`: every command, or one of them explained."""

from __future__ import annotations

import click

from pbem.cli.shell.console import paged, result
from pbem.cli.shell.language import Command
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.help.help")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...]) -> None:
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    if not words:
        root.meta["pbem.all"] = True
        with paged():
            result(root.command.get_help(root))
        return
    group: click.Command = root.command
    above = root
    for word in words:
        if not isinstance(group, click.Group):
            raise click.UsageError(
                Message("cli.help.no-commands-of-its-own", command=above.command_path), root
            )
        _name, subcommand, _rest = group.resolve_command(above, [word])
        assert subcommand is not None
        context = subcommand.context_class
        group, above = (
            subcommand,
            context(subcommand, parent=above, info_name=word, **subcommand.context_settings),
        )
    with paged():
        result(group.get_help(above))
