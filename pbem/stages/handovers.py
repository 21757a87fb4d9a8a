"""The handover: the GM's secrets, sealed to the deputy alone (protocol-letters 5).

With these and the archive a deputy makes every stage again, hidden facts included, also those from before the
deputy was named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pbem.text import canonical, narrow
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import seal
from pbem.trust.errors import BadSeal, BadShape, Path
from pbem.trust.records import Shown
from pbem.trust.shapes import ANY, HEX32, MAIL, PARTY, Check, array, members, table
from pbem.trust.statements import Statement

RULING = "ruling"
_MOST_FORMER = 100


@dataclass(frozen=True)
class Handover:
    """Secrets that a GM hands over: the start of the chain that leads to the anchor, secret and seal keys.

    `seal` are private keys, the newest first. `openings` are those of committed rulings by sid, `proxies`
    the keys of players whose keys the GM holds, `mail` addresses that the roster does not have, `former` what
    this GM has of the one before. Nothing of it is ever printed.
    """

    anchor: bytes
    chain: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    seal: tuple[bytes, ...] = field(repr=False)
    openings: Mapping[str, Shown] = field(default_factory=dict, repr=False)
    proxies: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    mail: Mapping[str, str] = field(default_factory=dict, repr=False)
    former: Handover | None = field(default=None, repr=False)

    def data(self) -> dict[str, Json]:
        """Return the members as in JSON; empty ones are left out."""
        made: dict[str, Json] = {
            "anchor": self.anchor.hex(),
            "chain": self.chain.hex(),
            "secret": self.secret.hex(),
            "seal": [key.hex() for key in self.seal],
        }
        if self.openings:
            made["openings"] = {sid: {RULING: opening.data()} for sid, opening in self.openings.items()}
        if self.proxies:
            made["proxies"] = {party: dict(keys) for party, keys in self.proxies.items()}
        if self.mail:
            made["mail"] = dict(self.mail)
        if self.former is not None:
            made["former"] = self.former.data()
        return made

    def pack(self) -> bytes:
        """Return the bytes to be sealed as kind "handover"."""
        return canonical.dumps(self.data())

    @classmethod
    def unpack(cls, data: bytes) -> Handover:
        """Read what `pack` made; BadSeal, which quotes nothing of it, if it is anything else."""
        try:
            content = canonical.loads(data)
            _check(content, ())
        except (NotCanonical, BadShape):
            raise BadSeal(Message("stages.handovers.not-a-handover")) from None
        return cls.of(narrow.mapping(content))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Handover:
        """Return the handover of members whose shape was checked."""
        return cls(
            bytes.fromhex(data["anchor"]),
            bytes.fromhex(data["chain"]),
            bytes.fromhex(data["secret"]),
            tuple(bytes.fromhex(key) for key in data["seal"]),
            {sid: Shown.of(entry[RULING]) for sid, entry in data.get("openings", {}).items()},
            data.get("proxies", {}),
            data.get("mail", {}),
            cls.of(data["former"]) if "former" in data else None,
        )

    def all(self) -> list[Handover]:
        """Return this handover and those of the GMs before, the newest first."""
        return [self, *(self.former.all() if self.former is not None else ())]


def sealed(handover: Handover, to: str, key: bytes, game: bytes, stage: int, sender: str) -> bytes:
    """Return a handover sealed to the deputy's key."""
    return seal.seal(handover.pack(), key, game, stage, seal.HANDOVER_KIND, sender, to)


def opened(statement: Statement, to: str, private: bytes) -> Handover:
    """Return what a handover seals to this deputy; BadSeal if it does not open, or holds something else."""
    blob, game = statement.said.sealed.get(to), bytes.fromhex(statement.game)
    if blob is None:
        raise BadSeal(Message("stages.handovers.for-somebody-else"))
    data = seal.unseal(blob, private, game, statement.stage, seal.HANDOVER_KIND, statement.sender, to)
    return Handover.unpack(data)


def _keys(value: object, path: Path) -> None:
    members({"chain": HEX32, "seal": HEX32, "sign": HEX32})(value, path)


def _former(value: object, path: Path) -> None:
    if len(path) > _MOST_FORMER:
        raise BadShape(Message("stages.handovers.not-a-handover"), path)
    _check(value, path)


_check: Check = members(
    {"anchor": HEX32, "chain": HEX32, "secret": HEX32, "seal": array(HEX32, unique=True)},
    {
        "openings": table(HEX32, members({RULING: members({"nonce": HEX32, "value": ANY})})),
        "proxies": table(PARTY, _keys),
        "mail": table(PARTY, MAIL),
        "former": _former,
    },
)
