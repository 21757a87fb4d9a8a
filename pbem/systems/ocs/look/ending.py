"""10.3: The result for the points of the scenario's first side, for the last report."""

from __future__ import annotations

from pbem.rules import Ending, Game, bands

from ..rules.pieces import T, world_of


def ending(game: Game) -> Ending:
    """Return the points that were counted and the bands of the scenario."""
    victory = world_of(game).victory
    sides = victory["sides"]
    rows = [
        (int(band["at_least"]), band["result"] if band["result"] in sides else "", band["result"])
        for band in victory["bands"]
    ]
    t = T.of(game)
    best = None if t.result is None else (t.result,) if t.result in sides else game.players
    return Ending((str(sides[0]),), t.vp, bands(rows), best=best)
