"""Name and mail address of a player who begins or joins a game: by option, asked, or an error."""

from __future__ import annotations

from collections.abc import Iterable

import click

from pbem.cli.shell.console import is_terminal
from pbem.cli.shell.language import spoken
from pbem.text.messages import Message


def _asked(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    if value or ctx.resilient_parsing:  # never prompt during shell completion
        return value or ""
    if not is_terminal():
        raise click.MissingParameter(ctx=ctx, param=param)
    return ""


def who(name: str, mail: str) -> tuple[str, str]:
    """Name and address; what was not said is asked, once it is clear that the game can be had."""
    if not is_terminal():
        return name, mail
    while not name.strip():
        name = click.prompt(spoken(Message("cli.people.ask-for-name")), err=True)
    while "@" not in mail.strip()[1:-1]:
        mail = click.prompt(spoken(Message("cli.people.ask-for-mail-address")), err=True)
    return name.strip(), mail.strip()


name_option = click.option("--name", callback=_asked, help="cli.people.option-name")
mail_option = click.option("--mail", callback=_asked, help="cli.people.option-mail")


def as_written(word: str, known: Iterable[str]) -> str:
    """Return the known seat or party typed in any case, or the word itself."""
    return next((one for one in known if one.casefold() == word.strip().casefold()), word.strip())
