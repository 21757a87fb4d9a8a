"""The effects of amendments on the roster, and the roster in force as data (protocol 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.errors import BadRoster, BadStatement
from pbem.trust.roster import (
    ABSENT,
    DICE,
    OUTSIDE,
    Former,
    Party,
    Pinned,
    Roster,
    check_parties,
    x25519_number,
)
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.trust.said import Op


def apply(roster: Roster, amendment: Statement, stage: int) -> Roster:
    """Return the roster after an amendment in the record of `stage`, whose signatures were checked.

    BadStatement if it cannot be: a key that 4.1 refuses or that the game has seen, a party that is not in the
    game, terms that contradict each other.
    """
    for i, op in enumerate(amendment.amendment.ops):
        try:
            roster = _OPS[op["op"]](roster, op, stage)
        except BadRoster as fault:
            raise BadStatement(str(fault), ("body", "ops", i)) from None
    try:
        roster.terms.check()
        check_parties(roster.active, roster.terms)
    except BadRoster as fault:
        raise BadStatement(str(fault), ("body", "ops")) from None
    return roster


def apply_all(roster: Roster, amendments: Iterable[Statement], stage: int) -> Roster:
    """Return the roster after several amendments in one record, in ascending order of sid."""
    for amendment in sorted(amendments, key=lambda statement: statement.sid):
        roster = apply(roster, amendment, stage)
    return roster


# --- one function an op -----------------------------------------------------------------------------------


def _key(roster: Roster, op: Op, stage: int) -> Roster:
    party = _party(roster, op)
    changes: dict[str, Any] = {name: op[name] for name in ("name", "mail", "proxy") if name in op}
    if "sign" in op:
        changes["sign"] = _unseen(roster, "sign", sshsig.parse_public_line(op["sign"]))
    if "seal" in op:
        if party.seal is None:
            raise BadRoster(Message("trust.inforce.observer-no-seal-key", party=party.id))
        changes["seal"] = _unseen(roster, "seal", bytes.fromhex(op["seal"]))
    return roster.replaced(_checked(replace(party, **changes)), stage)


def _option(roster: Roster, op: Op, stage: int) -> Roster:
    name, value, terms = op["name"], op["value"], roster.terms
    if name == "dice":
        if value not in ("swift", "locked") or terms.dice == "pair":
            raise BadRoster(Message("trust.inforce.dice-can-change-from-swift"))
        return replace(roster, terms=replace(terms, dice=narrow.word(value, DICE)))
    if name == "absent":
        if value not in ("stop", "skip"):
            raise BadRoster(Message("trust.inforce.absent-can-stop-skip"))
        return replace(roster, terms=replace(terms, absent=narrow.word(value, ABSENT)))
    if not isinstance(value, str | int) or value == "" or " " in str(value):
        raise BadRoster(Message("trust.inforce.option-value-no-option", name=name))
    scenario = replace(terms.scenario, name=with_option(terms.scenario.name, name, option_text(value)))
    return replace(roster, terms=replace(terms, scenario=scenario))


def _module(roster: Roster, op: Op, stage: int) -> Roster:
    module = Pinned.of(op["module"])
    if module.name != roster.terms.module.name:
        raise BadRoster(
            Message("trust.inforce.rules-game-played", module=module.name, module_2=roster.terms.module.name)
        )
    return replace(roster, terms=replace(roster.terms, module=module))


def _chain(roster: Roster, op: Op, stage: int) -> Roster:
    party = _party(roster, op)
    if party.anchor is None:
        raise BadRoster(Message("trust.inforce.observer-no-chain", party=party.id))
    anchor = _unseen(roster, "anchor", bytes.fromhex(op["anchor"]))
    return roster.replaced(replace(party, anchor=anchor), stage, since={**roster.since, party.id: stage})


def _taken_over(roster: Roster, op: Op, stage: int) -> Roster:
    """Return the roster with a new player for a party, also for a dropped one (decision 48)."""
    party = _party(roster, op, dropped=True)
    if party.role in OUTSIDE:
        raise BadRoster(Message("trust.inforce.observer-place-nobody-takes-over", party=party.id))
    if (party.role == "gm") != ("secret" in op):
        gm = party.role == "gm"
        raise BadRoster(Message("trust.inforce.takes-over-must-bring", party=party.id, gm=gm))
    entry = Party(
        party.id,
        party.role,
        op["name"],
        op["mail"],
        _unseen(roster, "sign", sshsig.parse_public_line(op["sign"])),
        _unseen(roster, "seal", bytes.fromhex(op["seal"])),
        _unseen(roster, "anchor", bytes.fromhex(op["anchor"])),
    )
    changes: dict[str, Any] = {"since": {**roster.since, party.id: stage}}
    if party.id in roster.dropped:
        changes["dropped"] = roster.dropped - {party.id}
    if "secret" in op:
        changes["secret"] = bytes.fromhex(op["secret"])
        if roster.deputy is not None:  # the deputy knows the secret of the former GM
            changes["dropped"] = changes.get("dropped", roster.dropped) | {roster.deputy.id}
    return roster.replaced(_checked(entry), stage, **changes)


def _drop(roster: Roster, op: Op, stage: int) -> Roster:
    party = _party(roster, op)
    if party.role == "gm":
        raise BadRoster(Message("trust.inforce.gm-replaced-another-never-dropped"))
    if party.role == "deputy":
        raise BadRoster(Message("trust.inforce.deputy-is-ended-by-an-op-of-his-own", party=party.id))
    return replace(roster, dropped=roster.dropped | {party.id})


def _deputy(roster: Roster, op: Op, stage: int) -> Roster:
    """Name a deputy, or end one (protocol-letters 5)."""
    if "sign" not in op:
        if _party(roster, op).role != "deputy":
            raise BadRoster(Message("trust.inforce.no-deputy", party=op["party"]))
        return replace(roster, dropped=roster.dropped | {op["party"]})
    if op["party"] in roster.by_id:
        raise BadRoster(Message("trust.inforce.deputy-needs-a-new-id", party=op["party"]))
    sign = _unseen(roster, "sign", sshsig.parse_public_line(op["sign"]))
    seal = _unseen(roster, "seal", bytes.fromhex(op["seal"]))
    entry = _checked(Party(op["party"], "deputy", op["name"], op["mail"], sign, seal))
    return replace(roster, parties=(*roster.parties, entry), by_id={**roster.by_id, entry.id: entry})


def _nothing(roster: Roster, op: Op, stage: int) -> Roster:
    return roster


_OPS: Mapping[str, Callable[[Roster, Op, int], Roster]] = {
    "key": _key,
    "option": _option,
    "module": _module,
    "chain": _chain,
    "party": _taken_over,
    "drop": _drop,
    "deputy": _deputy,
    "ruling": _nothing,
    "rewind": _nothing,
}


def _party(roster: Roster, op: Op, *, dropped: bool = False) -> Party:
    id_ = op["party"]
    if id_ not in roster.by_id or (id_ in roster.dropped and not dropped):
        raise BadRoster(Message("trust.amend.not-in-game", party=id_))
    return roster.by_id[id_]


def _unseen(roster: Roster, what: str, key: bytes) -> bytes:
    """Return the key; BadRoster if an entry has it, or had it once (4.1)."""
    ever = [*roster.parties, *(former.party for former in roster.former)]
    for party in ever:
        known: bytes | None = getattr(party, what)
        if known is None:
            continue
        if known == key or (what == "seal" and x25519_number(known) == x25519_number(key)):
            raise BadRoster(Message("trust.inforce.new-key-one-in-game", what=what, party=party.id))
    return key


def _checked(party: Party) -> Party:
    party.check()
    return party


def option_text(value: Json) -> str:
    """Return an option's value as in the roster: `true`, `2`, `interactive`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_option(scenario: str, name: str, value: str) -> str:
    """Return the scenario's text in the roster with an option set; options are sorted by name."""
    first, *words = scenario.split(" ")
    options = dict(word.partition("=")[::2] for word in words) | {name: value}
    return " ".join([first, *(f"{key}={options[key]}" for key in sorted(options))])


