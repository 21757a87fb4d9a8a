"""4.7.7: Forecast of an attack on land, by every face of the die."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.courses import courses
from pbem.kit.fights import Sent, expect, first_of
from pbem.kit.odds import chances_of
from pbem.rules import End, Forecast, Game, Message

from ..rules.battle import Battle, column, defenders, modifiers, outcome, strengths
from ..rules.entries import Attack
from ..rules.pieces import T, Unit, maybe_unit, side, side_units
from ..rules.world import world_of
from .account import owner_of
from .in_the_air import fired_at, fought_in_the_air, met_in_the_air
from .other_fights import at_sea, bombed, missions, struck

FACES = 10


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """4.7.7: Yield the attack of these units on a hex.

    Without any named, of all beside it that can attack.

    Attacks are resolved in the letter that orders them, so none is announced: `orders check` tells the odds
    of each.
    """
    world = world_of(game)
    coming = [u for id in sorted(attackers) if (u := maybe_unit(game, id)) is not None]
    area = world.area_of.get(place or "")
    if area is not None:
        sides = {side(game, u): True for u in coming} or dict.fromkeys(
            sorted({*world.side_of.values()}), True
        )
        for own in sides:
            yield from at_sea(game, area, own)
    if place is None or place not in world.index or not world.land(place):
        return
    if coming and all(u.print.arm == "air" for u in coming):
        if isinstance(attackers, Sent):
            target = attackers.order.target if attackers.segment == "f" else ""
            listed = list(missions(game, place, coming, (attackers.segment,), target))
        else:
            listed = list(missions(game, place, coming))
        more = (met_in_the_air(game, place, coming), fired_at(game, place, coming)) if listed else ()
        yield from (*listed, *(forecast for forecast in more if forecast is not None))
        return
    for own in sorted(set(world.side_of.values())):
        there = defenders(game, place, own)
        fighting = [u for u in coming if side(game, u) == own and u.print.arm == "land"]
        if not attackers:
            fighting = [u for u in side_units(game, own) if _can_attack(game, u, place)]
        if there and fighting:
            yield _forecast(game, place, own, fighting, there)


def _can_attack(game: Game, u: Unit, hex: str) -> bool:
    world = world_of(game)
    if u.print.arm != "land" or u.print.support or u.down or u.hex not in world.index:
        return False
    return world.adjacent(u.place, hex) and world.open_side(u.place, hex)


def _forecast(game: Game, hex: str, own: str, coming: list[Unit], there: list[Unit]) -> Forecast:
    world = world_of(game)
    columns = world.combat["land"]["columns"]
    ids = tuple(u.id for u in coming)
    strong, weak = strengths(game, hex, ids)
    least, _, against = columns[0].partition(":")
    sides = (coming[0].owner, str(strong)), (there[0].owner, str(weak))
    if strong * int(against) < weak * int(least):
        too_weak = Message("wif.forecast.too-weak", strong=strong, weak=weak, least=columns[0])
        return Forecast(hex, sides, case=too_weak, odds=f"{strong}:{weak}")
    n, changes = column(world, strong, weak), sum(modifiers(game, hex, own).values())
    fought = any(not u.print.support for u in there)
    results = [outcome(world, n, die + changes)[1] for die in range(1, FACES + 1)] if fought else []
    before = game.copy()
    T.of(before).phasing = own

    def attack(copy: Game) -> Any:
        return Battle(copy, coming[0].owner, Attack(hex=hex, units=ids)).fight()

    forecasts_ = [
        (chance, _end(after, hex, own, ids), _lost(before, after, own))
        for chance, after in courses(before, attack)
    ]
    ends, losses = expect(forecasts_)
    odds = str(columns[n]) if fought else ""
    return Forecast(hex, sides, "", odds, chances_of(results), ends=ends, losses=losses, unit="units")


def _end(game: Game, hex: str, own: str, attackers: Sequence[str]) -> End:
    left = [u for id in attackers if (u := maybe_unit(game, id)) is not None]
    if defenders(game, hex, own):
        return "held" if left else "eliminated"
    return "taken" if any(u.hex == hex for u in left) else "cleared"


def _lost(before: Game, after: Game, own: str) -> tuple[int, int]:
    """Return how many units each side has no longer, the attackers first."""
    gone = [Unit(before, id) for id in before.position.counters if maybe_unit(after, id) is None]
    mine = sum(1 for u in gone if side(before, u) == own)
    return mine, len(gone) - mine


def outlook(game: Game, events: Sequence[Mapping[str, Any]]) -> Forecast | None:
    """4.7.7: Return the results that the die of an attack could have had, by its odds and modifiers.

    4.7.4: Of a ground strike, what its factors could hit. 4.7.5: Of bombs, what they could put out.
    """
    for event in events:
        if event["event"] == "bombed":
            return bombed(game, event)
        if event["event"] == "ground-struck":
            return struck(event, lambda id: owner_of(game, id))
        if event["event"] == "attacked":
            return _attacked(game, event)
    fought = first_of(events, "air-round")
    return fought_in_the_air(game, fought) if fought is not None else None


def _attacked(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    world = world_of(game)
    columns, changes = list(world.combat["land"]["columns"]), event.get("modifiers")
    if event.get("odds") not in columns or not isinstance(changes, Mapping):
        return None
    n, shift = columns.index(event["odds"]), sum(map(int, changes.values()))
    results = [outcome(world, n, die + shift)[1] for die in range(1, FACES + 1)]
    here = [str(id) for id in event.get("defenders", ())]
    mine = len(event.get("units", ()))
    weighed = [(Fraction(1, FACES), *_by_result(result, mine, len(here))) for result in results]
    ends, losses = expect(weighed)
    strong, _, weak = str(event.get("strengths")).partition(":")
    other = next((owner for id in here if (owner := owner_of(game, id))), "")
    return Forecast(
        str(event.get("hex")),
        ((str(event.get("power")), strong), (other, weak)),
        Message("wif.forecast.on-card") if any("R" in result or "S" in result for result in results) else "",
        str(event["odds"]),
        chances_of(results),
        ends=ends,
        losses=losses,
        unit="units",
    )


def _by_result(result: str, attackers: int, there: int) -> tuple[End, tuple[int, int]]:
    """Return the end that a printed result brings where every unit that must retreat can."""
    lost, _, rest = result.partition("/")
    mine, theirs = min(attackers, int(lost)), min(there, int(rest[0]))
    empty = theirs == there or "R" in rest or "S" in rest
    if mine == attackers:
        return "cleared" if empty else "eliminated", (mine, theirs)
    return "taken" if empty else "held", (mine, theirs)
