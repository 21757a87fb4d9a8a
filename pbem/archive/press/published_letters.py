"""Publishing private letters after the game, where `press_opened` was agreed (protocol-letters 2.6)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.letters.outbox import Letter, heading, subject_of
from pbem.archive.press import letters_kept as kept
from pbem.archive.press.letter_writing import need_writer
from pbem.stages import press
from pbem.stages.letters import Came
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.keys import Signer

AT_ONCE = 20
"""Letters in one email."""


def publish(folder: Folder, signer: Signer, *, received: bool = False) -> list[Path]:
    """Publish the private letters of the owner, with what opens them, and return the files to send.

    `received`: also those that others wrote to the owner and have not published. Nothing while somebody is
    asked, and nothing of letters whose stage had no `press_opened`.
    """
    with folder.working():
        listed = to_publish(folder, received=received)
        written: list[Path] = []
        if listed:
            need_writer(folder, signer)
        for i in range(0, len(listed), AT_ONCE):
            written += folder.commit(_published(folder, signer, listed[i : i + AT_ONCE]))
        return written


def to_publish(folder: Readable, *, received: bool = False) -> list[Came]:
    """Return the letters that `publish` would publish.

    What went to the GM alone is for its author to open. Letters that the GM was to send on name their author
    only to the GM, so no tool opens them.
    """
    me, gm = folder.me, folder.need_roster().terms.arbiter
    if me is None or not folder.progress.over or not press.of(folder.need_roster().terms).opened:
        return []  # once agreed, it cannot be taken back
    here = {entry.name for entry in layout.entries(folder.root / layout.LETTERS)}
    letters = []
    for came in kept.letters(folder):
        content, letter = came.content, came.statement
        if came.to is None or content is None or content.grey is not None or f"{letter.sid}.json" in here:
            continue
        mine = letter.sender == me
        if not mine and not (received and came.to != (gm,)):
            continue
        if press.of(kept.roster_at(folder, letter.stage).terms).opened:
            letters.append(came)
    return letters


def _published(folder: Readable, signer: Signer, listed: Sequence[Came]) -> Changes:
    """Return the files that publish some letters, and the email to all."""
    me, progress = folder.need_me(), folder.progress
    roster = progress.roster
    openings: dict[str, Json] = {}
    items: list[Signed] = []
    changes = Changes()
    for came in listed:
        letter = came.statement
        shown, by = kept.opening(folder, letter.sid), kept.signed(folder, letter.sid)
        assert shown is not None and by is not None
        openings[letter.sid] = {letter.letter.decision: shown.data()}
        items.append(by)
        changes.update(kept.public(letter, by))
    statement = progress.own_statement("unseal", {"openings": openings}, me)
    signed = Signed.by(signer, statement.bytes)
    changes.keep(statement.stage, statement.sid, signed)
    what = Message("archive.press.publishes-letters", party=me, count=len(listed))
    mail = Letter(
        name=f"stage-{statement.stage:04d}-{me}-letters-{statement.sid[:8]}",
        subject=subject_of(roster, None, what),
        sender=roster.by_id[me],
        others=roster.active,
        readable=heading(roster.terms.title, [what]),
        items=[*items, signed],
        id=statement.sid,
        once=True,
    )
    changes.update(mail.changes(folder.say))
    return changes
