"""p: Reorganization of 11.18: points, air supply, lists, the end of the occasion (4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.rules import Game, Message, consult, procedure

from ..asking import letter_of
from ..carrying import carry
from ..entries import AirSupplies, AirSupply, AutoReorg, Wish
from ..events.reorganizing import (
    Delivered,
    MissionAnnounced,
    Patrolled,
    PointsAccrued,
    PointsLost,
    PortRepaired,
    Reorganized,
    SourcesUsed,
    SupplyUnitActive,
    Turned,
)
from ..events.turn import AnsweredBy, OrderRefused
from ..listed import ready
from ..missions import Flight, Sky, anti_aircraft, combats, go_home, guard, intercept, patrol, survivors
from ..occasions import (
    Activated,
    Done,
    Failed,
    Outcome,
    begin,
    close,
    counters,
    ensure,
    fliers,
    may_file,
    still_down,
    work_through,
)
from ..pieces import T, Unit, maybe_unit, players_of, powers_of
from ..plans import Plan, Refusal
from ..reorganize import Reorganizer
from ..steps import Impulse, first_way, labels_of, listed_ways, succeeded
from ..world import world_of


@procedure("points", rule="4.6.1")
async def points(game: Game, phasing: str | None) -> None:
    """p.0: Set the pools to the rates, with fresh counts."""
    t, world = T.of(game), world_of(game)
    begin(game, t.phasing or "", final=t.final)
    for power in world.sides[t.phasing or ""]:
        game.emit(PointsAccrued(power, t.pool.get(power, 0)))


@procedure("air_supply", rule="4.6.4")
async def air_supply(game: Game, phasing: str | None) -> None:
    """p.1: Fly air transports for reorganization, in eight steps."""
    game.at("0")
    ensure(game)
    await ready(game, "p.1.0")
    own = T.of(game).phasing or ""
    sky = Sky("p", own)
    flying = [p for p in players_of(game, own) if letter_of(game, p).atr and not await _stays_home(p)]
    if not flying:
        return
    able = [q for p in flying for q in powers_of(game, p, own) if q in fliers(game, own)]
    if able:
        game.emit(MissionAnnounced(tuple(able)))
        game.at("1")
        await patrol(game, sky)
    game.at("2")
    wishes = await _flights(game, sky, flying)
    if sky.flights:
        game.at("3")
        await intercept(game, sky)
        game.at("4")
        await ready(game, "p.1.4")
        for player in players_of(game, own):
            guard(game, sky, letter_of(game, player).own_interceptors, player)
        game.at("5")
        await combats(game, sky)
        game.at("6")
        await anti_aircraft(game, sky)
        game.at("7")
        _deliver(game, sky, wishes)
    game.at("8")
    await go_home(game, sky)


async def _stays_home(player: str) -> bool:
    """p.1.0: Return True if a standing order keeps the player's transports at home.

    Without one, a player who files flights flies.
    """
    return next(iter(await consult(player, "atr")), "yes") == "no"


async def _flights(game: Game, sky: Sky, flying: Sequence[str]) -> list[tuple[str, ...]]:
    """p.1.2: Add flights to the sky in order, and return the units that each may serve."""
    await ready(game, "p.1.2")
    impulse = Impulse(game)
    wishes: list[tuple[str, ...]] = []
    for player in flying:
        for n, entry in enumerate(letter_of(game, player).atr, 1):
            order, refused = first_way(game, player, entry, partial(_flight_fault, impulse, player))
            if refused is not None:
                named = _whose(game, player, sky.active, entry)
                game.emit(OrderRefused(named, "p.1.2", n, refused.code, refused.message))
            if order is None:
                continue
            power = Unit(game, order.atr).owner
            impulse.flown |= {order.atr, *order.escorts}
            sky.flights.append(Flight(power, order.hex, [order.atr], list(order.escorts), len(sky.flights)))
            wishes.append(order.reorganize)
            game.emit(Patrolled(player, "transports", order.hex, (order.atr, *order.escorts)))
    return wishes


def _flight_fault(impulse: Impulse, player: str, way: AirSupply) -> Refusal | None:
    return impulse.air_supply_fault(player, way)[1]


def _whose(game: Game, player: str, own: str, entry: AirSupplies) -> str:
    """Return the power of the transport in an entry, else the player's first."""
    mine = powers_of(game, player, own)
    named = [u.owner for way in listed_ways(entry) if (u := maybe_unit(game, way.atr)) is not None]
    return next((power for power in named if power in mine), mine[0])


