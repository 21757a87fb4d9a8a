"""`ack`: the GM lists the statements of the current stage received, and the unreadable ones.

Protocol 5.5, 8.3.
"""

from __future__ import annotations

from pathlib import Path

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.kept_aside import kept_aside
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.stages.progress import revisions
from pbem.stages.receipts import words_for
from pbem.stages.sealed_orders import open_sealed
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.statements import Statement


def acknowledge(folder: Folder, signer: Signer) -> list[Path]:
    """Sign a list of the statements received and write the email.

    Return the files written; Refused if there is nothing.
    """
    with folder.working():
        me = folder.need_acting()
        progress, roster = folder.progress, folder.need_roster()
        if signer.public != roster.by_id[me].sign:
            raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me)))
        here = [statement for statement, _ in folder.statements(progress.open_stage)]
        have = [statement for statement in here if statement.kind.group == "orders"]
        bad = unreadable(folder)
        if not have and not bad:
            message = Message("archive.letters.nothing-here", open_stage=progress.open_stage)
            raise Refused(Diagnostic("nothing-here", message))
        body: dict[str, Json] = {}
        if have:
            body["have"] = [*sorted(statement.sid for statement in have)]
        if bad:
            body["unreadable"] = [*sorted(statement.sid for statement in bad)]
        rev = 1 + max((revision.rev for revision in revisions(here, "ack").get(me, [])), default=0)
        statement = progress.own_statement("ack", body, me, rev)
        signed = Signed.by(signer, statement.bytes)
        changes = Changes()
        changes.keep(statement.stage, statement.sid, signed)
        lines = [Message("archive.letters.here", what=words_for(statement)) for statement in have]
        lines += [Message("archive.letters.cannot-be-read", what=words_for(statement)) for statement in bad]
        what = Message("archive.letters.come") if rev == 1 else Message("archive.letters.come-list", rev=rev)
        readable = outbox.heading(roster.terms.title, lines)
        letter = outbox.to_all(roster, statement, what, readable, [signed], file=f"ack-rev{rev}")
        changes.update(letter.changes(folder.say))
        return folder.commit(changes)


def unreadable(folder: Readable) -> list[Statement]:
    """Return orders and standing orders for the current stage in `inbox/` whose seal does not open."""
    progress, statements = folder.progress, []
    for statement in (aside.statement for aside in kept_aside(folder)):
        if statement.kind.group != "orders" or (statement.stage, statement.prev) != (
            progress.open_stage,
            progress.head,
        ):
            continue
        try:
            open_sealed(statement, progress, folder.need_gm(), folder.gm_side.seal_key)
        except NotAccepted:
            statements.append(statement)
    return statements
