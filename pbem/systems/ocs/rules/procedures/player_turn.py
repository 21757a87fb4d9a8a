"""T.2.A to T.2.C, T.2.E to T.2.H: A player turn without its Supply Phase (4.2 to 4.8, 4.13).

The procedures are at the end, one a line, after the functions of their nodes.
"""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, Roll, procedure, roll

from ..arriving import fill, foes_in, place, unblocked
from ..breakout import break_out, candidates, cut_off_points, points_break_out
from ..capture import put_down
from ..consolidation import consolidate
from ..consolidation import faults_of as consolidation_faults
from ..consolidation import possible as consolidations
from ..decisions.reinforcing import (
    Arrivals,
    Consolidate,
    Placing,
    Rebuild,
    ReplPlacing,
    SupplySplit,
    supply_hexes,
)
from ..decisions.supplying import UseOrganic
from ..decisions.turn import Breakout, DropPlans, Plans, Refit
from ..drops import lodge_plans
from ..events.turn import CleanedUp, DropDelayed, ReplacementsReceived, SupplyReceived
from ..phases import end_movement, end_phase, end_player_turn, enter_phase
from ..pieces import Plan, T, Unit, maybe_unit, serial, ships, units, world_of
from ..rebuilding import rebuild, rebuild_faults
from ..refit import refit
from ..sealing import ask, lodge_orders
from ..supply.stores import give
from ..views import secret, shown
from .leaves import Asked, Node, leaf, segment, side_of


async def _use_organic(game: Game, side: str, _: None, kept: None) -> None:
    """4.0.5: Note if a side uses the loads of organic trucks; outside simulcast turns, for both sides."""
    t = T.of(game)
    for seat in [side] if t.simulcast else list(world_of(game).seats):
        wanted = await ask(game, UseOrganic(seat))
        await lodge_orders(game)
        others = tuple(other for other in t.uses_organic if other != seat)
        t.uses_organic = (*others, seat) if wanted == "yes" else others


async def _ask_plans(game: Game, side: str) -> Asked | None:
    await lodge_plans(game, side)
    return (DropPlans(side), None) if any("para" in u.print.flags for u in units(game, side)) else None


async def plan_drops(game: Game, side: str, answer: Plans, kept: None) -> None:
    """4.2.2: Note new planned drops; cancel due ones, or delay them by a turn."""
    t = T.of(game)
    for id, plan in sorted((answer.new or {}).items()):
        t.plans[id] = plan
    for id in answer.cancel:
        t.plans.pop(id, None)
    for id in answer.delay:
        t.plans[id] = Plan(t.plans[id].hex, t.turn + 1)
        game.emit(DropDelayed(side, id, t.turn + 1))


async def _ask_refit(game: Game, side: str) -> Asked:
    await lodge_plans(game, side)
    return Refit(side), None


async def _refit(game: Game, side: str, answer: Any, kept: None) -> None:
    """4.2.1: Refit aircraft, at 1 T for each base."""
    for order in answer:
        refit(game, side, order.base, order.planes, order.dump)


def due_now(game: Game, side: str) -> dict[str, Any]:
    """4.3.1: Return the arrivals of a side that are due."""
    t = T.of(game)
    listed = sorted(t.coming.items())
    return {id: row for id, row in listed if row["turn"] <= t.turn and row["counter"]["owner"] == side}


async def _ask_arrivals(game: Game, side: str) -> Asked | None:
    return (Arrivals(side), None) if due_now(game, side) else None


async def _arrive(game: Game, side: str, placing: dict[str, Placing], kept: None) -> None:
    """4.3.1: Place the arrivals that are due."""
    for id, row in list(due_now(game, side).items()):
        if await place(game, side, id, row, placing.get(id, Placing())):
            del T.of(game).coming[id]


def by_total(chart: dict[str, Any], total: int) -> Any:
    """Return the entry of a chart for a total, by keys such as "2-6" or "7"."""
    for key, value in chart.items():
        low, _, high = key.partition("-")
        if int(low) <= total <= int(high or low):
            return value
    raise KeyError(total)


def _of_side(chart: Any, side: str) -> Any:
    return next(rows for name, rows in chart.items() if name.lower() == side.lower())


