"""Stage records: the outcome of a stage as one object, whose hash is the head that all sign.

`check` reads one, once: a `Record` says what its members mean, `Record.data` is what is hashed and written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from pbem.text import canonical, narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import BadRecord, BadShape, Path
from pbem.trust.groups import Group, group_list, state_hash
from pbem.trust.hashing import H
from pbem.trust.shapes import (
    HEX32,
    KEY,
    LATER_STAGE,
    OPENINGS,
    PARTY,
    array,
    members,
    nullable,
    one_of,
    table,
)

Data = dict[str, Json]
Kind = Literal["zero", "played", "closed"]


@dataclass(frozen=True)
class Shown:
    """The opening of a commitment, as in a record, an order or a link.

    `stage` is that of the commitment; None: this very stage (17.6).
    """

    nonce: str
    value: Json
    stage: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Shown:
        """Return the opening of members whose shape was checked."""
        return cls(data["nonce"], data["value"], data.get("stage"))

    def data(self) -> Data:
        """Return the members as in JSON."""
        stage: Data = {} if self.stage is None else {"stage": self.stage}
        return {"nonce": self.nonce, "value": self.value, **stage}


def shown_in(data: Any) -> dict[str, Shown]:
    """Return openings by decision, whose shape was checked; {} if there are none."""
    return {decision: Shown.of(entry) for decision, entry in (data or {}).items()}


Openings = Mapping[str, Shown]


@dataclass(frozen=True)
class Record:
    """The record of a stage, in the form of 12.1 and 17.1.

    Equal if it says the same; do not change `data`, from which everything else was read. Members that a kind
    of record lacks are empty.

    `accepted` are the sids of orders by party, None for a party that is left out; `asked` and
    `kept` decisions by party; `openings` by party and decision; `standing` sids by party; `groups`
    and `readers` audiences with their hashes.
    """

    data: Data
    kind: Kind = field(compare=False)
    stage: int = field(compare=False)
    prev: str = field(compare=False)
    accepted: Mapping[str, str | None] = field(compare=False)
    forfeits: tuple[str, ...] = field(compare=False)
    links: Mapping[str, bytes] = field(compare=False)
    openings: Mapping[str, Openings] = field(compare=False)
    seed: bytes | None = field(compare=False)
    asked: Mapping[str, tuple[str, ...]] = field(compare=False)
    kept: Mapping[str, tuple[str, ...]] = field(compare=False)
    lock: str | None = field(compare=False)
    amends: tuple[str, ...] = field(compare=False)
    standing: Mapping[str, str] = field(compare=False)
    groups: tuple[tuple[tuple[str, ...], str], ...] = field(compare=False)
    readers: tuple[tuple[tuple[str, ...], str], ...] = field(compare=False)

    @cached_property
    def head(self) -> str:
        """Return the head, which is the `prev` of everything said in the next stage."""
        return head(self.data).hex()

    @property
    def closed(self) -> bool:
        """Return True if an amendment closed the stage: nothing was played."""
        return self.kind == "closed"

    @property
    def sids(self) -> tuple[str, ...]:
        """Return the accepted orders and standing orders, in its order."""
        return (*(sid for sid in self.accepted.values() if sid is not None), *self.standing.values())


def read(data: Mapping[str, Any]) -> Record:
    """Return a record whose shape was checked."""
    seed = data.get("seed")
    return Record(
        dict(data),
        kind(data),
        data["stage"],
        data["prev"],
        dict(data.get("accepted", {})),
        tuple(data.get("forfeits", ())),
        {party: bytes.fromhex(link) for party, link in data.get("links", {}).items()},
        {party: shown_in(entries) for party, entries in data.get("openings", {}).items()},
        None if seed is None else bytes.fromhex(seed),
        {party: tuple(decisions) for party, decisions in data.get("asked", {}).items()},
        {party: tuple(decisions) for party, decisions in data.get("kept", {}).items()},
        data.get("lock"),
        tuple(data.get("amends", ())),
        dict(data.get("standing", {})),
        tuple((tuple(audience), digest) for audience, digest in data.get("groups", ())),
        tuple((tuple(audience), digest) for audience, digest in data.get("readers", ())),
    )


_PARTIES = array(PARTY, empty=True, ascending=True)
_ASKED = table(PARTY, array(KEY, unique=True), empty=True)


def events_hash(events: Sequence[Json]) -> bytes:
    """Return the hash of a stage's public events; of none it is that of the empty list."""
    return H("events", canonical.dumps(list(events)))


def head(record: Mapping[str, Json]) -> bytes:
    """Return the head of a record, which is the `prev` of everything said in the next stage."""
    return H("record", canonical.dumps(dict(record)))


# --- making ---------------------------------------------------------------------------------------------


def record_zero(game: bytes, groups: Sequence[Group], asked: Mapping[str, Collection[str]]) -> Record:
    """Return the record of the start position; its `prev` is the game id."""
    return check({"stage": 0, "prev": game.hex(), "asked": _lists(asked), **_state(game, 0, groups)})


