"""T.2.D: The Supply Phase: stocks, trace, eating, attrition (4.5)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, roll

from ..decisions.supplying import Eating, Recover, TraceProvider
from ..events.turn import AttritionRolled, OutOfSupply, StocksRecovered, SupplyWasted, TraceChecked
from ..fighting.casualties import loss_order, strike, strike_all
from ..fighting.losses import by_free_rule
from ..phases import check_stacks
from ..pieces import Unit, units, world_of
from ..supply.meals import Fed, feed
from ..supply.payments import pay
from ..supply.reach import Net, available
from ..supply.stores import take
from ..supply.trace import Tracing
from ..views import shown
from .leaves import Asked, Node, leaf


def recovery_cost(u: Unit, state: str) -> int:
    """4.5.1: Return the cost of recovery in T, for a unit or for each RE of a multi-step unit."""
    key = "recover_low_per_unit_or_re" if state == "low" else "recover_exhausted_per_unit_or_re"
    k = u.re if u.print.multi_step else 1
    return int(k * int(world_of(u.board).supply["costs"][key]))


async def _ask_recover(game: Game, side: str) -> Asked | None:
    return (Recover(side), None) if any(u.internal != "full" for u in units(game, side)) else None


async def _recover(game: Game, side: str, wanted: tuple[str, ...], kept: None) -> None:
    """4.5.1: Refill stocks while supply lasts; units still short waste the supply in reach."""
    better = True
    while better:
        better = False
        short = [u for u in units(game, side) if u.internal != "full"]
        short.sort(
            key=lambda u: (
                wanted.index(u.id) if u.id in wanted else len(wanted),
                recovery_cost(u, u.internal),
                u.id,
            )
        )
        for u in short:
            better = _improve(game, side, u) or better
    for u in units(game, side):
        if u.internal != "full":
            net = Net(game, side)
            wasted = sum(take(game, side, s.hex, available(net, [s])) for s in net.usable(u.hex or "", u))
            if wasted:
                game.emit(SupplyWasted(side, u.id, wasted))


def _improve(game: Game, side: str, u: Unit) -> bool:
    net = Net(game, side)
    reach = available(net, net.usable(u.hex or "", u))
    full = recovery_cost(u, u.internal)
    part = recovery_cost(u, "low")
    now, cost = ("full", full) if reach >= full else ("low", part)
    if reach < cost or (now == "low" and u.internal == "low"):
        return False
    payments = pay(net, u.hex or "", cost, u)
    assert payments is not None
    u.internal = now  # type: ignore[assignment]
    game.emit(StocksRecovered(side, u.id, cost, now))
    return True


async def _ask_trace(game: Game, side: str) -> Asked:
    return TraceProvider(side), None


async def _trace(game: Game, side: str, providers: dict[str, str], kept: None) -> None:
    """4.5.2: Check which units are in trace, and by which provider."""
    links = Tracing(game, side).whole(providers)
    traced, missing = {}, []
    for u in units(game, side):
        link = links.get(u.id)
        if link is None:
            missing.append(u.id)
            u.last_trace = "oos"
            continue
        traced[u.id] = link.hq or link.source
        u.last_trace, u.oos = "trace", False
    game.emit(TraceChecked(side, traced, tuple(missing), *_why(game, side, missing)))


def _why(game: Game, side: str, missing: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the units that only the enemy cuts off from supply, and those that are too far from it."""
    if not missing:
        return (), ()
    links = Tracing(game, side, peace=True)
    cut_off = tuple(id for id in missing if links.traced(Unit(game, id)))
    return cut_off, tuple(id for id in missing if id not in cut_off)


def hungry_units(game: Game, side: str) -> list[Unit]:
    """4.5.3: Return the units on the map without trace."""
    return [u for u in units(game, side) if u.last_trace == "oos" and u.hex in world_of(game).terrains]


async def _ask_eating(game: Game, side: str) -> Asked | None:
    hungry = hungry_units(game, side)
    return (Eating(side, tuple(u.id for u in hungry)), None) if hungry else None


async def _eat(game: Game, side: str, answer: tuple[Fed, ...], kept: None) -> None:
    """4.5.3: Feed units without trace from dumps; the others are out of supply."""
    hungry = hungry_units(game, side)
    fed = feed(game, side, answer)
    left = [u for u in hungry if u.id not in fed]
    for u in left:
        u.oos = True
    if left:
        game.emit(OutOfSupply(side, shown(game, (u.id for u in left))))


async def _attrition(game: Game, side: str, _: None, kept: None) -> None:
    """4.5.4: Roll attrition for each hex with units out of supply."""
    for hex in sorted({u.hex or "" for u in units(game, side) if u.oos}):
        await _waste_away(game, side, hex)


async def _stacks(game: Game, side: str, _: None, kept: None) -> None:
    await check_stacks(game)


async def _waste_away(game: Game, side: str, hex: str) -> None:
    chart = world_of(game).supply["attrition"]
    pool = [u for u in units(game, side, hex) if u.oos]
    rating = max(0 if u.marker == "strat" else u.print.ar for u in pool)
    drm = int(chart["drm_5_or_more_steps"]) if sum(u.steps for u in pool) >= 5 else 0
    dice = await roll("2d6", "attrition", hex)
    loses = next(
        row["lose"] for row in chart[str(rating)] if row["max"] is None or dice.total + drm <= row["max"]
    )
    game.emit(AttritionRolled(side, hex, rating, dice, drm, str(loses)))
    if loses == "all":
        for u in pool:
            strike_all(game, u, "attrition")
        return
    wanted = await loss_order(game, side, hex, pool, int(loses)) if loses else ()
    for id in by_free_rule(pool, int(loses), wanted):
        strike(game, Unit(game, id), "attrition")


RECOVER = Node(_recover, _ask_recover)
TRACE = Node(_trace, _ask_trace)
EAT = Node(_eat, _ask_eating)
ATTRITION = Node(_attrition)
STACKS = Node(_stacks)

recover = leaf("recover", "4.5.1", "D", RECOVER)
trace = leaf("trace", "4.5.2", "D", TRACE)
eat = leaf("eat", "4.5.3", "D", EAT)
attrition = leaf("attrition", "4.5.4", "D", ATTRITION, STACKS, ends=True)
