"""Statements: everything a party says, as one canonical JSON object with an id (protocol 5.1, 17).

`parse` checks the form of a statement by itself. Who signed it, whether they may say it, and whether it fits
the game's history is checked in `accept` and when the stage is run (5.3).
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from pbem.text import canonical, narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import bodies
from pbem.trust.errors import BadShape, BadStatement
from pbem.trust.hashing import H
from pbem.trust.kinds import KINDS, Kind
from pbem.trust.shapes import HEX32, LATER_STAGE, PARTY, STAGE, Check, members, one_of

if TYPE_CHECKING:
    from pbem.trust import said as saying

VERSION = 1
MAX_FROM_PLAYER = 1024 * 1024
MAX_FROM_GM = 8 * 1024 * 1024

_UNDATED: Mapping[str, Check] = {
    "join": members({"from": PARTY, "salt": HEX32, "body": bodies.JOIN}),
    "invitation": bodies.INVITATION,
    "roster": bodies.ROSTER,
}

S = TypeVar("S", bound="saying.Said")


@dataclass(frozen=True)
class Statement:
    """A statement in the form of protocol 5.1. Equal if its bytes are; do not change `data`."""

    data: dict[str, Json] = field(compare=False)
    bytes: builtins.bytes
    sid: str

    @cached_property
    def type(self) -> str:
        """Return the type of the statement."""
        return narrow.text(self.data["type"])

    @property
    def kind(self) -> Kind:
        """Return how statements of its type are treated."""
        return KINDS[self.type]

    @cached_property
    def sender(self) -> str:
        """Return the party id under `from`.

        Raises KeyError for a roster.
        """
        return narrow.text(self.data["from"])

    @cached_property
    def game(self) -> str:
        """Return the game id.

        Raises KeyError for join, invitation and roster, as for stage, prev and rev.
        """
        return narrow.text(self.data["game"])

    @cached_property
    def stage(self) -> int:
        """Return the stage it belongs to."""
        return narrow.number(self.data["stage"])

    @cached_property
    def prev(self) -> str:
        """Return the head of the record before."""
        return narrow.text(self.data["prev"])

    @cached_property
    def rev(self) -> int:
        """Return the revision, from 1."""
        return narrow.number(self.data["rev"])

    @property
    def body(self) -> dict[str, Json]:
        """Return the body as it was signed.

        Raises KeyError for roster and invitation.
        """
        return narrow.mapping(self.data["body"])

    @cached_property
    def said(self) -> saying.Said:
        """Return the body of a game's statement as a typed value."""
        from pbem.trust import said as saying

        return saying.read(self.type, self.body)

    def _as(self, wanted: builtins.type[S]) -> S:
        meaning = self.said
        assert isinstance(meaning, wanted), f"a statement of type {self.type} says no {wanted.__name__}"
        return meaning

    @property
    def order(self) -> saying.OrderSaid:
        """Return the content of an order."""
        from pbem.trust.said import OrderSaid

        return self._as(OrderSaid)

    @property
    def standing(self) -> saying.StandingSaid:
        """Return the content of a list of standing orders."""
        from pbem.trust.said import StandingSaid

        return self._as(StandingSaid)

    @property
    def lock(self) -> saying.LockSaid:
        """Return the content of a lock."""
        from pbem.trust.said import LockSaid

        return self._as(LockSaid)

    @property
    def given_link(self) -> saying.LinkSaid:
        """Return the content of a link."""
        from pbem.trust.said import LinkSaid

        return self._as(LinkSaid)

    @property
    def charge(self) -> saying.ChargeSaid:
        """Return the content of a charge."""
        from pbem.trust.said import ChargeSaid

        return self._as(ChargeSaid)

    @property
    def report(self) -> saying.ReportSaid:
        """Return the content of a report."""
        from pbem.trust.said import ReportSaid

        return self._as(ReportSaid)

    @property
    def view(self) -> saying.ViewSaid:
        """Return the content of a view."""
        from pbem.trust.said import ViewSaid

        return self._as(ViewSaid)

    @property
    def amendment(self) -> saying.AmendSaid:
        """Return the content of an amendment."""
        from pbem.trust.said import AmendSaid

        return self._as(AmendSaid)

    @property
    def unseal(self) -> saying.UnsealSaid:
        """Return the content of an unseal."""
        from pbem.trust.said import UnsealSaid

        return self._as(UnsealSaid)

    @property
    def ack(self) -> saying.AckSaid:
        """Return the content of the GM's acknowledgement."""
        from pbem.trust.said import AckSaid

        return self._as(AckSaid)

    @property
    def letter(self) -> saying.LetterSaid:
        """Return the content of a letter."""
        from pbem.trust.said import LetterSaid

        return self._as(LetterSaid)

    @property
    def protest(self) -> saying.ProtestSaid:
        """Return the content of a protest."""
        from pbem.trust.said import ProtestSaid

        return self._as(ProtestSaid)


