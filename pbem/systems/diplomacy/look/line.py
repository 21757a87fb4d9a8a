"""7: Typed lines as orders and votes: `a par - bur`, `draw`, `concede to italy`."""

from __future__ import annotations

from typing import Any

from pbem.rules import Draft, Next, Part

from ..rules.drafts import Adjustments, Movements, Retreats
from ..rules.notation import NotUnderstood, read
from ..rules.voting import votes


def line(draft: Draft[Any], text: str) -> Next[Any] | None:
    """Return the order or the vote that a line is; None for a line of another shape."""
    if isinstance(draft, Movements):
        vote = text.lower().replace("concede", "").replace("vote", "").replace(" to ", " ").strip()
        if vote in votes(draft.game, draft.player):
            return _told(draft, Part("vote", vote), text)
    first = text.split()[:1]
    if not isinstance(draft, Movements | Retreats | Adjustments) or {*first} & {
        *draft.game.position.counters
    }:
        return None
    try:
        read(draft.world, text)
    except NotUnderstood as fault:
        if fault.fault.code != "E-DIP-01" or len(text.split()) < 2:
            return None
    return _told(draft, Part("orders", text) if isinstance(draft, Movements) else text, text)


def _told(draft: Draft[Any], element: Any, text: str) -> Next[Any]:
    """Return an element with its words, which only a legal one has."""
    return Next(element, text if draft.faults(element) else draft.words(element))
