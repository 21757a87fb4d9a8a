"""4.7.7: Forecast of an attack on land, by each face of the die."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.odds import chances_of
from pbem.rules import Forecast, Game

from ..rules.battle import column, defenders, modifiers, outcome, strengths
from ..rules.pieces import Unit, maybe_unit, side, side_units
from ..rules.world import world_of

FACES = 10


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield the attack of these units on a hex; without any named, of all beside it that can attack.

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
    lost = _expected(results)
    yield Forecast(
        hex,
        sides,
        odds=str(columns[n]),
        chances=chances_of(results),
        expected=(
            (sides[0][0], "units", lost[0]),
            (sides[1][0], "units", lost[1]),
        ),
    )


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """Return what the die might have brought in an attack that was made, by its odds and modifiers.

    Whether the defence gives way, and the losses of both (4.7.7).
    """
    world = world_of(game)
    columns, changes = list(world.combat["land"]["columns"]), event.get("modifiers")
    if (
        event.get("event") != "attacked"
        or event.get("odds") not in columns
        or not isinstance(changes, Mapping)
    ):
        return None
    n, shift = columns.index(event["odds"]), sum(map(int, changes.values()))
    results = [outcome(world, n, die + shift)[1] for die in range(1, FACES + 1)]
    lost = _expected(results)
    other = next((owner for id in event.get("defenders", ()) if (owner := _owner(game, str(id)))), "")
    return Forecast(
        str(event.get("hex")),
        (),
        chances=chances_of(["gives_way" if {"R", "S"} & {*one} else "holds" for one in results]),
        expected=(
            (str(event.get("power")), "units", lost[0]),
            *(((other, "units", lost[1]),) if other else ()),
        ),
    )


def _owner(game: Game, id: str) -> str:
    """Return the owner of a unit, also after it is gone."""
    from .absent import absent

    u = maybe_unit(game, id)
    return u.owner if u is not None else str(absent(game).get(id, {}).get("owner", ""))


def _expected(results: Sequence[str]) -> tuple[Fraction, Fraction]:
    """Return the average losses of the attackers and the defenders."""
    parts = [one.partition("/") for one in results]
    return (
        Fraction(sum(int(lost) for lost, _, _ in parts), FACES),
        Fraction(sum(int(rest[0]) for _, _, rest in parts), FACES),
    )
