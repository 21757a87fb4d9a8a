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
from pbem.cli._language import choose
from pbem.cli._lazy import LazyGroup, Table
from pbem.text.messages import Message

# the module of a command has its name and holds it as `command`
COMMANDS: Table = {
    "cli.commands.player-needs": {
        "demo": "cli.main.see-sample-game-played-play",
        "join": "cli.main.answer-invitation",
        "next": "cli.main.do-next-sensible-thing-say",
        "status": "cli.main.game-stands-owes",
        "orders": "cli.main.order-files-new-legal-check",
        "report": "cli.main.happened-one-reader",
        "table": "cli.main.game-in-browser-computer",
    },
    "cli.commands.first-contact": {
        "help": "cli.main.all-commands-one-them-explained",
        "rules": "cli.main.rules-systems-installed",
        "key": "cli.main.key-sign-make-show-back",
        "completion": "cli.main.shell-completion-bash-zsh-fish",
    },
    "cli.commands.before-a-game": {
        "new": "cli.main.begin-game-make-gm-s",
        "sign": "cli.main.sign-roster-everybody-signs-orders",
    },
    "cli.commands.while-it-goes-on": {
        "bid": "cli.main.answer-one-secret-number-in",
        "undo": "cli.main.take-back-signed-did-not",
        "receive": "cli.main.take-in-mails-files-others",
        "mail": "cli.main.hand-letters-over-fetch-mail",
        "map": "cli.main.map-now-text-drawing-picture",
        "sequence": "cli.main.whole-sequence-play-mark-present",
        "protest": "cli.main.say-good-something-wrong",
        "link": "cli.main.give-link-receive-could-not",
        "compare": "cli.main.between-two-records-differ",
        "claim": "cli.main.between-two-say-other-does",
    },
    "cli.commands.for-the-game-master": {
        "adjudicate": "cli.main.run-game-far-goes",
        "ack": "cli.main.say-orders-in-hand",
        "remind": "cli.main.write-those-game-waits",
        "correct": "cli.main.report-newest-stage-once-more",
        "rule": "cli.main.change-position-gm-s-word",
        "unseal": "cli.main.open-everything-end-game",
    },
    "cli.commands.when-something-changes": {
        "amend": "cli.main.change-game-agreement-keys-players",
        "rewind": "cli.main.play-from-end-earlier-stage",
    },
    "cli.commands.looking-back": {
        "dice": "cli.main.every-roll-how-make-again",
        "odds": "cli.main.expect-battle",
        "stats": "cli.main.figures-game-mails-losses-territory",
        "verify": "cli.main.check-whole-archive",
        "book": "cli.main.whole-game-static-pages",
        "archive": "cli.main.game-history-in-git-merge",
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
        from pbem.cli._advice import MEANT

        return MEANT.get(word.lower())

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
    help="cli.main.help",
    table=COMMANDS,
    prefix="pbem.cli.",
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
    help="cli.main.list-all-commands",
)
@click.option("-C", "directory", metavar="DIR", type=click.Path(), help="cli.options.work-in-game-folder")
@click.option(
    "--lang",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=choose,
    help="cli.main.speak-language-en-de-else",
)
@click.pass_context
def cli(ctx: click.Context, directory: str | None) -> None:
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