def _deliver(game: Game, sky: Sky, wishes: list[tuple[str, ...]]) -> None:
    """p.1.7: Let each surviving transport serve the first of its units for which this is legal."""
    r = Reorganizer(game, ensure(game))
    order = world_of(game).power_order
    for flight in sorted(sky.flights, key=lambda f: (order.index(f.power), f.number)):
        for id in survivors(sky, flight):
            count = r.deliveries(Unit(game, id), flight.hex)
            served: list[str] = []
            refused: list[str] = []
            for unit in wishes[flight.number]:
                if len(served) == count:
                    break
                plan = r.by_air(flight.power, unit, flight.hex, id)
                if isinstance(plan, Refusal):
                    refused.append(f"{unit}: {plan.code}")
                    continue
                told(game, r, Done(0, plan, carry(r, plan)))
                served.append(unit)
            r.occasion.note("dispensed", id)
            game.emit(Delivered(flight.power, id, flight.hex, tuple(served), tuple(refused)))


@procedure("lists", rule="4.6.3")
async def lists(game: Game, phasing: str | None) -> None:
    """p.D: Work through the lists of the phasing powers, entry by entry."""
    game.at("D")
    occasion = ensure(game)
    await ready(game, "p.D")
    own = T.of(game).phasing or ""
    r = Reorganizer(game, occasion)
    for power in list(world_of(game).power_order):
        if world_of(game).side_of[power] != own:
            continue
        player = game.seat(power)
        filed = (letter_of(game, player).reorganize or {}).get(power)
        auto = await _auto(player, power)
        if not may_file(game, power):
            if filed:
                game.emit(
                    OrderRefused(power, "p.D", 1, "E-PASS", Message("wif.land.has-passed", power=power))
                )
            continue
        wishes = filed
        if wishes is None and auto is not None:
            wishes = (Wish(then="auto_reorg"),)
            game.emit(AnsweredBy(player, f"p.D {power}", "auto_reorg"))
        labels = list(labels_of(game, player))
        for outcome in work_through(r, power, wishes or (), auto, lambda step: game.at(step), labels=labels):
            tell(game, r, power, outcome)
        succeeded(game, player, *labels)
        game.at("D")


async def _auto(player: str, power: str) -> AutoReorg | None:
    """Return the standing order of a power."""
    orders = await consult(player, "auto_reorg")
    return next((order[power] for order in orders if power in order), None)


def tell(game: Game, r: Reorganizer, power: str, outcome: Outcome) -> None:
    """4.10: Report the outcome of an entry."""
    if isinstance(outcome, Failed):
        what = f"{outcome.what}: {outcome.refusal.message}" if outcome.what else outcome.refusal.message
        game.emit(OrderRefused(power, "p.D", outcome.number, outcome.refusal.code, what))
    elif isinstance(outcome, Activated):
        game.emit(SupplyUnitActive(power, outcome.unit, outcome.hq))
    else:
        told(game, r, outcome)


def told(game: Game, r: Reorganizer, done: Done) -> None:
    """Report a success: the unit, the method, the points, the provider that turned face-down."""
    plan: Plan = done.plan
    left = T.of(game).pool.get(plan.payer, 0)
    if plan.repair:
        game.emit(PortRepaired(plan.payer, plan.unit.removeprefix("port:"), plan.words, plan.cost, left))
        return
    u = Unit(game, plan.unit)
    game.emit(
        Reorganized(
            plan.payer,
            u.id,
            u.place,
            plan.via,
            plan.source,
            plan.words,
            plan.cost,
            left,
            done.flag,
            plan.fuel,
        )
    )
    if plan.via in ("hq", "trs") and (plan.via == "trs" or r.occasion.hq.get(plan.source) == plan.counts):
        provider = Unit(game, plan.source)
        game.emit(
            Turned(
                provider.owner,
                provider.id,
                "down",
                Message("wif.reorganization.reorganization", via=plan.via),
            )
        )


@procedure("occasion_ends", rule="4.6.1")
async def occasion_ends(game: Game, phasing: str | None) -> None:
    """p.12: End the occasion: unspent points are lost, its counts are reported."""
    t, world = T.of(game), world_of(game)
    ensure(game)
    own = t.phasing or ""
    used = counters(game)
    if used:
        game.emit(SourcesUsed(used))
    for power in world.sides[own]:
        left = t.pool.get(power, 0)
        game.emit(PointsLost(power, t.rate.get(power, 0) - left, left, still_down(game, power)))
    close(game)
