"""What an attack may be expected to bring: odds, final column, and each face of the die (4.13)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pbem.kit.odds import chances_of
from pbem.rules import Forecast, Game

from ..rules.orders import Attack
from ..rules.pieces import maybe_piece, world_of
from ..rules.strength import Assault, heads
from ..rules.world import World


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
    column = found.final()
    yield Forecast(
        place,
        ((coming[0].owner, str(found.attack)), (found.defender, str(found.defence))),
        odds=str(heads(found.world)[column]),
        chances=chances_of(_results(found.world, column, found.ground.weather(place) or "")),
    )


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """What the die might have brought in an attack that was made, by its column and the weather."""
    working, world = event.get("working"), world_of(game)
    column = working.get("column") if isinstance(working, Mapping) else None
    if event.get("event") != "attacked" or column not in heads(world):
        return None
    results = _results(world, heads(world).index(str(column)), str(event.get("weather")))
    return Forecast(str(event.get("hex")), (), chances=chances_of(results))


def _results(world: World, column: int, weather: str) -> list[str]:
    """The results of a column, by the faces of the die; bad weather shortens retreats."""
    combat = world.combat
    results = [str(row[column]) for _, row in sorted(combat["results"].items(), key=lambda one: int(one[0]))]
    if weather not in combat["reduces_retreats"]:
        return results
    parts = [one.split(" ", 1) for one in results]
    return [" ".join([combat["weather_dr"].get(code, code), *losses]) for code, *losses in parts]
