"""Hash chains, one per party: each stage uses one value, which all can check (protocol 4.2, 9.1)."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from pbem.text.messages import Message
from pbem.trust.errors import BadLink
from pbem.trust.hashing import lp, u32

DEFAULT_LENGTH = 4096
MAX_LENGTH = 65_536


class Checked(NamedTuple):
    """A link that was checked before: its stage and value.

    Later links need hashing only as far as this one.
    """

    stage: int
    link: bytes


def new_secret() -> bytes:
    """Return a new start of a chain, c0."""
    import secrets

    return secrets.token_bytes(32)


class Chain:
    """A party's own chain from its secret start: c(0) is `c0`, c(length) the anchor."""

    def __init__(self, salt: bytes, party: str, c0: bytes, length: int = DEFAULT_LENGTH) -> None:
        """Make the chain of a secret start; `salt` and `length` are those of the roster.

        Raises ValueError if they cannot be a chain's.
        """
        _check_length(length)
        if len(salt) != 32 or len(c0) != 32:
            raise ValueError(Message("trust.chain.salt-start-chain-32-bytes"))
        self.length = length
        self._values = [c0]
        step = _Step(salt, party)
        for i in range(1, length + 1):
            self._values.append(step(i, self._values[-1]))

    @property
    def start(self) -> bytes:
        """Return c(0), the secret that all links follow from."""
        return self._values[0]

    @property
    def anchor(self) -> bytes:
        """Return c(length), which is in the roster."""
        return self._values[self.length]

    def link(self, stage: int, since: int = 0) -> bytes:
        """Return the value for a stage.

        `since` is the stage whose record brought in the anchor, 0 for the roster's.

        BadLink if the chain does not reach that stage: it lasts `length` stages after `since`. A link
        reveals all earlier ones, so it must not be given out before its stage.
        """
        return self._values[_position(self.length, stage, since)]


def check_link(
    link: bytes,
    *,
    salt: bytes,
    party: str,
    length: int,
    anchor: bytes,
    stage: int,
    since: int = 0,
    last: Checked | None = None,
) -> Checked:
    """Check that `link` is the party's value for `stage` under `anchor`; BadLink if not.

    `last` is a link of the same anchor that passed before; it saves hashing all the way. Returns what the
    next call may be given as `last`.
    """
    _check_length(length)
    at = _position(length, stage, since)
    if len(link) != 32:
        raise BadLink(Message("trust.chain.link-bytes-32", count=len(link)))
    goal_at, goal = length, anchor
    if last is not None and since < last.stage <= stage:
        goal_at, goal = _position(length, last.stage, since), last.link
    step = _Step(salt, party)
    value = link
    for i in range(at + 1, goal_at + 1):
        value = step(i, value)
    if value != goal:
        raise BadLink(Message("trust.chain.link-stage-does-not-lead", party=party, stage=stage))
    return Checked(stage, link)


class _Step:
    """The function from c(i - 1) to c(i), with the constant part hashed once.

    c(i) = H("chain", salt, party, u32(i), c(i - 1)).
    """

    def __init__(self, salt: bytes, party: str) -> None:
        self._start = hashlib.sha256(lp(b"pbem/v1/chain") + lp(salt) + lp(party.encode()))

    def __call__(self, i: int, value: bytes) -> bytes:
        digest = self._start.copy()
        digest.update(b"%b%b%b%b" % (_FOUR, u32(i), _LENGTH, value))
        return digest.digest()


_FOUR, _LENGTH = u32(4), u32(32)  # length prefixes, as `lp` writes them


def _position(length: int, stage: int, since: int) -> int:
    used = stage - since
    if not 1 <= used <= length:
        raise BadLink(
            Message("trust.chain.no-link-stage-chain-begins", stage=stage, since=since, length=length)
        )
    return length - used


def _check_length(length: int) -> None:
    if not 1 <= length <= MAX_LENGTH:
        raise ValueError(Message("trust.chain.chain-length-1-possible", length=length, max_length=MAX_LENGTH))
