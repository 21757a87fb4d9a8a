"""The roster that all sign: players, keys and terms (protocol 4.1 to 4.3), and amendments to it (4.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Literal

from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import sshsig, statements
from pbem.trust.errors import BadKey, BadRoster, BadSignature
from pbem.trust.hashing import H
from pbem.trust.seal import check_seal_key
from pbem.trust.statements import Statement

Role = Literal["gm", "player", "observer", "deputy"]
Dice = Literal["swift", "locked", "pair"]
Absent = Literal["stop", "skip"]
ROLES: tuple[Role, ...] = ("gm", "player", "observer", "deputy")
OUTSIDE: tuple[Role, ...] = ("observer", "deputy")
"""Roles that are neither in the public audience nor among "all" who sign amendments (17.14, 17.38)."""
DICE: tuple[Dice, ...] = ("swift", "locked", "pair")
ABSENT: tuple[Absent, ...] = ("stop", "skip")


@dataclass(frozen=True)
class Pinned:
    """A rules package or scenario by name and SHA-256; only the former has a version."""

    name: str
    sha256: str
    version: str | None = None

    def data(self) -> dict[str, Json]:
        """Return the members as in JSON."""
        version: dict[str, Json] = {} if self.version is None else {"version": self.version}
        return {"name": self.name, "sha256": self.sha256, **version}

    @classmethod
    def of(cls, data: Json) -> Pinned:
        """Return the object of members whose shape was checked."""
        members = narrow.mapping(data)
        name, sha256 = narrow.text(members["name"]), narrow.text(members["sha256"])
        return cls(name, sha256, narrow.optional_text(members.get("version")))


@dataclass(frozen=True)
class Terms:
    """The terms agreed before anybody joins: the roster without the parties and the GM's secret."""

    salt: bytes
    title: str
    module: Pinned
    scenario: Pinned
    arbiter: str | None
    dice: Dice
    absent: Absent
    chain_length: int

    def data(self) -> dict[str, Json]:
        """Return the members as in JSON."""
        return {
            "salt": self.salt.hex(),
            "title": self.title,
            "module": self.module.data(),
            "scenario": self.scenario.data(),
            "arbiter": self.arbiter,
            "dice": self.dice,
            "absent": self.absent,
            "chain_length": self.chain_length,
        }

    @classmethod
    def of(cls, data: Mapping[str, Json]) -> Terms:
        """Return the terms of an invitation or roster whose shape was checked."""
        return cls(
            bytes.fromhex(narrow.text(data["salt"])),
            narrow.text(data["title"]),
            Pinned.of(data["module"]),
            Pinned.of(data["scenario"]),
            narrow.optional_text(data["arbiter"]),
            narrow.word(data["dice"], DICE),
            narrow.word(data["absent"], ABSENT),
            narrow.number(data["chain_length"]),
        )

    def check(self) -> None:
        """Check the terms; BadRoster if they contradict each other."""
        if (self.dice == "pair") != (self.arbiter is None):
            arbiter, pair = self.arbiter or "null", self.dice == "pair"
            raise BadRoster(
                Message("trust.roster.arbiter-dice-want", arbiter=arbiter, dice=self.dice, pair=pair)
            )
        if self.absent == "skip" and self.dice != "swift":
            raise BadRoster(Message("trust.roster.absent-skip-dice-only-swift", dice=self.dice))


_TEXTS = frozenset(("id", "name", "mail", "sign", "seal", "anchor", "proxy"))


@dataclass(frozen=True)
class Party:
    """One entry of the roster. Observers have neither seal key nor anchor, a deputy has no anchor."""

    id: str
    role: Role
    name: str
    mail: str
    sign: bytes
    seal: bytes | None = None
    anchor: bytes | None = None
    proxy: str | None = None

    def entry(self) -> dict[str, Json]:
        """Return the members as in a join: all but the role."""
        made: dict[str, Json] = {
            "id": self.id,
            "name": self.name,
            "mail": self.mail,
            "sign": sshsig.public_line(self.sign),
        }
        if self.seal is not None:
            made["seal"] = self.seal.hex()
        if self.anchor is not None:
            made["anchor"] = self.anchor.hex()
        if self.proxy is not None:
            made["proxy"] = self.proxy
        return made

    @classmethod
    def of(cls, data: Mapping[str, Json], role: Role) -> Party:
        """Return the party of an entry whose shape was checked."""
        texts = {name: narrow.text(value) for name, value in data.items() if name in _TEXTS}
        seal, anchor = (bytes.fromhex(texts[name]) if name in texts else None for name in ("seal", "anchor"))
        sign = sshsig.parse_public_line(texts["sign"])
        return cls(texts["id"], role, texts["name"], texts["mail"], sign, seal, anchor, texts.get("proxy"))

    @classmethod
    def in_roster(cls, data: Mapping[str, Json]) -> Party:
        """Return the party of a roster's entry, which has the role."""
        return cls.of(data, narrow.word(data["role"], ROLES))

    def check(self) -> None:
        """Check the keys of the entry; BadRoster if one is missing for its role, extra, or refused by 4.1."""
        has = (self.seal is not None, self.anchor is not None)
        if has != (self.role != "observer", self.role not in OUTSIDE):
            words = {
                "observer": "trust.roster.neither-seal-nor-anchor",
                "deputy": "trust.roster.seal-without-anchor",
            }
            wanted = Message(words.get(self.role, "trust.roster.both-seal-anchor"))
            raise BadRoster(Message("trust.roster.entry-must", value=self.id, role=self.role, wanted=wanted))
        try:
            sshsig.check_key(self.sign)
            if self.seal is not None:
                check_seal_key(self.seal)
        except BadKey as fault:
            raise BadRoster(Message("trust.roster.entry", value=self.id, fault=fault)) from None


