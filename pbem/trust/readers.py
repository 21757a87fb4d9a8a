"""Answers for named readers: their facts, salt and hash, and entries of views (protocol-letters 3).

Everybody sees in the record for whom there was an answer, and a hash. The salt comes from the nonces of the
answers' commitments, so the GM's secret opens none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.text import canonical, narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import BadShape, BadView, Path
from pbem.trust.groups import Audience, audience_bytes
from pbem.trust.hashing import H, u32
from pbem.trust.shapes import ANY, HEX32, KEY, PARTY, array, members, table

Listed = tuple[tuple[Audience, str], ...]
"""Audiences with their hashes, as a record lists them."""
ANSWER, EVENT = "answer", "event"
"""The first words of the keys of facts."""


@dataclass(frozen=True)
class ForReaders:
    """The answers and events of one stage for one audience: author, GM, and the readers they name.

    `nonces` are those of the answers' commitments, by party and decision.
    """

    audience: Audience
    facts: Mapping[str, Json]
    nonces: Mapping[str, Mapping[str, str]]

    def salt(self) -> bytes:
        """Return the salt of the hash."""
        return H("readers-salt", canonical.dumps(_nonces(self.nonces)))

    def hash(self, game: bytes, stage: int) -> str:
        """Return the hash that the record has for this audience."""
        facts = canonical.dumps(dict(self.facts))
        return H("readers", game, u32(stage), audience_bytes(self.audience), self.salt(), facts).hex()

    def data(self) -> Json:
        """Return the entry of a view."""
        return {"audience": [*self.audience], "facts": dict(self.facts), "nonces": _nonces(self.nonces)}

    def answers(self) -> list[tuple[str, str, str, Json]]:
        """Return party, decision, nonce and value of each answer."""
        return [
            (party, decision, nonce, self.facts[answer_key(party, decision)])
            for party, by_decision in sorted(self.nonces.items())
            for decision, nonce in sorted(by_decision.items())
        ]


def answer_key(party: str, decision: str) -> str:
    """Return the key of the fact that is an answer."""
    return f"{ANSWER}/{party}/{decision}"


def listed(entries: Sequence[ForReaders], game: bytes, stage: int) -> Listed:
    """Return the audiences with their hashes, in the order of a record."""
    ordered = sorted(entries, key=lambda entry: audience_bytes(entry.audience))
    return tuple((entry.audience, entry.hash(game, stage)) for entry in ordered)


def in_view(entries: Sequence[ForReaders], party: str) -> Json:
    """Return the entries of a party's view, in the order of a record."""
    mine = [entry for entry in entries if party in entry.audience]
    return [entry.data() for entry in sorted(mine, key=lambda entry: audience_bytes(entry.audience))]


def check_view(view: Json, party: str, listed: Listed, game: bytes, stage: int) -> tuple[ForReaders, ...]:
    """Return the entries of a view, which are exactly those of the record that name its reader.

    BadView, which quotes nothing of it, if one is missing, too many, or not what the record's hash says.
    """
    try:
        array(_entry, empty=True)(view, ())
    except BadShape:
        raise BadView(Message("trust.readers.no-entries")) from None
    wanted = {audience: digest for audience, digest in listed if party in audience}
    entries = [_read(narrow.mapping(read_entry)) for read_entry in narrow.items(view)]
    for entry in entries:
        if wanted.pop(entry.audience, None) != entry.hash(game, stage):
            raise BadView(Message("trust.readers.hash-does-not-fit", audience=entry.audience, stage=stage))
    if wanted:
        raise BadView(Message("trust.readers.left-out", audience=next(iter(wanted))))
    return tuple(entries)


def _nonces(nonces: Mapping[str, Mapping[str, str]]) -> dict[str, Json]:
    return {party: {**by_decision} for party, by_decision in nonces.items()}


def _read(data: Mapping[str, Json]) -> ForReaders:
    nonces = {
        party: {decision: narrow.text(nonce) for decision, nonce in narrow.mapping(by_decision).items()}
        for party, by_decision in narrow.mapping(data["nonces"]).items()
    }
    return ForReaders(tuple(narrow.texts(data["audience"])), narrow.mapping(data["facts"]), nonces)


_ENTRY = members(
    {
        "audience": array(PARTY, ascending=True),
        "facts": table(KEY, ANY),
        "nonces": table(PARTY, table(KEY, HEX32)),
    }
)


def _entry(value: object, path: Path) -> None:
    """Check an entry: its facts have exactly the answers whose nonces it has, and events."""
    _ENTRY(value, path)
    entry = narrow.mapping(value)
    nonces = narrow.mapping(entry["nonces"])
    answers = {
        answer_key(party, decision)
        for party, by_decision in nonces.items()
        for decision in narrow.mapping(by_decision)
    }
    facts = narrow.mapping(entry["facts"])
    if answers != {key for key in facts if not key.startswith(f"{EVENT}/")}:
        raise BadShape(Message("trust.readers.no-entries"), path)
