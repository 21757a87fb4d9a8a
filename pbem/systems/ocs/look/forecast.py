"""The forecast of an attack over all rolls of surprise, shift and combat (4.9.4 to 4.9.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from pbem.kit.odds import sums_of
from pbem.rules import Forecast, Game

from ..rules.combat import best_rating
from ..rules.pieces import Unit, maybe_unit, units, world_of
from ..rules.strength import Result, fight, hedgehog, hex_terrains, read_result, shifted, surprise
from ..rules.views import hides

LEAST = Fraction(1, 20)
"""What an expectation is told from: less is nothing, to a tenth."""


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield the regular attack of these units on a hex, by default of all adjacent ones that can.

    Attacks are resolved in the answer that orders them, so none is announced: who checks his order reads the
    odds of each. The defender chooses whether he
    pays supply: where that changes his strength, both cases are told. With fog a stack is what lies on top.
    """
    there = units(game, at=place) if place is not None and place in world_of(game).terrains else []
    if not there:
        return
    side = there[0].owner
    coming = [u for id in sorted(attackers) if (u := maybe_unit(game, id)) is not None and u.owner != side]
    if not attackers:
        coming = [u for u in units(game) if u.owner != side and _can_attack(game, u, there[0].hex or "")]
    if not coming:
        return
    told = set()
    for supplied, case in ((True, "defender_supplied"), (False, "defender_unsupplied")):
        strengths = fight(game, there[0].hex or "", coming, there, {u.id: supplied for u in there})
        if (strengths.a, strengths.d, strengths.column) in told:
            continue
        told.add((strengths.a, strengths.d, strengths.column))
        chances = _results(game, coming, there, strengths.column)
        enemy, hidden = coming[0].owner, hides(game)
        yield Forecast(
            there[0].hex or "",
            ((enemy, str(strengths.a)), (side, str(strengths.d))),
            case=f"{case}_top" if hidden else case,
            odds=strengths.odds,
            chances=tuple((result.code, chance) for result, chance in chances),
            expected=tuple(
                (who, what, number)
                for who, what, number in (
                    (enemy, "steps", _mean([(one.a_lose, chance) for one, chance in chances])),
                    (enemy, "option", _mean([(one.a_option, chance) for one, chance in chances])),
                    (side, "steps", _mean([(one.d_lose, chance) for one, chance in chances])),
                    (side, "option", _mean([(one.d_option, chance) for one, chance in chances])),
                )
                if number
            ),
        )


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.9.7: Return the average results of a fight's combat roll in its column, after surprise.

    Steps and options of both sides; None if the terrain does not determine the column.
    """
    if event.get("event") != "combat-resolved":
        return None
    world, hex, attacker = world_of(game), str(event.get("hex")), str(event.get("attacker"))
    crt, odds, modified = world.combat["crt"], world.combat["odds"], event.get("modified")
    rows = {world.combat["hex"][terrain]["row"] for terrain in hex_terrains(world, hex)}
    columns = {odds[row].index(modified) for row in rows if modified in odds[row]}
    columns = {at for at in columns if read_result(world, at, int(event["total"])).code == event["result"]}
    if len(columns) != 1:
        return None
    at = min(columns)
    thrown = [
        (read_result(world, at, total + int(event["drm"])), likely) for total, likely in sums_of(crt["dice"])
    ]
    sides = ((attacker, "a"), *((who, "d") for who in game.players if who != attacker))
    return Forecast(
        hex,
        (),
        expected=tuple(
            (who, what, number)
            for who, side in sides
            for what, field in (("steps", "lose"), ("option", "option"))
            if (number := _mean([(getattr(one, f"{side}_{field}"), likely) for one, likely in thrown]))
            >= LEAST
        ),
    )


def _can_attack(game: Game, u: Unit, hex: str) -> bool:
    return u.hex is not None and u.attack_capable and world_of(game).adjacent(u.hex, hex)


def _results(game: Game, coming: list[Unit], there: list[Unit], column: int) -> list[tuple[Result, Fraction]]:
    """Return each result with its chance, the likeliest first."""
    world, hex = world_of(game), there[0].hex or ""
    level = hedgehog(game, hex, there[0].owner)
    edge = Unit(game, best_rating(coming)).ar - Unit(game, best_rating(there)).ar
    columns: dict[int, Fraction] = {}
    for first, likely in sums_of("2d6"):
        by = surprise(world, "regular", first + edge - (1 if level else 0))
        for die, each in sums_of(world.combat["surprise"]["shift"]):
            at = shifted(world, column, by * die)
            columns[at] = columns.get(at, Fraction(0)) + likely * each
    chances: dict[Result, Fraction] = {}
    for at, share in columns.items():
        for total, likely in sums_of(world.combat["crt"]["dice"]):
            result = read_result(world, at, total + edge - level)
            chances[result] = chances.get(result, Fraction(0)) + share * likely
    return sorted(chances.items(), key=lambda one: (-one[1], one[0].code))


def _mean(values: list[tuple[int, Fraction]]) -> Fraction:
    return sum((value * chance for value, chance in values), Fraction(0))