@dataclass(frozen=True)
class Former:
    """An entry, or the commitment to a GM's secret, that has ended.

    `until`: the stage whose record ended it.
    """

    until: int
    party: Party
    secret: bytes | None = None


@dataclass(frozen=True)
class Roster:
    """A whole roster: its statement, its id, its terms and its parties in their fixed order.

    In force in a stage it is what amendments have made of it: `since` has the stages whose records brought in
    anchors (0, the roster's, left out), `dropped` those out of the game, `former` the entries replaced.
    """

    statement: Statement
    game_id: bytes
    terms: Terms
    parties: tuple[Party, ...]
    secret: bytes | None
    by_id: Mapping[str, Party] = field(compare=False, repr=False)
    since: Mapping[str, int] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    former: tuple[Former, ...] = ()

    @property
    def game(self) -> str:
        """Return the game id as in statements."""
        return self.game_id.hex()

    @cached_property
    def everybody(self) -> tuple[str, ...]:
        """Return the public audience: the sorted ids of GM and players, with dropped ones (11.1, 17.14)."""
        return tuple(sorted(party.id for party in self.parties if party.role not in OUTSIDE))

    @cached_property
    def active(self) -> tuple[Party, ...]:
        """Return the parties still in the game, observers included, in roster order."""
        return tuple(party for party in self.parties if party.id not in self.dropped)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return the ids of the players still in the game, in roster order."""
        return tuple(party.id for party in self.active if party.role == "player")

    @cached_property
    def deputy(self) -> Party | None:
        """Return the GM's deputy, if one is named."""
        return next((party for party in self.active if party.role == "deputy"), None)

    def secret_at(self, stage: int) -> bytes | None:
        """Return the commitment to the secret of the GM in a stage (11.3)."""
        ended = (
            former.secret for former in self.former if former.secret is not None and stage <= former.until
        )
        return next(ended, self.secret)

    def replaced(self, party: Party, stage: int, **changes: Any) -> Roster:
        """Return this roster with another entry for a party, from the record of `stage` on."""
        parties = tuple(party if entry.id == party.id else entry for entry in self.parties)
        former = (
            *self.former,
            Former(stage, self.by_id[party.id], self.secret if "secret" in changes else None),
        )
        by_id = {entry.id: entry for entry in parties}
        return replace(self, parties=parties, by_id=by_id, former=former, **changes)

    def contributors(self, asked: Collection[str]) -> tuple[str, ...]:
        """Return the parties whose links make the seed of a stage that asks these players (9.1).

        In `swift` the GM and those asked, in the other modes all that play.
        """
        return tuple(
            party.id
            for party in self.active
            if party.role == "gm"
            or (party.role == "player" and (self.terms.dice != "swift" or party.id in asked))
        )

    def principal(self, party: str) -> str:
        """Return a party's name in `allowed_signers`; a label, not a proof (4.3)."""
        return f"{party}@{self.game[:12]}"

    def allowed_signers(self) -> str:
        """Return the file that lets `ssh-keygen -Y verify` check this game's statements (4.3, 5.2).

        It has every key that a party ever had, and does not say since when.
        """
        namespace = sshsig.NAMESPACE.decode()
        ever = [*self.parties, *(former.party for former in self.former)]
        keys = dict.fromkeys((self.principal(party.id), party.sign) for party in ever)
        return "".join(f'{name} namespaces="{namespace}" {sshsig.public_line(key)}\n' for name, key in keys)

    def missing(self, signatures: Mapping[str, str]) -> tuple[str, ...]:
        """Return the parties that have not signed the roster; BadSignature if a signature does not fit."""
        for party, armour in signatures.items():
            if party not in self.by_id:
                raise BadSignature(Message("trust.roster.signature-roster-not-in", party=party))
            try:
                sshsig.verify(self.by_id[party].sign, armour, self.statement.bytes)
            except BadSignature as fault:
                raise BadSignature(
                    Message("trust.roster.signature-roster", party=party, fault=fault)
                ) from None
        return tuple(party.id for party in self.parties if party.id not in signatures)

    @classmethod
    def parse(cls, data: bytes) -> Roster:
        """Read the bytes of a roster.

        NotCanonical, BadStatement or BadRoster if it is none that may be signed.
        """
        return cls.of(statements.parse(data))

    @classmethod
    def of(cls, statement: Statement) -> Roster:
        """Return the roster in a statement; BadRoster for another statement or a contradiction."""
        if statement.type != "roster":
            raise BadRoster(Message("trust.roster.statement-type-roster-wanted", type=statement.type))
        terms = Terms.of(statement.data)
        parties = _parties(statement)
        secret = narrow.optional_text(statement.data.get("secret"))
        terms.check()
        check_parties(parties, terms)
        if (secret is None) != (terms.dice == "pair"):
            pair = terms.dice == "pair"
            raise BadRoster(Message("trust.roster.roster-dice-must", dice=terms.dice, pair=pair))
        return cls(
            statement,
            H("game", statement.bytes),
            terms,
            parties,
            None if secret is None else bytes.fromhex(secret),
            {party.id: party for party in parties},
        )


