"""4.10: Forecast of a barrage of troops or of a facility, by every throw: before it, and for its card."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from pbem.kit.fights import average, share
from pbem.kit.odds import Modifier, sums_of
from pbem.rules import Forecast, Game, Message, dataclass

from ..rules.fighting.barrage import Shot, band, broadside, gun_strength, reduced, shifts
from ..rules.fighting.strength import hedgehog, rnd
from ..rules.pieces import Ship, T, Unit, maybe_unit, ships, units, world_of
from ..rules.world import World

What = Literal["units", "air_base", "port", "ship", "trainbusting"]


@dataclass(frozen=True)
class Aim:
    """The target of a shot: troops (`units`), `air_base`, `port`, `trainbusting`, or a `ship` by its id."""

    hex: str
    what: What
    ship: str = ""


@dataclass(frozen=True)
class Effect:
    """The chances that a shot does something and that it costs steps, levels or a ship; how many; by code."""

    some: Fraction = Fraction(0)
    costs: Fraction = Fraction(0)
    mean: Fraction = Fraction(0)
    codes: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class Flown:
    """The way of aircraft to a target: steps lost, who is met, and the chance if one intercepts."""

    lost: Fraction
    met: str = ""
    fighter: str = ""
    less: Fraction = Fraction(0)


def barrage(
    game: Game, hex: str, ids: Collection[str], target: str | None = None, ship: str | None = None
) -> Iterator[Forecast]:
    """4.10, 4.12.3: Yield what these may do to a hex, if all are guns in range or ships.

    To the troops in it, to the enemy's air base and port and to each enemy ship, or to this target alone.
    """
    named = sorted(set(ids))
    side = str(game.position.counters.get(named[0], {}).get("owner", "")) if named else ""
    if side not in world_of(game).seats:
        return
    guns = [u for id in named if (u := maybe_unit(game, id)) is not None and _in_range(u, side, hex)]
    fleet = [s for s in ships(game, side) if s.id in named and _covers(s, hex)]
    if guns and len(guns) == len(named):
        strength = rnd(sum((gun_strength(u) for u in guns), Fraction(0)))
        shot = Shot(side, tuple(named), "artillery", strength)
    elif fleet and len(fleet) == len(named):
        shot = Shot(side, tuple(named), "ship", broadside(game, fleet))
    else:
        return
    coastal = shot.by == "ship" or all("coastal" in u.print.flags for u in guns)
    if shot.strength >= 1:
        for aim in aims(game, world_of(game).enemy(side), hex, target, ship):
            if coastal or aim.what != "ship":
                yield forecast(game, shot, aim, effect(game, shot, aim))


def aims(game: Game, enemy: str, hex: str, target: str | None, ship: str | None) -> Iterator[Aim]:
    """4.10, 4.12.3: Yield what of an enemy a barrage of a hex may aim at, or the target that is named."""
    t = T.of(game)
    base, port = t.bases.get(hex), t.ports.get(hex)
    if base is not None and base.owner == enemy and target in (None, "air_base"):
        yield Aim(hex, "air_base")
    if port is not None and port.owner == enemy and target in (None, "port"):
        yield Aim(hex, "port")
    if target in (None, "ship"):
        yield from (
            Aim(hex, "ship", afloat.id) for afloat in ships(game, enemy, hex) if ship in (None, afloat.id)
        )
    if target == "trainbusting":
        yield Aim(hex, "trainbusting")
    if target in (None, "units") and units(game, enemy, hex):
        yield Aim(hex, "units")


def effect(game: Game, shot: Shot, aim: Aim) -> Effect:
    """4.10, 4.12.4: Return what a shot does to its target, by every throw."""
    if shot.strength < 1:
        return Effect()
    if aim.what == "ship":
        return _on_a_ship(game, Ship(game, aim.ship), _column(game, shot, aim)[1])
    if aim.what != "units":
        return _on_a_facility(game, shot, aim.what)
    steps = sum(u.steps for u in units(game, world_of(game).enemy(shot.side), aim.hex))
    at = _column(game, shot, aim)[1]
    return _on_troops(game, at, steps, lambda code: reduced(game, shot, aim.hex, code))


def _column(game: Game, shot: Shot, aim: Aim) -> tuple[int, int]:
    """4.10 step 4, 4.12.3: Return the points of a shot at its target and their column, with its shifts."""
    chart, points = world_of(game).tables["barrage"]["barrage"], shot.strength
    if aim.what == "ship":
        times = int(world_of(game).tables["ships"]["fire"]["aircraft_factor"]) if shot.by == "air" else 1
        points = rnd(Fraction(points * times, max(1, Ship(game, aim.ship).hull.protection)))
        moved: Sequence[Modifier] = shot.shifts
    else:
        moved = shifts(game, shot, aim.hex)
    at = band(chart["upper"], points) + sum(m.value for m in moved)
    return points, max(0, min(len(chart["label"]) - 1, at))


def forecast(game: Game, shot: Shot, aim: Aim, brings: Effect, flown: Flown | None = None) -> Forecast:
    """4.10, 4.12.3: Return the forecast of a shot, in words; of aircraft after their way to it."""
    if aim.what in ("units", "ship"):
        return _by_column(game, shot, aim, _column(game, shot, aim), brings, flown)
    return _of_a_facility(game, shot, aim, brings, flown)


def facility(game: Game, event: Mapping[str, Any]) -> Forecast:
    """4.10 step 6: Return what a barrage of a facility that was fired could bring."""
    shot = Shot(str(event["player"]), tuple(map(str, event["units"])), "", int(event["strength"]))
    what: Any = event["target"]
    aim = Aim(str(event["hex"]), what)
    return _of_a_facility(game, shot, aim, _on_a_facility(game, shot, aim.what), None)


def _on_a_facility(game: Game, shot: Shot, target: str) -> Effect:
    """4.10 step 6: Return what a barrage does to a facility, by every face of the die."""
    chart = world_of(game).tables["barrage"]["facility"]
    at, hits = band(chart["upper"], shot.strength), []
    for die in range(1, 7):
        body = str(chart["rows"][str(die)][at]).partition("(")[0]
        hits.append(int("x" in body) if target == "trainbusting" else int(body.strip("x-") or 0))
    any_chance = Fraction(sum(map(bool, hits)), 6)
    return Effect(any_chance, any_chance, Fraction(sum(hits), 6))


def _of_a_facility(game: Game, shot: Shot, aim: Aim, brings: Effect, flown: Flown | None) -> Forecast:
    sentence = Message(
        "ocs.forecast.facility",
        points=shot.strength,
        what=aim.what,
        chance=share(brings.some),
        levels=aim.what != "trainbusting",
        mean=average(brings.mean),
        way=_way(flown),
    )
    sides = (shot.side, str(shot.strength)), (world_of(game).enemy(shot.side), "")
    return Forecast(aim.hex, sides, sentence)


def _on_a_ship(game: Game, target: Ship, at: int) -> Effect:
    """4.12.4: Return the chances in a column: a hit or disorder for a ship, and its loss."""
    world = world_of(game)
    any_chance, sunk = Fraction(0), Fraction(0)
    for total, likely in sums_of("2d6"):
        code = world.tables["barrage"]["barrage"]["rows"][str(total)][at]
        hit, most = _lost(world, code)
        any_chance += likely * (code != "-")
        for chance, hits in ((hit, most), (1 - hit, 0)):
            dire = code != "-" and target.hits + hits + target.dg >= 2
            sunk += likely * chance * dire
    return Effect(any_chance, sunk, sunk)


def fired_at_ship(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.12.3: Return the results that fire at a ship could have had; its earlier damage is unknown."""
    labels, id = world_of(game).tables["barrage"]["barrage"]["label"], str(event["ship"])
    if event["column"] not in labels or not any(ship.id == id for ship in ships(game)):
        return None
    shot = Shot(str(event["player"]), tuple(map(str, event["units"])), "", int(event["strength"]))
    at, target = labels.index(event["column"]), Ship(game, id)
    aim, brings = Aim(target.hex or "", "ship", id), _on_a_ship(game, target, at)
    return _by_column(game, shot, aim, (shot.strength, at), brings, None, fired=True)


