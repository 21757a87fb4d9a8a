"""`pbem demo`: a bundled sample game played from end to end, by mail, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli._console import print_json, progress, result
from pbem.cli._options import json_option

if TYPE_CHECKING:
    from pbem.archive.adjudicating.gm_stage import StageResult
    from pbem.engine.system import System

NO_LIMIT = 1000  # game turns


@click.command()
@click.argument("system_and_scenario", metavar="[SYSTEM[/SCENARIO]]", default="victory")
@click.option(
    "--out", type=click.Path(file_okay=False), help="Play in this new folder, not in a scratch folder."
)
@click.option(
    "--dice",
    type=click.Choice(["swift", "locked", "pair"]),
    default="swift",
    show_default=True,
    help="In this dice mode (`pbem new --modes`).",
)
@click.option("--turns", type=click.IntRange(1, 99), help="Stop after so many game turns, not at the end.")
@click.option("--play", "play", metavar="SEAT", help="Play this seat yourself, against the computer.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    system_and_scenario: str,
    out: str | None,
    turns: int | None,
    dice: str,
    play: str | None,
    as_json: bool,
) -> None:
    """Play a sample game by mail: keys, invitation, roster, signed orders, sealed bids, dice, reports.

    Each party gets a key and a folder of his own; they share nothing but mails, and all mails are kept. At
    the end everything is opened and the archives are verified. With --turns the game is not over: it can
    go on, every command works in the folders.

    With --play you take a seat yourself, now, on this computer: the others and the game master are played by
    the computer, and everything but the mails is real. The folder is SYSTEM-SEAT; `pbem next` in it plays on,
    today or in a month, and so does the same command again.

    \b
    Example:  pbem demo
              pbem demo --play red
              pbem demo victory --turns 1 --out my-demo
    """
    from pbem.engine.system import find

    name, _, scenario = system_and_scenario.partition("/")
    system = find(name)
    scenario = scenario or system.scenarios()[0]
    if play is not None:
        from pbem.cli._playing import play_at_once

        play_at_once(ctx, system, scenario, play, out, dice, as_json)
    else:
        _show(system, scenario, out, turns, dice, as_json)


def _show(
    system: System, scenario: str, out: str | None, turns: int | None, dice: str, as_json: bool
) -> None:
    """Everybody is played by the computer."""
    from pbem.cli._demo import BestPage, closing, outcome, story
    from pbem.cli._table import Table

    name = system.name
    length = turns or int(system.scenario(scenario).get("last_turn", NO_LIMIT))
    title = str(system.scenario(scenario).get("title") or system.title or name)
    root = _root(out, name)
    page = BestPage()
    with progress("playing") as step:
        table = Table(root, system, scenario, dice=dice)
        table.sit_down(title)
        for seat in table.players:
            seat.standing = system.standing_well(seat.id)

        def watch(done: StageResult, turn: int) -> None:
            step(min(turn - 1, length), length)
            page.look(table)
            if not as_json:
                for line in story(table, done):
                    result(line)

        over = table.play(turns or NO_LIMIT, watch)
    if over:
        table.unseal()
    told = outcome(table, title, over, page)
    if as_json:
        print_json(told)
        return
    for line in closing(told):
        result(line)


def _root(out: str | None, name: str) -> Path:
    """The folder to play in: new, or empty."""
    from pbem.text.diagnostics import Diagnostic, Refused

    if out is None:
        import tempfile

        return Path(tempfile.mkdtemp(prefix=f"pbem-demo-{name}-"))
    root = Path(out).absolute()
    if root.exists() and any(root.iterdir()):
        help_ = ("name a new folder with --out, or leave it out",)
        raise Refused(Diagnostic("folder-in-use", f"{root} is not empty", help=help_))
    root.mkdir(parents=True, exist_ok=True)
    return root
