"""The bodies of statements, read once into a frozen type for each type of statement (protocol 5.1).

The shape was checked before (`bodies`). Members that a body lacks are empty or None.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.trust import records
from pbem.trust.records import Openings, Record, shown_in

LETTER = "letter/"
"""How the decision ids of letters begin; no rules system has such."""
PLAIN = "plain"
"""The decision id of a plain reply, which no rules system has."""

Op = Mapping[str, Any]
"""One thing that an amendment does (4.4)."""


@dataclass(frozen=True)
class Said:
    """The common content of what players send.

    Commitments are by decision, sealed data by receiver; then openings of earlier or locked commitments, a
    link, and the sid of the statement that it answers. `plain` commits to the unsigned email that the GM
    wrote an order down from.
    """

    commits: Mapping[str, str] = field(default_factory=dict)
    sealed: Mapping[str, bytes] = field(default_factory=dict)
    openings: Openings = field(default_factory=dict)
    link: bytes | None = None
    answers: str | None = None
    plain: str | None = None


@dataclass(frozen=True)
class Answer:
    """An open answer of an order, to a decision or to one question about it."""

    decision: str
    answer: Json
    question: str | None = None
    on_illegal: Literal["ask", "skip"] = "ask"

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Answer:
        """Return the answer of an item of an order."""
        return cls(data["decision"], data["answer"], data.get("question"), data.get("on_illegal", "ask"))


@dataclass(frozen=True)
class OrderSaid(Said):
    """An order.

    `items` are its open answers as they came, `standing` the list of standing orders filed with it, None if
    there is none.
    """

    items: tuple[Json, ...] = ()
    standing: tuple[Json, ...] | None = None

    @cached_property
    def given(self) -> tuple[Answer, ...]:
        """Return the open answers.

        Malformed ones are left out; an order with such counts for nothing (`progress.check_content`).
        """
        listed = (
            item for item in self.items if isinstance(item, dict) and item.keys() >= {"decision", "answer"}
        )
        return tuple(Answer.of(answer) for answer in listed)

    @property
    def answered(self) -> frozenset[str]:
        """Return the decisions answered in the open or committed to."""
        return frozenset((*(answer.decision for answer in self.given), *self.commits))


@dataclass(frozen=True)
class StandingSaid(Said):
    """A list of standing orders; None while it is sealed."""

    standing: tuple[Json, ...] | None = None


@dataclass(frozen=True)
class LinkSaid(Said):
    """A link. `head`: what its sender computed, between two."""

    head: str | None = None


@dataclass(frozen=True)
class AckSaid(Said):
    """The sids that the GM has, and those that the GM cannot read."""

    have: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChargeSaid(Said):
    """The party that is to act for the GM from this stage on."""

    to: str = ""


@dataclass(frozen=True)
class LockSaid(Said):
    """The orders that count, by party, None for who is left out."""

    accepted: Mapping[str, str | None] = field(default_factory=dict)
    forfeits: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportSaid(Said):
    """A report. `views` are the hashes of sealed views by party, `by` is when answers are wanted."""

    record: Record = field(default_factory=lambda: records.read({"stage": 0, "prev": ""}))
    events: tuple[Json, ...] = ()
    views: Mapping[str, str] = field(default_factory=dict)
    by: str = ""


@dataclass(frozen=True)
class ViewSaid(Said):
    """A sealed view, and the head of the record whose state it shows."""

    head: str = ""
    blob: bytes = b""


@dataclass(frozen=True)
class AmendSaid(Said):
    """The operations of an amendment, in order."""

    ops: tuple[Op, ...] = ()

    @property
    def rewinds_to(self) -> int | None:
        """Return the stage from whose end play continues, or None if it continues as it does."""
        return next((op["to"] for op in reversed(self.ops) if op["op"] == "rewind"), None)


@dataclass(frozen=True)
class UnsealSaid(Said):
    """A GM's secret, and openings by the sid of the statement that committed."""

    secret: bytes | None = None
    opened: Mapping[str, Openings] = field(default_factory=dict)


@dataclass(frozen=True)
class ProtestSaid(Said):
    """The protest of a party, and the statements that it is about."""

    text: str = ""
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class LetterSaid(Said):
    """A letter: its number in its conversation and the one before; its text, or who can open it.

    `to` is None for a letter to all. `grey`: what its author committed to, of whom the GM sends it on.
    """

    n: int = 1
    text: str = ""
    re: str | None = None
    to: tuple[str, ...] | None = None
    after: str | None = None
    grey: str | None = None

    @property
    def decision(self) -> str:
        """Return the decision id that its commitment and its opening have."""
        return f"{LETTER}{self.n}"


def read(type: str, body: Mapping[str, Any]) -> Said:
    """Return the content of a statement's body."""
    shared = {
        "commits": dict(body.get("commits", {})),
        "sealed": {to: base64.b64decode(blob) for to, blob in body.get("sealed", {}).items()},
        "link": bytes.fromhex(body["link"]) if "link" in body else None,
        "answers": body.get("answers"),
        "plain": body.get("plain"),
    }
    if type != "unseal":  # an unseal lists openings by statement
        shared["openings"] = shown_in(body.get("openings"))
    return _READ[type](body, shared)


def _list(body: Mapping[str, Any]) -> tuple[Json, ...] | None:
    return tuple(body["standing"]) if "standing" in body else None


_READ: Mapping[str, Callable[[Mapping[str, Any], dict[str, Any]], Said]] = {
    "order": lambda b, s: OrderSaid(**s, items=tuple(b["orders"]), standing=_list(b)),
    "standing": lambda b, s: StandingSaid(**s, standing=_list(b)),
    "ack": lambda b, s: AckSaid(
        **s, have=tuple(b.get("have", ())), unreadable=tuple(b.get("unreadable", ()))
    ),
    "handover": lambda b, s: Said(**s),
    "charge": lambda b, s: ChargeSaid(**s, to=b["to"]),
    "lock": lambda b, s: LockSaid(**s, accepted=dict(b["accepted"]), forfeits=tuple(b["forfeits"])),
    "link": lambda b, s: LinkSaid(**s, head=b.get("head")),
    "report": lambda b, s: ReportSaid(
        **s,
        record=records.read(b["record"]),
        events=tuple(b.get("events", ())),
        views=dict(b.get("views", {})),
        by=b.get("next", {}).get("by", ""),
    ),
    "view": lambda b, s: ViewSaid(**s, head=b["head"], blob=base64.b64decode(b["view"])),
    "amend": lambda b, s: AmendSaid(**s, ops=tuple(b["ops"])),
    "letter": lambda b, s: LetterSaid(
        **s | {"commits": {f"{LETTER}{b['n']}": b["commit"]} if "commit" in b else {}},
        n=b["n"],
        text=b.get("text", ""),
        re=b.get("re"),
        to=tuple(b["to"]) if "to" in b else None,
        after=b.get("after"),
        grey=b.get("grey"),
    ),
    "unseal": lambda b, s: UnsealSaid(
        **s,
        secret=bytes.fromhex(b["secret"]) if "secret" in b else None,
        opened={sid: shown_in(entries) for sid, entries in b.get("openings", {}).items()},
    ),
    "protest": lambda b, s: ProtestSaid(**s, text=b["text"], about=tuple(b.get("about", ()))),
}
