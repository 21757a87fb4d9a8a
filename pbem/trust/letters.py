"""Letters between parties: what is sealed in one, and what that must fit (protocol-letters 2.1).

A letter to all has its text in clear. A private one commits to its content and seals nonce and content to
each reader, so that all readers of a letter have one text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pbem.text import canonical, narrow
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import commit, seal
from pbem.trust.errors import BadOpening, BadSeal, BadShape
from pbem.trust.records import Shown
from pbem.trust.said import LETTER
from pbem.trust.shapes import HEX32, PARTY, TEXT, Check, array, members, one_of
from pbem.trust.statements import Statement

Grey = tuple[str, ...] | Literal["public"]
"""To whom the GM is to send a letter on: these readers, or everybody."""


def _grey(value: object, path: tuple[str | int, ...]) -> None:
    check: Check = array(PARTY, ascending=True) if isinstance(value, list) else one_of("public")
    check(value, path)


_PLAIN = members({"text": TEXT}, {"re": HEX32})
_TO_SEND_ON = members({"text": TEXT, "grey": _grey})


@dataclass(frozen=True)
class Content:
    """The content of a letter: its text, the letter that it answers, and where the GM is to send it on."""

    text: str
    re: str | None = None
    grey: Grey | None = None

    def value(self) -> dict[str, Json]:
        """Return what a private letter commits to."""
        made: dict[str, Json] = {"text": self.text}
        if self.re is not None:
            made["re"] = self.re
        if self.grey is not None:
            made["grey"] = self.grey if self.grey == "public" else [*self.grey]
        return made

    @classmethod
    def of(cls, value: Json, to: tuple[str, ...], gm: str | None) -> Content:
        """Return the content of a value; BadShape for anything else.

        Only a letter to the GM alone may be meant for others.
        """
        grey = isinstance(value, dict) and "grey" in value and gm is not None and to == (gm,)
        (_TO_SEND_ON if grey else _PLAIN)(value, ("value",))
        data = narrow.mapping(value)
        on = data.get("grey")
        readers: Grey | None = "public" if on == "public" else None
        if isinstance(on, list):
            readers = tuple(narrow.texts(on))
        return cls(narrow.text(data["text"]), narrow.optional_text(data.get("re")), readers)

    @property
    def size(self) -> int:
        """Return its bytes where it is sent to all."""
        return len(canonical.dumps(self.value()))


def new_nonce() -> str:
    """Return a fresh nonce for one letter, in hex."""
    return commit.new_nonce().hex()


def commitment(game: bytes, stage: int, sender: str, n: int, shown: Shown) -> str:
    """Return the hash that binds the sender to the content of a letter."""
    nonce = bytes.fromhex(shown.nonce)
    return commit.commitment(game, stage, sender, f"{LETTER}{n}", nonce, shown.value).hex()


def pack(n: int, shown: Shown) -> bytes:
    """Return the bytes to be sealed as kind "letter" to each reader."""
    return canonical.dumps({"openings": {f"{LETTER}{n}": {"nonce": shown.nonce, "value": shown.value}}})


def unpack(data: bytes, n: int) -> Shown:
    """Read what `pack` made; BadSeal, which quotes nothing of it, if it is anything else."""
    decision = f"{LETTER}{n}"
    try:
        opened = canonical.loads(data)
        opening = members({"nonce": HEX32, "value": lambda value, path: None})
        members({"openings": members({decision: opening})})(opened, ())
    except (NotCanonical, BadShape):
        raise BadSeal(Message("trust.letters.not-a-letter")) from None
    openings = narrow.mapping(narrow.mapping(opened)["openings"])
    return Shown.of(narrow.mapping(openings[decision]))


def sealed(
    game: bytes, stage: int, sender: str, n: int, shown: Shown, keys: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the content sealed to each of these keys, by party; BadSeal if it is too long."""
    data, kind = pack(n, shown), seal.LETTER_KIND
    return {to: seal.seal(data, key, game, stage, kind, sender, to) for to, key in sorted(keys.items())}


def unsealed(letter: Statement, me: str, private: bytes) -> Shown:
    """Return what a private letter seals to me; BadSeal if it does not open with this key.

    Whether it fits what its sender committed to is for `check` to say.
    """
    body, game = letter.letter, bytes.fromhex(letter.game)
    blob, kind = body.sealed[me], seal.LETTER_KIND
    data = seal.unseal(blob, private, game, letter.stage, kind, letter.sender, me)
    return unpack(data, body.n)


def check(letter: Statement, shown: Shown, gm: str | None) -> Content:
    """Return the content of an opened private letter; BadOpening if it does not fit its commitment.

    `gm` is the party that may be asked to send it on.
    """
    body, game = letter.letter, bytes.fromhex(letter.game)
    made = commitment(game, letter.stage, letter.sender, body.n, shown)
    if body.commits.get(body.decision) != made:
        raise BadOpening(Message("trust.letters.opening-does-not-fit", sender=letter.sender))
    try:
        return Content.of(shown.value, body.to or (), gm)
    except BadShape as fault:
        raise BadOpening(fault.reason) from None
