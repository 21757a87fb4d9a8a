"""What an attack may be expected to bring: odds, final column, and each face of the die (4.13)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.kit.odds import chances_of
from pbem.rules import Forecast, Game

from .orders import Attack
from .pieces import maybe_piece
from .strength import Assault, heads


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """The attack of these units, an HQ among them as their support; the defender involves no distant HQ.

    Attacks are resolved in the answer that orders them, so none is announced: who checks his order reads the
    odds of each.
    """
    coming = [one for id in sorted(attackers) if (one := maybe_piece(game, id)) is not None]
    units = tuple(one.id for one in coming if one.type != "hq")
    if place is None or not units:
        return
    hq = next((one.id for one in coming if one.type == "hq"), None)
    found = Assault(game, coming[0].owner, Attack("A", place, units, hq), "regular")
    if found.defender is None:
        return
    column, combat = found.final(), found.world.combat
    results = [str(row[column]) for _, row in sorted(combat["results"].items(), key=lambda one: int(one[0]))]
    if found.ground.weather(place) in combat["reduces_retreats"]:
        parts = [one.split(" ", 1) for one in results]
        results = [" ".join([combat["weather_dr"].get(code, code), *losses]) for code, *losses in parts]
    yield Forecast(
        place,
        ((coming[0].owner, str(found.attack)), (found.defender, str(found.defence))),
        odds=str(heads(found.world)[column]),
        chances=chances_of(results),
    )
