"""T.2.A to T.2.C, T.2.E to T.2.H: a Player Turn without its Supply Phase (4.2 to 4.8, 4.13)."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, ask, procedure, roll

from ..arriving import foes_in, place, unblocked
from ..breakout import break_out, candidates, cut_off_points, points_break_out
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
from ..decisions.turn import Breakout, DropPlans, Refit
from ..events.turn import CleanedUp, DropDelayed, ReplacementsReceived, SupplyReceived
from ..phases import end_movement, end_phase, end_player_turn, enter_phase, loop
from ..pieces import Plan, T, Unit, maybe_unit, serial, ships, units, world_of
from ..reach import give
from ..rebuilding import rebuild, rebuild_faults
from ..refit import refit
from ..views import secret, shown


def _side(phasing: str | None) -> str:
    assert phasing is not None
    return phasing


# T.2.A


@procedure("drop_plans", rule="4.2.2")
async def drop_plans(game: Game, phasing: str | None) -> None:
    """4.2.2 New plans for two turns from now; those that are due may be delayed or cancelled."""
    side, t = _side(phasing), T.of(game)
    enter_phase(game, "A", side)
    for seat in list(world_of(game).seats):
        wanted = await ask(UseOrganic(seat))
        others = tuple(one for one in t.uses_organic if one != seat)
        t.uses_organic = (*others, seat) if wanted == "yes" else others
    if not any("para" in u.print.flags for u in units(game, side)):
        return
    answer = await ask(DropPlans(side))
    for id, plan in sorted((answer.new or {}).items()):
        t.plans[id] = plan
    for id in answer.cancel:
        t.plans.pop(id, None)
    for id in answer.delay:
        plan = t.plans[id]
        t.plans[id] = Plan(plan.hex, t.turn + 1)
        game.emit(DropDelayed(side, id, t.turn + 1))


@procedure("refit", rule="4.2.1")
async def refit_phase(game: Game, phasing: str | None) -> None:
    """4.2.1 1 T a base, two aircraft a level."""
    side = _side(phasing)
    enter_phase(game, "A", side)
    for one in await ask(Refit(side)):
        refit(game, side, one.base, one.planes, one.dump)
    end_phase(game)


# T.2.B


@procedure("arrivals", rule="4.3.1")
async def arrivals(game: Game, phasing: str | None) -> None:
    """4.3.1 What is due appears now."""
    side, t = _side(phasing), T.of(game)
    enter_phase(game, "B", side)
    due = {
        id: one
        for id, one in sorted(t.coming.items())
        if one["turn"] <= t.turn and one["counter"]["owner"] == side
    }
    if not due:
        return
    placing = await ask(Arrivals(side))
    for id, one in list(due.items()):
        if await place(game, side, id, one, placing.get(id, Placing())):
            del t.coming[id]


def by_total(chart: dict[str, Any], total: int) -> Any:
    """The row of a chart of the turn: "2-6" or "7"."""
    for key, value in chart.items():
        low, _, high = key.partition("-")
        if int(low) <= total <= int(high or low):
            return value
    raise KeyError(total)


@procedure("supplies", rule="4.3.2")
async def supplies(game: Game, phasing: str | None) -> None:
    """4.3.2 2d6 on the side's supply table."""
    side, world = _side(phasing), world_of(game)
    enter_phase(game, "B", side)
    dice = await roll("2d6", "supply", side)
    sp = int(by_total(_of_side(world.tables["turn"]["supply"], side), dice.total))
    t = sp * world.point_T
    wanted = await ask(SupplySplit(side, t))
    first = supply_hexes(game, side)[0]
    shares = {hex: n for hex, n in wanted.items() if n}
    shares[first] = shares.get(first, 0) + t - sum(wanted.values())
    shares = {unblocked(game, side, hex) if foes_in(game, side, hex) else hex: n for hex, n in shares.items()}
    for hex, n in sorted(shares.items()):
        give(game, side, hex, n)
        if n:
            T.of(game).arrived[hex] = T.of(game).arrived.get(hex, 0) + n
    placed = {hex: n for hex, n in sorted(shares.items()) if n}
    game.emit(SupplyReceived(side, dice, sp, t, secret(game, placed, {})))


