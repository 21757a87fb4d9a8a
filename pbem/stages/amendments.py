"""Amendments as they are proposed, co-signed and put into a record (protocol 4.4).

The same judgement serves the one who proposes, those who receive and sign, the GM, and `verify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.engine.system import System
from pbem.stages import gunboat, press
from pbem.stages.faults import Fault
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.progress import Progress
from pbem.stages.scenario_terms import parse_options
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message, in_turn
from pbem.trust import amend, inforce, sshsig
from pbem.trust.errors import BadStatement
from pbem.trust.records import Record
from pbem.trust.roster import Pinned, Roster
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.trust.said import Op

NEW = ".new"
"""Behind a party id: its key to come, which signs as well (17.16)."""


@dataclass(frozen=True)
class Proposal:
    """An amendment for the current stage: good signatures by signer, who must sign, what is against
    it.

    A signer is a party id, with `.new` behind it for a key that the amendment brings.
    """

    statement: Statement
    signatures: Mapping[str, str]
    needed: tuple[str, ...]
    fault: str | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Return who has still to sign."""
        return tuple(name for name in self.needed if name not in self.signatures)

    @property
    def complete(self) -> bool:
        """Return True if it may be in the record of its stage."""
        return self.fault is None and not self.missing

    @property
    def closes(self) -> bool:
        """Return True if nothing is played in its stage if it counts."""
        return amend.closes(self.statement)

    @property
    def ops(self) -> tuple[Op, ...]:
        """Return its ops, in order."""
        ops: tuple[Op, ...] = self.statement.amendment.ops
        return ops

    def does(self, name: str) -> bool:
        """Return True if one of its ops is of this name."""
        return any(op["op"] == name for op in self.ops)


def judge(
    progress: Progress, statement: Statement, armours: Iterable[str], system: System | None = None
) -> Proposal:
    """Return an amendment for the current stage, with the signatures beside it."""
    roster = progress.roster
    try:
        needed = amend.needed_keys(statement, roster.active, roster.terms.dice)
    except BadStatement as fault:
        return Proposal(statement, {}, (), str(fault))
    names = {key: signer_name(roster, key, statement) for key in needed}
    signed: dict[str, str] = {}
    for armour in armours:
        for key in amend.signed_by(statement, [armour], needed | {roster.by_id[statement.sender].sign}):
            signed.setdefault(names.get(key, statement.sender), armour)
    order = {party.id: n for n, party in enumerate(roster.parties)}
    wanted = sorted(names.values(), key=lambda name: (order.get(name.removesuffix(NEW), len(order)), name))
    return Proposal(statement, signed, tuple(wanted), what_is_against(progress, statement, system))


def signer_name(roster: Roster, key: bytes, statement: Statement) -> str:
    """Return the owner of a key: a party, or one to come."""
    for party in roster.active:
        if party.sign == key:
            return party.id
    for op in statement.amendment.ops:
        if "sign" in op and sshsig.parse_public_line(op["sign"]) == key:
            return f"{op['party']}{NEW}"
    raise KeyError(key.hex())


def what_is_against(progress: Progress, statement: Statement, system: System | None = None) -> str | None:
    """Return why an amendment cannot count, whoever signs it; None if it can.

    `system`: the rules, if installed.
    """
    try:
        after = inforce.apply(progress.roster, statement, progress.open_stage)
    except BadStatement as fault:
        return str(fault)
    if progress.stage < 0:
        return Message("stages.amendments.game-has-not-started")
    rulings = [op for op in statement.amendment.ops if op["op"] == "ruling"]
    if len(rulings) > 1:
        return Message("stages.amendments.amendment-holds-one-ruling-at-most")
    for op in statement.amendment.ops:
        if op["op"] == "rewind" and op["to"] > progress.stage:
            return Message(
                "stages.amendments.it-goes-back-to-later-stage", to_stage=op["to"], stage=progress.stage
            )
        if op["op"] == "option" and system is not None and op["name"] not in ("dice", "absent"):
            reason = _option_fault(after, op, system)
            if reason is not None:
                return reason
        named = gunboat.fault_of(after.terms, after.parties)
        if named is not None:
            return named
        if op["op"] == "ruling" and system is not None and bool(system.hidden) != ("commit" in op):
            return Message("stages.amendments.ruling-is-committed-in-game-with-hidden-units")
    return None


def _option_fault(after: Roster, op: Op, system: System) -> str | None:
    hides = system.hiding[0] if system.hiding else system.hidden
    if op["name"] in (hides, gunboat.NAME):
        return Message("stages.amendments.option-cannot-change-in-play", option=op["name"])
    try:
        parse_options(system, after.terms.scenario.name.split(" ")[1:])
    except Refused as refused:
        return in_turn(fault.message for fault in refused.diagnostics)
    return press.grey_fault(after.terms, press.players_in(after))


# --- what counts ------------------------------------------------------------------------------------------


