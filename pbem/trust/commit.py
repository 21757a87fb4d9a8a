"""Commitments: a secret choice is fixed by a hash now and shown later (protocol 8.1)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from pbem.text import canonical
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust.errors import BadOpening
from pbem.trust.hashing import H, u32


def new_nonce() -> bytes:
    """Return a new 32-byte nonce; every revision of an order needs its own."""
    return secrets.token_bytes(32)


def commitment(game: bytes, stage: int, party: str, decision: str, nonce: bytes, value: Json) -> bytes:
    """Return the hash that binds `party` to `value` for one decision of one stage.

    NotCanonical if JSON cannot say it.
    """
    if len(game) != 32 or len(nonce) != 32:
        raise ValueError(Message("trust.commit.game-id-nonce-32-bytes"))
    return H("commit", game, u32(stage), party, decision, nonce, canonical.dumps(value))


def opens(
    commit: bytes, game: bytes, stage: int, party: str, decision: str, nonce: bytes, value: Json
) -> bool:
    """Return True if the commitment was made from this nonce and value."""
    return commitment(game, stage, party, decision, nonce, value) == commit


def check_openings(
    commits: Mapping[str, Json],
    openings: Mapping[str, Mapping[str, Json]],
    *,
    game: bytes,
    stage: int,
    party: str,
) -> None:
    """Check that every commitment of one statement is opened and every opening fits; BadOpening if not.

    `commits` is {decision: hex hash}, `openings` {decision: {nonce, value}}, both of a checked shape.
    """
    if set(commits) != set(openings):
        odd = sorted(set(commits) ^ set(openings))[0]
        what = (
            Message("trust.commit.not-opened")
            if odd in commits
            else Message("trust.commit.opened-without-commitment")
        )
        raise BadOpening(Message("trust.commit.decision", odd=odd, party=party, what=what))
    for decision, opening in openings.items():
        commit, nonce = bytes.fromhex(str(commits[decision])), bytes.fromhex(str(opening["nonce"]))
        if "stage" in opening or not opens(commit, game, stage, party, decision, nonce, opening["value"]):
            raise BadOpening(
                Message("trust.commit.opening-decision-does-not-fit", decision=decision, party=party)
            )
