"""Groups whose commands are imported when they run: help and completion read a table instead."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from pbem.cli.shell.language import Command, help_of
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

Table = dict[str, dict[str, str]]
"""Heading -> name of a command -> what it does, in ids of messages. Commands under an empty heading are not
listed."""


EMPTY: Mapping[str, str] = MappingProxyType({})


class LazyGroup(click.Group, Command):
    """Finds the command NAME as `command` in the module `prefix + NAME`, or below it in one of `rooms`."""

    def __init__(
        self, *args: Any, table: Table, prefix: str, rooms: Mapping[str, str] = EMPTY, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.table = table
        self.prefix, self.rooms = prefix, rooms
        self.helps = {name: text for title, group in table.items() if title for name, text in group.items()}
        self.known = {name for group in table.values() for name in group}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.known:
            return None
        command: click.Command = import_module(self.prefix + self.rooms.get(cmd_name, "") + cmd_name).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0].lower() in self.known:
            args = [args[0].lower(), *args[1:]]
        if args[0] not in self.known and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(self.missing(ctx, args[0]), ctx)
        _name, command, rest = super().resolve_command(ctx, args)
        return args[0], command, rest  # the name as it was typed, not as its module has it

    def meant(self, ctx: click.Context, word: str) -> str | None:
        """Return the id of the message with the command that a commonly tried word stands for."""
        from pbem.cli.shell.advice import MEANT_IN

        return MEANT_IN.get((ctx.info_name or "").lower(), {}).get(word.lower())

    def missing(self, ctx: click.Context, word: str) -> Message:
        """Say that there is no such command, and where it leads or which is most like it."""
        meant, near = self.meant(ctx, word), did_you_mean(word, self.helps)
        if meant:
            return Message("cli.lazy.no-command-but", word=word, advice=Message(meant))
        if near:
            return Message("cli.lazy.no-command-did-you-mean", word=word, near=near)
        return Message("cli.lazy.no-command-help-lists-them", word=word, group=ctx.command_path)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, group in self.table.items():
            if title:
                with formatter.section(title):
                    formatter.write_dl(list(group.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(n, help=help_of(text))
            for n, text in self.helps.items()
            if n.startswith(incomplete)
        ]
        return items or Command.shell_complete(self, ctx, incomplete)
