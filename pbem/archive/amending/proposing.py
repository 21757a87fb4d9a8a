"""Proposing an amendment, and signing what somebody else proposed (protocol 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pbem.archive.amending import new_rules
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.two_reports import check_may_sign, proposed, to_amend
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.stages.amendment_words import words_of
from pbem.stages.amendments import Proposal, judge, state_of
from pbem.stages.progress import Progress
from pbem.stages.rulings import DECISION as RULING
from pbem.stages.rulings import check_ruling
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.amend import needed_keys
from pbem.trust.armour import Signed
from pbem.trust.commit import commitment, new_nonce
from pbem.trust.errors import BadStatement
from pbem.trust.keys import Signer
from pbem.trust.roster import Party
from pbem.trust.sshsig import parse_public_line
from pbem.trust.statements import Statement


@dataclass(frozen=True)
class Proposed:
    """The written result: the amendment in its present state, and the files."""

    proposal: Proposal
    written: Sequence[Path]


def propose(
    folder: Folder, ops: Sequence[Mapping[str, Json]], signers: Sequence[Signer], *, aware: bool = False
) -> Proposed:
    """Make an amendment for the current stage and sign it, with every key that is at hand.

    The first signer's key is the proposer's own. `aware`: the proposer knows that others may know the dice of
    a stage that it would close. Refused if it cannot count, whoever signs it.
    """
    with folder.working():
        statement = draft(folder, ops).statement
        if signers[0].public != folder.need_roster().by_id[statement.sender].sign:
            message = Message("archive.adjudicating.other-key", party=statement.sender)
            raise Refused(Diagnostic("other-key", message))
        return _sign(folder, to_amend(folder), statement, signers, aware)


def draft(folder: Readable, ops: Sequence[Mapping[str, Json]]) -> Proposal:
    """Return an unsigned amendment; Refused if it cannot count, whoever signs it."""
    me, progress = folder.need_me("gm", "player"), to_amend(folder)
    if folder.stage < 0:
        message = Message("archive.amending.nothing-to-amend-yet")
        raise Refused(Diagnostic("not-started", message))
    if me in progress.roster.dropped:
        raise Refused(Diagnostic("dropped", Message("archive.amending.dropped", party=me)))
    body: dict[str, Json] = {"ops": [dict(op) for op in ops]}
    try:
        statement = progress.own_statement("amend", body, me)
    except (BadStatement, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-amendment", str(fault))) from None
    proposal = judge(progress, statement, (), folder.system)
    if proposal.fault is not None:
        raise Refused(Diagnostic("bad-amendment", Message("archive.amending.cannot", fault=proposal.fault)))
    return proposal


def rule(folder: Folder, changes: Sequence[Mapping[str, Json]], reason: str, signer: Signer) -> Proposed:
    """Change the position at the end of the current stage, as the GM.

    Raises Refused if that breaks checks of the rules and does not override them.

    In a game with hidden units only a commitment to the changes is in the statement; it is opened at the end.
    """
    if folder.terms.dice != "pair":
        folder.need_me("gm")
    op = ruling_op(folder, changes, reason)
    nonce = op.pop("nonce", None)
    made = propose(folder, [op], [signer])
    if nonce is not None:
        kept = Changes()
        opening: dict[str, Json] = {"nonce": nonce, "value": [dict(change) for change in changes]}
        kept.write(private_side.ruling_name(made.proposal.statement.sid), private_side.to_text(opening))
        with folder.working():
            folder.commit(kept)
    return made


def ruling_op(folder: Readable, changes: Sequence[Mapping[str, Json]], reason: str) -> dict[str, Json]:
    """Return the checked op of a ruling, with the nonce of its commitment if it has one."""
    if folder.stage < 0:
        message = Message("archive.amending.nothing-to-amend-yet")
        raise Refused(Diagnostic("not-started", message))
    if not reason.strip():
        raise Refused(Diagnostic("no-reason", Message("archive.amending.no-reason")))
    value: Json = [dict(change) for change in changes]
    check_ruling(folder.system, folder.state(), list(changes))
    progress = folder.progress
    if not folder.system.hidden:
        return {"op": "ruling", "reason": reason, "changes": value}
    nonce, me = new_nonce(), folder.need_me()
    made = commitment(progress.roster.game_id, progress.open_stage, me, RULING, nonce, value)
    return {"op": "ruling", "reason": reason, "commit": made.hex(), "nonce": nonce.hex()}


def co_sign(folder: Folder, sid: str, signers: Sequence[Signer], *, aware: bool = False) -> Proposed:
    """Sign an amendment that is here, by the beginning of its sid.

    Refused if there is nothing to sign, or if new rules cannot run the current stage as it now is.
    """
    with folder.working():
        proposal = find_proposal(folder, sid)
        if proposal.fault is not None:
            raise Refused(
                Diagnostic("bad-amendment", Message("archive.amending.cannot-count", fault=proposal.fault))
            )
        if proposal.does("module") and not proposal.closes:
            new_rules.check_kept(folder)  # orders may have come since it was proposed
        return _sign(folder, to_amend(folder), proposal.statement, signers, aware)


def find_proposal(folder: Readable, sid: str) -> Proposal:
    """Return the amendment for the current stage whose sid begins so; Refused unless there is exactly one."""
    listed = proposed(folder)
    proposals = [proposal for proposal in listed if proposal.statement.sid.startswith(sid.strip().lower())]
    if len(proposals) != 1:
        message = Message(
            "archive.amending.no-amendment",
            several=bool(proposals),
            given=f"{sid.strip()[:64]!a}",
            stage=to_amend(folder).open_stage,
            known=tuple(proposal.statement.sid[:12] for proposal in listed),
        )
        raise Refused(
            Diagnostic(
                "no-amendment", message, help=(Message("archive.amending.pbem-amend-list-shows-them"),)
            )
        )
    return proposals[0]


def _sign(
    folder: Folder, progress: Progress, statement: Statement, signers: Sequence[Signer], aware: bool
) -> Proposed:
    check_may_sign(folder, [op["op"] for op in statement.amendment.ops])
    here = layout.signatures(folder.root, statement.stage, statement.sid)
    before = judge(progress, statement, here)
    wanted = needed_keys(statement, progress.roster.active, progress.roster.terms.dice)
    own = {progress.roster.by_id[statement.sender].sign}
    keys = [signer for signer in signers if signer.public in wanted | own]
    if not keys:
        message = Message("archive.amending.not-needed", party=folder.me, state=state_of(before))
        raise Refused(Diagnostic("not-needed", message))
    entry = progress.roster.by_id.get(folder.need_me())
    mine = entry is not None and entry.sign in [key.public for key in keys]
    if before.closes and not aware and mine and has_played(folder):
        message = Message("archive.amending.dice-known")
        raise Refused(
            Diagnostic("dice-known", message, help=(Message("archive.amending.say-aware-if-you-want-that"),))
        )
    made = [key.sign(statement.bytes) for key in keys]
    after = judge(progress, statement, (*here, *made), folder.system)
    if set(after.signatures) == set(before.signatures):
        raise Refused(
            Diagnostic("signed-already", Message("archive.amending.signed-already", state=state_of(after)))
        )
    changes = files_of(after)
    changes.update(_letter(progress, after, _sender(folder, progress, statement, keys)).changes(folder.say))
    return Proposed(after, folder.commit(changes))


def has_played(folder: Readable) -> bool:
    """Return True if I have sent orders or a link for the current stage."""
    progress = to_amend(folder)
    mine = [statement for type_ in ("order", "link") for statement in folder.of(progress.open_stage, type_)]
    return any(statement.sender == folder.me and statement.prev == progress.head for statement in mine)


def files_of(proposal: Proposal) -> Changes:
    """Return an amendment and all its signatures, in its stage's folder (17.16)."""
    changes, amendment = Changes(), proposal.statement
    changes.write(layout.statement_name(amendment.stage, amendment.sid), amendment.bytes)
    for who, armour in proposal.signatures.items():
        name = layout.signature_name(amendment.stage, amendment.sid, None if who == amendment.sender else who)
        changes.write(name, armour)
    return changes


