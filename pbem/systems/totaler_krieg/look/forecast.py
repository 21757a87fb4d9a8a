"""4.13: Forecast of an attack: odds, final column, and each face of the die."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pbem.kit.odds import chances_of
from pbem.rules import Forecast, Game, Message

from ..rules.orders import Attack
from ..rules.pieces import maybe_piece, world_of
from ..rules.strength import Assault, heads
from ..rules.world import World


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield what an attack of these units may bring, an HQ among them as their support.

    In each segment that allows it, without and with each distant HQ that the defender may involve.

    Attacks are resolved in the answer that orders them, so none is announced. `orders check` tells the odds
    of each.
    """
    coming = [one for id in sorted(attackers) if (one := maybe_piece(game, id)) is not None]
    units = tuple(one.id for one in coming if one.type != "hq")
    if place is None or not units:
        return
    hq = next((one.id for one in coming if one.type == "hq"), None)
    order = Attack("A", place, units, hq)
    blitz, regular = (Assault(game, coming[0].owner, order, segment) for segment in ("blitz", "regular"))
    enabled = all(blitz.ground.blitz_enabled(one) for one in coming)
    if enabled and not any(fault.code == "E-ATK-13" for fault in blitz.faults()):
        yield from _cases(blitz, Message("totaler-krieg.forecast.in-blitz"))
    yield from _cases(regular, "")


def _cases(found: Assault, segment: str) -> Iterator[Forecast]:
    """4.13.2: Yield what an attack comes to without a distant HQ of the defender, then with each."""
    if found.defender is None:
        return
    for one in (None, *found.eligible_hqs()):
        found.defender_hq = one
        column = found.final()
        said = (
            segment,
            Message("totaler-krieg.forecast.defended-by-hq-too", one=one.id) if one is not None else "",
        )
        yield Forecast(
            found.target,
            ((found.faction, str(found.attack)), (found.defender, str(found.defence))),
            ", ".join(part for part in said if part),
            odds=str(heads(found.world)[column]),
            chances=chances_of(_results(found.world, column, found.ground.weather(found.target) or "")),
        )


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """Return what the die might have brought in an attack that was made, by its column and the weather."""
    working, world = event.get("working"), world_of(game)
    column = working.get("column") if isinstance(working, Mapping) else None
    if event.get("event") != "attacked" or column not in heads(world):
        return None
    results = _results(world, heads(world).index(str(column)), str(event.get("weather")))
    return Forecast(str(event.get("hex")), (), chances=chances_of(results))


def _results(world: World, column: int, weather: str) -> list[str]:
    """Return the results of a column, by the faces of the die; bad weather shortens retreats."""
    combat = world.combat
    results = [str(row[column]) for _, row in sorted(combat["results"].items(), key=lambda one: int(one[0]))]
    if weather not in combat["reduces_retreats"]:
        return results
    parts = [one.split(" ", 1) for one in results]
    return [" ".join([combat["weather_dr"].get(code, code), *losses]) for code, *losses in parts]
