"""Positions of the Marl Crossings for tests, and views of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.adjudicate import start, view_of
from pbem.engine.game import Game
from pbem.engine.system import find
from pbem.model.facts import may_know
from pbem.testing import prepare
from pbem.text.canonical import Json

WBTS = find("wbts")


def board(
    counters: Mapping[str, Any] | None = None,
    tracks: Mapping[str, Any] | None = None,
    *,
    remove: tuple[str, ...] = (),
    hidden: bool = False,
) -> Game:
    """The start position with changes, as examples give them."""
    options = {"limited_intelligence": True} if hidden else {}
    given = {"options": options, "counters": counters or {}, "tracks": tracks or {}, "remove": list(remove)}
    return prepare(WBTS, given)


def facts_for(game: Game, player: str | None) -> dict[str, Json]:
    """What somebody may know of a position."""
    return {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, player)}


def view(game: Game, player: str) -> Game:
    """The position as a player sees it."""
    state = start(WBTS, "marl_crossings", dict(game.options))
    return view_of(WBTS, state, facts_for(game, player), player)
