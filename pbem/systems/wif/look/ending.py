"""10.4: Result from the points of the side that is counted, for the last report."""

from __future__ import annotations

from pbem.rules import Ending, Game, Headed, Message, bands

from ..rules.pieces import T
from ..rules.turning import score
from ..rules.world import world_of
from .holding import sides


def points(game: Game) -> dict[str, int]:
    """10.4: Return the points of the side that is counted, as if they were counted now."""
    return {"*": score(game)[0]}


def ending(game: Game) -> Ending:
    """Return the counted points, the result they give, and what ended the game at once, if anything."""
    t, world = T.of(game), world_of(game)
    victory = world.scenario["victory"]
    own = str(victory["side"])
    foe = world.enemy(own)
    win, lose = int(victory["win"]), int(victory["lose"])
    rows = [(win, own, ""), (lose + 1, "", "draw"), (0, foe, "")]
    if win <= lose + 1:  # no number between the two
        rows.pop(1)
    also = tuple(
        Headed(
            str(side),
            (Message("wif.ending.capitals", places=tuple(_place(game, place) for place in places)),),
        )
        for side, places in sorted(victory.get("capitals", {}).items())
    )
    counted = t.result == next(
        (band.winner or band.result for band in bands(rows) if band.holds(t.points)), ""
    )
    side_of = sides(game)
    won = tuple(seat for seat in game.players if t.result in (side_of.get(seat), "draw"))
    best = None if t.result is None else won
    return Ending((own,), t.points, bands(rows), counted, also, best=best)


def _place(game: Game, hex: str) -> str:
    site = world_of(game).sites.get(hex)
    return f"{hex} {site.name}" if site is not None else hex
