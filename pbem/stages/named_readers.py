"""Answers for named readers: text that rides with an order and decides nothing (protocol-letters 3).

The run never gets these answers, so results are the same without them. Who reads one, and what is told of it,
follows from the answer alone: each reader computes both again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pbem.engine.decisions import shape_faults
from pbem.engine.system import System
from pbem.model.codec import from_json
from pbem.model.facts import Audience
from pbem.stages import press as press
from pbem.stages.faults import Fault
from pbem.stages.inputs import Opening, Order, Setting
from pbem.stages.inputs_from_statements import Extra
from pbem.stages.progress import Find, Progress
from pbem.stages.sealed_orders import fits
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean
from pbem.trust import readers
from pbem.trust.groups import Fact
from pbem.trust.readers import ForReaders
from pbem.trust.records import Record
from pbem.trust.roster import Roster

Given = tuple[str, str, Json]
"""Party, decision id and value of an answer."""


def are_for_readers(system: System, decision: str) -> bool:
    """Return True if the answer to a decision is for named readers alone."""
    kind = system.registry.decisions.get(decision)
    return kind is not None and kind.secrecy == "readers"


def played(system: System, commits: Mapping[str, str]) -> dict[str, str]:
    """Return the commitments that a run may use: all but those for named readers."""
    return {decision: commit for decision, commit in commits.items() if not are_for_readers(system, decision)}


def for_readers_alone(system: System, extra: Extra) -> Extra:
    """Return those of the openings that are for named readers."""
    return {
        sid: {name: opening for name, opening in openings.items() if are_for_readers(system, name)}
        for sid, openings in extra.items()
    }


def audience(system: System, roster: Roster, party: str, decision: str, value: Json) -> Audience:
    """Return who reads an answer: its author, the GM, and the readers it names.

    Nobody else reads one that is malformed, or names somebody who cannot read, or everybody.
    """
    gm = roster.terms.arbiter or ""
    asked = system.decision(decision, party, {})
    named = set() if shape_faults(asked, value) else set(asked.readers(from_json(asked.answer, value)))
    able = {
        player
        for player in roster.players
        if player not in roster.dropped and roster.by_id[player].seal is not None
    }
    wanted = tuple(sorted({party, gm, *named}))
    return wanted if named <= able and wanted != roster.everybody else tuple(sorted({party, gm}))


def of_orders(setting: Setting, orders: Mapping[str, Order | None]) -> tuple[ForReaders, ...] | None:
    """Return the answers of a stage by audience; None if an opening is unknown here."""
    given: list[tuple[str, str, Opening]] = []
    for party, order in orders.items():
        for decision in order.commits if order is not None else ():
            if order is not None and are_for_readers(setting.system, decision):
                if decision not in order.openings:
                    return None
                given.append((party, decision, order.openings[decision]))
    return _by_audience(setting, given)


def _by_audience(setting: Setting, given: Iterable[tuple[str, str, Opening]]) -> tuple[ForReaders, ...]:
    openings: dict[Audience, list[tuple[str, str, Opening]]] = {}
    for given_opening in sorted(given, key=lambda triple: triple[:2]):
        party, decision, opening = given_opening
        who = audience(setting.system, setting.roster, party, decision, opening.value)
        openings.setdefault(who, []).append(given_opening)
    return tuple(
        ForReaders(
            who,
            _facts(
                setting.system, who, [(party, decision, shown.value) for party, decision, shown in triples]
            ),
            _nonces(triples),
        )
        for who, triples in sorted(openings.items())
    )


def _nonces(given: Iterable[tuple[str, str, Opening]]) -> dict[str, dict[str, str]]:
    nonces: dict[str, dict[str, str]] = {}
    for party, decision, opening in given:
        nonces.setdefault(party, {})[decision] = opening.nonce
    return nonces


def _facts(system: System, who: Audience, given: Sequence[Given]) -> dict[str, Json]:
    """Return the answers for an audience and the events that it is told, as facts by key."""
    facts = {readers.answer_key(party, decision): value for party, decision, value in given}
    count = 0
    for party, decision, value in given:
        asked = system.decision(decision, party, {})
        if shape_faults(asked, value):
            continue
        for event in asked.tells(from_json(asked.answer, value)):
            count += 1
            key = f"{readers.EVENT}/{'.'.join(who)}/{count:04}"
            facts[key] = {"after": 0, "event": event.as_json()}
    return facts


def as_facts(entries: Iterable[ForReaders]) -> list[Fact]:
    """Return entries as facts with their audiences."""
    return [Fact(key, value, entry.audience) for entry in entries for key, value in entry.facts.items()]


def readers_faults(roster: Roster, author: str, named: Collection[str]) -> list[Diagnostic]:
    """Return why an author may not have these readers: who cannot read, what `press` forbids, everybody."""
    gm = roster.terms.arbiter
    if gm is None:
        return [Diagnostic("no-readers", Message("stages.named-readers.needs-a-gm"))]
    strangers = sorted(set(named) - (set(roster.players) - roster.dropped))
    if strangers:
        near = did_you_mean(strangers[0], roster.players)
        help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
        message = Message("stages.named-readers.no-reader", reader=strangers[0])
        return [Diagnostic("no-readers", message, help=help_)]
    others = tuple(sorted({*named} - {author}))
    if {author, gm, *others} == set(roster.everybody):
        help_ = (Message("stages.named-readers.write-a-letter-to-all"),)
        return [Diagnostic("no-readers", Message("stages.named-readers.everybody"), help=help_)]
    forbidden = press.fault_of(roster, author, others) if others else None
    return [Diagnostic("no-readers", forbidden)] if forbidden else []


# --- checking -------------------------------------------------------------------------------------------


def faults(progress: Progress, record: Record) -> Iterable[Fault]:
    """Yield what everybody can see to be wrong with the readers of a record."""
    roster, gm = progress.roster, progress.roster.terms.arbiter
    for who, _ in record.readers:
        listed = ", ".join(who)
        if gm is None:
            yield Fault("readers", Message("stages.named-readers.not-between-two"))
        elif gm not in who or who == roster.everybody or not set(who) <= set(roster.everybody):
            yield Fault("readers", Message("stages.named-readers.no-such-audience", audience=listed), gm)
        elif not any(record.kept.get(party) for party in who):
            yield Fault("readers", Message("stages.named-readers.nothing-committed", audience=listed), gm)


def kept_faults(system: System, record: Record) -> Iterable[Fault]:
    """Yield audiences without an author, and authors without an audience, by the rules of the game."""
    authors = {
        party
        for party, decisions in record.kept.items()
        if any(are_for_readers(system, decision) for decision in decisions)
    }
    for who, _ in record.readers:
        if not authors & set(who):
            text = Message("stages.named-readers.nothing-committed", audience=", ".join(who))
            yield Fault("readers", text)
    for party in sorted(authors - {author for who, _ in record.readers for author in who}):
        yield Fault("readers", Message("stages.named-readers.answer-for-nobody", party=party), party)


def view_fault(
    setting: Setting, record: Record, entries: Sequence[ForReaders], me: str, find: Find
) -> str | None:
    """Return what is wrong with my entries of a view, whose hashes were checked; None if nothing.

    Each answer fits the commitment in its author's accepted order, and is for the readers it names; its
    events follow from it; and each of mine is there.
    """
    mine: set[str] = set()
    for entry in entries:
        for party, decision, nonce, value in entry.answers():
            sid = record.accepted.get(party)
            order = find(record.stage, sid) if sid else None
            commit = order.said.commits.get(decision) if order is not None else None
            opening = Opening(record.stage, nonce, value)
            if commit is None or not fits(opening, commit, setting.roster, party, decision):
                return Message("stages.named-readers.does-not-fit", party=party, decision=decision)
            if not are_for_readers(setting.system, decision):
                return Message("stages.named-readers.not-for-readers", party=party, decision=decision)
            if audience(setting.system, setting.roster, party, decision, value) != entry.audience:
                return Message("stages.named-readers.other-readers", party=party, decision=decision)
            mine |= {decision} if party == me else set()
        given = [(party, decision, value) for party, decision, _, value in entry.answers()]
        if _facts(setting.system, entry.audience, given) != dict(entry.facts):
            return Message("stages.named-readers.other-events", audience=", ".join(entry.audience))
    here = (name for name in record.kept.get(me, ()) if are_for_readers(setting.system, name))
    missing = sorted(set(here) - mine)
    return Message("stages.named-readers.mine-is-missing", decision=missing[0]) if missing else None
