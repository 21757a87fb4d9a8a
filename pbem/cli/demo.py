"""`pbem demo`: a bundled sample game played from end to end, by mail, on this machine."""

from __future__ import annotations

import click

from pbem.cli._options import json_option


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
@click.option(
    "--play",
    "play",
    metavar="SEAT",
    help="Play this seat yourself, against the computer; several (red,blue): in turn at one computer.",
)
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
        from pbem.cli._demo import show

        show(system, scenario, out, turns, dice, as_json)
