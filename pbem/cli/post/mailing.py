"""The steps after a signature: the email is sent, or its files are named.

At a table on one computer the others answer at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.cli.shell.console import note, ready, result, strong, wants_json
from pbem.cli.shell.language import code, spoken
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder, StageResult
    from pbem.cli.games.practice import Practice


def mailed(folder: Folder) -> None:
    """Send or name the email of orders that were signed into outbox/."""
    from pbem.cli.games.practice import practice_of

    practice = practice_of(folder)
    if practice is None:
        note(whom_to_mail(folder, ready_to_send=True))
    else:
        carried(practice)


def whom_to_mail(folder: Folder, readers: Sequence[str] = (), *, ready_to_send: bool = False) -> str:
    """Return to whom to mail what was signed for all, or for readers; under pseudonyms by way of the GM."""
    from pbem.stages import gunboat

    if not gunboat.of(folder.terms):
        if readers:
            return Message("cli.letter.mail-it-to-its-readers", readers=tuple(sorted(set(readers))))
        return Message(
            "cli.mailing.mail-it-eml-is-ready" if ready_to_send else "cli.mailing.mail-it-to-everybody"
        )
    return Message(
        "cli.mailing.mail-each-player-alone" if folder.acting else "cli.mailing.mail-it-to-the-gm-alone"
    )


def carried(practice: Practice) -> int:
    """Let the others at the table answer, and tell what happened. Return the number of stages."""
    from pbem.archive import Folder
    from pbem.cli.games.practice import play_on

    count = play_on(practice, None if wants_json() else _show_at_the_table)
    if wants_json():
        return count
    folder = Folder.open(practice.folder)
    if count:
        newest = folder.stage
        result(
            Message(
                "cli.mailing.report-and-page",
                report=strong(Worded("pbem report")),
                stage=newest,
            )
        )
    return count


def _show_at_the_table(practice: Practice, done: StageResult) -> None:
    """Show a stage at the table, as the person may know it."""
    from pbem.archive import Folder
    from pbem.cli.games.telling import report_of
    from pbem.report.plain import wrapped

    folder = Folder.open(practice.folder)
    view = folder.view()
    report = report_of(folder, practice.you, view, code())
    summary = "; ".join(report.summary) or f"({report.place})"
    head = spoken(Message("cli.demo.stage", stage=f"{done.stage:>3}"))
    for line in wrapped(summary, f"{head}  "):
        ready(line)
