"""Opening everything at the end of a game, and checking what somebody opened (protocol 11.3, 17.10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pbem.stages.deputies import judges
from pbem.stages.inputs_from_statements import Extra
from pbem.stages.progress import Find, Progress
from pbem.stages.rulings import DECISION as RULING
from pbem.stages.running import Opening
from pbem.stages.sealed_orders import fits
from pbem.text.messages import Message
from pbem.trust import roster
from pbem.trust.errors import NotAccepted
from pbem.trust.records import Record
from pbem.trust.roster import Roster
from pbem.trust.said import LETTER, PLAIN
from pbem.trust.statements import Statement

AnyFind = Callable[[str], Statement | None]
"""Looks up a statement by its sid alone."""


def check_unseal(find: Find, progress: Progress, statement: Statement, letter: AnyFind) -> None:
    """Check that the openings fit the commitments; NotAccepted if not.

    `letter` looks up a letter, which is in no stage.
    """
    reason = unseal_fault(
        progress.roster, statement, lambda sid: find_any(find, progress, sid) or letter(sid)
    )
    if reason is not None:
        raise NotAccepted("opening", reason)


def unseal_fault(in_force: Roster, statement: Statement, find: AnyFind) -> str | None:
    """Return the fault of an unseal, in words, or None."""
    secret = statement.unseal.secret
    if secret is not None:
        if statement.sender not in judges(in_force):
            return Message("stages.unseal-checks.sender-publishes-secret", sender=statement.sender)
        ever = [in_force.secret, *(former.secret for former in in_force.former)]
        if roster.secret_commitment(in_force.terms.salt, secret) not in ever:
            return Message("stages.unseal-checks.secret-is-not-one-roster-commits")
    for sid, entries in statement.unseal.opened.items():
        committed = find(sid)
        if committed is None:
            return Message("stages.unseal-checks.it-opens-commitments-that-are-not-here", sid=sid[:12])
        commits = commits_of(committed)
        for decision, entry in entries.items():
            opening = Opening(committed.stage, entry.nonce, entry.value)
            if decision not in commits or not fits(
                opening, commits[decision], in_force, committed.sender, decision
            ):
                return Message(
                    "stages.record-checks.opening-is-not-what-party-committed-to",
                    decision=decision,
                    party=committed.sender,
                )
    return None


def commits_of(statement: Statement) -> Mapping[str, str]:
    """Return a statement's commitments by decision: answers, a plain reply, changes of a ruling."""
    if statement.type == "amend":
        sealed = [op["commit"] for op in statement.amendment.ops if "commit" in op]
        return {RULING: sealed[0]} if sealed else {}
    plain = {} if statement.said.plain is None else {PLAIN: statement.said.plain}
    return {**statement.said.commits, **plain}


def of_letters_alone(statement: Statement) -> bool:
    """Return True if an unseal opens letters and nothing of the game (protocol-letters 2.6)."""
    unsealing = statement.unseal
    named = (decision for entries in unsealing.opened.values() for decision in entries)
    return unsealing.secret is None and all(name.startswith(LETTER) for name in named)


def openings_in(unseals: Iterable[Statement], find: AnyFind) -> Extra:
    """Return everything that checked unseals open, by the sid of the statement that committed."""
    opened: dict[str, dict[str, Opening]] = {}
    for statement in unseals:
        for sid, entries in statement.unseal.opened.items():
            committed = find(sid)
            for decision, entry in entries.items() if committed else ():
                assert committed is not None
                if decision == PLAIN:  # no answer of the game
                    continue
                opening = Opening(committed.stage, entry.nonce, entry.value)
                opened.setdefault(sid, {})[decision] = opening
    return opened


def secrets_in(unseals: Iterable[Statement]) -> list[bytes]:
    """Return the GMs' secrets that unseals publish."""
    secrets = (unseal.unseal.secret for unseal in unseals)
    return [secret for secret in secrets if secret is not None]


def find_any(find: Find, progress: Progress, sid: str) -> Statement | None:
    """Return a statement by its sid alone, of any stage."""
    named = (stage for stage in range(1, progress.stage + 1) if _names(progress.record_at(stage), sid))
    stages = dict.fromkeys((*named, *range(1, progress.open_stage + 1)))
    statements = (find(stage, sid) for stage in stages)
    return next((statement for statement in statements if statement is not None), None)


def _names(record: Record, sid: str) -> bool:
    return sid in record.sids or sid in record.amends
