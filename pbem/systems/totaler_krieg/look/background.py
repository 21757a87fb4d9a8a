"""Public knowledge beside the position, for reports (7)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Game, Headed

from ..rules import background as facts
from .holding import is_set_up


def background(game: Game) -> Iterable[Headed]:
    """Return cards, events, victory and turns to come; nothing before the set-up."""
    return facts.background(game) if is_set_up(game) else ()
