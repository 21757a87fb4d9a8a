"""`protest`: a party says, signed and for good, that something is wrong (protocol 5.1, 5.5, 17.18).

It is the one statement that nothing forbids: not a fork, not a false report, not the end of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.kept_aside import kept_aside
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.text.canonical import Json, NotCanonical
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.errors import BadStatement
from pbem.trust.keys import Signer

LEAST = 8
"""Digits of a sid or head that name it."""


def protest(folder: Folder, signer: Signer, text: str, about: Sequence[str] = ()) -> list[Path]:
    """Sign a protest in the current stage and write the email to all. Return the files written.

    `about` are sids or heads, or beginnings of them. Refused if one names nothing here, or the text cannot
    be sent.
    """
    with folder.working():
        me, progress = folder.need_me(), folder.progress
        if progress.stage < 0:
            raise Refused(Diagnostic("not-started", Message("archive.letters.not-started")))
        if signer.public != progress.roster.by_id[me].sign:
            raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me)))
        body: dict[str, Json] = {"text": text}
        named = sorted({_whole(folder, word) for word in about})
        if named:
            body["about"] = [*named]
        try:
            statement = progress.own_statement("protest", body, me)
        except (BadStatement, NotCanonical) as fault:
            raise Refused(Diagnostic("bad-text", Message("archive.letters.bad-text", fault=fault))) from None
        signed = Signed.by(signer, statement.bytes)
        changes = Changes()
        changes.keep(statement.stage, statement.sid, signed)
        lines = [
            Message("archive.letters.protests-this", party=me),
            "",
            armour.single_dashes(text),
            *(["", Message("archive.letters.about")] if named else []),
            *named,
        ]
        readable, file = outbox.heading(progress.roster.terms.title, lines), f"protest-{statement.sid[:8]}"
        letter = outbox.to_all(
            progress.roster,
            statement,
            Message("archive.letters.protests", party=me),
            readable,
            [signed],
            file=file,
        )
        changes.update(letter.changes(folder.say))
        return folder.commit(changes)


def _whole(folder: Readable, word: str) -> str:
    """Return the sid or head that begins with a word."""
    names = {name for name in _known(folder) if name.startswith(word)} if len(word) >= LEAST else set()
    if len(names) == 1:
        return names.pop()
    message = (
        Message("archive.letters.word-names-two-things", word=word)
        if names
        else Message("archive.letters.word-is-no-sid-or-head-of-anything", word=word)
    )
    help_ = (Message("archive.letters.give-more-digits", least=LEAST),)
    raise Refused(Diagnostic("unknown-sid", message, help=help_))


def _known(folder: Readable) -> set[str]:
    """Return the sids of everything in the folder, and all heads."""
    known = {aside.statement.sid for aside in kept_aside(folder)}
    for stage in layout.stage_numbers(folder.root):
        known |= set(layout.stage_files(folder.root, stage).statements)
        if stage <= folder.stage:
            known.add(folder.record(stage).head)
    return known