# --- as data ----------------------------------------------------------------------------------------------


def to_json(roster: Roster) -> dict[str, Json]:
    """Return the roster after amendments, for a derived file."""
    return {
        "terms": {
            "module": roster.terms.module.data(),
            "scenario": roster.terms.scenario.data(),
            "dice": roster.terms.dice,
            "absent": roster.terms.absent,
        },
        "secret": roster.secret.hex() if roster.secret is not None else None,
        "parties": [_entry(party) for party in roster.parties],
        "since": dict(roster.since),
        "dropped": [*sorted(roster.dropped)],
        "former": [
            {
                "until": former.until,
                "party": _entry(former.party),
                "secret": former.secret.hex() if former.secret is not None else None,
            }
            for former in roster.former
        ],
    }


def from_json(signed: Roster, data: Mapping[str, Any]) -> Roster:
    """Return the roster of `to_json`'s data, based on the signed roster; checks nothing."""
    terms = data["terms"]
    parties = tuple(_entry_of(entry) for entry in data["parties"])
    former = (
        Former(
            ended["until"],
            _entry_of(ended["party"]),
            bytes.fromhex(ended["secret"]) if ended["secret"] else None,
        )
        for ended in data["former"]
    )
    return replace(
        signed,
        terms=replace(
            signed.terms,
            module=Pinned.of(terms["module"]),
            scenario=Pinned.of(terms["scenario"]),
            dice=terms["dice"],
            absent=terms["absent"],
        ),
        parties=parties,
        secret=bytes.fromhex(data["secret"]) if data["secret"] else None,
        by_id={party.id: party for party in parties},
        since=dict(data["since"]),
        dropped=frozenset(data["dropped"]),
        former=tuple(former),
    )


def _entry(party: Party) -> dict[str, Json]:
    return {**party.entry(), "role": party.role}


def _entry_of(data: Mapping[str, Json]) -> Party:
    return Party.in_roster(data)
