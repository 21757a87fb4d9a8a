"""Facts and audiences (protocol 11.1): what is true, and who may know it now.

An audience is `PUBLIC`, `GM_ONLY`, or a sorted tuple of players. Code that hashes facts adds the GM to each.
"""

from __future__ import annotations

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

Audience = tuple[str, ...]
PUBLIC: Audience = ("*",)
GM_ONLY: Audience = ()


@dataclass(frozen=True)
class Fact:
    """One key and its value, for those in `audience`."""

    key: str
    value: Json
    audience: Audience = PUBLIC


def audience_of(*players: str) -> Audience:
    """Return the audience of these players and nobody else (except the GM)."""
    return tuple(sorted(set(players)))


def may_know(audience: Audience, player: str | None) -> bool:
    """Return True if this player may know it.

    `None` is an outsider, who may know what is public.
    """
    return audience == PUBLIC or (player is not None and player in audience)
