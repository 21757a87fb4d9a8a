"""Letters of the owner: signed, kept, and mailed to their readers alone (protocol-letters 2.1, 2.2)."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.press import letters_kept as kept
from pbem.stages import letters, press
from pbem.stages.letters import Came
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, in_turn
from pbem.text.suggest import did_you_mean
from pbem.trust import letters as sealing
from pbem.trust.armour import Signed
from pbem.trust.errors import BadSeal, BadStatement
from pbem.trust.keys import Signer
from pbem.trust.letters import Content, Grey
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.seal import MAX_LETTER
from pbem.trust.statements import Statement

Readers = tuple[str, ...] | None
"""The readers of a letter, in order; None for all."""


@dataclass(frozen=True)
class Written:
    """A letter that was signed: its statement, the files to send, and what its author should know."""

    statement: Statement
    files: list[Path]
    notes: tuple[str, ...] = ()


def write(
    folder: Folder,
    signer: Signer,
    text: str,
    to: Sequence[str] | None,
    *,
    re: str | None = None,
    grey: bool = False,
    day: str = "",
    also: Changes | None = None,
) -> Written:
    """Sign a letter to these readers (None: to all), keep it, and write the email.

    `grey`: the GM is to send it on without its author's name. `day` is today, for the book. `also` are
    changes that are made with it, all or none. Refused if the letter is not allowed, too long, or to somebody
    who cannot read it.
    """
    with folder.working():
        me = need_writer(folder, signer)
        roster = folder.need_roster()
        readers = need_readers(roster, me, to)
        content = Content(cleaned(text), re)
        if grey:
            content = Content(content.text, grey="public" if readers is None else readers)
            readers = need_grey(roster, me, content.grey)  # the GM alone
        fault = press.fault_of(roster, me, readers)
        if fault is not None:
            raise Refused(Diagnostic("press", fault))
        here = kept.letters(folder)
        statement, shown = made(folder, here, me, readers, content)
        by = Signed.by(signer, statement.bytes)
        changes = kept.keep(statement, by, shown)
        changes.update(kept.entered(folder, [(statement, content)], read=True, day=day))
        changes.update(letter(roster, statement, by, content).changes(folder.say))
        changes.update(also or Changes())
        notes = _notes(roster, here, me, readers)
        return Written(statement, folder.commit(changes), notes)


def need_writer(folder: Readable, signer: Signer) -> str:
    """Return who writes letters in this folder; Refused if nobody can, or with another key."""
    me = folder.need_me("gm", "player", "deputy")
    unsigned = folder.unsigned()
    if unsigned:
        message = Message("archive.press.roster-unsigned", unsigned=tuple(unsigned))
        raise Refused(Diagnostic("not-started", message))
    roster = folder.need_roster()
    if me in roster.dropped:
        raise Refused(Diagnostic("dropped", Message("archive.press.you-left-the-game")))
    if signer.public != roster.by_id[me].sign:
        raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me)))
    return me


def need_readers(roster: Roster, me: str, to: Sequence[str] | None) -> Readers:
    """Return the readers in order; Refused if one of them cannot read a letter of mine."""
    if to is None:
        return None
    readers = tuple(sorted(set(to)))
    faults = []
    may = possible_readers(roster, me)
    for reader in readers:
        if reader in may:
            continue
        message = (
            Message("archive.press.not-to-yourself")
            if reader == me
            else Message("archive.press.nobody-to-read", reader=reader, readers=tuple(may))
        )
        near = did_you_mean(reader, may)
        help_ = (Message("archive.press.did-you-mean", near=near),) if near is not None else ()
        faults.append(Diagnostic("unknown-party", message, help=help_))
    if not readers:
        faults.append(Diagnostic("no-reader", Message("archive.press.name-a-reader", readers=tuple(may))))
    if faults:
        raise Refused(faults)
    return readers


def possible_readers(roster: Roster, me: str | None) -> list[str]:
    """Return the parties that can read a letter of mine."""
    return [party.id for party in roster.active if party.seal is not None and party.id != me]


def need_grey(roster: Roster, me: str, grey: Grey | None) -> Readers:
    """Return the readers of a letter that the GM is to send on: the GM alone."""
    assert grey is not None
    gm = roster.terms.arbiter
    fault = (
        Message("archive.press.gm-writes-no-grey-letters") if me == gm else press.on_fault(roster, me, grey)
    )
    if fault is not None or gm is None:
        raise Refused(Diagnostic("press", fault or Message("stages.press.no-grey-letters", press="private")))
    return (gm,)


def cleaned(text: str) -> str:
    """Return the text of a letter as it is sent: normalized, with plain line ends, and stripped."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    clean = "\n".join(line.rstrip() for line in lines).strip("\n")
    if not clean.strip():
        raise Refused(Diagnostic("no-text", Message("archive.press.no-text")))
    return clean


