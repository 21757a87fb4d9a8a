"""Name and mail address of whoever begins or joins a game: by option, asked on a terminal, or an error."""

from __future__ import annotations

from collections.abc import Iterable

import click

from pbem.cli._console import is_terminal
from pbem.cli._language import spoken


def _asked(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    if value or ctx.resilient_parsing:  # a shell that completes a line must not be asked
        return value or ""
    words = {"name": "your name, as the others will see it", "mail": "your mail address"}[
        param.name or "name"
    ]
    if not is_terminal():
        raise click.MissingParameter(ctx=ctx, param=param)
    answer: str = click.prompt(spoken(words), err=True)
    return answer


name_option = click.option("--name", callback=_asked, help="Your name, as the others will see it.")
mail_option = click.option("--mail", callback=_asked, help="Your mail address.")


def as_written(word: str, known: Iterable[str]) -> str:
    """A seat or a party in whatever case somebody types it; the word itself where it is none."""
    return next((one for one in known if one.casefold() == word.strip().casefold()), word.strip())