def _covers(s: Ship, hex: str) -> bool:
    world = world_of(s.board)
    return not s.fired and s.hex in world.terrains and 1 <= world.distance(s.hex or "", hex) <= s.hull.range


def _in_range(u: Unit, side: str, hex: str) -> bool:
    far = world_of(u.board).distance(u.hex, hex) if u.hex is not None else 0
    return u.owner == side and bool(u.side.barrage) and 1 <= far <= u.print.range


def barraged(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.10: Return what a barrage that was fired could bring, by its column and its weapon.

    The steps that were there are not in the event: losses are as the table says.
    """
    chart = world_of(game).tables["barrage"]["barrage"]
    if event.get("column") not in chart["label"]:
        return None
    side, hex = str(event["player"]), str(event["hex"])
    by, at = str(event["by"]), chart["label"].index(event["column"])
    why = {str(m["name"]) for m in event.get("modifiers", ())}
    unseen, dug_in = str(Message("ocs.barrage.no-spotter")) in why, "hedgehog" in why
    deep = hedgehog(game, hex, world_of(game).enemy(side)) >= 3
    shot = Shot(side, tuple(map(str, event["units"])), by, int(event["strength"]))

    def worth(code: str) -> str:
        if code == "q" and by == "artillery":
            return "D" if unseen or deep else "h"
        return reduced(game, shot, hex, code)

    brings = _on_troops(game, at, None, worth)
    dug_in = dug_in and by == "artillery"
    return _by_column(
        game, shot, Aim(hex, "units"), (shot.strength, at), brings, None, fired=True, dug_in=dug_in
    )


def _on_troops(game: Game, at: int, steps: int | None, worth: Callable[[str], str]) -> Effect:
    """4.10 step 5: Return the chances in a column; `steps` are those that can be lost, None if unknown."""
    world = world_of(game)
    chart, chances = world.tables["barrage"]["barrage"], dict[str, Fraction]()
    for total, likely in sums_of("2d6"):
        code = worth(chart["rows"][str(total)][at])
        chances[code] = chances.get(code, Fraction(0)) + likely
    costs, mean = Fraction(0), Fraction(0)
    for code, likely in chances.items():
        chance, most = _lost(world, code)
        costs += likely * chance
        mean += likely * chance * (most if steps is None else min(most, steps))
    return Effect(1 - chances.get("-", Fraction(0)), costs, mean, chances)


def _by_column(
    game: Game,
    shot: Shot,
    aim: Aim,
    where: tuple[int, int],
    brings: Effect,
    flown: Flown | None,
    *,
    fired: bool = False,
    dug_in: bool = False,
) -> Forecast:
    """4.10 step 5, 4.12.4: Return the forecast of a shot at troops or a ship, with its points and column."""
    world, (points, at) = world_of(game), where
    chart = world.tables["barrage"]["barrage"]
    column, sides = chart["label"][at], ((shot.side, str(points)), (world.enemy(shot.side), ""))
    if aim.what == "ship":
        sentence = Message(
            "ocs.forecast.ship",
            points=points,
            column=column,
            ship=aim.ship,
            effect=share(brings.some),
            sunk="" if fired else share(brings.costs),
            way=_way(flown),
        )
        return Forecast(aim.hex, sides, sentence)
    sentence = Message(
        "ocs.forecast.barrage",
        points=points,
        column=column,
        effect=share(brings.some),
        loss=share(brings.costs),
        mean=average(brings.mean),
        way=_way(flown),
        dug_in=dug_in,
    )
    table = tuple(
        (str(chart["codes"][code]), brings.codes[code]) for code in chart["codes"] if code in brings.codes
    )
    return Forecast(aim.hex, sides, sentence, column, table)


def _way(flown: Flown | None) -> Message | str:
    """4.11.1: Return what the way of aircraft costs, and what an interceptor changes; empty for others."""
    if flown is None:
        return ""
    less = share(flown.less) if flown.fighter else ""
    return Message(
        "ocs.forecast.way", lost=average(flown.lost), met=flown.met, fighter=flown.fighter, less=less
    )


def _lost(world: World, code: str) -> tuple[Fraction, int]:
    """4.10 step 5: Return how likely a result costs steps, and how many."""
    if code == "h":
        least = int(world.tables["barrage"]["barrage"]["half_loses_at_least"])
        return Fraction(sum(die >= least for die in range(1, 7)), 6), 1
    return (Fraction(1), int(code)) if code.isdigit() else (Fraction(0), 0)