def sid(data: builtins.bytes) -> str:
    """Return the id of the statement with these bytes."""
    return H("statement", data).hex()


def make(
    type: str, body: Mapping[str, Json], *, game: str, sender: str, stage: int, prev: str, rev: int = 1
) -> Statement:
    """Return a statement of a game.

    Raises BadStatement or NotCanonical if it would be refused.

    `game` and `prev` are hex. Optional members of the body that are empty must have been left out.
    """
    return build(
        {
            "pbem": VERSION,
            "type": type,
            "game": game,
            "from": sender,
            "stage": stage,
            "prev": prev,
            "rev": rev,
            "body": dict(body),
        }
    )


def build(data: Mapping[str, Json]) -> Statement:
    """Return a statement from all its members.

    Raises BadStatement or NotCanonical if it would be refused.
    """
    return parse(canonical.dumps(dict(data)))


def parse(data: builtins.bytes) -> Statement:
    """Read the bytes of a statement.

    NotCanonical if they are not canonical JSON, BadStatement if they are no statement.

    Meant for bytes whose signature has been checked.
    """
    if len(data) > MAX_FROM_GM:
        raise BadStatement(
            Message("trust.statements.statement-bytes-most", count=len(data), max_from_gm=MAX_FROM_GM)
        )
    value = canonical.loads(data)
    try:
        return Statement(_checked(value, len(data)), data, sid(data))
    except BadShape as fault:
        raise BadStatement(fault.reason, fault.path) from None


def _checked(value: Json, size: int) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise BadShape(Message("trust.statements.statement-must-object"))
    one_of(VERSION)(value.get("pbem"), ("pbem",))
    kind = value.get("type")
    one_of(*KINDS)(kind, ("type",))
    name = narrow.text(kind)
    limit = size_limit(name)
    if size > limit:
        raise BadShape(
            Message("trust.statements.bytes-statement-type-most", size=size, name=name, limit=limit)
        )
    if name in _UNDATED:
        _UNDATED[name]({k: v for k, v in value.items() if k not in ("pbem", "type")}, ())
        if name == "join" and narrow.mapping(value["body"])["id"] != value["from"]:
            raise BadShape(Message("trust.statements.id-in-entry-must-sender"), ("body", "id"))
    else:
        _ENVELOPES[name](value, ())
        bodies.check_whole(name, value)
    return value


def size_limit(type: str, from_gm: bool = True) -> int:
    """Return the most bytes that a statement of a type may have from the GM or a player (5.3)."""
    return MAX_FROM_GM if from_gm and "gm" in KINDS[type].senders else MAX_FROM_PLAYER


def _envelope(name: str) -> Check:
    return members(
        {
            "pbem": one_of(VERSION),
            "type": one_of(name),
            "game": HEX32,
            "from": PARTY,
            "stage": STAGE if KINDS[name].from_start else LATER_STAGE,
            "prev": HEX32,
            "rev": LATER_STAGE if KINDS[name].revisable else one_of(1),
            "body": bodies.BODIES[name],
        }
    )


_ENVELOPES = {name: _envelope(name) for name in bodies.BODIES}