def made(
    folder: Readable,
    here: Sequence[Came],
    me: str,
    readers: Readers,
    content: Content,
    grey: str | None = None,
) -> tuple[Statement, Shown | None]:
    """Return a new letter in the stage that is open, with its opening; Refused if it cannot be sent."""
    progress, roster = folder.progress, folder.need_roster()
    n, after = letters.next_in(here, roster, me, readers, grey is not None)
    body: dict[str, Json] = {"n": n}
    shown: Shown | None = None
    if after is not None:
        body["after"] = after
    if grey is not None:
        body["grey"] = grey
    try:
        if readers is None:
            body |= content.value()
            if content.size > MAX_LETTER:
                raise _too_long(content)
        else:
            shown = Shown(sealing.new_nonce(), content.value())
            keys = {reader: roster.by_id[reader].seal for reader in readers}
            known = {party: key for party, key in keys.items() if key is not None}
            game, stage = roster.game_id, progress.open_stage
            blobs = sealing.sealed(game, stage, me, n, shown, known)
            body["to"] = [*readers]
            body["commit"] = sealing.commitment(game, stage, me, n, shown)
            body["sealed"] = {party: base64.b64encode(blob).decode() for party, blob in blobs.items()}
        return progress.own_statement("letter", body, me), shown
    except BadSeal:
        raise _too_long(content) from None
    except (BadStatement, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-text", Message("archive.press.bad-text", fault=fault))) from None


def _too_long(content: Content) -> Refused:
    size = len(content.text.encode())
    message = Message("archive.press.too-long", size=size, most=MAX_LETTER - 200)
    return Refused(Diagnostic("too-long", message, help=(Message("archive.press.write-two-letters"),)))


# --- with the next email --------------------------------------------------------------------------------

MOST_WAITING = 20
"""Letters that may wait for the next signature."""


def checked(folder: Readable, to: Readers, text: str) -> kept.Unsent:
    """Return a letter that can be signed later; Refused if it could not be signed now."""
    me, roster = folder.need_me("gm", "player", "deputy"), folder.need_roster()
    readers, content = need_readers(roster, me, to), Content(cleaned(text))
    fault = press.fault_of(roster, me, readers)
    if fault is not None:
        raise Refused(Diagnostic("press", fault))
    made(folder, (), me, readers, content)
    return kept.Unsent(readers, content.text)


def write_waiting(folder: Folder, signer: Signer, day: str = "") -> list[Path]:
    """Sign the letters that wait for the next email, and return their files.

    One that cannot go stays. So does the 31st letter of the day, because nobody can be asked here.
    """
    left: list[kept.Unsent] = []
    files: list[Path] = []
    listed = kept.unsent(folder)
    for at, letter in enumerate(listed, 1):
        if day and written_today(folder, day) >= letters.MOST_A_DAY:
            left.append(letter)
            continue
        signed = kept.waiting([*left, *listed[at:]])
        try:
            files += write(folder, signer, letter.text, letter.to, day=day, also=signed).files
        except Refused:
            left.append(letter)
    return files


# --- the email ------------------------------------------------------------------------------------------


def letter(roster: Roster, statement: Statement, by: Signed, content: Content) -> Letter:
    """Return the email with a letter: to all, or to its readers and nobody else."""
    own, sender = statement.letter, roster.by_id[statement.sender]
    readers = tuple(own.to or ())
    everybody = own.to is None
    grey = own.grey is not None
    what = Message(
        "archive.press.letter-of-to", sender=sender.id, readers=readers, to_all=everybody, grey=grey
    )
    lines: list[str] = [Message("archive.press.signed-letter-below")]
    if not everybody:
        lines = [Message("archive.press.sealed-letter-below", readers=readers)]
    first = Message("archive.press.full-stop", what=what)
    return Letter(
        name=f"stage-{statement.stage:04d}-{sender.id}-letter-{statement.sid[:8]}",
        subject=outbox.subject_of(roster, statement.stage, what),
        sender=sender,
        others=[party for party in roster.active if everybody or party.id in readers],
        readable=outbox.heading(roster.terms.title, [first, in_turn(lines)]),
        items=[by],
        id=statement.sid,
        once=True,
        behind=outbox.quoted(content.text) if everybody else "",
    )


def _notes(roster: Roster, here: Sequence[Came], me: str, readers: Readers) -> tuple[str, ...]:
    """Return what an author should know: who else reads, and that a letter proves what it says."""
    notes: list[str] = []
    if not any(came.statement.sender == me for came in here):
        notes.append(Message("archive.press.a-letter-is-proof"))
    for reader in readers or ():
        if roster.by_id[reader].proxy is not None:
            notes.append(Message("archive.press.gm-reads-letters-to", reader=reader))
    return tuple(notes)


def written_today(folder: Readable, day: str) -> int:
    """Return how many letters were signed in this folder on a day."""
    return sum(noted.day == day for noted in kept.book(folder).values())