def _of_side(chart: Any, side: str) -> Any:
    return next(rows for name, rows in chart.items() if name.lower() == side.lower())


@procedure("replacements", rule="4.3.3")
async def replacements(game: Game, phasing: str | None) -> None:
    """4.3.3, 4.3.4 2d6 for replacements; then what is rebuilt."""
    side, world = _side(phasing), world_of(game)
    enter_phase(game, "B", side)
    dice = await roll("2d6", "replacements", side)
    kinds = tuple(by_total(_of_side(world.tables["turn"]["replacements"], side), dice.total))
    hexes = tuple(world.oob[side].get("replacement_hexes", world.sources[side]))
    ids = [f"{side[0].upper()}-{kind.upper()}-{serial(game, side)}" for kind in kinds]
    where = await ask(ReplPlacing(side, tuple(ids), hexes)) if ids and len(hexes) > 1 else {}
    for id, kind in zip(ids, kinds, strict=True):
        how = where.get(id, Placing())
        hex = how.hex or hexes[0]
        hex = unblocked(game, side, hex) if foes_in(game, side, hex) else hex
        made = Unit.add(
            game, id, owner=side, kind=f"repl_{kind}", type=f"repl_{kind}", hex=hex, facing="move"
        )
        if how.mode != "plain":
            made.marker = how.mode
    game.emit(
        ReplacementsReceived(side, dice, kinds, tuple(ids), Unit(game, ids[0]).hex or "" if ids else "")
    )
    for one in await ask(Rebuild(side)):
        if not rebuild_faults(game, side, one):
            rebuild(game, side, one)


# T.2.C


@procedure("breakout", rule="4.4.1")
async def breakout(game: Game, phasing: str | None) -> None:
    """4.4.1 Units without trace may try to get away."""
    side = _side(phasing)
    enter_phase(game, "C", side)
    able = candidates(game, side)
    if not able:
        return
    cut_off = cut_off_points(game, side, able)
    chosen = await ask(Breakout(side))
    for id in chosen:
        if id in able:
            await break_out(game, side, id, able[id])
        elif id in cut_off:
            await points_break_out(game, side, id)


@procedure("movement", rule="4.4.2")
async def movement(game: Game, phasing: str | None) -> None:
    """4.4.2 The phasing side's actions."""
    side = _side(phasing)
    enter_phase(game, "C", side)
    await loop(game, side, "movement")


@procedure("end_of_movement", rule="4.4.13")
async def end_of_movement(game: Game, phasing: str | None) -> None:
    """4.4.13 Stacking, Strat, Reserve; drops that were due wait a turn (R-112)."""
    t, side = T.of(game), _side(phasing)
    await end_movement(game)
    for id, plan in sorted(t.plans.items()):
        u = maybe_unit(game, id)
        if u is None:
            t.plans.pop(id)
        elif u.owner == side and plan.turn <= t.turn:
            t.plans[id] = Plan(plan.hex, t.turn + 1)
            game.emit(DropDelayed(side, id, t.turn + 1))


@procedure("air_naval_barrage", rule="4.4.14")
async def air_naval_barrage(game: Game, phasing: str | None) -> None:
    """4.4.14 Barrages by air and sea, trainbusting."""
    side = _side(phasing)
    enter_phase(game, "C", side)
    await loop(game, side, "air_naval")
    end_phase(game)


# T.2.E


@procedure("reaction_movement", rule="4.6")
async def reaction_movement(game: Game, phasing: str | None) -> None:
    """4.6 The other side's reserves, ships, aircraft."""
    side = world_of(game).enemy(_side(phasing))
    enter_phase(game, "E", side)
    await loop(game, side, "reaction")
    await end_movement(game)


