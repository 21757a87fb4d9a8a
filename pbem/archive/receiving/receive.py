"""Receiving: every statement in an email is judged in the order of protocol 5.3, and gets a receipt.

Statements may come in any order and many at once: what is early waits in `inbox/early/`, a report waits for
the orders it names. Nothing that no party signed is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.archive.adjudicating.between_two import begin
from pbem.archive.adjudicating.correcting import check_correction
from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import layout, two_reports
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import unsealed
from pbem.archive.press import letters_kept as kept
from pbem.archive.receiving.desk import Item, no_longer_early
from pbem.archive.receiving.report_desk import AGAIN, ReportDesk
from pbem.archive.receiving.taking_amendments import hear, take_amendment
from pbem.archive.receiving.taking_forks import closes_fork, take_fork
from pbem.archive.receiving.taking_handovers import HandoverDesk
from pbem.archive.receiving.taking_joins import take_setup
from pbem.archive.receiving.taking_letters import LetterDesk
from pbem.archive.receiving.taking_links import check_openings, settle, waits
from pbem.archive.receiving.taking_reports import blob_of
from pbem.stages.deputies import charge_fault, check_charge
from pbem.stages.progress import Progress, check_content, check_place, when
from pbem.stages.receipts import Outcome, Receipt, words_for
from pbem.stages.sealed_orders import open_sealed
from pbem.stages.unseal_checks import check_unseal
from pbem.text.canonical import NotCanonical
from pbem.text.messages import Message
from pbem.trust import armour, statements
from pbem.trust.armour import Signed
from pbem.trust.errors import BadStatement, NotAccepted
from pbem.trust.kinds import SETUP
from pbem.trust.roster import Party
from pbem.trust.statements import Statement

__all__ = ["Receipt", "receive"]


def receive(
    folder: Folder, came_in: Iterable[Signed], *, late: bool = False, render: Render | None = None
) -> list[Receipt]:
    """Judge statements from emails and keep those that may count; return receipts in order.

    `late`: the owner agrees that their last orders were late, so a report may have an older
    revision. `render` makes the texts of reports.
    """
    with folder.working_long():
        batch = _Batch(folder, late, render)
        for signed in came_in:
            batch.add(signed)
        batch.run()
        return batch.receipts()


class _Batch(ReportDesk):
    """The statements of one call, and those that waited from before."""

    def __init__(self, folder: Folder, late: bool, render: Render | None) -> None:
        super().__init__(folder, late, render)
        self.by_data: dict[bytes, Item] = {}
        self._heard_by: tuple[Party, ...] | None = None
        self._unheard: list[Item] = []
        self._judged: int | None = None
        self._left: list[Item] = []

    def add(self, signed: Signed, *, early: bool = False) -> None:
        """Take a statement into the batch; the same bytes twice are one, with the signatures of both."""
        known = self.by_data.get(signed.data)
        if known is None:
            self.by_data[signed.data] = Item(signed, early)
            self.items.append(self.by_data[signed.data])
            return
        both = (*known.signed.signatures, *signed.signatures)
        known.signed = Signed(signed.data, tuple(dict.fromkeys(both)))

    def receipts(self) -> list[Receipt]:
        """Return a receipt for each new statement, and for waiting ones that were decided."""
        return [
            item.receipt
            for item in self.items
            if item.receipt is not None
            and not (item.from_early and item.receipt.outcome in ("early", "waiting"))
        ]

    def run(self) -> None:
        """Process statements from before the game, then those of the current stage, its report, and so on."""
        self._setup()
        roster = self.folder.roster
        if roster is None:
            for item in self.open():
                item.receipt = Receipt(
                    "unsigned",
                    Message("archive.receiving.a-statement"),
                    Message("archive.receiving.there-is-no-roster-yet-to-judge"),
                )
            return
        self._load_early()
        unsigned = self.folder.unsigned()
        post, handovers = LetterDesk(self), HandoverDesk(self)
        if not unsigned and self.folder.stage < 0 and self.folder.need_roster().terms.dice == "pair":
            self.folder.commit(begin(self.folder, self.render))
        while True:
            progress = self.folder.progress
            self._hear_all(progress)
            if unsigned:
                for item in self.heard():
                    self.wait(item, Message("archive.adjudicating.roster-unsigned", unsigned=tuple(unsigned)))
                break
            post.take()
            handovers.take()
            self._say(progress)
            moved = settle(self, self.folder.progress, late=self.late, render=self.render)
            if not moved and not self.advance(self.folder.progress):
                break
        post.left()
        for item in self.open():
            if item.handover is None:
                self._nobodys(item)
            else:
                words = Message("archive.adjudicating.roster-unsigned", unsigned=tuple(unsigned))
                item.receipt = Receipt("refused", words_for(item.handover), words)

    def _load_early(self) -> None:
        root = self.folder.root
        for entry in layout.entries(root / layout.EARLY):
            if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False):
                name = f"{layout.EARLY}/{entry.name.removesuffix('.json')}"
                data = layout.read(root, f"{name}.json", layout.GM_LIMIT) or b""
                sig = layout.read(root, f"{name}.sig", layout.PLAYER_LIMIT) or b""
                self.add(Signed(data, armour.signatures(sig.decode("ascii", "replace"))), early=True)

    # ---- before the game ---------------------------------------------------------------------------------

    def _setup(self) -> None:
        types = {item.signed.data: _setup_type(item.signed) for item in self.open()}
        for type_ in SETUP:
            for item in self.open():
                if types[item.signed.data] == type_:
                    outcome, words, reason = take_setup(self.folder, item.signed, type_)
                    item.receipt = Receipt(outcome, words, reason)

    # ---- one statement -----------------------------------------------------------------------------------

    def _hear_all(self, progress: Progress) -> None:
        """Check the signatures not yet checked by the keys in force in the current stage."""
        if self._heard_by != progress.roster.active:
            self._heard_by, self._unheard = progress.roster.active, self.open()
        for item in self._unheard:
            if item.receipt is None and item.letter is None and item.handover is None:
                self._hear(item, progress)
        self._unheard = [item for item in self._unheard if item.receipt is None and not item.parties]

    def _hear(self, item: Item, progress: Progress) -> None:
        """Check who signed an item, and everything else that needs no history."""
        try:
            hear(self.folder, progress, item)
            if item.statement is not None:
                self.sort_in(item)
                self._judge_too(item, item.statement)
        except NotAccepted as fault:
            by = fault.signature or item.signed.signatures[0]
            item.signed = Signed(item.signed.data, (by,))  # keep the party's signature, drop those of others
            self.refuse(item, "refused", fault)

    def _nobodys(self, item: Item) -> None:
        """Name what nobody signed and leave it; a key may have expired while it waited."""
        other = _other_game(item.signed.data, self.folder.need_roster().game)
        if other is not None:
            reason = Message("archive.receiving.if-it-is-game-of-yours", fault=item.fault)
            item.receipt = Receipt(
                "unsigned", Message("archive.receiving.statement-for-another-game", other=other[:12]), reason
            )
        else:
            item.receipt = Receipt(
                "unsigned",
                Message("archive.receiving.statement-that-no-party-of-this-game-signed"),
                item.fault,
            )
        if item.from_early:
            changes = Changes()
            no_longer_early(changes, statements.sid(item.signed.data))
            self.folder.commit(changes)

    def _say(self, progress: Progress) -> None:
        """Judge the remaining statements by the state of the game, and keep those that count."""
        listed = self._to_judge(progress)
        amends = [item for item in listed if item.heard.type == "amend"]
        for part in ([item for item in listed if item not in amends], amends):  # two reports come first
            changes = Changes()
            for item in part:
                self._say_of(item, item.heard, progress, changes)
            if changes:
                self.folder.commit(changes)

    def _say_of(self, item: Item, statement: Statement, progress: Progress, changes: Changes) -> None:
        base = two_reports.to_amend(self.folder) if statement.type == "amend" else progress
        more = statement.type == "amend" and when(base, statement) != "late"  # signatures may still arrive
        if self._known(statement) and not more:
            self.done(item, changes, "duplicate", Message("archive.receiving.here-already"))
            return
        try:
            self._judge(item, statement, base, changes)
        except NotAccepted as fault:
            outcome: Outcome = "unreadable" if fault.code == "unreadable" else "refused"
            self.refuse(item, outcome, fault, changes)

    def _to_judge(self, progress: Progress) -> list[Item]:
        """Return all items the first time, then those left from before and for the new stage."""
        if self._judged is None:
            items = self.heard()
        else:
            come = range(self._judged + 1, progress.open_stage + 1)
            listed = [*self._left, *(item for stage in come for item in self.of_stage(stage))]
            items = [item for item in listed if item.receipt is None and item.statement is not None]
        self._judged = progress.open_stage
        self._left = [
            item for item in items if item.statement and item.statement.stage <= progress.open_stage
        ]
        return items

    def _judge(self, item: Item, statement: Statement, progress: Progress, changes: Changes) -> None:
        time = when(progress, statement)
        if time in ("early", "far"):
            return  # judged again once its stage opens; until then it waits or is refused
        if statement.kind.twice == "fork" and take_fork(self, item, statement, changes):
            return
        if time == "late" and self.sealed_again(statement):
            self._again(item, statement, changes)
            return
        if statement.type == "charge" and self._charged(item, statement, progress, changes):
            return
        if time == "late" and statement.rev > 1 and statement.kind.group == "results":
            if statement.type == "report" and not closes_fork(self.folder, statement):
                check_correction(self.folder, statement)
                check_charge(self.folder.progress_at(statement.stage - 1), self.folder, statement)
            return
        if time == "late" and statement.kind.group == "orders" and self.folder.record(statement.stage).closed:
            reason = Message("archive.receiving.stage-was-closed-by-amendment", stage=statement.stage)
            self.keep_aside(item, statement, changes, reason)
            self.done(item, changes, "noted", reason)
            return
        if time == "late":
            reason = Message("archive.receiving.stage-was-closed-by-its-report", stage=statement.stage)
            self.keep_aside(item, statement, changes, reason)
            self.done(item, changes, "late", reason)
            return
        check_place(progress, statement)
        if statement.type in ("ack", "unseal"):
            check_charge(progress, self.folder, statement, self._charges(progress))
        if statement.type == "amend":
            take_amendment(self, item, statement, progress, changes)
            return
        if (statement.kind.group or statement.type == "lock") and unsealed(self.folder):
            message = Message("archive.receiving.game-over", stage=statement.stage)
            raise NotAccepted("game-over", message)
        if statement.kind.group == "results":
            return
        note = ""
        if statement.kind.group == "orders":
            check_content(statement, self.folder.system.hidden)
            if self.folder.knows_all:
                open_sealed(statement, progress, self.folder.need_gm(), self.folder.gm_side.seal_key)
            if statement.type == "order" and progress.roster.terms.dice != "swift":
                check_openings(progress, statement, self.folder)
            if waits(statement, progress):
                return
            note = self._revision_note(statement)
        if waits(statement, progress):
            return
        if statement.type == "unseal":
            check_unseal(self.folder.find, progress, statement, lambda sid: kept.published(self.folder, sid))
        self.take(item, statement, changes, note)

    def _charges(self, progress: Progress) -> list[Statement]:
        """Return the charges of this call for the current stage; they may not be in the folder yet."""
        here = (item.heard for item in self.of_stage(progress.open_stage) if item.heard.type == "charge")
        return [charge for charge in here if charge.prev == progress.head]

    def _charged(self, item: Item, statement: Statement, progress: Progress, changes: Changes) -> bool:
        """Take a charge, also one for a stage that has ended: it holds for later stages; NotAccepted if none.

        Returns False for one that follows another history.
        """
        if statement.stage < 1 or statement.prev != self.folder.head(statement.stage - 1):
            return False
        fault = charge_fault(self.folder.progress_at(statement.stage - 1).roster, statement)
        if fault is not None:
            raise NotAccepted("charge", fault)
        self.take(item, statement, changes)
        return True

    def _again(self, item: Item, statement: Statement, changes: Changes) -> None:
        """Note a report that is here already; one of the other of GM and deputy is kept, as it was sent.

        By it others know that the GM is back.
        """
        if statement.type == "report":
            here = self.folder.of(statement.stage, "report")
            if all(other.sender != statement.sender for other in here):
                changes.keep(statement.stage, statement.sid, item.signed)
        self.done(item, changes, "noted", Message(AGAIN))

    def _revision_note(self, statement: Statement) -> str:
        here = [statement for statement, _ in self.folder.statements(statement.stage)]
        here += [
            i.statement
            for i in self.of_stage(statement.stage)
            if i.statement and i.receipt and i.receipt.outcome == "taken"
        ]
        others = [
            earlier
            for earlier in here
            if (earlier.type, earlier.sender, earlier.stage)
            == (statement.type, statement.sender, statement.stage)
        ]
        if any(other.rev == statement.rev for other in others):
            return Message("archive.receiving.second-different-statement-with-this-revision")
        newer = max((other.rev for other in others), default=0)
        return (
            Message("archive.receiving.revision-newer-is-here-already-and-counts", newer=newer)
            if newer > statement.rev
            else ""
        )

    def _known(self, statement: Statement) -> bool:
        root, stage = self.folder.root, statement.stage
        if statement.type == "view":
            mine = (
                layout.read(root, name, layout.BLOB_LIMIT) for _, _, name in layout.view_files(root, stage)
            )
            return blob_of(statement) in list(mine)
        return (root / layout.statement_name(stage, statement.sid)).exists()

    def _judge_too(self, item: Item, statement: Statement) -> None:
        """Judge an item of a stage judged before: the key may have become valid since."""
        judged = self._judged is not None and statement.stage <= self._judged
        if judged and all(other is not item for other in self._left):
            self._left.append(item)


def _setup_type(signed: Signed) -> str | None:
    """Return the type of a validly signed statement from before the game, or None."""
    named = next((name for name in SETUP if f'"type":"{name}"'.encode() in signed.data), None)
    if named is None or not armour.sound([armour.Found((signed.data,), signed.signatures)]):
        return None
    try:
        type = statements.parse(signed.data).type
    except (NotCanonical, BadStatement):
        return None
    return type if type in SETUP else None


def _other_game(data: bytes, game: str) -> str | None:
    """Return the other game that an unsigned statement names, or None."""
    match = re.search(rb'"game":"([0-9a-f]{64})"', data[: 1 << 16])
    named = match[1].decode() if match else game
    return named if named != game else None
