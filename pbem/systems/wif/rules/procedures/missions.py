"""I.3 a, f, g, m: Air missions against ports, factories and units, and paradrops."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pbem.rules import Game, Message, procedure, roll

from ..asking import letter_of
from ..events.moving import Bombed, GroundStruck, Landed, PortDamaged
from ..events.reorganizing import Patrolled, Turned
from ..events.turn import OrderRefused
from ..flying import result_of
from ..listed import chosen, counted, orders, ready
from ..missions import Flight, Sky, fly, go_home, patrol, survivors
from ..naval import defended, down
from ..pieces import (
    Due,
    T,
    Unit,
    maybe_unit,
    operating,
    players_of,
    round_half_up,
    side_units,
    use,
    weather_at,
)
from ..retreating import damage_port, no_room
from ..steps import land_or_invade
from ..world import world_of


async def missions(game: Game, step: str) -> tuple[Sky, dict[int, tuple[int, Any]]]:
    """Fly a mission step: patrol, then the orders, then the flight up to anti-aircraft fire.

    Returns the entry's number and its alternative for each flight, by the flight's number.
    """
    t = T.of(game)
    sky = Sky(step, t.phasing or "")
    ways: dict[int, tuple[int, Any]] = {}
    await ready(game, f"I.3{step}")
    if any(getattr(letter_of(game, p), step) for p in players_of(game, sky.active)):
        await patrol(game, sky)
    impulse, listed = await orders(game, step)
    for entry in listed:
        legal = chosen(game, impulse, step, entry)
        if legal is None:
            continue
        player, power, way, key = legal
        planes = [way.atr] if step == "m" else list(way.aircraft)
        flight = Flight(power, way.hex, planes, list(way.escorts), len(sky.flights))
        impulse.flown |= {*planes, *way.escorts}
        use(game, power, "air_missions", len(planes))
        ways[len(sky.flights)] = key[1], way
        sky.flights.append(flight)
        game.emit(Patrolled(player, "mission", way.hex, (*planes, *way.escorts)))
    await fly(game, sky)
    return sky, ways


async def strike(game: Game, step: str) -> None:
    """Roll a die for each target, and turn it face-down on a hit (steps a, g)."""
    sky, _ = await missions(game, step)
    for hex in sky.hexes():
        planes = [Unit(game, id) for id in sky.bombers(hex)]
        if not planes:
            continue
        factors = strike_factors(game, hex, planes, step)
        targets = strike_targets(game, hex, sky.active, step)
        dice, hits = {}, []
        for u in targets:
            dice[u.id] = await roll("1d10", "strike", hex, u.id)
            if dice[u.id].total <= factors:
                hits.append(u.id)
        game.emit(GroundStruck(hex, factors, dice, tuple(hits)))
        for id in hits:
            _hit(game, Unit(game, id), hex)
    await go_home(game, sky)


def strike_factors(game: Game, hex: str, planes: Sequence[Unit], step: str) -> int:
    """4.7.5: Return the factors of aircraft over a hex, the highest die that hits.

    Weather and terrain reduce them.
    """
    world = world_of(game)
    factors: int = sum(u.print.ats if step == "a" else u.print.tac for u in planes)
    chart = world.combat["ground_strike"]
    if weather_at(game, hex) in world.weather_chart["halves_tac"]:
        factors = round_half_up(factors * Fraction(chart["wet"]))
    factors -= int(chart["terrain"].get(world.terrain[hex], 0))
    return max(0, min(int(chart["most"]), factors))


def strike_targets(game: Game, hex: str, own: str, step: str) -> list[Unit]:
    """4.7.5: Return the units that a side's strike on a hex may turn face-down."""
    arms = ("sea",) if step == "a" else ("land", "air")
    return [u for u in side_units(game, world_of(game).enemy(own), hex) if u.print.arm in arms]


def _hit(game: Game, u: Unit, hex: str) -> None:
    """R-111: Turn a unit face-down. A ship that is face-down goes to the repair pool."""
    t = T.of(game)
    if u.print.arm == "sea" and u.down:
        t.repairs = (*t.repairs, Due(u.id, u.owner, u.type, u.printed, u.country))
        game.emit(Turned(u.owner, u.id, "damaged", Message("wif.missions.struck", hex=hex)))
        u.remove()
        return
    down(game, u, Message("wif.missions.struck", hex=hex))


@procedure("port_attacks", rule="4.7.4")
@counted("a")
async def port_attacks(game: Game, phasing: str | None) -> None:
    """Attack ships in port with aircraft (step a)."""
    await strike(game, "a")


@procedure("ground_strikes", rule="4.7.4")
@counted("g")
async def ground_strikes(game: Game, phasing: str | None) -> None:
    """Strike land units and aircraft with aircraft (step g)."""
    await strike(game, "g")


@procedure("bombardment", rule="4.7.5")
@counted("f")
async def bombardment(game: Game, phasing: str | None) -> None:
    """Bomb factories or a port with aircraft (step f)."""
    sky, ways = await missions(game, "f")
    t, world = T.of(game), world_of(game)
    for hex in sky.hexes():
        for port in (False, True):
            flights = [
                f for f in sky.flights if f.hex == hex and (ways[f.number][1].target == "port") == port
            ]
            factors = sum(Unit(game, id).print.strategic for f in flights for id in survivors(sky, f))
            if not factors:
                continue
            die = await roll("1d10", "bombardment", hex)
            total = die.total + factors
            out = 0
            if port and total >= int(world.combat["port_hit"]) and damage_port(game, hex):
                game.emit(PortDamaged(hex))
            elif not port:
                out = min(int(result_of(world.combat["bombardment"], total, "out")), operating(game, hex))
                if out:
                    t.factories_out[hex] = t.factories_out.get(hex, 0) + out
            game.emit(Bombed(hex, die, factors, total, out, port))
    await go_home(game, sky)


@procedure("paradrops", rule="4.7.6")
@counted("m")
async def paradrops(game: Game, phasing: str | None) -> None:
    """Drop parachute units whose transport gets through (step m).

    They take an empty hex, in the order of the list while there is room (R-219), or fight at step
    n.
    """
    sky, ways = await missions(game, "m")
    for flight in sky.flights:
        number, way = ways[flight.number]
        u = maybe_unit(game, way.unit)
        if u is None or not survivors(sky, flight):
            continue
        if (full := no_room(game, u, way.hex)) is not None:
            game.emit(OrderRefused(flight.power, "I.3m", number, full.code, full.message))
            continue
        origin = u.place
        how = Message("wif.missions.drops-to-fight") if defended(game, way.hex, sky.active) else "drops"
        game.emit(Landed(u.owner, u.id, origin, way.hex, how))
        land_or_invade(game, u, way.hex)
    await go_home(game, sky)
