"""4.10: Forecast of a barrage of troops or of a facility, by every throw: before it, and for its card."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from pbem.kit.fights import average, share
from pbem.kit.odds import sums_of
from pbem.rules import Forecast, Game, Message

from ..rules.fighting.air import air_shot
from ..rules.fighting.barrage import Shot, band, broadside, gun_strength, reduced, shifts
from ..rules.fighting.strength import hedgehog, rnd
from ..rules.pieces import Plane, Ship, T, Unit, maybe_unit, planes, ships, units, world_of
from ..rules.world import World


def barrage(
    game: Game, hex: str, ids: Collection[str], target: str | None = None, ship: str | None = None
) -> Iterator[Forecast]:
    """4.10, 4.12.3: Yield what these may do to a hex, if all are guns in range, aircraft, or ships.

    To the troops in it, to the enemy's air base and port and to each of his ships, or to this target alone.
    """
    named = sorted(set(ids))
    side = str(game.position.counters.get(named[0], {}).get("owner", "")) if named else ""
    if side not in world_of(game).seats:
        return
    guns = [u for id in named if (u := maybe_unit(game, id)) is not None and _in_range(u, side, hex)]
    fleet = [s for s in ships(game, side) if s.id in named and _covers(s, hex)]
    team = [p for p in planes(game, side) if p.id in named and p.wing.barrage and _reaches(p, hex)]
    if guns and len(guns) == len(named):
        strength = rnd(sum((gun_strength(u) for u in guns), Fraction(0)))
        shot = Shot(side, tuple(named), "artillery", strength)
    elif team and len(team) == len(named):
        shot = air_shot(game, side, hex, team)
    elif fleet and len(fleet) == len(named):
        shot = Shot(side, tuple(named), "ship", broadside(game, fleet))
    else:
        return
    enemy, t = world_of(game).enemy(side), T.of(game)
    there = units(game, enemy, hex) if target in (None, "units") else []
    if shot.strength < 1:
        return
    base, port = t.bases.get(hex), t.ports.get(hex)
    if base is not None and base.owner == enemy and target in (None, "air_base"):
        yield _facility(game, shot, hex, "air_base")
    if port is not None and port.owner == enemy and target in (None, "port"):
        yield _facility(game, shot, hex, "port")
    if target in (None, "ship") and (shot.by != "artillery" or all("coastal" in u.print.flags for u in guns)):
        yield from (_at_ship(game, shot, one) for one in ships(game, enemy, hex) if ship in (None, one.id))
    if target == "trainbusting":
        yield _facility(game, shot, hex, target)
    if there:
        chart = world_of(game).tables["barrage"]["barrage"]
        at = band(chart["upper"], shot.strength) + sum(m.value for m in shifts(game, shot, hex))
        at = max(0, min(len(chart["label"]) - 1, at))
        steps = sum(u.steps for u in there)
        yield _forecast(game, shot, hex, at, steps, lambda code: reduced(game, shot, hex, code))


def facility(game: Game, event: Mapping[str, Any]) -> Forecast:
    """4.10 step 6: Return what a barrage of a facility that was fired could bring."""
    shot = Shot(str(event["player"]), tuple(map(str, event["units"])), "", int(event["strength"]))
    return _facility(game, shot, str(event["hex"]), str(event["target"]))


def _facility(game: Game, shot: Shot, hex: str, target: str) -> Forecast:
    """4.10 step 6: Return a barrage of a facility, by every face of the die."""
    chart = world_of(game).tables["barrage"]["facility"]
    at, hits = band(chart["upper"], shot.strength), []
    for die in range(1, 7):
        body = str(chart["rows"][str(die)][at]).partition("(")[0]
        hits.append(int("x" in body) if target == "trainbusting" else int(body.strip("x-") or 0))
    said = Message(
        "ocs.forecast.facility",
        points=shot.strength,
        what=target,
        chance=share(Fraction(sum(map(bool, hits)), 6)),
        levels=target != "trainbusting",
        mean=average(Fraction(sum(hits), 6)),
        air=shot.by == "air",
    )
    return Forecast(hex, ((shot.side, str(shot.strength)), (world_of(game).enemy(shot.side), "")), said)


def _at_ship(game: Game, shot: Shot, target: Ship) -> Forecast:
    """4.12.3, 4.12.4: Return what fire does to a ship, by every throw of naval fire and of the half die."""
    world = world_of(game)
    chart, times = world.tables["barrage"]["barrage"], 1
    if shot.by == "air":
        times = int(world.tables["ships"]["fire"]["aircraft_factor"])
    points = rnd(Fraction(shot.strength * times, max(1, target.hull.protection)))
    at = band(chart["upper"], points) + sum(m.value for m in shot.shifts)
    return _sinking(game, shot, target, points, max(0, min(len(chart["label"]) - 1, at)))


def _sinking(game: Game, shot: Shot, target: Ship, points: int, at: int, *, fired: bool = False) -> Forecast:
    """4.12.4: Return the chances in a column: a hit or disorder for a ship, and its loss."""
    world = world_of(game)
    effect, sunk = Fraction(0), Fraction(0)
    for total, likely in sums_of("2d6"):
        code = world.tables["barrage"]["barrage"]["rows"][str(total)][at]
        hit, most = _lost(world, code)
        effect += likely * (code != "-")
        for chance, hits in ((hit, most), (1 - hit, 0)):
            dire = code != "-" and target.hits + hits + target.dg >= 2
            sunk += likely * chance * dire
    said = Message(
        "ocs.forecast.ship",
        points=points,
        column=world.tables["barrage"]["barrage"]["label"][at],
        ship=target.id,
        effect=share(effect),
        sunk="" if fired else share(sunk),
        air=shot.by == "air" and not fired,
    )
    return Forecast(target.hex or "", ((shot.side, str(points)), (target.owner, "")), said)


def fired_at_ship(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.12.3: Return what fire at a ship could bring that was fired; how it was before is not told."""
    labels, id = world_of(game).tables["barrage"]["barrage"]["label"], str(event["ship"])
    if event["column"] not in labels or not any(ship.id == id for ship in ships(game)):
        return None
    shot = Shot(str(event["player"]), tuple(map(str, event["units"])), "", int(event["strength"]))
    at = labels.index(event["column"])
    return _sinking(game, shot, Ship(game, id), shot.strength, at, fired=True)


