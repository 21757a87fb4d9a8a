"""Seals: data that only one party can read, tied to game, stage, kind and sender.

Protocol 8.2; HPKE, RFC 9180.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from pbem.text import canonical, narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import BadKey, BadSeal, BadShape, NotOpened
from pbem.trust.hashing import lp, u32
from pbem.trust.primitives import home
from pbem.trust.records import Shown, shown_in
from pbem.trust.shapes import HEX32, OPENINGS, members

OPENINGS_KIND = "openings"
VIEW_KIND = "view"
LETTER_KIND = "letter"
HANDOVER_KIND = "handover"
MAX_VIEW = 32 * 1024 * 1024
_BLOCK = {OPENINGS_KIND: 256, VIEW_KIND: 4096, LETTER_KIND: 1024, HANDOVER_KIND: 4096}
_MOST = {LETTER_KIND: 16384}
MAX_LETTER = _MOST[LETTER_KIND] - 4
"""Bytes of what is sealed in a letter."""
STEP = 4
"""How much longer each size of a sealed order is than the one before."""
_OVERHEAD = 32 + 16


def info(game: bytes, stage: int, kind: str, sender: str, to: str) -> bytes:
    """Return the context in which a blob is sealed; sender and recipient are party ids."""
    fields = (game, u32(stage), kind.encode(), sender.encode(), to.encode())
    return lp(b"pbem/v1/seal") + b"".join(map(lp, fields))


def pad(data: bytes, kind: str) -> bytes:
    """Return `data` with its length, padded with zero bytes to one of few sizes of the kind.

    A sealed order or letter is as long as 1, 4, 16, ... blocks: all are multiples of the block, and there are
    so few that their sizes tell a long order from a short one and no more. Raises BadSeal if the largest
    size of the kind is too small.
    """
    padded = lp(data)
    size = _BLOCK[kind]
    if kind in (VIEW_KIND, HANDOVER_KIND):
        return _to_block(padded, kind)
    while size < len(padded):
        size *= STEP
    if size > _MOST.get(kind, size):
        raise BadSeal(Message("trust.seal.too-long-for-kind", kind=kind, most=_MOST[kind] - 4))
    return padded + bytes(size - len(padded))


def _to_block(padded: bytes, kind: str) -> bytes:
    return padded + bytes(-len(padded) % _BLOCK[kind])


def unpad(padded: bytes, kind: str) -> bytes:
    """Return what `pad` was given.

    Raises BadSeal unless the padding is that of `pad`; that of an order may go only to the next block, as
    in games of the first revisions.
    """
    data = padded[4 : 4 + int.from_bytes(padded[:4], "big")]
    if padded != pad(data, kind) and (kind != OPENINGS_KIND or padded != _to_block(lp(data), kind)):
        raise BadSeal(Message("trust.seal.seal-padding-not-must"))
    return data


def seal(
    data: bytes, recipient_public: bytes, game: bytes, stage: int, kind: str, sender: str, to: str
) -> bytes:
    """Seal data to a party's seal key.

    Every call gives another blob. BadKey if nothing can be sealed to it.
    """
    padded = pad(data, kind)
    try:
        return home().seal(recipient_public, padded, info(game, stage, kind, sender, to))
    except ValueError:
        raise BadKey(Message("trust.seal.nothing-can-sealed-seal-key", to=to)) from None


def unseal(
    blob: bytes, recipient_private: bytes, game: bytes, stage: int, kind: str, sender: str, to: str
) -> bytes:
    """Open a blob; BadSeal if it was sealed to another key, in another context, or altered."""
    if len(blob) < _OVERHEAD + _BLOCK[kind]:
        raise BadSeal(Message("trust.seal.seal-bytes-too-short-one", count=len(blob), kind=repr(kind)))
    try:
        padded = home().open_sealed(recipient_private, blob, info(game, stage, kind, sender, to))
    except NotOpened:
        raise BadSeal(
            Message("trust.seal.seal-from-stage-does-not", sender=sender, to=to, stage=stage)
        ) from None
    return unpad(padded, kind)


@lru_cache(maxsize=256)  # a roster is read again and again, and has few keys
def check_seal_key(public: bytes) -> None:
    """Check that somebody can seal to this X25519 key; BadKey if not (protocol 4.1)."""
    if len(public) != 32:
        raise BadKey(Message("trust.seal.seal-key-bytes-x25519-key", count=len(public)))
    seal(b"", public, bytes(32), 0, OPENINGS_KIND, "a", "this key")


# --- what is sealed -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Openings:
    """The content of a player's order or link for the GM.

    The sender's link (`swift` only) and the openings of commitments.
    """

    link: bytes | None
    openings: Mapping[str, Shown] = field(default_factory=dict)

    def pack(self) -> bytes:
        """Return the bytes to be sealed as kind "openings"; empty members are left out (protocol 17.1)."""
        data: dict[str, Json] = {}
        if self.link is not None:
            data["link"] = self.link.hex()
        if self.openings:
            data["openings"] = {decision: opening.data() for decision, opening in self.openings.items()}
        return canonical.dumps(data)

    @classmethod
    def unpack(cls, data: bytes) -> Openings:
        """Read what `pack` made; BadSeal, which quotes nothing of it, if it is anything else."""
        try:
            value = canonical.loads(data)
            members({}, {"link": HEX32, "openings": OPENINGS})(value, ())
        except (canonical.NotCanonical, BadShape):
            raise BadSeal(Message("trust.seal.seal-opens-but-not-link")) from None
        content = narrow.mapping(value)
        link = content.get("link")
        openings = shown_in(content.get("openings"))
        return cls(bytes.fromhex(link) if isinstance(link, str) else None, openings)


def pack_view(view: Json) -> bytes:
    """Return the bytes of a view to be sealed as kind "view": compressed canonical JSON (11.2)."""
    return zlib.compress(canonical.dumps(view), 9)


def unpack_view(data: bytes) -> Json:
    """Read what `pack_view` made.

    Raises BadSeal, which quotes nothing of it, if it is damaged or grows beyond MAX_VIEW.
    """
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(data, MAX_VIEW + 1)
        if len(text) > MAX_VIEW:
            raise BadSeal(Message("trust.seal.view-more-than-bytes", max_view=MAX_VIEW))
        if not reader.eof or reader.unused_data:
            raise BadSeal(Message("trust.seal.view-cut-off-bytes-after"))
        return canonical.loads(text)
    except (zlib.error, canonical.NotCanonical):
        raise BadSeal(Message("trust.seal.seal-opens-but-not-compressed")) from None
