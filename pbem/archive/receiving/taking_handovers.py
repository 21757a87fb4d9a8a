"""Received handovers: judged apart, because no stage, inbox or archive may ever hold one.

What is wrong with one is told to GM and deputy only (protocol-letters 5).
"""

from __future__ import annotations

from pbem.archive.deputies import taking_over
from pbem.archive.deputies.handing_over import kept
from pbem.archive.deputies.taking_over import NotYet
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.letters.refusals import answer
from pbem.archive.receiving.desk import Desk, Item
from pbem.stages.receipts import Outcome, Receipt, words_for
from pbem.text.messages import Message
from pbem.trust.accept import validly_signed
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement

_WAITING = f"{private_side.HANDOVERS}/waiting"


class HandoverDesk:
    """The handovers of one call, and those that waited for a stage."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.folder = desk.folder
        for item in desk.open():
            item.handover = validly_signed(item.signed, "handover")

    def take(self) -> None:
        """Judge the handovers whose stages are here by now."""
        for item in [item_ for item_ in self.desk.open() if item_.handover is not None]:
            assert item.handover is not None
            self._take(item, item.handover)
        for handover, signed in self._waiting():
            try:
                taking_over.take(self.folder, handover, signed)
            except NotYet:
                continue
            except NotAccepted as fault:
                self._answer(handover, signed, fault)
            self._forget(handover)

    def _take(self, item: Item, statement: Statement) -> None:
        if any(handover.sid == statement.sid for handover in kept(self.folder)):
            self._done(item, statement, "duplicate", Message("archive.receiving.here-already"))
            return
        if self.folder.role != "deputy" or self.folder.me not in statement.said.sealed:
            self._done(item, statement, "noted", Message("stages.handovers.for-somebody-else"))
            return
        try:
            taking_over.take(self.folder, statement, item.signed)
        except NotYet as reason:
            self._keep(statement, item.signed)
            self._done(item, statement, "waiting", str(reason))
        except NotAccepted as fault:
            mail = self._answer(statement, item.signed, fault)
            item.receipt = Receipt("refused", words_for(statement), str(fault), statement.sid, mail)
        else:
            self._done(item, statement, "taken", Message("archive.receiving.handover-follows"))

    def _answer(self, statement: Statement, signed: Signed, fault: NotAccepted) -> str:
        changes, mail = answer(self.folder, signed, words_for(statement), fault, reader=True)
        self.folder.commit(changes)
        return mail

    def _done(self, item: Item, statement: Statement, outcome: Outcome, reason: str) -> None:
        item.receipt = Receipt(outcome, words_for(statement), reason, statement.sid)

    # ---- what waits for a stage ----------------------------------------------------------------------------

    def _keep(self, statement: Statement, signed: Signed) -> None:
        changes = Changes()
        changes.write_signed(f"{_WAITING}/{statement.sid}", signed)
        self.folder.commit(changes)

    def _waiting(self) -> list[tuple[Statement, Signed]]:
        place = self.folder.root / _WAITING
        waiting = []
        for entry in layout.entries(place):
            if entry.name.endswith(".json"):
                path = place / entry.name
                signed = Signed(path.read_bytes(), (path.with_suffix(".sig").read_text("ascii"),))
                handover = validly_signed(signed, "handover")
                if handover is not None:
                    waiting.append((handover, signed))
        return waiting

    def _forget(self, statement: Statement) -> None:
        changes = Changes()
        changes.remove(f"{_WAITING}/{statement.sid}.json")
        changes.remove(f"{_WAITING}/{statement.sid}.sig")
        self.folder.commit(changes)
