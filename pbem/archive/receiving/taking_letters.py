"""Received letters: those to the owner of the folder are kept, with a note of anything odd.

Protocol-letters 2.3. They are judged by themselves: no record, and no stage, waits for one.
"""

from __future__ import annotations

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.letters import sending_on
from pbem.archive.letters.refusals import answer
from pbem.archive.press import hearing
from pbem.archive.press import letters_kept as kept
from pbem.archive.press.hearing import Heard
from pbem.archive.receiving.desk import Desk, Item
from pbem.stages import press
from pbem.stages.letters import MOST_A_STAGE, Came, content_of
from pbem.stages.receipts import Outcome, Receipt, words_for
from pbem.text.messages import Message, in_turn
from pbem.trust import sshsig
from pbem.trust.accept import validly_signed
from pbem.trust.armour import Signed
from pbem.trust.errors import BadOpening, NotAccepted
from pbem.trust.statements import Statement


class LetterDesk:
    """The letters of one call."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.folder = desk.folder
        for item in desk.open():
            item.letter = validly_signed(item.signed, "letter")
        self._here: list[Came] = kept.letters(self.folder) if self._open() else []

    def take(self) -> None:
        """Judge the letters whose keys are known by now, and keep those that count."""
        changes, taken, new = Changes(), list[Item](), list[Came]()
        for item in self._open():
            letter = item.letter
            assert letter is not None
            known = any(came.statement.sid == letter.sid for came in self._here)
            if letter.letter.to is not None and self._published(letter):
                changes.update(kept.public(letter, item.signed))
                self._done(item, "taken", Message("archive.receiving.letter-is-published"))
                continue
            if known:
                self._done(item, "duplicate", Message("archive.receiving.here-already"))
                continue
            try:
                heard = hearing.hear(self.folder, letter, item.signed)
            except NotAccepted as fault:
                self._refuse(item, letter, fault)
                continue
            if heard is None:
                continue
            if hearing.too_many(self._here, letter):
                message = Message("archive.receiving.too-many-letters", most=MOST_A_STAGE)
                noted = any(i.receipt and i.receipt.reason == message for i in self.desk.items)
                self._done(item, "noted" if noted else "refused", message)
                continue
            new.append(self._read_letter(heard))
            self._here.append(new[-1])
            changes.update(kept.keep(letter, item.signed, heard.shown))
            taken.append(item)
        entries = [(came.statement, came.content) for came in new]
        changes.update(kept.entered(self.folder, entries, read=False))
        if changes:
            self.folder.commit(changes)
        odd = kept.doubts_of(self.folder, self._here) if taken else {}
        for item in taken:
            assert item.letter is not None
            self._done(item, "taken", in_turn(doubt.text for doubt in odd.get(item.letter.sid, ())))

    def _published(self, letter: Statement) -> bool:
        """Return True if an unseal that came with a private letter opens it, and may (2.6)."""
        progress, folder = self.folder.progress, self.folder
        place = layout.letter_name(letter.sid)
        if not progress.over or (folder.root / place).exists():
            return False
        if not press.of(kept.roster_at(folder, letter.stage).terms).opened:
            return False
        gm = progress.roster.terms.arbiter
        for item_ in self.desk.of_stage(progress.open_stage):
            unseal = item_.statement
            if unseal is None or unseal.type != "unseal" or unseal.prev != progress.head:
                continue
            shown = unseal.unseal.opened.get(letter.sid, {}).get(letter.letter.decision)
            if shown is None or set(unseal.unseal.opened[letter.sid]) != {letter.letter.decision}:
                continue
            try:
                hearing.check_signed(folder, letter, self._signed(letter))
                content_of(letter, shown, gm)
            except (NotAccepted, BadOpening):
                continue
            return True
        return False

    def _signed(self, letter: Statement) -> Signed:
        return next(item.signed for item in self.desk.items if item.letter is letter)

    def left(self) -> None:
        """Give receipts to the letters that no key of the game has signed in their stage."""
        for item in self._open():
            assert item.letter is not None
            reason = Message("archive.receiving.letter-by-unknown-key", stage=item.letter.stage)
            item.receipt = Receipt(
                "unsigned", Message("archive.receiving.statement-that-no-party-of-this-game-signed"), reason
            )

    def _open(self) -> list[Item]:
        return [item for item in self.desk.open() if item.letter is not None]

    def _read_letter(self, heard: Heard) -> Came:
        key, _ = sshsig.decode(heard.signed.signatures[0])
        gm = self.folder.need_roster().terms.arbiter
        content = content_of(heard.statement, heard.shown, gm)
        return Came(heard.statement, key, content, len(self._here) + 1, read=False)

    def _refuse(self, item: Item, letter: Statement, fault: NotAccepted) -> None:
        """Reject a letter: to all, as any statement; a private one is kept in `private/` and answered."""
        if fault.code == "reader" and sending_on.carries(self.folder):
            known = sending_on.knows(self.folder, letter.sid)
            self.folder.commit(Changes() if known else sending_on.keep_for_others(letter, item.signed))
            reason = Message("archive.receiving.letter-to-send-on", readers=letter.letter.to or ())
            here = Message("archive.receiving.here-already")
            self._done(item, "duplicate" if known else "taken", here if known else reason)
            return
        if fault.code == "reader":
            self._done(item, "refused", str(fault))
            return
        if letter.letter.to is None:
            item.statement = letter
            self.desk.refuse(item, "refused", fault)
            return
        words, name = words_for(letter), f"{layout.PRESS}/refused-{letter.sid}"
        changes, mail = answer(self.folder, item.signed, words, fault, reader=True)
        changes.write(f"{name}.json", letter.bytes)
        changes.write(f"{name}.sig", item.signed.signatures[0])
        changes.write(f"{name}.txt", f"{words}\n{fault}\n")
        self.folder.commit(changes)
        item.receipt = Receipt("refused", words, str(fault), letter.sid, mail)

    def _done(self, item: Item, outcome: Outcome, reason: str) -> None:
        assert item.letter is not None
        item.receipt = Receipt(outcome, words_for(item.letter), reason, item.letter.sid)
