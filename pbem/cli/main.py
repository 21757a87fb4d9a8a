"""`pbem`: the table of commands. A command's module is imported when it runs, so help starts at once."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from pbem import __version__
from pbem.cli.shell.failures import explained, guarded
from pbem.cli.shell.language import choose
from pbem.cli.shell.lazy import LazyGroup, Table
from pbem.text.messages import Message

# the module of a command has its name and holds it as `command`
COMMANDS: Table = {
    "cli.commands.player-needs": {
        "demo": "cli.commands.demo",
        "join": "cli.commands.join",
        "next": "cli.commands.next",
        "status": "cli.commands.status",
        "orders": "cli.commands.orders",
        "report": "cli.commands.report",
        "table": "cli.commands.table",
    },
    "cli.commands.first-contact": {
        "help": "cli.commands.help",
        "rules": "cli.commands.rules",
        "key": "cli.commands.key",
        "completion": "cli.commands.completion",
    },
    "cli.commands.before-a-game": {
        "new": "cli.commands.new",
        "sign": "cli.commands.sign",
        "scenario": "cli.commands.scenario",
        "site": "cli.commands.site",
    },
    "cli.commands.while-it-goes-on": {
        "bid": "cli.commands.bid",
        "undo": "cli.commands.undo",
        "receive": "cli.commands.receive",
        "mail": "cli.commands.mail",
        "map": "cli.commands.map",
        "board": "cli.commands.board",
        "sequence": "cli.commands.sequence",
        "letter": "cli.commands.letter",
        "letters": "cli.commands.letters",
        "protest": "cli.commands.protest",
        "link": "cli.commands.link",
        "compare": "cli.commands.compare",
        "claim": "cli.commands.claim",
    },
    "cli.commands.for-the-game-master": {
        "adjudicate": "cli.commands.adjudicate",
        "ack": "cli.commands.ack",
        "remind": "cli.commands.remind",
        "plain": "cli.commands.plain",
        "postmaster": "cli.commands.postmaster",
        "correct": "cli.commands.correct",
        "rule": "cli.commands.rule",
        "unseal": "cli.commands.unseal",
    },
    "cli.commands.when-something-changes": {
        "amend": "cli.commands.amend",
        "deputy": "cli.commands.deputy",
        "rewind": "cli.commands.rewind",
    },
    "cli.commands.looking-back": {
        "dice": "cli.commands.dice",
        "odds": "cli.commands.odds",
        "stats": "cli.commands.stats",
        "verify": "cli.commands.verify",
        "book": "cli.commands.book",
        "league": "cli.commands.league",
        "certificate": "cli.commands.certificate",
        "archive": "cli.commands.archive",
    },
}
FIRST = next(iter(COMMANDS))
"""The heading of the commands that help shows first; the others are below `pbem help`."""


COMPLETE = "_PBEM_COMPLETE"
"""What the script of a shell sets to have a line completed."""


class Program(LazyGroup):
    """The group of all commands; ends every run with one exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        with explained():
            return super().invoke(ctx)

    def meant(self, ctx: click.Context, word: str) -> str | None:
        from pbem.cli.shell.advice import MEANT

        return MEANT.get(word.lower())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the commands that a player needs; with `pbem help` or --all, all."""
        if ctx.meta.get("pbem.all"):
            super().format_commands(ctx, formatter)
            return
        first = self.table[FIRST]
        with formatter.section(FIRST):
            formatter.write_dl(list(first.items()))
        rest = len(self.helps) - len(first)
        formatter.write_paragraph()
        formatter.write_text(Message("cli.main.help-lists-the-others", count=rest))

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Return new names for each context, because click keeps the option that it makes."""
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
            from pbem.cli.shell import powershell  # noqa: F401  (click knows it once it is imported)

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
    help="cli.main.help",
    table=COMMANDS,
    prefix="pbem.cli.commands.",
    rooms={
        **dict.fromkeys(COMMANDS["cli.commands.for-the-game-master"], "master."),
        **dict.fromkeys(("league", "certificate"), "ended."),
    },
    context_settings=_help_options(),
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="pbem", message="%(prog)s %(version)s")
@click.option(
    "--all",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_all_help,
    help="cli.main.option-all",
)
@click.option("-C", "directory", metavar="DIR", type=click.Path(), help="cli.options.option-dir")
@click.option(
    "--lang",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=choose,
    help="cli.main.option-lang",
)
@click.pass_context
def cli(ctx: click.Context, directory: str | None) -> None:
    ctx.obj = {"directory": directory}
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        from pbem.cli.club.games import all_games
        from pbem.cli.games.home import games, home
        from pbem.cli.shell.options import here

        roots = all_games(None)
        if roots and len(games(here())) != 1:
            from pbem.cli.commands.next import list_all

            list_all(roots, False, news=True)
        else:
            home(ctx)


def main() -> None:
    """Run the console script."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal that lacks a letter shows ? instead of failing
            reconfigure(errors="replace")
    gc.set_threshold(*_SELDOM)
    try:
        cli.main(prog_name="pbem")
    finally:
        gc.freeze()  # skip the last garbage collection: the process ends here


if __name__ == "__main__":
    main()
