"""The sorting of received statements: accepted, rejected, kept for later, and the receipts.

Protocol 5.3.
"""

from __future__ import annotations

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import FALSE, Folder
from pbem.archive.letters.refusals import answer
from pbem.stages.receipts import Outcome, Receipt, words_for
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.roster import Party
from pbem.trust.statements import Statement


@dataclass
class Item:
    """A received statement: the raw bytes, the parsed form if the signature is valid, and its receipt.

    `parties`: those in force when it was heard by one of their keys; it is not heard again while they are.
    `letter`, `handover`: what it says if it is one, which is judged on its own.
    """

    signed: Signed
    from_early: bool = False
    statement: Statement | None = None
    parties: tuple[Party, ...] = ()
    fault: str = ""
    letter: Statement | None = None
    handover: Statement | None = None
    receipt: Receipt | None = None

    @property
    def heard(self) -> Statement:
        """Return the statement of an item that a party has signed."""
        assert self.statement is not None
        return self.statement


class Desk:
    """The items of one call, and the result for each."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.items: list[Item] = []
        self._by_stage: dict[int, list[Item]] = {}

    def sort_in(self, item: Item) -> None:
        """Add a signed item to those of its stage, in order of arrival."""
        assert item.statement is not None
        here = self._by_stage.setdefault(item.statement.stage, [])
        if all(other is not item for other in here):
            here.append(item)

    def of_stage(self, stage: int) -> list[Item]:
        """Return what parties have signed for a stage, whatever the result."""
        return [item for item in self._by_stage.get(stage, ()) if item.statement is not None]

    def open_of(self, type_: str, stage: int) -> list[Item]:
        """Return the statements of one type for a stage that have no receipt."""
        return [
            item
            for item in self._by_stage.get(stage, ())
            if item.receipt is None and item.statement is not None and item.statement.type == type_
        ]

    def open(self) -> list[Item]:
        """Return those without a receipt."""
        return [item for item in self.items if item.receipt is None]

    def heard(self) -> list[Item]:
        """Return those without a receipt that a party has signed."""
        return [item for item in self.open() if item.statement is not None]

    def take(self, item: Item, statement: Statement, changes: Changes, note: str = "") -> None:
        """Put it into its stage's folder."""
        changes.keep(statement.stage, statement.sid, item.signed)
        self.done(item, changes, "taken", note)

    def done(self, item: Item, changes: Changes, outcome: Outcome, reason: str) -> None:
        """Give the statement its receipt, and stop waiting for it."""
        statement = item.statement
        assert statement is not None
        item.receipt = Receipt(outcome, words_for(statement), reason, statement.sid)
        no_longer_early(changes, statement.sid)

    def refuse(
        self,
        item: Item,
        outcome: Outcome,
        fault: NotAccepted,
        changes: Changes | None = None,
        *,
        false: int | None = None,
    ) -> None:
        """Reject a validly signed item: keep it with the reason, and answer (5.3).

        `false` is the stage of a report that is not as it must be: nothing is signed on top of it (5.6).
        """
        own = Changes() if changes is None else changes
        sid = statements.sid(item.signed.data)
        words = words_for(item.statement) if item.statement else Message("archive.receiving.a-statement")
        self.keep_aside(item, item.statement, own, str(fault))
        answer_file, mail = answer(self.folder, item.signed, words, fault)
        own.update(answer_file)
        if false is not None:
            own.write(f"{layout.INBOX}/{FALSE}{false:04d}.txt", f"the {words} is not right:\n{fault}\n")
        item.receipt = Receipt(outcome, words, str(fault), sid, mail)
        no_longer_early(own, sid)
        if changes is None:
            self.folder.commit(own)

    def keep_aside(self, item: Item, statement: Statement | None, changes: Changes, reason: str) -> None:
        """Keep it in `inbox/` with the reason."""
        sid = statements.sid(item.signed.data)
        words = words_for(statement) if statement else Message("archive.receiving.a-statement")
        changes.write_signed(f"{layout.INBOX}/{sid}", item.signed)
        changes.write(f"{layout.INBOX}/{sid}.txt", f"{words}\n{reason}\n")

    def wait(self, item: Item, reason: str, *, early: bool = False) -> None:
        """Keep the item until it can be judged."""
        statement = item.statement
        assert statement is not None
        changes = Changes()
        changes.write(f"{layout.EARLY}/{statement.sid}.json", statement.bytes)
        changes.write(f"{layout.EARLY}/{statement.sid}.sig", "".join(item.signed.signatures))
        self.folder.commit(changes)
        waits_for = reason or Message("archive.receiving.waits-stage", stage=statement.stage)
        outcome: Outcome = "early" if early else "waiting"
        item.receipt = Receipt(outcome, words_for(statement), waits_for, statement.sid)


def no_longer_early(changes: Changes, sid: str) -> None:
    changes.remove(f"{layout.EARLY}/{sid}.json")
    changes.remove(f"{layout.EARLY}/{sid}.sig")
