"""`unseal`: the GM publishes the secret and all openings, players what only they can open.

Protocol 11.3, 17.10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import need_over
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.ordering.order_body import openings_of
from pbem.stages import press as press
from pbem.stages.faults import type_words
from pbem.stages.inputs import Opening
from pbem.stages.locked_dice import commits_of, open_link, opens, own_openings
from pbem.stages.named_readers import are_for_readers
from pbem.stages.progress import Progress
from pbem.stages.rulings import DECISION as RULING
from pbem.stages.sealed_orders import open_sealed
from pbem.stages.unseal_checks import find_any, of_letters_alone, unseal_fault
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.records import Record, Shown
from pbem.trust.said import PLAIN
from pbem.trust.statements import Statement


def unseal(folder: Folder, signer: Signer, *, early: bool = False) -> list[Path]:
    """Open everything hidden, in a statement to all; no stage follows. Return the files written.

    A player opens the commitments that nobody else can open. Refused while the game continues, unless
    `early` says that the players have agreed to stop it.
    """
    with folder.working():
        me = folder.need_me("gm", "player") if folder.role != "deputy" else folder.need_acting()
        progress = folder.progress
        if early:
            folder.need_me("gm")
        else:
            need_over(folder)
        before = folder.of(progress.open_stage, "unseal")
        if any(statement.sender == me and not of_letters_alone(statement) for statement in before):
            raise Refused(Diagnostic("unsealed-already", Message("archive.adjudicating.unsealed-already")))
        body: dict[str, Json] = {"secret": folder.gm_side.gm_secret.hex()} if folder.knows_all else {}
        opened = still_hidden(folder, progress) if folder.knows_all else never_opened(folder, progress)
        if not body and not opened:
            raise Refused(
                Diagnostic("nothing-to-open", Message("archive.adjudicating.nothing-to-open", party=me))
            )
        if opened:
            body["openings"] = {
                sid: {decision: opening.data() for decision, opening in by_decision.items()}
                for sid, by_decision in opened.items()
            }
        statement = progress.own_statement("unseal", body, me)
        fault = unseal_fault(progress.roster, statement, lambda sid: find_any(folder.find, progress, sid))
        assert fault is None, fault
        changes = Changes()
        all_signed = [Signed.by(signer, statement.bytes), *_of_earlier_gms(folder, progress, signer)]
        for signed in all_signed:
            changes.keep(statement.stage, statements.sid(signed.data), signed)
        count = sum(len(openings) for openings in opened.values())
        opens = (
            Message("archive.adjudicating.gm-opens-secret-and-commitments", count=count)
            if folder.knows_all
            else Message("archive.adjudicating.opens-commitments", party=me, count=count)
        )
        lines = [opens, Message("archive.adjudicating.pbem-verify-proves-rest")]
        what = (
            Message("archive.adjudicating.everything-opened")
            if folder.knows_all
            else Message("archive.adjudicating.opens-committed", party=me)
        )
        letter = Letter(
            name=f"stage-{statement.stage:04d}-{me}-unseal",
            subject=outbox.subject_of(progress.roster, None, what),
            sender=progress.roster.by_id[me],
            others=progress.roster.active,
            readable=outbox.heading(progress.roster.terms.title, lines),
            items=all_signed,
            id=statement.sid,
        )
        changes.update(letter.changes(folder.say))
        return folder.commit(changes)


def _of_earlier_gms(folder: Readable, progress: Progress, signer: Signer) -> list[Signed]:
    """Return statements with the secrets of earlier GMs, where they were handed over."""
    made: list[Signed] = []
    for secret in folder.gm_side.gm_secrets[1:] if folder.knows_all else ():
        statement = progress.own_statement("unseal", {"secret": secret.hex()}, folder.need_me())
        if unseal_fault(progress.roster, statement, lambda sid: None) is None:
            made.append(Signed.by(signer, statement.bytes))
    return made


def still_hidden(folder: Readable, progress: Progress) -> dict[str, dict[str, Shown]]:
    """Return openings that no record has made public: sid -> decision -> nonce and value.

    They are read from the seals again.
    """
    hidden: dict[str, dict[str, Shown]] = {}
    at = Progress.start(folder.signed_roster(), progress.record_at)
    all_records = [folder.record(stage) for stage in range(progress.stage + 1)]
    shown = _shown(all_records)
    for stage, record in enumerate(all_records):
        for sid in record.sids:
            statement = folder.find(stage, sid)
            if statement is None:
                continue
            try:
                opened = _readable(folder, at, statement)
            except NotAccepted as fault:
                message = Message(
                    "archive.adjudicating.statement-no-longer-opens",
                    type=type_words(statement.type),
                    sender=statement.sender,
                    stage=stage,
                    fault=fault,
                )
                raise Refused(Diagnostic("unreadable", message)) from None
            for decision, opening in opened.items():
                if (statement.sender, decision, stage) not in shown and _may_open(folder, at, decision):
                    hidden.setdefault(statement.sid, {})[decision] = Shown(opening.nonce, opening.value)
            reply = folder.private.plain_reply(sid) if statement.said.plain is not None else None
            if reply is not None:
                hidden.setdefault(sid, {})[PLAIN] = reply
        for sid in record.amends:
            ruling = folder.private.ruling(sid)
            if ruling is not None:
                hidden.setdefault(sid, {})[RULING] = ruling
        at = at.after(record, folder.find)
    return hidden


def _may_open(folder: Readable, at: Progress, decision: str) -> bool:
    """Return True for all but text for named readers, which stays theirs where nothing else was agreed."""
    return not are_for_readers(folder.system, decision) or press.of(at.roster.terms).opened


def _readable(folder: Readable, at: Progress, statement: Statement) -> Mapping[str, Opening]:
    """Return what the GM can open of a statement: its seal, and with dice locked that of its link.

    Nothing if it was sealed to a former GM who kept the key: only that GM can open it (17.10).
    """
    me, fault = folder.need_gm(), NotAccepted("unreadable", "")
    for key in folder.gm_side.seal_keys:
        try:
            opened = dict(open_sealed(statement, at, me, key).openings)
            for link in folder.of(statement.stage, "link") if statement.type == "order" else ():
                if link.sender == statement.sender:
                    opened |= open_link(link, statement, at, folder.system, key).openings
        except NotAccepted as reason:
            fault = reason
        else:
            return opened
    if at.roster.by_id[me].seal == folder.need_roster().by_id[me].seal:
        raise fault
    return {}


def never_opened(folder: Readable, progress: Progress) -> dict[str, dict[str, Shown]]:
    """Return a player's commitments that no record, link or seal has opened: only the player can (17.10)."""
    me = folder.need_me()
    hidden: dict[str, dict[str, Shown]] = {}
    shown = _shown([folder.record(stage) for stage in range(progress.stage + 1)])
    for stage in range(1, progress.stage + 1):
        sid = folder.record(stage).accepted.get(me)
        order = folder.find(stage, sid) if sid else None
        if order is None:
            continue
        linked = [statement for statement in folder.of(stage, "link") if statement.sender == me]
        if not linked and progress.roster.terms.dice != "pair":
            continue  # dice swift: everything is sealed to the GM
        known = openings_of(folder, order)
        for decision in commits_of(order):
            gone = any(decision in own_openings(link) for link in linked)
            sealed = opens(folder.system, decision) == "gm"
            if (me, decision, stage) not in shown and not gone and not sealed:
                hidden.setdefault(order.sid, {})[decision] = known[decision]
    return hidden


def _shown(all_records: Sequence[Record]) -> set[tuple[str, str, int]]:
    """Return (party, decision, stage of the commitment) of everything that records have opened."""
    shown = set()
    for stage, record in enumerate(all_records):
        for party, entries in record.openings.items():
            for decision, entry in entries.items():
                shown.add((party, decision, stage if entry.stage is None else entry.stage))
    return shown