async def _ask_supplies(game: Game, side: str) -> Asked:
    """4.3.2: Roll 2d6 on the side's supply table; return the question how to divide the T."""
    world = world_of(game)
    dice = await roll("2d6", "supply", side)
    sp = int(by_total(_of_side(world.tables["turn"]["supply"], side), dice.total))
    return SupplySplit(side, sp * world.point_T), (dice, sp)


async def _supply(game: Game, side: str, wanted: dict[str, int], kept: tuple[Roll, int]) -> None:
    """4.3.2: Place the T that arrive; what is not placed goes to the first hex of arrival."""
    dice, sp = kept
    t, first = sp * world_of(game).point_T, supply_hexes(game, side)[0]
    shares = {hex: n for hex, n in wanted.items() if n}
    shares[first] = shares.get(first, 0) + t - sum(wanted.values())
    shares = {unblocked(game, side, hex) if foes_in(game, side, hex) else hex: n for hex, n in shares.items()}
    fallen: dict[str, int] = {}
    for hex, n in sorted(shares.items()):
        if n and (dump := T.of(game).dumps.get(hex)) is not None and dump.owner != side:
            fallen[hex] = n  # reported after the arrivals
        elif n:
            give(game, side, hex, n)
            T.of(game).arrived[hex] = T.of(game).arrived.get(hex, 0) + n
    placed = {hex: n for hex, n in sorted(shares.items()) if n}
    game.emit(SupplyReceived(side, dice, sp, t, secret(game, placed, {})))
    for hex, n in fallen.items():
        put_down(game, side, hex, n)
    fill(game, side, {hex: n for hex, n in placed.items() if hex not in fallen})


def _repl_hexes(game: Game, side: str) -> tuple[str, ...]:
    world = world_of(game)
    return tuple(world.oob[side].get("replacement_hexes", world.sources[side]))


async def _ask_replacements(game: Game, side: str) -> Asked:
    """4.3.3: Roll 2d6 on the side's replacement table; return the question where they arrive."""
    dice = await roll("2d6", "replacements", side)
    kinds = tuple(by_total(_of_side(world_of(game).tables["turn"]["replacements"], side), dice.total))
    ids = tuple(f"{side[0].upper()}-{kind.upper()}-{serial(game, side)}" for kind in kinds)
    return ReplPlacing(side, ids, _repl_hexes(game, side)) if ids else None, (dice, kinds, ids)


async def _replace(game: Game, side: str, wanted: dict[str, Placing] | None, kept: Any) -> None:
    dice, kinds, ids = kept
    for id, kind in zip(ids, kinds, strict=True):
        how = (wanted or {}).get(id, Placing())
        hex = how.hex or _repl_hexes(game, side)[0]
        hex = unblocked(game, side, hex) if foes_in(game, side, hex) else hex
        made = Unit.add(
            game, id, owner=side, kind=f"repl_{kind}", type=f"repl_{kind}", hex=hex, facing="move"
        )
        if how.mode != "plain":
            made.marker = how.mode
    where = Unit(game, ids[0]).hex or "" if ids else ""
    game.emit(ReplacementsReceived(side, dice, kinds, ids, where))


async def _ask_rebuild(game: Game, side: str) -> Asked:
    return Rebuild(side), None


async def _rebuild(game: Game, side: str, answer: Any, kept: None) -> None:
    """4.3.4: Rebuild one by one, leaving out rebuilds that earlier ones made impossible."""
    for order in answer:
        if not rebuild_faults(game, side, order):
            rebuild(game, side, order)


async def _ask_consolidation(game: Game, side: str) -> Asked | None:
    return (Consolidate(side), None) if next(iter(consolidations(game, side)), None) is not None else None


async def _consolidate(game: Game, side: str, answer: Any, kept: None) -> None:
    """4.3.5: Consolidate one by one, leaving out what earlier ones made impossible."""
    for order in answer:
        if not consolidation_faults(game, side, order):
            consolidate(game, side, order)


async def _ask_breakout(game: Game, side: str) -> Asked | None:
    able = candidates(game, side)
    return (Breakout(side), (able, cut_off_points(game, side, able))) if able else None


async def _breakout(game: Game, side: str, chosen: tuple[str, ...], kept: Any) -> None:
    """4.4.1: Let chosen units without trace try to break out."""
    able, cut_off = kept
    for id in chosen:
        if id in able:
            await break_out(game, side, id, able[id])
        elif id in cut_off:
            await points_break_out(game, side, id)


