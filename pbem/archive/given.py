"""From signed statements to the inputs of a run: what the GM knows, and what others know from a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from pbem.archive.line import Find, Line
from pbem.archive.running import Given, Opening, Order
from pbem.engine.answers import Reply
from pbem.text.canonical import Json
from pbem.trust.bodies import STANDING, STANDING_LATER
from pbem.trust.statements import Statement

Extra = Mapping[str, Mapping[str, Opening]]
"""Openings known besides those in a record, by the sid of the statement that committed: after `unseal`."""


def order_of(statement: Statement, openings: Mapping[str, Opening]) -> Order:
    """An order statement as a run needs it; the openings may be those of some commitments only."""
    body = statement.body
    answers: dict[str, Reply] = {}
    for item in cast(list[dict[str, Any]], body["orders"]):
        on_illegal = item.get("on_illegal", "ask")
        answers[item["decision"]] = Reply(
            item["answer"], question=item.get("question"), on_illegal=on_illegal
        )
    commits = cast(Mapping[str, str], body.get("commits", {}))
    filed: Json = body.get("standing")
    if STANDING in commits and STANDING in openings:
        filed = openings[STANDING].value
    standing = filed if isinstance(filed, list) else None
    return Order(statement.sid, answers, commits, openings, standing)


def later_of(statement: Statement, openings: Mapping[str, Opening]) -> list[Json] | None:
    """The list of a standing statement; None while it is sealed to somebody else.

    What is no list is empty.
    """
    if "standing" in statement.body:
        return cast(list[Json], statement.body["standing"])
    if STANDING_LATER not in openings:
        return None
    value = openings[STANDING_LATER].value
    return value if isinstance(value, list) else []


def from_record(line: Line, record: Mapping[str, Json], find: Find, extra: Extra) -> Given:
    """The inputs of a stage as its record has them; all statements it names must be there.

    `line` stands before the record. Openings in the record are known, and those in `extra`.
    """
    stage = line.open_stage
    shown = cast(Mapping[str, Mapping[str, dict[str, Any]]], record.get("openings", {}))
    orders: dict[str, Order | None] = {}
    kept: dict[str, dict[str, Opening]] = {}
    for party, sid in cast(Mapping[str, str | None], record["accepted"]).items():
        known = {d: _opening(stage, e) for d, e in shown.get(party, {}).items() if "stage" not in e}
        statement = find(stage, sid) if sid else None
        orders[party] = order_of(statement, {**extra.get(statement.sid, {}), **known}) if statement else None
    for party, entries in shown.items():
        for decision, entry in entries.items():
            if "stage" in entry:
                commit = commitment_at(line, party, decision, entry["stage"], find)
                if commit is not None:
                    kept.setdefault(party, {})[commit] = _opening(entry["stage"], entry)
    links = cast(Mapping[str, str], record["links"])
    return Given(
        stage=stage,
        prev=line.head,
        seed_before=line.seed,
        orders=orders,
        links={party: bytes.fromhex(link) for party, link in links.items()},
        forfeits=frozenset(cast(Iterable[str], record["forfeits"])),
        later=_later(stage, record, find, extra),
        kept=kept,
    )


def _later(
    stage: int, record: Mapping[str, Json], find: Find, extra: Extra
) -> dict[str, tuple[str, list[Json]]]:
    later: dict[str, tuple[str, list[Json]]] = {}
    for party, sid in cast(Mapping[str, str], record.get("standing", {})).items():
        statement = find(stage, sid)
        listed = later_of(statement, extra.get(sid, {})) if statement else None
        later[party] = (sid, listed or [])
    return later


def commitment_at(line: Line, party: str, decision: str, stage: int, find: Find) -> str | None:
    """The commitment of a party to a decision in the order that the record of an earlier stage accepted."""
    sid = line.accepted(stage, party)
    statement = find(stage, sid) if sid else None
    if statement is None:
        return None
    return cast(Mapping[str, str], statement.body.get("commits", {})).get(decision)


def _opening(stage: int, entry: Mapping[str, Any]) -> Opening:
    return Opening(stage, entry["nonce"], entry["value"])