def proposals(progress: Progress, shelf: Shelf, system: System | None = None) -> list[Proposal]:
    """Return the amendments proposed for the current stage on our head, in order of sid."""
    stage = progress.open_stage
    return [
        judge(progress, statement, shelf.signatures(stage, statement.sid), system)
        for statement in shelf.of(stage, "amend")
        if statement.prev == progress.head
    ]


def counting(progress: Progress, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return those for the record of the current stage: the complete ones, if they are compatible.

    One that closes the stage overrides all others; then rulings must be proposed anew.
    """
    complete = [proposal for proposal in proposals if proposal.complete]
    closing = any(proposal.closes for proposal in complete)
    taken: list[Proposal] = []
    roster = progress.roster
    for proposal in complete:
        if closing and proposal.does("ruling"):
            continue
        try:
            roster = inforce.apply(roster, proposal.statement, progress.open_stage)
        except BadStatement:
            continue  # two contradict each other: the second must be proposed anew
        taken.append(proposal)
    return taken


def riding(progress: Progress, proposals: Sequence[Proposal]) -> list[Statement]:
    """Return the complete amendments that ride along; none in a stage that another one closes."""
    taken = counting(progress, proposals)
    return [] if any(proposal.closes for proposal in taken) else [proposal.statement for proposal in taken]


def roster_to_come(progress: Progress, proposals: Sequence[Proposal]) -> Roster:
    """Return the roster in force from the next stage on, if the record accepts all that are complete."""
    taken = [proposal.statement for proposal in counting(progress, proposals)]
    return inforce.apply_all(progress.roster, taken, progress.open_stage)


def module_in_play(progress: Progress, proposals: Sequence[Proposal]) -> Pinned:
    """Return the rules that the current stage is run by.

    An amendment of the rules that rides along counts in its own stage already: a folder without the
    old rules could not run it otherwise. The orders and dice of the stage stay (decision 43).
    """
    if any(proposal.does("module") for proposal in proposals) and riding(progress, proposals):
        return roster_to_come(progress, proposals).terms.module
    return progress.roster.terms.module


def signed_closing(progress: Progress, shelf: Shelf, me: str) -> Proposal | None:
    """Return an amendment that a party has signed and that would close the current stage.

    That party then sends no order (4.4).
    """
    listed = proposals(progress, shelf) if progress.stage >= 0 else []
    possible = (proposal for proposal in listed if proposal.closes and proposal.fault is None)
    return next((proposal for proposal in possible if {me, me + NEW} & set(proposal.signatures)), None)


def state_of(proposal: Proposal) -> str:
    """Return the state of an amendment, in words."""
    if proposal.fault is not None:
        return proposal.fault
    if proposal.missing:
        return Message("stages.amendments.still-sign", missing=tuple(proposal.missing))
    return Message(
        "stages.amendments.all-have-signed",
        stage=proposal.statement.stage,
        closes=proposal.closes,
    )


# --- what a record says -----------------------------------------------------------------------------------


def amend_faults(progress: Progress, record: Record, shelf: Shelf) -> Iterator[Fault]:
    """Yield faults of the amendments in a record: signatures, effects, and places."""
    closed = record.closed
    listed: list[Proposal] = []
    for sid in record.amends:
        amendment = shelf.find(progress.open_stage, sid)
        if amendment is None:
            yield Fault(
                "missing", Message("stages.amendments.amendment-is-not-here", sid=sid[:12]), None, "missing"
            )
            return
        if (amendment.type, amendment.stage, amendment.prev) != ("amend", progress.open_stage, progress.head):
            yield Fault("amend", Message("stages.amendments.named-as-amendment-and-is-none", sid=sid[:12]))
            return
        listed.append(judge(progress, amendment, shelf.signatures(progress.open_stage, sid)))
    for proposal in listed:
        sid = proposal.statement.sid[:12]
        if proposal.fault is not None:
            yield Fault(
                "amend",
                Message("stages.amendments.fault-in-amendment", sid=sid, fault=proposal.fault),
                proposal.statement.sender,
            )
        elif proposal.missing:
            text = Message("stages.amendments.unsigned-amend", sid=sid, missing=tuple(proposal.missing))
            yield Fault("unsigned-amend", text, proposal.missing[0].removesuffix(NEW))
        elif closed and proposal.does("ruling"):
            yield Fault("amend", Message("stages.amendments.amendment-is-ruling-in-closed-stage", sid=sid))
        elif not closed and proposal.closes:
            yield Fault("amend", Message("stages.amendments.amendment-closes-stage-that-was-played", sid=sid))
    if closed and not any(accepted.closes for accepted in listed):
        yield Fault("amend", Message("stages.amendments.no-amendment-closes-stage"))
    try:
        inforce.apply_all(progress.roster, [accepted.statement for accepted in listed], progress.open_stage)
    except BadStatement as fault:
        if all(accepted.fault is None for accepted in listed):
            yield Fault("amend", Message("stages.amendments.amendments-contradict-each-other", fault=fault))
