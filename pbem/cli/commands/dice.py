"""`pbem dice`: the ledger of every roll."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import bad, paged, print_json, ready, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import STAGE, in_folder, json_option, lang_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, Rolled


@click.command(cls=Command, help="cli.dice.help")
@click.option("--stage", type=STAGE, help="cli.dice.option-stage")
@click.option("--how", is_flag=True, help="cli.dice.option-how")
@lang_option
@json_option
@in_folder
@click.pass_context
def command(
    ctx: click.Context,
    folder: Folder,
    stage: int | None,
    how: bool,
    lang: str,
    as_json: bool,
) -> None:
    from pbem.archive import dice_ledger

    rolls = dice_ledger(folder, None if stage is None else [stage])
    wrong = [roll for roll in rolls if roll.fits is False]
    if as_json:
        print_json([asdict(roll) for roll in rolls])
    elif how:
        with paged():
            _recipes(rolls)
    else:
        with paged():
            _luck(folder, stage, lang)
    for roll in [] if as_json else wrong:
        result(bad(Message("cli.dice.seed-gives-another-result", stage=roll.stage, label=_label(roll))))
    ctx.exit(1 if wrong else 0)


def _luck(folder: Folder, stage: int | None, lang: str) -> None:
    """Print each roll with its average, then the sums."""
    from pbem.archive import history
    from pbem.cli.games.telling import report_view
    from pbem.report.throwers import rolled
    from pbem.report.whole import ledger

    game = history(folder.root, folder.private)
    view = report_view(game.view(game.chapters[-1], None), lang)
    rolls_by_stage = [
        (number, [event for event in folder.events(number) if isinstance(event, dict)], view)
        for number in range(1, (folder.stage if stage is None else stage) + 1)
    ]
    thrown = rolled(rolls_by_stage)
    rolls = [roll for number in thrown if stage in (None, number) for roll in thrown[number]]
    for line in ledger.ledger(rolls, view.rollers, view.wording):
        result(line)


def _recipes(rolls: list[Rolled]) -> None:
    for roll in rolls:
        result(
            Message(
                "cli.dice.roll",
                stage=roll.stage,
                what=roll.what,
                label=_label(roll),
                result=" ".join(map(str, roll.result)),
            )
        )
        if roll.command is None:
            result(Message("cli.dice.hidden-roll"), before="    ")
            continue
        ready(f"    {roll.command}")
        result(roll.how or "", before="    ")
    result(Message("cli.dice.rolls", count=len(rolls)))


def _label(rolled: Rolled) -> Any:
    from pbem.report.plain import label_text

    return label_text(rolled.label)
