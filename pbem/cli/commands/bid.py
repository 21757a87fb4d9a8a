"""`pbem bid`: the common case of an order, one secret number, in one go."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pbem.cli.commands.orders.sign import sign_and_tell
from pbem.cli.post.seats import in_seat
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder
    from pbem.engine.resolve import Question


@click.command(context_settings={"ignore_unknown_options": True}, cls=Command, help="cli.bid.help")
@click.argument("value", metavar="VALUE")
@click.option("--decision", metavar="KEY", help="cli.bid.option-decision")
@key_option
@json_option
@in_seat
@click.pass_context
def command(
    ctx: click.Context, folder: Folder, value: str, decision: str | None, key_file: str | None, as_json: bool
) -> None:
    from pbem.text.diagnostics import Diagnostic, Refused

    question = _question(folder, decision)
    value = value.strip()
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,15}", value):
        raise Refused(Diagnostic("wrong-type", Message("cli.bid.wanted-a-whole-number", value=value[:40])))
    ctx.exit(sign_and_tell(folder, _checked(folder, question, int(value)), key_file))


def _question(folder: Folder, wanted: str | None) -> Question:
    """Return the one open question that a number answers; Refused unless there is exactly one."""
    from pbem.archive import order_file
    from pbem.cli.games.reporting.meta import is_secret_number
    from pbem.text.diagnostics import Diagnostic, Refused

    order_file.need_asked(folder)
    asked = order_file.questions(folder)
    numbers = [question for question in asked if is_secret_number(folder.system, question)]
    chosen = [number for number in numbers if wanted in (None, number.key, number.kind)]
    if len(chosen) == 1:
        return chosen[0]
    keys = ", ".join(number.key for number in (numbers if chosen else asked))
    message: str
    help_: str
    if chosen:
        message, help_ = (
            Message("cli.bid.several-secret-numbers-are-open", count=len(chosen), keys=keys),
            Message("cli.bid.say-which-with-decision"),
        )
    elif wanted is not None and numbers:
        message, help_ = (
            Message("cli.bid.not-an-open-secret-number", wanted=wanted, keys=keys),
            Message("cli.bid.leave-decision-out"),
        )
    else:
        message, help_ = (
            Message("cli.bid.no-secret-number-is-asked", keys=keys or Message("cli.bid.nothing")),
            "`pbem orders new`",
        )
    raise Refused(Diagnostic("no-bid", message, help=(help_,)))


def _checked(folder: Folder, question: Question, value: int) -> Checked:
    """Return the answer checked like an order file; faults have no line, because there is no
    file.
    """
    from pbem.archive import order_file

    game = folder.need_roster().game[: order_file.LABEL]
    text = f'game: "{game}"\nstage: {folder.progress.open_stage}\nanswers:\n  {question.key}: {value}\n'
    checked = order_file.check(folder, order_file.load(folder, text, "bid"))
    faults = [replace(fault, span=None, path=()) for fault in checked.diagnostics]
    return replace(checked, diagnostics=faults)
