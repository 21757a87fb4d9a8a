"""Reminders as ready mails: what a party owes, since when, by when, and the command that does it
(product 6, protocol 14).

A reminder is no statement and changes nothing. What it says of decisions is what the public record says, and
the newest report travels with it, in case that mail was lost.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import need_going_on
from pbem.archive.folder.parts import Mailed, Placed
from pbem.archive.letters import outbox
from pbem.archive.letters.awaited import Awaited, awaited
from pbem.archive.letters.outbox import Letter
from pbem.archive.letters.refusals import newest_report
from pbem.mail.write import subject
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.voice import told

_WORDS = {
    "nothing": "Nothing of yours has come for this stage.",
    "invalid": "What you sent does not count:",
    "not-opened": "Your link, with what opens your secrets, has not come.",
    "opened-wrong": "What you sent does not open as it was committed:",
}
_COMMANDS = {
    "nothing": "pbem orders new",
    "invalid": "pbem orders new",
    "not-opened": "pbem receive FILE, with the GM's last mail",
    "opened-wrong": "pbem orders sign FILE, once more: a higher revision has a new seal",
}


def remind(folder: Folder, parties: Collection[str] = (), *, by: str = "") -> list[Path]:
    """Write a mail to each of these parties, or to all that are awaited. Gives the files written.

    `by` is the deadline in words. Refused if a party is not awaited, or nobody is.
    """
    with folder.working():
        folder.need_me("gm")
        need_going_on(folder)
        late = {one.party: one for one in awaited(folder) if one.wanting}
        for party in parties:
            if party not in late:
                waits = ", ".join(late) or "nobody"
                message = f"{party} is not awaited; the game waits for {waits}"
                raise Refused(Diagnostic("not-awaited", message))
        if not late:
            help_ = ("`pbem adjudicate` runs the stage",)
            raise Refused(Diagnostic("not-awaited", "nobody is awaited: everything is here", help=help_))
        changes = Changes()
        for party in parties or late:
            changes.update(_letter(folder, late[party], by).changes())
        return folder.commit(changes)


def _letter(folder: Mailed, one: Awaited, by: str) -> Letter:
    progress, roster, me = folder.progress, folder.progress.roster, folder.need_me()
    name = f"stage-{progress.open_stage:04d}-{me}-reminder-{one.party}"
    number = 1
    while (folder.root / layout.OUTBOX / f"{name}-{number}.eml").exists():
        number += 1
    return Letter(
        name=f"{name}-{number}",
        subject=subject(
            roster.game, roster.terms.title, progress.open_stage, told(f"reminder to {one.party}")
        ),
        sender=roster.by_id[me],
        others=[roster.by_id[one.party]],
        readable=outbox.heading(roster.terms.title, _lines(folder, one, by)),
        items=newest_report(folder),
        id=f"reminder-{progress.head[:16]}-{one.party}-{number}",
    )


def _lines(folder: Placed, one: Awaited, by: str) -> list[str]:
    stage = folder.progress.open_stage
    lines = [f"The game waits for {one.party} in stage {stage}. {_WORDS[one.state]}"]
    if one.reason:
        lines.append(f"  {one.reason}")
    if one.since < stage:
        lines.append(f"Nothing of yours has counted since stage {one.since}.")
    if one.owes:
        lines += ["", "You owe:", *(f"  {key}" for key in one.owes)]
    if by:
        lines += ["", f"wanted by {by}"]
    lines += ["", "What to do, in your folder of this game:", "", f"    {_COMMANDS[one.state]}"]
    lines += ["", f"The report of stage {folder.stage} is in this mail, in case it was lost."]
    return lines
