"""Letters as they are received: accepted or rejected, with the reason (protocol-letters 2.3).

A letter follows no record: it may name a stage that is closed, or not open yet, and any head.
"""

from __future__ import annotations

from pbem.archive.folder.parts import Readable
from pbem.archive.press import letters_kept as kept
from pbem.stages import letters, press
from pbem.stages.letters import Came
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.accept import accept, signer
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.records import Shown
from pbem.trust.statements import Statement


@dataclass(frozen=True)
class Heard:
    """A letter that counts, with its signature, and its opening if it is a private one."""

    statement: Statement
    signed: Signed
    shown: Shown | None


def hear(folder: Readable, letter: Statement, signed: Signed) -> Heard | None:
    """Check a letter and return it with its opening; None while no party has its key in its stage.

    NotAccepted with the code of the first check that fails. Code `reader`: it is for others alone, so it is
    neither kept nor answered.
    """
    if not check_signed(folder, letter, signed):
        return None
    me, gm = folder.me, folder.need_roster().terms.arbiter
    keys = folder.private.seal_keys if me in (letter.letter.to or ()) else ()  # may ask for a passphrase
    shown = letters.opened(letter, me, keys, gm)
    content = letters.content_of(letter, shown, gm)
    if content is not None and content.grey is not None:
        then = kept.roster_at(folder, letter.stage)
        fault = press.on_fault(then, letter.sender, content.grey)
        if fault is not None:
            raise NotAccepted("press", fault)
    return Heard(letter, signed, shown)


def check_signed(folder: Readable, letter: Statement, signed: Signed) -> bool:
    """Check everything about a letter but its seal; False while no party has its key in its stage.

    NotAccepted with the code of the first check that fails.
    """
    newest = folder.need_roster()
    ever = [*newest.parties, *(entry.party for entry in newest.former)]
    try:
        signer(signed.data, signed.signatures[0], ever)
    except NotAccepted as fault:
        if fault.code == "signer":
            return False
        raise
    if letter.game != newest.game:
        raise NotAccepted("game", Message("archive.press.other-game", game=letter.game[:12]))
    then = kept.roster_at(folder, letter.stage)
    try:
        accept(signed.data, signed.signatures[0], parties=then.active, game=newest.game, dice=then.terms.dice)
    except NotAccepted as fault:
        if fault.code == "signer":
            return False
        raise
    letters.check_size(letter)
    press.check_letter(then, letter)
    return True


def too_many(listed: list[Came], letter: Statement) -> bool:
    """Return True if as many letters of its sender name its stage as are kept."""
    same = (kept.statement for kept in listed)
    wanted = (letter.sender, letter.stage)
    return sum((kept.sender, kept.stage) == wanted for kept in same) >= letters.MOST_A_STAGE
