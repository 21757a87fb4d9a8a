"""`pbem orders ahead`: what comes next after the answers in an order file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, print_json, ready, result
from pbem.cli.shell.language import Command, code, spoken
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import safe
from pbem.cli.writing import nothing
from pbem.cli.writing.orders import checked_file, file_argument, named_or_usual, show_faults
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.rehearsal import Dice


@click.command(cls=Command, help="cli.orders-ahead.help")
@file_argument
@click.option(
    "--dice",
    type=click.Choice(["low", "high"]),
    default="low",
    show_default=True,
    help="cli.orders-ahead.option-dice",
)
@click.option("--nothing-more", is_flag=True, help="cli.orders-ahead.option-nothing-more")
@json_option
@in_folder
@click.pass_context
def command(
    ctx: click.Context, folder: Folder, file: str | None, dice: Dice, nothing_more: bool, as_json: bool
) -> None:
    from pbem.archive import answers_ahead, next_questions, order_file, order_form

    order_file.need_asked(folder)
    asked = order_file.questions(folder)
    path = Path(named_or_usual(folder, file))
    checked = checked_file(folder, str(path))
    given = {key: answer.value for key, answer in checked.answers.items() if answer.question is not None}
    waiting = checked.standing if checked.standing is not None else answers_ahead.in_force(folder)
    wrong = [fault for fault in checked.diagnostics if fault.code != "no-answer"]
    if any(fault.severity == "error" for fault in wrong):
        show_faults(checked)
        ctx.exit(1)
    if nothing_more:
        _do_nothing_more(folder, path, as_json)
        return
    coming = next_questions.next_questions(folder, asked, given, waiting, dice=dice)
    if as_json:
        print_json(
            [
                {
                    "key": answer.question.key,
                    "kind": answer.decision.kind,
                    "rule": answer.decision.rule,
                    "after_dice": answer.after_dice,
                    "after_others": answer.after_others,
                    "entry": answer.entry,
                    "for_the_rest": answer.rest,
                    "answers": [{"answer": option.answer, "text": option.text} for option in answer.options],
                }
                for answer in coming
            ]
        )
        return
    say = order_form.Comments(folder.system, code(), spoken)
    for answer in coming:
        for line in order_form.next_lines(answer, say, most=next_questions.MOST):
            ready(safe(line[1:] if line.startswith("#   ") else line, 2000))
    note(Message("cli.orders-ahead.questions", count=len(coming)))
    if (offer := nothing.offered(folder, path)) is not None:
        note(nothing.words_of(folder, offer))
        note(Message("cli.nothing.command"))


def _do_nothing_more(folder: Folder, path: Path, as_json: bool) -> None:
    """Write what "nothing more" answers into the file; Refused if nothing follows or there is no room."""
    from pbem.text.diagnostics import Diagnostic, Refused

    offer = nothing.offered(folder, path)
    if offer is None:
        raise Refused(Diagnostic("nothing-follows", Message("cli.nothing.nothing-follows")))
    try:
        nothing.write(folder, path, offer)
    except ValueError:
        raise Refused(Diagnostic("no-room", Message("cli.nothing.no-room", path=path.name))) from None
    answers, ahead = nothing.entries_of(folder, offer)
    if as_json:
        print_json({"part": offer.part, "answers": answers, "ahead": ahead})
        return
    result(nothing.words_of(folder, offer))
    result(Message("cli.nothing.written", path=str(path)))
