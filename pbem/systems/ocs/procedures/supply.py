"""T.2.D: the Supply Phase: stocks, trace, eating, attrition (4.5)."""

from __future__ import annotations

from pbem.rules import Game, ask, procedure, roll

from ..combat import loss_order, strike, strike_all
from ..decisions.supplying import Eating, Recover, TraceProvider
from ..events.turn import AttritionRolled, OutOfSupply, StocksRecovered, SupplyWasted, TraceChecked
from ..losses import by_free_rule
from ..meals import feed
from ..phases import check_stacks, end_phase, enter_phase
from ..pieces import Unit, units, world_of
from ..reach import Net, available, pay, take
from ..trace import Tracing
from ..views import shown


def _side(phasing: str | None) -> str:
    assert phasing is not None
    return phasing


# T.2.D.1


def recovery_cost(u: Unit, state: str) -> int:
    """4.5.1 In T: for a unit, or for each RE of a multi-step one."""
    key = "recover_low_per_unit_or_re" if state == "low" else "recover_exhausted_per_unit_or_re"
    k = u.re if u.print.multi_step else 1
    return int(k * int(world_of(u.board).supply["costs"][key]))


@procedure("recover", rule="4.5.1")
async def recover(game: Game, phasing: str | None) -> None:
    """4.5.1 Stocks are filled as far as supply goes; what those who are short still reach is wasted."""
    side = _side(phasing)
    enter_phase(game, "D", side)
    short = [u for u in units(game, side) if u.internal != "full"]
    if not short:
        return
    wanted = await ask(Recover(side))
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
    done = pay(net, u.hex or "", cost, u)
    assert done is not None
    u.internal = now  # type: ignore[assignment]
    game.emit(StocksRecovered(side, u.id, cost, now))
    return True


# T.2.D.2


@procedure("trace", rule="4.5.2")
async def trace(game: Game, phasing: str | None) -> None:
    """4.5.2 Who is in trace, and by what."""
    side = _side(phasing)
    enter_phase(game, "D", side)
    providers = await ask(TraceProvider(side))
    links = Tracing(game, side).whole(providers)
    found, missing = {}, []
    for u in units(game, side):
        link = links.get(u.id)
        if link is None:
            missing.append(u.id)
            u.last_trace = "oos"
            continue
        found[u.id] = link.hq or link.source
        u.last_trace, u.oos = "trace", False
    game.emit(TraceChecked(side, found, tuple(missing)))


# T.2.D.3


@procedure("eat", rule="4.5.3")
async def eat(game: Game, phasing: str | None) -> None:
    """4.5.3 Who has no trace eats from dumps, or is out of supply."""
    side = _side(phasing)
    enter_phase(game, "D", side)
    hungry = [u for u in units(game, side) if u.last_trace == "oos" and u.hex in world_of(game).terrains]
    if not hungry:
        return
    fed = feed(game, side, await ask(Eating(side, tuple(u.id for u in hungry))))
    left = [u for u in hungry if u.id not in fed]
    for u in left:
        u.oos = True
    if left:
        game.emit(OutOfSupply(side, shown(game, (u.id for u in left))))


# T.2.D.4


@procedure("attrition", rule="4.5.4")
async def attrition(game: Game, phasing: str | None) -> None:
    """4.5.4 A roll for each hex with units out of supply."""
    side = _side(phasing)
    enter_phase(game, "D", side)
    for hex in sorted({u.hex or "" for u in units(game, side) if u.oos}):
        await _waste_away(game, side, hex)
    await check_stacks(game)
    end_phase(game)


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
