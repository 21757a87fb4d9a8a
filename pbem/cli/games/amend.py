"""Common parts of the commands around amendments: show in words, ask, sign, name the email."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import confirmed, made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder, Proposed
    from pbem.stages.amendments import Proposal
    from pbem.trust.keys import Signer

aware_option = click.option(
    "--aware",
    is_flag=True,
    help="cli.amend.option-aware",
)


def propose(
    folder: Folder,
    ops: Sequence[Mapping[str, Any]],
    key_file: str | None,
    *,
    yes: bool,
    aware: bool,
    extra: Sequence[Signer] = (),
    before: Callable[[], None] = lambda: None,
) -> None:
    """Show an amendment in words, and sign it if the user says so; `before` is called just before that."""
    from pbem.archive import proposing

    draft = proposing.draft(folder, ops)
    _show(folder, draft)
    aware = _warned(folder, draft, aware)
    confirmed(Message("cli.amend.sign-it"), yes, Message("cli.amend.proposing-wants-a-terminal-or-yes"))
    signers = [folder_key(folder, key_file), *extra]
    before()
    told(folder, proposing.propose(folder, ops, signers, aware=aware))


def co_sign(folder: Folder, sid: str, key_file: str | None, *, yes: bool, aware: bool) -> None:
    """Show what somebody proposed, and sign it if the user says so."""
    from pbem.archive import proposing

    proposal = proposing.find_proposal(folder, sid)
    _show(folder, proposal)
    aware = _warned(folder, proposal, aware)
    confirmed(Message("cli.amend.sign-it"), yes, Message("cli.amend.signing-wants-a-terminal-or-yes"))
    told(folder, proposing.co_sign(folder, sid, [folder_key(folder, key_file)], aware=aware))


def _warned(folder: Folder, proposal: Proposal, aware: bool) -> bool:
    """Warn the signer if the amendment closes a stage for which they have sent orders (4.4)."""
    from pbem.archive import proposing

    if not aware and proposal.closes and proposing.has_played(folder):
        note(Message("cli.amend.others-may-know-dice", stage=proposal.statement.stage))
        return True
    return aware


def waits_for_me(folder: Folder, proposal: Proposal) -> bool:
    """Return True if the owner of the folder has to sign this amendment, with the present or coming key."""
    from pbem.stages.amendments import NEW

    me = folder.need_me()
    wanted = f"{me}{NEW}" if folder.coming_in else me
    return proposal.fault is None and wanted in proposal.missing


def the_one(folder: Folder) -> str:
    """Return the amendment that waits for my signature; Refused unless there is exactly one."""
    from pbem.archive import two_reports
    from pbem.text.diagnostics import Diagnostic, Refused

    folder.need_me()
    proposed = two_reports.proposed(folder)
    mine = [proposal for proposal in proposed if waits_for_me(folder, proposal)]
    if len(mine) == 1:
        return mine[0].statement.sid
    if mine:
        help_ = tuple(f"pbem amend sign {proposal.statement.sid[:12]}" for proposal in mine)
        raise Refused(
            Diagnostic("which-amendment", Message("cli.amend.which-amendment", count=len(mine)), help=help_)
        )
    help_ = (
        Message("cli.amend.amend-list-shows-proposals"),
        Message("cli.amend.orders-are-signed-otherwise"),
    )
    raise Refused(Diagnostic("no-amendment", Message("cli.amend.no-amendment"), help=help_))


def _show(folder: Folder, proposal: Proposal) -> None:
    for line in lines_of(folder, proposal):
        note(line)


def lines_of(folder: Folder, proposal: Proposal) -> list[str]:
    """Return an amendment as people read it."""
    from pbem.archive import two_reports
    from pbem.stages.amendment_words import words_of
    from pbem.stages.amendments import state_of

    statement = proposal.statement
    head = Message(
        "cli.amend.amendment-of-whom-for-which-stage",
        sid=statement.sid[:12],
        sender=statement.sender,
        stage=statement.stage,
    )
    signed = Message("cli.amend.signed-by", signers=tuple(proposal.signatures))
    told = words_of(two_reports.to_amend(folder), proposal)
    words = [Worded(f"  - {spoken(safe(line, 400))}") for line in told]
    return [head, *words, signed, f"  {safe(state_of(proposal))}"]


def told(folder: Folder, done: Proposed) -> None:
    """Print what was signed, and the email to send."""
    from pbem.cli.post.mailing import whom_to_mail
    from pbem.stages.amendments import state_of

    proposal, files = done.proposal, to_send(done.written)
    made({"amendment": data(proposal), "files": files}, files)
    note(Message("cli.amend.mail-it", whom=whom_to_mail(folder), state=state_of(proposal)))


def data(proposal: Proposal) -> dict[str, Any]:
    """Return an amendment for programs."""
    return {
        "sid": proposal.statement.sid,
        "stage": proposal.statement.stage,
        "by": proposal.statement.sender,
        "ops": proposal.ops,
        "closes": proposal.closes,
        "signed": list(proposal.signatures),
        "missing": list(proposal.missing),
        "fault": proposal.fault,
    }
