"""Commitments: a secret choice is fixed by a hash now and shown later (protocol 8.1).

The last part is about players who answer by unsigned email: the GM commits to what they wrote
(protocol-letters 6).
"""

from __future__ import annotations

import base64
import secrets

from pbem.text import canonical
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust.hashing import H, u32
from pbem.trust.records import Shown
from pbem.trust.said import PLAIN

CODE = 10
"""Characters of a reply code."""
MOST_TEXT = 4_000
"""Characters of a plain reply that are kept."""


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


# --- plain replies --------------------------------------------------------------------------------------


def reply_code(secret: bytes, game: bytes, stage: int, party: str) -> str:
    """Return the code of a party's questions in a stage; a reply with it answers that email."""
    return base64.b32encode(H("reply", secret, game, u32(stage), party)).decode().lower()[:CODE]


def plain_opening(said: str, text: str) -> Shown:
    """Return a fresh opening of the words of a receipt and the text of a reply."""
    return Shown(new_nonce().hex(), {"said": said, "text": text[:MOST_TEXT]})


def plain_commitment(game: bytes, stage: int, party: str, shown: Shown) -> str:
    """Return the member `plain` of an order that was written down from this reply."""
    return commitment(game, stage, party, PLAIN, bytes.fromhex(shown.nonce), shown.value).hex()
