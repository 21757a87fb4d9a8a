"""10.7 The points as they would count now, and what the scenario asks for victory."""

from __future__ import annotations

from pbem.rules import Ending, Game, Headed, Message

from ..rules.pieces import world_of
from ..rules.tracks import T
from ..rules.victory import score


def points(game: Game) -> dict[str, int]:
    """10.7: Return the victory points of both sides, as if they were counted now."""
    if game.options.get("limited_intelligence"):
        return {}
    return {side: score(game, side).total for side in world_of(game).seats}


def ending(game: Game) -> Ending:
    """Return what wins at once, what wins at the end, and what counts for each side."""
    world = world_of(game)
    victory = world.victory
    cities = tuple(world.place(hex) for hex in victory["at_once"])
    also = [
        Headed(Message("wbts.ending.at-once", places=cities)),
        Headed(Message("wbts.ending.at-end", week=int(victory["last_gt"]))),
    ]
    for side in world.seats:
        terms = victory["points"][side]
        counts = [f"{world.place(hex)} {int(points)}" for hex, points in sorted(terms["holds"].items())]
        counts += [Message("wbts.ending.always", points=int(terms["always"]))] if terms["always"] else []
        counts.append(Message("wbts.ending.losses", points=int(terms["per_losses"])))
        also.append(Headed(Message("wbts.ending.counts", side=side), tuple(counts)))
    result = T.of(game).result
    best = None if result is None else (result.winner,) if result.winner else game.players
    return Ending(counted=result is not None, also=tuple(also), best=best)
