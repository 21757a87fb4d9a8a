"""`pbem demo`: a bundled sample game played from end to end, by email, on this machine."""

from __future__ import annotations

import click

from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option


@click.command(cls=Command, help="cli.demo.help")
@click.argument("system_and_scenario", metavar="[SYSTEM[/SCENARIO]]", default="victory")
@click.option("--out", type=click.Path(file_okay=False), help="cli.demo.option-out")
@click.option(
    "--dice",
    type=click.Choice(["swift", "locked", "pair"]),
    default="swift",
    show_default=True,
    help="cli.demo.option-dice",
)
@click.option("--turns", type=click.IntRange(1, 99), help="cli.demo.option-turns")
@click.option(
    "--play",
    "play",
    metavar="SEAT",
    help="cli.demo.option-play",
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
    from pbem.engine.system import find

    name, _, scenario = system_and_scenario.partition("/")
    system = find(name)
    scenario = scenario or system.scenarios()[0]
    if play is not None:
        from pbem.cli.games.playing import play_at_once

        play_at_once(ctx, system, scenario, play, out, dice, as_json)
    else:
        from pbem.cli.games.demo import show

        show(system, scenario, out, turns, dice, as_json)