def delay_drops(game: Game, side: str) -> None:
    """R-112: Delay by a turn the drops that are due but were not flown."""
    t = T.of(game)
    for id, plan in sorted(t.plans.items()):
        u = maybe_unit(game, id)
        if u is None:
            t.plans.pop(id)
        elif u.owner == side and plan.turn <= t.turn:
            t.plans[id] = Plan(plan.hex, t.turn + 1)
            game.emit(DropDelayed(side, id, t.turn + 1))


@procedure("end_of_movement", rule="4.4.13")
async def end_of_movement(game: Game, phasing: str | None) -> None:
    """4.4.13: Check stacking, Strat and Reserve; delay due drops that were not flown (R-112)."""
    await end_movement(game)
    delay_drops(game, side_of(phasing))


async def clean(game: Game, side: str, *, steps: bool) -> None:
    """4.13: Remove DG, Exploit and fuel of a side, and the other side's trainbusting markers.

    `steps`: the procedure has a step for each of them.
    """
    t = T.of(game)
    if steps:
        game.at("1")
    dg = [u.id for u in units(game, side) if u.marker == "dg"]
    for u in units(game, side):
        if u.marker == "dg":
            u.marker = "none"
    for ship in ships(game, side):
        if ship.dg:
            dg.append(ship.id)
            ship.dg = False
    if steps:
        game.at("2")
    exploit = [u for u in units(game, side) if u.marker == "exploit"]
    for u in exploit:
        u.marker, u.min_ar = "none", 0
    if steps:
        game.at("3")
    fuel = [u.id for u in units(game, side) if u.fuelled or u.id in t.fuelled]
    for u in units(game, side):
        u.fuelled = False
    t.fuelled = tuple(id for id in t.fuelled if id not in fuel)
    if steps:
        game.at("4")
    rails = tuple(hex for hex, by in sorted(t.busted.items()) if by != side)
    for hex in rails:
        del t.busted[hex]
    marked, gone = shown(game, dg), shown(game, (u.id for u in exploit))
    game.emit(CleanedUp(side, marked, gone, secret(game, tuple(fuel), ()), rails))


@procedure("clean_up", rule="4.13")
async def clean_up(game: Game, phasing: str | None) -> None:
    """4.13: End a player turn."""
    side = side_of(phasing)
    enter_phase(game, "H", side)
    await clean(game, side, steps=True)
    end_phase(game)
    end_player_turn(game)


ORGANIC = Node(_use_organic)
PLANS = Node(plan_drops, _ask_plans)
REFIT = Node(_refit, _ask_refit)
ARRIVALS = Node(_arrive, _ask_arrivals)
SUPPLIES = Node(_supply, _ask_supplies)
REPLACEMENTS = Node(_replace, _ask_replacements)
REBUILD = Node(_rebuild, _ask_rebuild)
CONSOLIDATION = Node(_consolidate, _ask_consolidation)
BREAKOUT = Node(_breakout, _ask_breakout)

drop_plans = leaf("drop_plans", "4.2.2", "A", ORGANIC, PLANS)
refit_phase = leaf("refit", "4.2.1", "A", REFIT, ends=True)
arrivals = leaf("arrivals", "4.3.1", "B", ARRIVALS)
supplies = leaf("supplies", "4.3.2", "B", SUPPLIES)
replacements = leaf("replacements", "4.3.3", "B", REPLACEMENTS, REBUILD)
consolidation = leaf("consolidation", "4.3.5", "B", CONSOLIDATION, ends=True)
breakout = leaf("breakout", "4.4.1", "C", BREAKOUT)
movement = segment("movement", "4.4.2", "C", "movement")
air_naval_barrage = segment("air_naval_barrage", "4.4.14", "C", "air_naval", ends=True)
reaction_movement = segment("reaction_movement", "4.6", "E", "reaction", other=True, moved=True)
reaction_barrage = segment("reaction_barrage", "4.6", "E", "all_barrage", other=True, ends=True)
artillery_barrage = segment("artillery_barrage", "4.7.1", "F", "artillery")
combat = segment("combat", "4.7.2", "F", "combat", moved=True, ends=True)
exploitation_movement = segment("exploitation_movement", "4.8", "G", "exploitation", moved=True)
exploitation_barrage = segment("exploitation_barrage", "4.8", "G", "all_barrage")
exploitation_combat = segment("exploitation_combat", "4.8", "G", "combat", moved=True, ends=True)
