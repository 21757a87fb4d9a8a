"""`pbem`: the table of commands. A command's module is imported when it runs, so help starts at once."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from pbem import __version__
from pbem.cli._failures import explained, guarded
from pbem.cli._language import SpokenContext, choose
from pbem.cli._lazy import LazyGroup, Table
from pbem.text.messages import Message

# the module of a command has its name and holds it as `command`
COMMANDS: Table = {
    "What a player needs": {
        "demo": "see a sample game played; --play SEAT: play at once, on this computer",
        "join": "answer an invitation",
        "next": "do the next sensible thing, and say what it did",
        "status": "where the game stands and who owes what",
        "orders": "order files: new, legal, check, sign",
        "report": "what happened, for one reader",
        "table": "the game in a browser, on this computer",
    },
    "First contact": {
        "help": "all commands, or one of them explained",
        "rules": "the rules systems that are installed",
        "key": "the key you sign with: make, show, back up, restore",
        "completion": "shell completion for bash, zsh, fish or PowerShell",
    },
    "Before a game": {
        "new": "begin a game: make the GM's folder and the invitation",
        "sign": "sign the roster that everybody signs (orders: `orders sign`)",
    },
    "While it goes on": {
        "bid": "answer your one secret number in one go",
        "undo": "take back what you signed and did not mail yet",
        "receive": "take in mails and files that others sent",
        "mail": "hand letters over, fetch mail (SMTP, IMAP, folders)",
        "map": "the map now, as text, drawing or picture",
        "sequence": "the whole sequence of play, with a mark at the present place",
        "protest": "say for good that something is wrong",
        "link": "give your link, where `receive` could not",
        "compare": "between two: where your records differ",
        "claim": "between two: say that the other does not go on",
    },
    "For the game master": {
        "adjudicate": "run the game as far as it goes",
        "ack": "say which orders are in hand",
        "remind": "write to those the game waits for",
        "correct": "report the newest stage once more, rightly",
        "rule": "change the position by the GM's word",
        "unseal": "open everything at the end of the game",
    },
    "When something changes": {
        "amend": "change the game by agreement: keys, players, options, rules",
        "rewind": "play on from the end of an earlier stage, if all agree",
    },
    "Looking back": {
        "dice": "every roll, and how to make it again",
        "odds": "what to expect of a battle",
        "stats": "the figures of the game: mails, losses, territory, luck",
        "verify": "check the whole archive",
        "book": "the whole game as static pages",
        "archive": "the game as a history in git; merge and bundle archives",
    },
}
FIRST = next(iter(COMMANDS))
"""The heading of the commands that help shows first; the others are below `pbem help`."""


COMPLETE = "_PBEM_COMPLETE"
"""What the script of a shell sets to have a line completed."""


class Program(LazyGroup):
    """The group of all commands; ends every run with one exit code."""

    context_class = SpokenContext

    def invoke(self, ctx: click.Context) -> Any:
        with explained():
            return super().invoke(ctx)

    def hint(self, ctx: click.Context, word: str) -> str:
        """Where a word leads that people try; else the command most like it."""
        from pbem.cli._advice import MEANT

        meant = MEANT.get(word.lower())
        return f": {meant}" if meant else super().hint(ctx, word)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Those that a player needs; with `pbem help` or --all, all."""
        if ctx.meta.get("pbem.all"):
            super().format_commands(ctx, formatter)
            return
        first = self.table[FIRST]
        with formatter.section(FIRST):
            formatter.write_dl(list(first.items()))
        rest = len(self.helps) - len(first)
        formatter.write_paragraph()
        formatter.write_text(Message("cli.main.pbem-help-lists-other-pbem", rest=rest))

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Whoever asks first: click keeps the option that it makes for one context."""
        return [*_help_options()["help_option_names"]]

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit: 0 done, 1 refused, 2 wrong usage, 3 something is awaited."""

        if os.environ.get(COMPLETE, "").startswith("powershell"):
            from pbem.cli import _powershell  # noqa: F401  (click knows it once it is imported)

        def run() -> Any:
            return click.Group.main(self, args, prog_name, complete_var, standalone_mode=False, **extra)

        if not standalone_mode:
            return run()
        sys.exit(guarded(run))


_SELDOM = (100_000, 20, 50)
"""How many objects are made before Python looks for rings among them: a large war is hundreds of thousands,
and nearly none of them are garbage before a command ends."""


def _help_options() -> dict[str, Any]:
    return {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _all_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["pbem.all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


@click.group(
    cls=Program,
    table=COMMANDS,
    prefix="pbem.cli.",
    context_settings=_help_options(),
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="pbem", message="%(prog)s %(version)s")
@click.option(
    "--all", is_flag=True, is_eager=True, expose_value=False, callback=_all_help, help="List all commands."
)
@click.option("-C", "directory", metavar="DIR", type=click.Path(), help="Work in this game folder.")
@click.option(
    "--lang",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=choose,
    help="Speak this language: en, de. Else from PBEM_LANG, or that of your computer.",
)
@click.pass_context
def cli(ctx: click.Context, directory: str | None) -> None:
    """Play board wargames by e-mail: signed orders, sealed bids, dice that nobody can bend.

    Without a command: where your games stand, and what to do next.

    \b
    Example:  pbem demo
              pbem -C my-game status
    """
    ctx.obj = {"directory": directory}
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        from pbem.cli._home import home

        home(ctx)


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal without some letter shows ? instead of failing
            reconfigure(errors="replace")
    gc.set_threshold(*_SELDOM)
    try:
        cli.main(prog_name="pbem")
    finally:
        gc.freeze()  # what is left goes with the process: nobody need look through it once more


if __name__ == "__main__":
    main()
