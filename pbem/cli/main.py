"""`pbem`: the table of commands. A command's module is imported when it runs, so help starts at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from pbem import __version__
from pbem.cli._failures import explained, guarded
from pbem.cli._lazy import LazyGroup, Table

# the module of a command has its name and holds it as `command`
COMMANDS: Table = {
    "First contact": {
        "demo": "play a bundled sample game from end to end",
        "rules": "the rules systems that are installed",
        "key": "the key you sign with: make, show, back up, restore",
    },
    "Before a game": {
        "new": "begin a game: make the GM's folder and the invitation",
        "join": "answer an invitation",
        "sign": "sign the roster that everybody signs",
    },
    "While it goes on": {
        "status": "where the game stands and who owes what",
        "sequence": "the whole sequence of play, with a mark at the present place",
        "orders": "order files: new, legal, check, sign",
        "bid": "answer your one secret number in one go",
        "mail": "hand letters over, fetch mail (SMTP, IMAP, folders)",
        "receive": "take in mails and files that others sent",
        "ack": "say which orders are in hand (GM)",
        "remind": "write to those the game waits for (GM)",
        "amend": "change the game by agreement: keys, players, options, rules",
        "correct": "report the newest stage once more, rightly (GM)",
        "rule": "change the position by the GM's word (GM)",
        "rewind": "play on from the end of an earlier stage, if all agree",
        "protest": "say for good that something is wrong",
        "adjudicate": "run the game as far as it goes (GM)",
        "link": "give your link, where `receive` could not",
        "compare": "between two: where your records differ",
        "claim": "between two: say that the other does not go on",
    },
    "Keeping": {
        "archive": "the game as a history in git; merge and bundle archives",
    },
    "Reading": {
        "report": "what happened, for one reader",
        "map": "the map now",
        "dice": "every roll, and how to make it again",
        "stats": "the figures of the game: mails, losses, territory, luck",
        "verify": "check the whole archive",
    },
    "Afterwards": {
        "book": "the whole game as static pages",
        "unseal": "open everything at the end of the game (GM)",
        "completion": "shell completion for bash, zsh or fish",
    },
}


class Program(LazyGroup):
    """The group of all commands; ends every run with one exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        with explained():
            return super().invoke(ctx)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit: 0 done, 1 refused, 2 wrong usage, 3 something is awaited."""

        def run() -> Any:
            return click.Group.main(self, args, prog_name, complete_var, standalone_mode=False, **extra)

        if not standalone_mode:
            return run()
        sys.exit(guarded(run))


def _help_options() -> dict[str, Any]:
    return {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Program, table=COMMANDS, prefix="pbem.cli.", context_settings=_help_options())
@click.version_option(__version__, "-V", "--version", prog_name="pbem", message="%(prog)s %(version)s")
@click.option("-C", "directory", metavar="DIR", type=click.Path(), help="Work in this game folder.")
@click.pass_context
def cli(ctx: click.Context, directory: str | None) -> None:
    """Play board wargames by e-mail: signed orders, sealed bids, dice that nobody can bend.

    \b
    Example:  pbem demo
              pbem -C my-game status
    """
    ctx.obj = {"directory": directory}
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal without some letter shows ? instead of failing
            reconfigure(errors="replace")
    cli.main(prog_name="pbem")


if __name__ == "__main__":
    main()