def _parties(statement: Statement) -> tuple[Party, ...]:
    return tuple(Party.in_roster(narrow.mapping(entry)) for entry in narrow.items(statement.data["parties"]))


def own_roster(data: bytes) -> Roster:
    """Return the roster of this folder, whose keys were checked when it was signed."""
    statement = statements.parse(data)
    terms = Terms.of(statement.data)
    parties = _parties(statement)
    secret = narrow.optional_text(statement.data.get("secret"))
    by_id = {party.id: party for party in parties}
    game_id = H("game", statement.bytes)
    return Roster(statement, game_id, terms, parties, bytes.fromhex(secret) if secret else None, by_id)


def check_parties(parties: Sequence[Party], terms: Terms) -> None:
    """Check that these parties can play on these terms; BadRoster if not.

    Keys, ids, one GM or none, proxies (4.1, 4.3).
    """
    for party in parties:
        party.check()
    for what in ("id", "sign", "seal", "anchor"):
        owners: dict[object, str] = {}
        for party in parties:
            value = getattr(party, what)
            if value is None:
                continue
            same = x25519_number(value) if what == "seal" else value
            if same in owners:
                raise BadRoster(
                    Message("trust.roster.entries-same", owners=owners[same], party=party.id, what=what)
                )
            owners[same] = party.id
    gms = [party.id for party in parties if party.role == "gm"]
    if gms != ([] if terms.arbiter is None else [terms.arbiter]):
        raise BadRoster(f"GM {', '.join(gms) or 'nobody'}, where the arbiter is {terms.arbiter or 'nobody'}")
    deputies = [party.id for party in parties if party.role == "deputy"]
    if len(deputies) > (terms.arbiter is not None):
        raise BadRoster(Message("trust.roster.one-deputy-of-a-gm", deputies=tuple(deputies)))
    players = sum(party.role == "player" for party in parties)
    if terms.dice == "pair" and players != 2:
        raise BadRoster(Message("trust.roster.players-dice-pair-want-two", players=players))
    if not players:
        raise BadRoster(Message("trust.roster.no-players-one-least-wanted"))
    for party in parties:
        if party.proxy is not None and (party.role != "player" or party.proxy not in gms):
            raise BadRoster(
                Message("trust.roster.entry-proxy-only-players-gm", party=party.id, proxy=party.proxy)
            )


def x25519_number(public: bytes) -> int:
    """Return the key as the number it stands for: some have several spellings (RFC 7748)."""
    return int.from_bytes(public, "little") % 2**255 % (2**255 - 19)


def make_roster(parties: Iterable[Party], terms: Terms, secret: bytes | None = None) -> Roster:
    """Return the roster of these parties, in this order.

    `secret` is the GM's secret itself.

    Only its commitment goes in.

    BadRoster or BadStatement if nobody could sign it.
    """
    entries: list[Json] = [{**party.entry(), "role": party.role} for party in parties]
    data: dict[str, Json] = {"pbem": statements.VERSION, "type": "roster", **terms.data(), "parties": entries}
    if secret is not None:
        data["secret"] = secret_commitment(terms.salt, secret).hex()
    return Roster.of(statements.build(data))


def secret_commitment(salt: bytes, secret: bytes) -> bytes:
    """Return the roster's commitment to the GM's secret, made before any link is known (9.4)."""
    return H("secret", salt, secret)


def new_salt() -> bytes:
    """Return a new salt for an invitation."""
    import secrets

    return secrets.token_bytes(32)
