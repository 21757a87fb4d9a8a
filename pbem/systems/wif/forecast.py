"""What an attack on land may be expected to bring, by each face of the die (4.7.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from pbem.kit.odds import chances_of
from pbem.rules import Forecast, Game

from .battle import column, defenders, modifiers, outcome, strengths
from .pieces import Unit, maybe_unit, side, side_units
from .world import world_of

FACES = 10


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """The attack of these units on a hex; without any named, of all that stand beside it and can attack.

    Attacks are resolved in the letter that orders them, so none is announced: who checks his letter reads the
    odds of each.
    """
    world = world_of(game)
    if place is None or place not in world.index or not world.land(place):
        return
    for own in sorted(set(world.side_of.values())):
        there = [u for u in defenders(game, place, own) if not u.print.support]
        coming = [u for id in sorted(attackers) if (u := maybe_unit(game, id)) is not None]
        coming = [u for u in coming if side(game, u) == own and u.print.arm == "land"]
        if not attackers:
            coming = [u for u in side_units(game, own) if _can_attack(game, u, place)]
        if there and coming:
            yield from _forecast(game, place, own, coming, there)


def _can_attack(game: Game, u: Unit, hex: str) -> bool:
    world = world_of(game)
    if u.print.arm != "land" or u.print.support or u.down or u.hex not in world.index:
        return False
    return world.adjacent(u.place, hex) and world.open_side(u.place, hex)


def _forecast(game: Game, hex: str, own: str, coming: list[Unit], there: list[Unit]) -> Iterator[Forecast]:
    world = world_of(game)
    columns = world.combat["land"]["columns"]
    strong, weak = strengths(game, hex, tuple(u.id for u in coming))
    least, _, against = columns[0].partition(":")
    sides = (coming[0].owner, str(strong)), (there[0].owner, str(weak))
    if strong * int(against) < weak * int(least):
        yield Forecast(hex, sides, case="too_weak", odds=f"{strong}:{weak}")
        return
    n, changes = column(world, strong, weak), sum(modifiers(game, hex, own).values())
    results = [outcome(world, n, die + changes)[1] for die in range(1, FACES + 1)]
    parts = [one.partition("/") for one in results]
    yield Forecast(
        hex,
        sides,
        odds=str(columns[n]),
        chances=chances_of(results),
        expected=(
            (sides[0][0], "units", Fraction(sum(int(lost) for lost, _, _ in parts), FACES)),
            (sides[1][0], "units", Fraction(sum(int(rest[0]) for _, _, rest in parts), FACES)),
        ),
    )
