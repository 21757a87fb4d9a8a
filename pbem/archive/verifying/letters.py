"""The letters of an archive: signatures and shape, openings, numbers and heads (protocol-letters 7)."""

from __future__ import annotations

from pbem.archive.folder import layout
from pbem.archive.verifying.findings import few, shown
from pbem.archive.verifying.read_archive import Archive
from pbem.stages import letters, press
from pbem.stages.letters import Came, Doubt, content_of
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.accept import accept
from pbem.trust.errors import BadOpening, NotAccepted
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement


def read_letters(archive: Archive) -> None:
    """Read the letters of an archive; an invalid letter, or one that may not be there, is false."""
    for stage in sorted(set(archive.evidence) - set(archive.sealed)):
        for statement in archive.of(stage, "letter"):
            text = Message(
                "archive.verifying.letter-in-a-stage", sid=statement.sid[:12], sender=statement.sender
            )
            archive.notes.false("letter", text, stage, statement.sender)
    if (archive.root / layout.LETTERS).is_symlink():
        archive.notes.false("letter", Message("archive.verifying.letters-are-a-link"))
        return
    sids, strange = layout.letter_sids(archive.root)
    if strange:
        text = Message("archive.verifying.no-letters", names=few(strange))
        archive.notes.claimed("strange-file", text)
    if len(sids) > layout.MOST_LETTERS:
        archive.notes.false("letter", Message("archive.verifying.too-many-letters", most=layout.MOST_LETTERS))
        return
    for sid in sids:
        try:
            archive.letters[sid] = _letter(archive, sid)
        except Refused as refused:
            archive.notes.false("letter", refused.diagnostics[0].message)
        except NotAccepted as fault:
            archive.notes.false(
                "letter", Message("archive.verifying.letter-fault", sid=sid[:12], fault=fault)
            )


def _letter(archive: Archive, sid: str) -> Came:
    """Return a letter with a good signature; NotAccepted or Refused if it is no letter."""
    data = archive.files.read(layout.letter_name(sid), layout.PLAYER_LIMIT) or b""
    sig = archive.files.read(f"{layout.LETTERS}/{sid}.sig", layout.SIG_LIMIT)
    if sig is None:
        raise NotAccepted("signature", Message("archive.verifying.letter-without-signature"))
    armour, newest = sig.decode("ascii", "replace"), archive.in_force
    ever = [*newest.parties, *(entry.party for entry in newest.former)]
    letter = accept(data, armour, parties=ever, game=newest.game, dice=newest.terms.dice)
    if letter.type != "letter" or letter.sid != sid:
        raise NotAccepted("schema", Message("archive.verifying.no-letter", name=shown(sid)))
    then = _roster_at(archive, letter.stage)
    accept(data, armour, parties=then.active, game=newest.game, dice=then.terms.dice)
    letters.check_size(letter)
    press.check_letter(then, letter)
    key, _ = sshsig.decode(armour)
    return Came(letter, key, None)


def check_letters(archive: Archive) -> None:
    """Check the openings of private letters, and say what is odd about any."""
    notes, came = archive.notes, list(archive.letters.values())
    gm = archive.in_force.terms.arbiter
    opened: list[Came] = []
    for letter in came:
        sid, sender = letter.statement.sid, letter.statement.sender
        opening = _opening(archive, letter.statement)
        try:
            content = content_of(letter.statement, opening, gm)
        except BadOpening as fault:
            notes.false(
                "letter", Message("archive.verifying.letter-fault", sid=sid[:12], fault=fault), None, sender
            )
            continue
        if content is None:
            text = Message("archive.verifying.letter-not-opened", sid=sid[:12], sender=sender)
            notes.false("letter", text, None, sender)
        elif letter.to is not None and not press.of(_roster_at(archive, letter.statement.stage).terms).opened:
            text = Message("archive.verifying.letter-may-not-be-opened", sid=sid[:12], sender=sender)
            notes.false("letter", text, None, sender)
        opened.append(Came(letter.statement, letter.key, content))
    if not opened:
        return
    private = sum(letter.to is not None for letter in opened)
    text = Message("archive.verifying.letters", count=len(opened), private=private)
    notes.proved("letters", text)
    odd = letters.doubts(opened, archive.in_force, None, lambda stage: _head(archive, stage))
    for letter in opened:
        for doubt in odd.get(letter.statement.sid, ()):
            _say(archive, letter.statement, doubt)


def _say(archive: Archive, letter: Statement, doubt: Doubt) -> None:
    text = Message("archive.verifying.letter-odd", sid=letter.sid[:12], sender=letter.sender, text=doubt.text)
    if doubt.code == "letter-twice":
        archive.notes.proved("letter-twice", text, None, letter.sender)
    elif doubt.code == "letter-head":
        if letter.prev not in archive.superseded.get(letter.stage - 1, ()):
            archive.notes.claimed("letter-head", text, None, letter.sender)
    elif doubt.code == "letter-gap":
        archive.notes.claimed("letter-gap", text, None, letter.sender)


def _roster_at(archive: Archive, stage: int) -> Roster:
    """Return the roster in force in a stage; of one that is not in the archive, the newest."""
    return archive.before[stage].roster if stage < len(archive.before) else archive.in_force


def _head(archive: Archive, stage: int) -> str | None:
    if not 0 <= stage < len(archive.before):
        return None
    return archive.behind(stage).head


def _opening(archive: Archive, letter: Statement) -> Shown | None:
    """Return what an unseal of the archive opens of a private letter."""
    for unseal in archive.unseals:
        for decision, opening in unseal.unseal.opened.get(letter.sid, {}).items():
            if decision == letter.letter.decision:
                return Shown(opening.nonce, opening.value)
    return None
