"""The players whom an event attacks, as `unless: attacked` of an advance order tests it.

Events say it by their declarations (`model/meaning.py`); no rules system adds a word for it. In a player's
own turn nothing counts as an attack on the player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.model.events import Told
from pbem.model.facts import may_know
from pbem.model.meaning import Meaning, meaning

if TYPE_CHECKING:
    from pbem.engine.game import Game


def attacked(game: Game, told: Told, phasing: str | None) -> tuple[str, ...]:
    """Return the players for whom this event is an attack.

    They are told of it, it concerns them, and it is another player's turn. In nobody's turn only battles and
    captured places count: attrition is no attack.
    """
    event = told.event
    cls = game.system.registry.events.get(str(event.get("event")))
    if cls is None:
        return ()
    fought = "battle" in cls.tells or (phasing is not None and not {"loss", "retreat"}.isdisjoint(cls.tells))
    if not fought and "capture" not in cls.tells:
        return ()
    mine = game.seat(phasing) if phasing is not None else None
    hit = _concerned(game, meaning(cls, event), fought=fought)
    return tuple(p for p in game.players if p in hit and p != mine and may_know(told.audience, p))


def _concerned(game: Game, meaning: Meaning, *, fought: bool) -> list[str]:
    """Return the players whom a battle, a loss or a retreat concerns, and those who lost a place."""
    names = [*meaning.players, *meaning.losers] if fought else []
    names += [capture.before for capture in meaning.captures]
    for id in meaning.units if fought else ():
        fields = game.position.counters.get(id, {})
        names += [str(fields[name]) for name in ("owner", "side") if isinstance(fields.get(name), str)]
    return [game.seat(name) for name in names if name in game.players or name in game.powers]