def _sender(folder: Readable, progress: Progress, statement: Statement, keys: Sequence[Signer]) -> Party:
    """Return my entry, or the one I am to have."""
    me, mine = folder.need_me(), [key.public for key in keys]
    come = (
        newcomer
        for newcomer in _newcomers(progress, statement)
        if newcomer.id == me and newcomer.sign in mine
    )
    return next(come, None) or progress.roster.by_id[me]


def _letter(progress: Progress, proposal: Proposal, sender: Party) -> Letter:
    roster, amendment = progress.roster, proposal.statement
    me = sender.id
    lines = [
        Message(
            "archive.amending.amendment-stage",
            sid=amendment.sid[:12],
            sender=amendment.sender,
            stage=amendment.stage,
        ),
        *(Message("archive.amending.point", words=words) for words in words_of(progress, proposal)),
        "",
        Message("archive.amending.signed", signatures=tuple(proposal.signatures)),
        state_of(proposal),
    ]
    if proposal.missing:
        lines += ["", Message("archive.amending.read-it-and-sign-it", sid=amendment.sid[:12])]
    own = proposal.signatures[amendment.sender]
    others = [sig for sig in proposal.signatures.values() if sig != own]
    newcomers = _newcomers(progress, amendment)
    return Letter(
        name=f"stage-{amendment.stage:04d}-amend-{amendment.sid[:12]}-{me}",
        subject=outbox.subject_of(
            roster,
            amendment.stage,
            Message("archive.amending.amendment-signed", sid=amendment.sid[:8], party=me),
        ),
        sender=sender,
        others=[*roster.active, *newcomers],
        readable=outbox.heading(roster.terms.title, lines),
        items=[Signed(amendment.bytes, (own, *others))],
        id=f"{amendment.sid}-{me}",
    )


def _newcomers(progress: Progress, statement: Statement) -> list[Party]:
    """Return the future owners of seats, as far as they have addresses."""
    newcomers = []
    for op in statement.amendment.ops:
        if op["op"] not in ("party", "deputy") or "sign" not in op:
            continue
        id_, name, mail, sign = (str(op[name]) for name in ("party", "name", "mail", "sign"))
        key = parse_public_line(sign)
        entry = progress.roster.by_id.get(id_) or Party(id_, "deputy", name, mail, key)
        newcomers.append(replace(entry, name=name, mail=mail, sign=key))
    return newcomers
