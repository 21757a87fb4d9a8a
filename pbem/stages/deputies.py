"""The right to act for the GM: the deputy has it on a charge, until the GM is back (letters 5).

No result depends on which of them acts: both have the same secret and the same chain.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.stages import deadlines
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.progress import Progress
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import NotAccepted
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement

ACTS = ("ack", "lock", "report", "view", "unseal")
"""Types of statements that only a charge lets a deputy send."""


@dataclass(frozen=True)
class Mandate:
    """The charge on which a deputy acts; `alone`: given to themselves, because the GM was silent."""

    charge: Statement

    @property
    def alone(self) -> bool:
        """Return True if it depends on the deputy's own word."""
        return self.charge.sender == self.charge.charge.to


def judges(roster: Roster) -> tuple[str, ...]:
    """Return who may run a stage: the GM, and the deputy if one is named."""
    gm = (roster.terms.arbiter,) if roster.terms.arbiter is not None else ()
    return (*gm, roster.deputy.id) if roster.deputy is not None else gm


def acted_for_gm(roster: Roster, report: Statement) -> str | None:
    """Return the deputy who signed a report, or None if the GM did, or in a game of two without a GM."""
    gm = roster.terms.arbiter
    return report.sender if gm and report.sender != gm else None


def charge_fault(roster: Roster, charge: Statement) -> str | None:
    """Return why a charge is not possible, or None; `roster` is the one in force in its stage."""
    to, deputy = charge.charge.to, roster.deputy
    if deputy is None:
        return Message("stages.deputies.no-deputy")
    if to not in judges(roster):
        return Message("stages.deputies.charge-to-nobody", to=to)
    if charge.sender == to == deputy.id and not deadlines.of(roster.terms).deputy_days:
        return Message("stages.deputies.not-agreed", deputy=to)
    return None


def mandate(progress: Progress, shelf: Shelf, more: Iterable[Statement] = ()) -> Mandate | None:
    """Return what lets the deputy act in the current stage, or None.

    A charge to the deputy for this stage or an earlier one, if from that one on the GM neither took a charge
    back nor signed a report. `more`: charges of the current stage that are not on the shelf yet.
    """
    deputy, gm = progress.roster.deputy, progress.roster.terms.arbiter
    if deputy is None:
        return None
    for stage in range(progress.open_stage, 0, -1):
        here = [*shelf.of(stage, "charge"), *(more if stage == progress.open_stage else ())]
        if stage < progress.open_stage and (_returned(here, gm) or _reported(shelf, stage, gm)):
            return None
        given = [charge for charge in here if charge.charge.to == deputy.id and _can_be(progress, charge)]
        if given:  # the GM's own word, if there is one
            return Mandate(min(given, key=lambda charge: (charge.sender != gm, charge.sid)))
    return None


def _can_be(progress: Progress, charge: Statement) -> bool:
    """Return True for a charge of the GM, or one that the deputy may take; later ones were judged here."""
    return charge_fault(progress.roster, charge) is None


def _returned(charges: Iterable[Statement], gm: str | None) -> bool:
    return any(charge.charge.to == gm for charge in charges)


def _reported(shelf: Shelf, stage: int, gm: str | None) -> bool:
    return any(statement.sender == gm for statement in shelf.of(stage, "report"))


def gm_is_back(progress: Progress, shelf: Shelf) -> bool:
    """Return True if the GM acts in the current stage: then the deputy's tool stops."""
    gm, stage = progress.roster.terms.arbiter, progress.open_stage
    return _returned(shelf.of(stage, "charge"), gm) or _reported(shelf, stage, gm)


def needs_charge(roster: Roster, statement: Statement) -> bool:
    """Return True if a statement is one that a deputy may send only with a charge.

    The ack of a handover needs none: it names nothing of the game. `roster` is the one in force in the
    statement's stage: whoever becomes the deputy in it has no charge for it.
    """
    gm, deputy = roster.terms.arbiter, roster.deputy
    if statement.type in ("lock", "report", "view"):
        return gm is not None and statement.sender != gm
    if deputy is None or statement.sender != deputy.id or statement.type not in ACTS:
        return False
    return not (statement.type == "ack" and is_ready(statement))


def is_ready(ack: Statement) -> bool:
    """Return True if an ack names one statement and refuses none, as the one for a handover does."""
    return len(ack.ack.have) == 1 and not ack.ack.unreadable


def check_charge(
    progress: Progress, shelf: Shelf, statement: Statement, more: Iterable[Statement] = ()
) -> None:
    """Check that a deputy may say this in the current stage; NotAccepted with code `charge` if not."""
    if needs_charge(progress.roster, statement) and mandate(progress, shelf, more) is None:
        message = Message("stages.deputies.no-charge", deputy=statement.sender, stage=progress.open_stage)
        raise NotAccepted("charge", message)


def ready(progress: Progress, shelf: Shelf) -> bool:
    """Return True if the deputy has said in any stage that the handover arrived and everything follows."""
    deputy = progress.roster.deputy
    stages = range(progress.open_stage, 0, -1) if deputy is not None else ()
    return any(
        ack.sender == deputy.id and is_ready(ack) and shelf.find(stage, ack.ack.have[0]) is None
        for stage in stages
        for ack in shelf.of(stage, "ack")
        if deputy is not None
    )
