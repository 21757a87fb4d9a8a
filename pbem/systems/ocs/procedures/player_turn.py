"""T.2.A to T.2.C, T.2.E to T.2.H: a Player Turn without its Supply Phase (4.2 to 4.8, 4.13)."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, ask, procedure, roll

from ..breakout import break_out, candidates
from ..decisions.turn import Arrivals, Breakout, DropPlans, Placing, Rebuild, Refit, SupplySplit
from ..events.turn import Arrived, CleanedUp, DropDelayed, ReplacementsReceived, SupplyReceived
from ..phases import end_movement, end_player_turn, enter_phase, loop
from ..pieces import Plan, Plane, T, Unit, maybe_unit, ships, units, world_of
from ..reach import give
from ..rebuilding import rebuild, rebuild_faults
from ..refit import refit


def _side(phasing: str | None) -> str:
    assert phasing is not None
    return phasing


# T.2.A


@procedure("drop_plans", rule="4.2.2")
async def drop_plans(game: Game, phasing: str | None) -> None:
    """4.2.2 New plans for two turns from now; those that are due may be delayed or cancelled."""
    side, t = _side(phasing), T.of(game)
    enter_phase(game, "A", side)
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
    for id, one in due.items():
        _place(game, side, id, one, placing.get(id, Placing()))
        del t.coming[id]


def _place(game: Game, side: str, id: str, one: dict[str, Any], how: Placing) -> None:
    fields = dict(one["counter"])
    if fields["kind"] == "aircraft":
        bases = [h for h, b in sorted(T.of(game).bases.items()) if b.owner == side]
        hex = how.hex if how.hex in bases else next(iter(bases), "")
        if not hex:
            return
        game.position.add(id, {**fields, "hex": hex})
        assert Plane(game, id).there
    else:
        hex = how.hex or one["hexes"][0]
        if units(game, world_of(game).enemy(side), hex):
            hex = _unblocked(game, side, hex)
        fields |= {"hex": hex, "facing": how.facing} if how.facing == "move" else {"hex": hex}
        fields |= {"marker": how.mode} if how.mode != "plain" else {}
        fields |= {"entrained": True} if one.get("by_rail") and how.entrained else {}
        game.position.add(id, fields)
    game.emit(Arrived(side, (id,), hex))


def _unblocked(game: Game, side: str, hex: str) -> str:
    """R-127 The nearest hex of the map's edge without an enemy combat unit."""
    world = world_of(game)
    foes = {u.hex for u in units(game, world.enemy(side))}
    edge = [h for h in world.hexes if len(world.beside(h)) < 6 and world.land(h) and h not in foes]
    return min(edge, key=lambda h: (world.distance(hex, h), h))


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
    first = world.sources[side][0]
    shares = {hex: n for hex, n in wanted.items() if n}
    shares[first] = shares.get(first, 0) + t - sum(wanted.values())
    for hex, n in sorted(shares.items()):
        give(game, side, hex, n)
    game.emit(SupplyReceived(side, dice, sp, t, {hex: n for hex, n in sorted(shares.items()) if n}))


def _of_side(chart: Any, side: str) -> Any:
    return next(rows for name, rows in chart.items() if name.lower() == side.lower())


@procedure("replacements", rule="4.3.3")
async def replacements(game: Game, phasing: str | None) -> None:
    """4.3.3, 4.3.4 2d6 for replacements; then what is rebuilt."""
    side, t, world = _side(phasing), T.of(game), world_of(game)
    enter_phase(game, "B", side)
    dice = await roll("2d6", "replacements", side)
    kinds = tuple(by_total(_of_side(world.tables["turn"]["replacements"], side), dice.total))
    hex, made = world.sources[side][0], []
    for kind in kinds:
        t.made[side] = t.made.get(side, 0) + 1
        id = f"{side[0].upper()}-{kind.upper()}-{t.made[side]}"
        Unit.add(game, id, owner=side, kind=f"repl_{kind}", type=f"repl_{kind}", hex=hex, facing="move")
        made.append(id)
    game.emit(ReplacementsReceived(side, dice, kinds, tuple(made), hex if made else ""))
    for one in await ask(Rebuild(side)):
        if not rebuild_faults(game, side, one, 0):
            rebuild(game, side, one)


# T.2.C


@procedure("breakout", rule="4.4.1")
async def breakout(game: Game, phasing: str | None) -> None:
    """4.4.1 Units without trace may try to get away."""
    side = _side(phasing)
    enter_phase(game, "C", side)
    if not candidates(game, side):
        return
    chosen = await ask(Breakout(side))
    able = candidates(game, side)
    for id in chosen:
        if id in able:
            await break_out(game, side, id, able[id])


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
    end_movement(game)
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


# T.2.E


@procedure("reaction_movement", rule="4.6")
async def reaction_movement(game: Game, phasing: str | None) -> None:
    """4.6 The other side's reserves, ships, aircraft."""
    side = world_of(game).enemy(_side(phasing))
    enter_phase(game, "E", side)
    await loop(game, side, "reaction")
    end_movement(game)


@procedure("reaction_barrage", rule="4.6")
async def reaction_barrage(game: Game, phasing: str | None) -> None:
    """4.6 All that was released, ships, aircraft."""
    side = world_of(game).enemy(_side(phasing))
    enter_phase(game, "E", side)
    await loop(game, side, "all_barrage")


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
    end_movement(game)


@procedure("exploitation_movement", rule="4.8")
async def exploitation_movement(game: Game, phasing: str | None) -> None:
    """4.8 Marked units at half, released reserves at full allowance."""
    side = _side(phasing)
    enter_phase(game, "G", side)
    await loop(game, side, "exploitation")
    end_movement(game)


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
    end_movement(game)


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
    game.emit(CleanedUp(side, tuple(dg), tuple(u.id for u in exploit), tuple(fuel), rails))
    end_player_turn(game)


@procedure("consolidation", rule="4.3.5")
async def consolidation(game: Game, phasing: str | None) -> None:
    """4.3.5 Nothing is asked: see README, Not built yet."""
    enter_phase(game, "B", _side(phasing))
