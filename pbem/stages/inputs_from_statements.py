"""The way from signed statements to the inputs of a run, for the GM and for readers of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pbem.engine.answers import Reply
from pbem.stages.inputs import Opening, Order, StageInputs
from pbem.stages.progress import Find, Progress, amendments_of
from pbem.stages.rulings import DECISION as RULING
from pbem.stages.sealed_orders import fits
from pbem.text.canonical import Json
from pbem.trust.bodies import STANDING, STANDING_LATER
from pbem.trust.records import Openings, Record, Shown
from pbem.trust.statements import Statement


class Shelf(Protocol):
    """A source of statements: one's own game folder, or an archive that is being verified."""

    def find(self, stage: int, sid: str) -> Statement | None:
        """Return a statement of a stage by its sid."""

    def of(self, stage: int, type_: str) -> Sequence[Statement]:
        """Return the statements of one type in a stage, in order of sid."""

    def signatures(self, stage: int, sid: str) -> Sequence[str]:
        """Return all signatures beside a statement, that of its sender first."""


Extra = Mapping[str, Mapping[str, Opening]]
"""Openings known besides those in a record, by the sid of the statement that committed: after `unseal`."""


def order_of(statement: Statement, openings: Mapping[str, Opening]) -> Order:
    """Return an order statement as a run needs it; some openings may be missing."""
    body = statement.order
    answers = {
        answer.decision: Reply(answer.answer, question=answer.question, on_illegal=answer.on_illegal)
        for answer in body.given
    }
    standing: Sequence[Json] | None = body.standing
    if STANDING in body.commits and STANDING in openings:
        filed = openings[STANDING].value
        standing = filed if isinstance(filed, list) else None
    return Order(statement.sid, answers, body.commits, openings, standing)


def later_of(statement: Statement, openings: Mapping[str, Opening]) -> list[Json] | None:
    """Return the list of a standing statement; None while it is sealed to somebody else.

    What is no list is empty.
    """
    filed = statement.standing.standing
    if filed is not None:
        return list(filed)
    if STANDING_LATER not in openings:
        return None
    value = openings[STANDING_LATER].value
    return value if isinstance(value, list) else []


def from_record(progress: Progress, record: Record, shelf: Shelf, extra: Extra) -> StageInputs:
    """Return the inputs of a stage from its record; all statements it names must be there.

    `progress` stands before the record. Openings in the record are known, and those in `extra`.
    """
    stage, find = progress.open_stage, shelf.find
    shown = _openings(progress, record, shelf)
    orders: dict[str, Order | None] = {}
    kept: dict[str, dict[str, Opening]] = {}
    for party, sid in record.accepted.items():
        statement = find(stage, sid) if sid else None
        orders[party] = None
        if statement is not None:
            known = _of_stage(progress, statement, shown.get(party, {}))
            orders[party] = order_of(statement, {**extra.get(statement.sid, {}), **known})
            kept.setdefault(party, {}).update(earlier_of(progress, statement, find))
    for party, entries in shown.items():
        kept.setdefault(party, {}).update(_earlier(progress, party, entries, find))
    return StageInputs(
        stage=stage,
        prev=progress.head,
        seed_before=progress.seed,
        orders=orders,
        links=record.links,
        forfeits=frozenset(record.forfeits),
        asked=progress.asked,
        later=_later(stage, record, find, extra),
        kept=kept,
        lock=record.lock,
        amends=tuple(amendments_of(record, find)),
        ruled={sid: openings[RULING].value for sid, openings in extra.items() if RULING in openings},
        readers=record.readers,
    )


def _openings(progress: Progress, record: Record, shelf: Shelf) -> dict[str, dict[str, Shown]]:
    """Return the open commitments of a stage.

    The record shows some. Before it the links open more, which the run had to accept whether it used them or
    not (10).
    """
    shown: dict[str, dict[str, Shown]] = {}
    linked = [(link.sender, link.said.openings) for link in shelf.of(progress.open_stage, "link")]
    for party, entries in [*linked, *record.openings.items()]:
        shown.setdefault(party, {}).update(entries)
    return shown


def _of_stage(progress: Progress, order: Statement, entries: Openings) -> dict[str, Opening]:
    """Return the openings that fit a commitment of this very order."""
    commits = order.said.commits
    known = {d: Opening.of(entry, progress.open_stage) for d, entry in entries.items() if entry.stage is None}
    return {
        d: opening
        for d, opening in known.items()
        if d in commits and fits(opening, commits[d], progress.roster, order.sender, d)
    }


def earlier_of(progress: Progress, statement: Statement, find: Find) -> dict[str, Opening]:
    """Return the openings of its sender's earlier commitments in an order or a link, by commitment."""
    return _earlier(progress, statement.sender, statement.said.openings, find)


def _earlier(progress: Progress, party: str, entries: Openings, find: Find) -> dict[str, Opening]:
    opened: dict[str, Opening] = {}
    for decision, entry in entries.items():
        opening = Opening.of(entry, progress.open_stage)
        before = opening.stage < progress.open_stage
        commit = commitment_at(progress, party, decision, opening.stage, find) if before else None
        if commit is not None and fits(opening, commit, progress.roster, party, decision):
            opened[commit] = opening
    return opened


def _later(stage: int, record: Record, find: Find, extra: Extra) -> dict[str, tuple[str, list[Json]]]:
    later: dict[str, tuple[str, list[Json]]] = {}
    for party, sid in record.standing.items():
        statement = find(stage, sid)
        listed = later_of(statement, extra.get(sid, {})) if statement else None
        later[party] = (sid, listed or [])
    return later


def commitment_at(progress: Progress, party: str, decision: str, stage: int, find: Find) -> str | None:
    """Return a party's commitment in the order that the record of an earlier stage accepted."""
    sid = progress.accepted(stage, party)
    statement = find(stage, sid) if sid else None
    return None if statement is None else statement.said.commits.get(decision)
