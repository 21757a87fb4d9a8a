"""The name and address of the person who begins or joins a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import is_terminal
from pbem.cli.shell.language import spoken
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.trust.roster import Party


def _asked(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """Return what was said; "" if it can be asked, or looked up in another game of this computer."""
    from pbem.cli.games.memory import Memory, usual

    # never prompt during shell completion
    if value or ctx.resilient_parsing or is_terminal() or Memory(usual()).games():
        return value or ""
    raise click.MissingParameter(ctx=ctx, param=param)


def who(name: str, mail: str, key: bytes) -> tuple[str, str]:
    """Return name and address of the owner of a key.

    Missing values are those of the key's newest game, or are asked for once the game is known to be
    possible.
    """
    known = known_by(key) if not (name and mail) else None
    name, mail = name or (known.name if known else ""), mail or (known.mail if known else "")
    if not is_terminal():
        for option, given in (("--name", name), ("--mail", mail)):
            if not given:
                raise click.MissingParameter(param_hint=f"'{option}'", param_type="option")
        return name, mail
    while not name.strip():
        name = click.prompt(spoken(Message("cli.people.ask-for-name")), err=True)
    while "@" not in mail.strip()[1:-1]:
        mail = click.prompt(spoken(Message("cli.people.ask-for-mail-address")), err=True)
    return name.strip(), mail.strip()


def known_by(key: bytes) -> Party | None:
    """Return the entry of a key in the newest game of this computer that it signs, or None."""
    from pbem.archive import Folder, joined
    from pbem.cli.games.memory import Memory, usual
    from pbem.text.diagnostics import PbemError
    from pbem.trust.sshsig import parse_public_line

    for root in Memory(usual()).games():
        try:
            folder = Folder.open(root)
            me = folder.private.me
            if me is None or parse_public_line(me.sign) != key:
                continue
            entries = joined(folder) if folder.roster is None else folder.need_roster().by_id
            if me.party in entries:
                return entries[me.party]
        except (PbemError, OSError, ValueError):  # a broken game knows nobody
            continue
    return None


name_option = click.option("--name", callback=_asked, help="cli.people.option-name")
mail_option = click.option("--mail", callback=_asked, help="cli.people.option-mail")


def as_written(word: str, known: Iterable[str]) -> str:
    """Return the known seat or party typed in any case, or the word itself."""
    return next((name for name in known if name.casefold() == word.strip().casefold()), word.strip())