def record(
    game: bytes,
    stage: int,
    prev: bytes,
    *,
    accepted: Mapping[str, str | None],
    forfeits: Collection[str],
    links: Mapping[str, bytes],
    openings: Mapping[str, Openings],
    seed: bytes,
    events: bytes,
    groups: Sequence[Group],
    asked: Mapping[str, Collection[str]],
    kept: Mapping[str, Collection[str]] | None = None,
    lock: str | None = None,
    amends: Collection[str] = (),
    standing: Mapping[str, str] | None = None,
    readers: Sequence[tuple[tuple[str, ...], str]] = (),
) -> Record:
    """Return the record of a stage that was played; BadRecord if the parts do not make one.

    `accepted`, `lock`, `amends` and `standing` are sids, `events` the hash of the public events, `asked`
    and `kept` decision ids by party, `readers` the hashes of answers for named readers. Optional members
    that would be empty are left out (17.1).
    """
    made: Data = {
        "stage": stage,
        "prev": prev.hex(),
        "accepted": {**accepted},
        "forfeits": [*sorted(forfeits)],
        "links": {party: link.hex() for party, link in links.items()},
        "seed": seed.hex(),
        "events": events.hex(),
        "asked": _lists(asked),
        **_state(game, stage, groups),
    }
    optional: Data = {
        "openings": {
            party: {decision: opening.data() for decision, opening in by_decision.items()}
            for party, by_decision in openings.items()
            if by_decision
        },
        "kept": _lists({party: sorted(decisions) for party, decisions in (kept or {}).items()}),
        "lock": lock,
        "amends": [*sorted(amends)],
        "standing": {**(standing or {})},
        "readers": [[[*audience], digest] for audience, digest in readers],
    }
    made.update({name: value for name, value in optional.items() if value})
    return check(made)


def closed(stage: int, prev: bytes, amends: Collection[str]) -> Record:
    """Return the record of a stage that an amendment closed: nothing was played (4.4)."""
    return check({"stage": stage, "prev": prev.hex(), "amends": [*sorted(amends)]})


def _state(game: bytes, stage: int, groups: Sequence[Group]) -> Data:
    listed = group_list(groups)
    return {"groups": listed, "state": state_hash(game, stage, listed).hex()}


def _lists(asked: Mapping[str, Iterable[str]]) -> Json:
    lists: dict[str, list[Json]] = {party: [*decisions] for party, decisions in asked.items()}
    return {party: decisions for party, decisions in lists.items() if decisions}


# --- checking -------------------------------------------------------------------------------------------


def kind(record: Mapping[str, Json]) -> Kind:
    """Return which of the three forms a record has: stage 0, a played stage, a closed one."""
    if record.get("stage") == 0:
        return "zero"
    return "played" if "accepted" in record else "closed"


def check(value: Json, path: Path = ()) -> Record:
    """Return the value as a record.

    Raises BadRecord, with `path` before its own, unless it has the shape of 12.1 and 17.1.

    What the members say (links, seed, hashes) is not checked here.
    """
    if not isinstance(value, dict):
        raise BadRecord(Message("trust.records.record-must-object"), path)
    try:
        canonical.dumps(value)
    except canonical.NotCanonical as fault:
        raise BadRecord(Message("trust.records.record-no-head-can-made", fault=fault), path) from None
    try:
        _SHAPES[kind(value)](value, path)
        if kind(value) == "played":
            _check_played(value, path)
    except BadShape as fault:
        raise BadRecord(fault.reason, fault.path) from None
    return read(value)


def _groups(value: object, path: Path) -> None:
    array(_group)(value, path)
    keys = [canonical.dumps(entry[0]) for entry in map(narrow.items, narrow.items(value))]
    if any(a >= b for a, b in pairwise(keys)):
        raise BadShape(Message("trust.records.groups-must-in-order-audiences"), path)


def _group(value: object, path: Path) -> None:
    if not isinstance(value, list) or len(value) != 2:
        raise BadShape(Message("trust.records.group-must-list-audience-hash"), path)
    array(PARTY, ascending=True)(value[0], (*path, 0))
    HEX32(value[1], (*path, 1))


def _check_played(value: Mapping[str, Json], path: Path) -> None:
    accepted = narrow.mapping(value["accepted"])
    forfeits = narrow.texts(value["forfeits"])
    for party, sid in accepted.items():
        if sid is None and party not in forfeits:
            raise BadShape(
                Message("trust.bodies.nothing-accepted-must-in-forfeits", party=party),
                (*path, "accepted", party),
            )
    for party in forfeits:
        if party not in accepted:
            raise BadShape(Message("trust.bodies.not-asked-cannot-forfeit", party=party), (*path, "forfeits"))
    openings, kept = (narrow.mapping(value.get(name, {})) for name in ("openings", "kept"))
    for party, decisions in kept.items():
        opened = narrow.mapping(openings.get(party, {}))
        for decision in narrow.texts(decisions):
            # 17.6: without `stage` the opening is of a commitment of this very stage
            if decision in opened and "stage" not in narrow.mapping(opened[decision]):
                raise BadShape(
                    Message("trust.records.both-opened-kept", decision=decision), (*path, "kept", party)
                )


_SHAPES = {
    "zero": members({"stage": one_of(0), "prev": HEX32, "groups": _groups, "state": HEX32, "asked": _ASKED}),
    "closed": members({"stage": LATER_STAGE, "prev": HEX32, "amends": array(HEX32, ascending=True)}),
    "played": members(
        {
            "stage": LATER_STAGE,
            "prev": HEX32,
            "accepted": table(PARTY, nullable(HEX32), empty=True),
            "forfeits": _PARTIES,
            "links": table(PARTY, HEX32),
            "seed": HEX32,
            "events": HEX32,
            "groups": _groups,
            "state": HEX32,
            "asked": _ASKED,
        },
        {
            "openings": table(PARTY, OPENINGS),
            "kept": table(PARTY, array(KEY, ascending=True)),
            "lock": HEX32,
            "amends": array(HEX32, ascending=True),
            "standing": table(PARTY, HEX32),
            "readers": _groups,
        },
    ),
}
