"""Evidence in a certificate beside roster and last report: records, amendments, a charge.

Each record names the head before it, up to the head of the last report, which the GM or the deputy signed. So
the amendments in these records are part of the game's history, and the roster in force follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.trust.armour import Signed
    from pbem.trust.records import Record
    from pbem.trust.roster import Roster
    from pbem.trust.statements import Statement


@dataclass(frozen=True)
class Stage:
    """A stage that was followed: the roster in force, and the head before it."""

    roster: Roster
    prev: str


@dataclass(frozen=True)
class Followed:
    """The roster when the last report was signed, and after it.

    `charge` is the one on which the deputy signed the last report; None if the GM did.
    """

    then: Roster
    after: Roster
    charge: Statement | None


# --- collected from an archive ------------------------------------------------------------------------------


def collected(folder: Folder, last: Statement) -> tuple[list[Any], list[Signed]]:
    """Return the records before the last one, from the first that is needed, and statements to show."""
    from pbem.trust.armour import Signed

    stages = {stage for stage in folder.amended if stage <= last.stage}
    shown = [(stage, sid) for stage in sorted(stages) for sid in folder.record(stage).amends]
    charge = _charge_for(folder, last)
    if charge is not None:
        shown.append((charge.stage, charge.sid))
        stages.add(charge.stage)
    records = [folder.record(n).data for n in range(min(stages), last.stage)] if stages else []
    statements = (folder.find(stage, sid) for stage, sid in shown)
    more = [
        Signed(statement.bytes, folder.signatures(statement.stage, statement.sid))
        for statement in statements
        if statement is not None
    ]
    return records, more


def _charge_for(folder: Folder, last: Statement) -> Statement | None:
    """Return the newest charge to the signer of the last report; the GM's own word, if there is one."""
    gm = folder.signed_roster().terms.arbiter
    if gm is None or last.sender == gm:
        return None
    for stage in range(last.stage, 0, -1):
        given = [statement for statement in folder.of(stage, "charge") if statement.charge.to == last.sender]
        if given:
            return min(given, key=lambda charge: (charge.sender != gm, charge.sid))
    return None


# --- followed by a stranger ---------------------------------------------------------------------------------


def follow(roster: Roster, history: Any, last: Statement, more: Sequence[Signed]) -> Followed:
    """Follow records and amendments to the last report; Refused with the first one that is invalid."""
    from pbem.trust import inforce, statements
    from pbem.trust.errors import TrustError

    try:
        shown = {
            statement.sid: (statement, part) for part in more for statement in (statements.parse(part.data),)
        }
        now, stages = roster, dict[int, Stage]()
        for record in _chained(history, last):
            stages[record.stage] = Stage(now, record.prev)
            amendments = [_amendment(now, record, sid, shown) for sid in record.amends]
            now = inforce.apply_all(now, amendments, record.stage)
        charge = _charge(stages, last, [pair for pair in shown.values() if pair[0].type == "charge"])
    except (TrustError, ValueError) as fault:
        raise refused(Message("cli.certificate.unreadable", fault=fault)) from None
    return Followed(stages[last.stage].roster, now, charge)


def _chained(history: Any, last: Statement) -> Iterator[Record]:
    """Yield the records up to the last report's, each of which names the head of the one before."""
    from pbem.trust import records

    head: str | None = None
    for record in (*(records.check(data) for data in history), last.report.record):
        if head is not None and record.prev != head:
            raise refused(Message("cli.certificate.broken-chain", stage=record.stage))
        head = record.head
        yield record


def _amendment(
    roster: Roster, record: Record, sid: str, shown: Mapping[str, tuple[Statement, Signed]]
) -> Statement:
    """Return an amendment that a record lists, after a look at who signed it."""
    from pbem.trust import amend

    if sid not in shown:
        raise refused(Message("cli.certificate.amendment-is-missing", stage=record.stage))
    amendment, part = shown[sid]
    if amendment.type != "amend" or (amendment.game, amendment.stage, amendment.prev) != (
        roster.game,
        record.stage,
        record.prev,
    ):
        raise refused(Message("cli.certificate.other-game"))
    needed = amend.needed_keys(amendment, roster.active, roster.terms.dice)
    if amend.signed_by(amendment, part.signatures, needed) != needed:
        raise refused(Message("cli.certificate.amendment-not-signed", stage=record.stage))
    return amendment


def _charge(
    stages: Mapping[int, Stage], last: Statement, shown: Sequence[tuple[Statement, Signed]]
) -> Statement | None:
    """Return the charge on which a deputy signed the last report; None if the GM did.

    Refused if the report's signer may not sign it, or has no valid charge.
    """
    from pbem.stages.deputies import charge_fault, judges
    from pbem.trust import amend

    then = stages[last.stage].roster
    gm = then.terms.arbiter
    if last.sender == gm or (gm is None and last.sender in then.players):
        return None
    if last.sender not in judges(then):
        raise refused(Message("cli.certificate.not-the-reporter", party=last.sender))
    for charge, part in shown:
        at = stages.get(charge.stage)
        if at is None or (charge.game, charge.prev, charge.charge.to) != (then.game, at.prev, last.sender):
            continue
        if charge.sender not in judges(at.roster) or charge_fault(at.roster, charge) is not None:
            continue
        if amend.signed_by(charge, part.signatures, frozenset((at.roster.by_id[charge.sender].sign,))):
            return charge
    raise refused(Message("cli.certificate.no-charge", party=last.sender))


def refused(message: Message) -> Refused:
    """Return the refusal of a certificate."""
    return Refused(Diagnostic("bad-certificate", message))