def _covers(s: Ship, hex: str) -> bool:
    world = world_of(s.board)
    return not s.fired and s.hex in world.terrains and 1 <= world.distance(s.hex or "", hex) <= s.hull.range


def _in_range(u: Unit, side: str, hex: str) -> bool:
    far = world_of(u.board).distance(u.hex, hex) if u.hex is not None else 0
    return u.owner == side and bool(u.side.barrage) and 1 <= far <= u.print.range


def _reaches(p: Plane, hex: str) -> bool:
    return p.hex is not None and world_of(p.board).distance(p.hex, hex) <= p.print.range


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

    return _forecast(game, shot, hex, at, None, worth, fired=True, dug_in=dug_in)


def _forecast(
    game: Game,
    shot: Shot,
    hex: str,
    at: int,
    steps: int | None,
    worth: Callable[[str], str],
    *,
    fired: bool = False,
    dug_in: bool = False,
) -> Forecast:
    """4.10 step 5: Return the forecast in a column; `steps` are those that can be lost, None if unknown."""
    world = world_of(game)
    chart, chances = world.tables["barrage"]["barrage"], dict[str, Fraction]()
    for total, likely in sums_of("2d6"):
        code = worth(chart["rows"][str(total)][at])
        chances[code] = chances.get(code, Fraction(0)) + likely
    losses = {code: _lost(world, code) for code in chances}
    loses = sum((chances[code] * chance for code, (chance, _) in losses.items()), Fraction(0))
    mean = Fraction(0)
    for code, (chance, most) in losses.items():
        mean += chances[code] * chance * (most if steps is None else min(most, steps))
    said = Message(
        "ocs.forecast.barrage",
        points=shot.strength,
        column=chart["label"][at],
        effect=share(1 - chances.get("-", Fraction(0))),
        loss=share(loses),
        mean=average(mean),
        air=shot.by == "air" and not fired,
        dug_in=dug_in and shot.by == "artillery",
    )
    order = [code for code in chart["codes"] if code in chances]
    table = tuple((str(chart["codes"][code]), chances[code]) for code in order)
    sides = (shot.side, str(shot.strength)), (world.enemy(shot.side), "")
    return Forecast(hex, sides, said, chart["label"][at], table)


def _lost(world: World, code: str) -> tuple[Fraction, int]:
    """4.10 step 5: Return how likely a result costs steps, and how many."""
    if code == "h":
        least = int(world.tables["barrage"]["barrage"]["half_loses_at_least"])
        return Fraction(sum(die >= least for die in range(1, 7)), 6), 1
    return (Fraction(1), int(code)) if code.isdigit() else (Fraction(0), 0)