@procedure("reaction_barrage", rule="4.6")
async def reaction_barrage(game: Game, phasing: str | None) -> None:
    """4.6 All that was released, ships, aircraft."""
    side = world_of(game).enemy(_side(phasing))
    enter_phase(game, "E", side)
    await loop(game, side, "all_barrage")
    end_phase(game)


# T.2.F, T.2.G


@procedure("artillery_barrage", rule="4.7.1")
async def artillery_barrage(game: Game, phasing: str | None) -> None:
    """4.7.1 The phasing side's artillery."""
    side = _side(phasing)
    enter_phase(game, "F", side)
    await loop(game, side, "artillery")


@procedure("combat", rule="4.7.2")
async def combat(game: Game, phasing: str | None) -> None:
    """4.7.2 Attacks one at a time."""
    side = _side(phasing)
    enter_phase(game, "F", side)
    await loop(game, side, "combat")
    await end_movement(game)
    end_phase(game)


@procedure("exploitation_movement", rule="4.8")
async def exploitation_movement(game: Game, phasing: str | None) -> None:
    """4.8 Marked units at half, released reserves at full allowance."""
    side = _side(phasing)
    enter_phase(game, "G", side)
    await loop(game, side, "exploitation")
    await end_movement(game)


@procedure("exploitation_barrage", rule="4.8")
async def exploitation_barrage(game: Game, phasing: str | None) -> None:
    """4.8 Released artillery, ships, aircraft."""
    side = _side(phasing)
    enter_phase(game, "G", side)
    await loop(game, side, "all_barrage")


@procedure("exploitation_combat", rule="4.8")
async def exploitation_combat(game: Game, phasing: str | None) -> None:
    """4.8 Attacks of marked units and released reserves."""
    side = _side(phasing)
    enter_phase(game, "G", side)
    await loop(game, side, "combat")
    await end_movement(game)
    end_phase(game)


# T.2.H


@procedure("clean_up", rule="4.13")
async def clean_up(game: Game, phasing: str | None) -> None:
    """4.13 DG, Exploit, fuel of the phasing side; the other's trainbusting markers."""
    side, t = _side(phasing), T.of(game)
    enter_phase(game, "H", side)
    game.at("1")
    dg = [u.id for u in units(game, side) if u.marker == "dg"]
    for u in units(game, side):
        if u.marker == "dg":
            u.marker = "none"
    for ship in ships(game, side):
        if ship.dg:
            dg.append(ship.id)
            ship.dg = False
    game.at("2")
    exploit = [u for u in units(game, side) if u.marker == "exploit"]
    for u in exploit:
        u.marker, u.min_ar = "none", 0
    game.at("3")
    fuel = [u.id for u in units(game, side) if u.fuelled or u.id in t.fuelled]
    for u in units(game, side):
        u.fuelled = False
    t.fuelled = tuple(id for id in t.fuelled if id not in fuel)
    game.at("4")
    rails = tuple(hex for hex, by in sorted(t.busted.items()) if by != side)
    for hex in rails:
        del t.busted[hex]
    marked, gone = shown(game, dg), shown(game, (u.id for u in exploit))
    game.emit(CleanedUp(side, marked, gone, secret(game, tuple(fuel), ()), rails))
    end_phase(game)
    end_player_turn(game)


@procedure("consolidation", rule="4.3.5")
async def consolidation(game: Game, phasing: str | None) -> None:
    """4.3.5 Counters that are put together, or take another's place."""
    side = _side(phasing)
    enter_phase(game, "B", side)
    if next(iter(consolidations(game, side)), None) is not None:
        for one in await ask(Consolidate(side)):
            if not consolidation_faults(game, side, one):
                consolidate(game, side, one)
    end_phase(game)
