"""A game on a desk: a roster, statements that nobody has signed, records, and a shelf to put them on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.stages.progress import Progress
from pbem.trust import groups, records
from pbem.trust.chain import Chain
from pbem.trust.groups import Group, group_list, state_hash
from pbem.trust.keys import seal_public
from pbem.trust.records import Record
from pbem.trust.roster import Party, Pinned, Roster, Terms, make_roster
from pbem.trust.statements import Statement, make
from tests.unit.archive.table import signer_of

LENGTH = 16
SALT = b"s" * 32
SECRET = b"the secret of the GM of a table."
ELSEWHERE = "ab" * 32
"""The id of what nobody has, a link of nobody's chain."""


def secret_of(name: str, what: str) -> bytes:
    return hashlib.sha256(f"pbem desk {what} {name}".encode()).digest()


def seal_of(name: str) -> bytes:
    """The private seal key of a name."""
    return secret_of(name, "seal")


def chain_of(name: str) -> Chain:
    return Chain(SALT, name, secret_of(name, "chain"), LENGTH)


def entry_of(name: str, role: Any = "player") -> Party:
    seal = seal_public(seal_of(name)) if role != "observer" else None
    anchor = chain_of(name).anchor if role in ("gm", "player") else None
    return Party(name, role, name.capitalize(), f"{name}@example.org", signer_of(name).public, seal, anchor)


def terms_of(words: str = "", *, dice: Any = "swift", absent: Any = "stop") -> Terms:
    """Terms with these words behind the scenario's name."""
    gm = None if dice == "pair" else "gm"
    module, scenario = Pinned("primer", "1" * 64, "1+1"), Pinned(f"ford {words}".strip(), "2" * 64)
    return Terms(SALT, "A game on a desk", module, scenario, gm, dice, absent, LENGTH)


def roster_of(
    words: str = "", *others: Party, players: Sequence[str] = ("north", "south"), **how: Any
) -> Roster:
    """A roster of a GM, unless two play without one, these players, and others behind them."""
    terms = terms_of(words, **how)
    gm = [entry_of("gm", "gm")] if terms.arbiter else []
    secret = SECRET if terms.arbiter else None
    return make_roster([*gm, *map(entry_of, players), *others], terms, secret)


def in_force(roster: Roster, party: str, **changes: Any) -> Roster:
    """The roster with another entry for one of its parties, as an amendment leaves it."""
    return roster.replaced(replace(roster.by_id[party], **changes), 1)


class Shelf:
    """Statements by stage, as a folder or an archive has them."""

    def __init__(self, *here: Statement, signed: Mapping[str, Sequence[str]] | None = None) -> None:
        self.here = here
        self.signed = signed or {}

    def find(self, stage: int, sid: str) -> Statement | None:
        return next((one for one in self.here if (one.stage, one.sid) == (stage, sid)), None)

    def of(self, stage: int, type_: str) -> Sequence[Statement]:
        here = (one for one in self.here if (one.stage, one.type) == (stage, type_))
        return sorted(here, key=lambda one: one.sid)

    def signatures(self, stage: int, sid: str) -> Sequence[str]:
        return self.signed.get(sid, ())


class Desk:
    """A game in which stage `open` is being played, after records that only say who was asked."""

    def __init__(
        self, roster: Roster, open_: int = 1, asked: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.roster = roster
        asked = {party: ["ready"] for party in roster.players} if asked is None else asked
        self.records: list[Record] = [records.record_zero(roster.game_id, self.groups(), asked)]
        self.progress = Progress.start(roster, self.records.__getitem__).after(
            self.records[0], lambda stage, sid: None
        )
        while self.progress.open_stage < open_:
            self.goes_on(self.played(asked=asked))

    def groups(self) -> tuple[Group, ...]:
        everybody = self.roster.everybody
        return groups.build([], game=self.roster.game_id, stage=0, everybody=everybody, secret=SECRET)

    def goes_on(self, record: Record, *here: Statement) -> Progress:
        """The next record is there, and what it names."""
        self.records.append(record)
        self.progress = self.progress.after(record, Shelf(*here).find)
        return self.progress

    def link(self, party: str, stage: int | None = None) -> bytes:
        return chain_of(party).link(self.progress.open_stage if stage is None else stage)

    def played(self, **changed: Any) -> Record:
        """A record of the open stage in which nobody said anything, with other members."""
        stage, game = self.progress.open_stage, self.roster.game_id
        listed = group_list(self.groups())
        data: dict[str, Any] = {
            "stage": stage,
            "prev": self.progress.head,
            "accepted": {},
            "forfeits": [],
            "links": {"gm": "0" * 64},
            "seed": "0" * 64,
            "events": records.events_hash([]).hex(),
            "asked": {},
            "groups": listed,
            "state": state_hash(game, stage, listed).hex(),
        }
        return records.check({**data, **changed})

    def closed(self, *amends: Statement) -> Record:
        sids = [one.sid for one in amends]
        return records.closed(self.progress.open_stage, bytes.fromhex(self.progress.head), sids)

    def says(self, type_: str, sender: str, body: Mapping[str, Any], **changed: Any) -> Statement:
        outer = {"game": self.roster.game, "stage": self.progress.open_stage, "prev": self.progress.head}
        return make(type_, body, sender=sender, **{**outer, **changed})

    def amends(self, *ops: Any, sender: str = "gm", **changed: Any) -> Statement:
        return self.says("amend", sender, {"ops": list(ops)}, **changed)
