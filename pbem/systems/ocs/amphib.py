"""4.12.7 (module amphib) Landing Craft: they load in ports, sail, land units, carry a beach assault.

What is aboard stands nowhere: it is kept in the craft (`cargo`), so that it has no zone, spots nothing and
needs no trace. R-133 to R-136 say what the rule leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.kit.faults import illegal
from pbem.kit.odds import Modifier
from pbem.rules import Diagnostic, Game, Refused, Roll, ask, roll

from .actions import Assault, Embark, Land, Naval
from .capture import enter_hex
from .combat import Bought, Fight, best_rating, fight_it_out, loss_order, strike, strike_all
from .decisions.fight import DefenceStance
from .events.moving import BeachGivenUp, CraftLost, Embarked, Landed, LandingRolled, Sailed
from .losses import bury, by_free_rule
from .moving import holds_enemy_things, stop
from .pieces import Craft, Points, T, Unit, craft, maybe_unit, points, ships, total_re, units, world_of
from .reach import give
from .strength import hex_terrains, rnd
from .trace import port_capacity
from .transport import check_tokens, weight
from .views import shown
from .walk import own_units
from .zones import Ground

PHASE_FIELDS = (
    "done", "committed", "spent", "start", "fuel_single", "fuel_hex", "released", "attacked", "barraged",
    "moved", "converted", "entrained", "air_landed", "top",
)  # fmt: skip


def own_craft(game: Game, side: str, ids: Sequence[str]) -> list[Craft]:
    """The Landing Craft that an order names, in one hex."""
    every = {c.id: c for c in craft(game, side)}
    if not ids or any(id not in every for id in ids):
        raise stop("E-MOVE-ELIGIBLE", "4.12.7", "name Landing Craft of yours", "craft")
    listed = [every[id] for id in ids]
    if len({c.hex for c in listed}) != 1:
        raise stop("E-MOVE-ELIGIBLE", "4.12.7", "craft that act together are in one hex", "craft")
    return listed


def aboard(game: Game, listed: Sequence[Craft]) -> dict[str, Craft]:
    """What these carry, by id."""
    return {id: c for c in listed for id in c.cargo}


def load_of(game: Game, c: Craft) -> Fraction:
    """4.4.9 What a craft carries, in T."""
    return weight_of(game, c.cargo) + c.load


def weight_of(game: Game, cargo: Mapping[str, Any]) -> Fraction:
    """What kept counters weigh: as units and points do on a train."""
    board = game.copy()
    for id, fields in cargo.items():
        if id in board.position.counters:
            board.position.remove(id)
        board.position.add(id, {**fields, "hex": None})
    listed = [Unit(board, id) for id, fields in cargo.items() if fields["kind"] != "transport"]
    return weight(
        board, listed, [Points(board, id) for id, f in cargo.items() if f["kind"] == "transport"], 0
    )


# loading


def embark(game: Game, side: str, order: Embark) -> None:
    """Units in plain mode that have not moved, points, T: in a port of the side, as far as it handles, or in
    a box."""
    if T.of(game).simulcast:
        raise stop("E-SIMUL", "4.15", "no Landing Craft load in a simulcast turn", "craft")
    listed = own_craft(game, side, order.craft)
    hex, t = listed[0].hex or "", T.of(game)
    if any(c.done for c in listed):
        raise stop("E-MOVE-DONE", "4.12.7", "craft that have landed or moved load no more", "craft")
    units_, points_ = _boarding(game, side, hex, order)
    cost = weight(game, units_, points_, order.tokens)
    if not cost:
        raise stop("E-SEA-MODE", "4.12.7", "nothing is loaded", "units")
    port = t.ports.get(hex)
    box = hex in world_of(game).boxes
    if port is None or port.owner != side or (not box and hex in Ground(game, side).zoc):
        raise stop("E-PORT-CAP", "4.12.7", f"{hex} is no port of yours that works", "craft")
    if not box and cost + port.used > port_capacity(game, hex):
        raise stop("E-PORT-CAP", "4.12.7", f"{hex} handles {port_capacity(game, hex)} T in a phase", "units")
    if cost > sum((c.capacity - load_of(game, c) for c in listed), Fraction(0)):
        raise stop("E-TP-CAP", "4.12.7", "more than the craft can carry", "craft")
    if order.tokens and world_of(game).boxes.get(hex, {}).get("supplies") != "infinite":
        check_tokens(game, side, hex, order.tokens)
    _stow(game, listed, units_, points_)
    _stow_tokens(game, side, hex, listed, order.tokens)
    t.ports[hex] = replace(port, used=port.used + cost)
    for c in listed:
        c.embarked = True
    ids = (*order.units, *order.points)
    game.emit(Embarked(side, order.craft, ids, order.tokens, hex))


def _boarding(game: Game, side: str, hex: str, order: Embark) -> tuple[list[Unit], list[Points]]:
    listed = own_units(game, side, order.units) if order.units else []
    every = {p.id: p for p in points(game, side)}
    faults: list[Diagnostic] = []
    for n, u in enumerate(listed):
        if u.done or u.committed or u.spent:
            faults.append(illegal("E-MOVE-DONE", "4.12.7", f"{u.id} has moved in this phase", "units", n))
        elif u.marker != "none" or u.hex != hex:
            faults.append(illegal("E-SEA-MODE", "4.12.7", f"{u.id}: in plain mode, in {hex}", "units", n))
    for n, id in enumerate(order.points):
        p = every.get(id)
        if p is None or p.hex != hex or p.done or p.spent or p.rode:
            faults.append(illegal("E-SEA-MODE", "4.12.7", f"{id} cannot go aboard in {hex}", "points", n))
    if faults:
        raise Refused(faults)
    return listed, [every[id] for id in order.points]


def _stow(game: Game, listed: Sequence[Craft], units_: Sequence[Unit], points_: Sequence[Points]) -> None:
    """Each into the first craft with room for it; a large unit into the one with most (several carry it)."""
    for one in [*units_, *points_]:
        own: dict[str, Any] = {
            k: v for k, v in one.position.counters[one.id].items() if k not in PHASE_FIELDS
        }
        own.pop("hex", None)
        need = weight_of(game, {one.id: own})
        room = [c for c in listed if c.capacity - load_of(game, c) >= need]
        best = room[0] if room else max(listed, key=lambda c: (c.capacity - load_of(game, c), c.id))
        best.cargo = {**best.cargo, one.id: own}
        one.remove()


def _stow_tokens(game: Game, side: str, hex: str, listed: Sequence[Craft], tokens: int) -> None:
    from .hauling import take_from_ground

    if tokens and world_of(game).boxes.get(hex, {}).get("supplies") != "infinite":
        take_from_ground(game, hex, tokens)
    for c in listed:
        put = min(tokens, max(0, int(c.capacity - load_of(game, c))))
        c.load, tokens = c.load + put, tokens - put
    listed[0].load += tokens


# sailing


def sail_craft(game: Game, side: str, order: Naval) -> None:
    """4.12.1 As ships do; not once a craft has landed anything in this phase."""
    world, t = world_of(game), T.of(game)
    listed = own_craft(game, side, order.ships)
    if t.landed == side:
        raise stop("E-MOVE-DONE", "4.12.7", "craft sail before any of them lands", "ships")
    if t.simulcast:
        raise stop("E-SIMUL", "4.15", "no Landing Craft sail in a simulcast turn", "ships")
    here, enemy = listed[0].hex or "", world.enemy(side)
    start = here
    for n, to in enumerate(order.path):
        port = t.ports.get(to)
        wet = world.sea(to) or (port is not None and port.owner == side)
        next_to = to in world.shore if here in world.boxes else to in world.beside(here)
        if not next_to or not wet:
            raise stop("E-MOVE-PROHIBITED", "4.12.1", f"craft cannot go from {here} to {to}", "path", n)
        if ships(game, enemy, to) or units(game, enemy, to):
            raise stop("E-MOVE-ENEMY", "4.12.1", f"{to} holds enemies", "path", n)
        here = to
    most = int(world.tables["ships"]["movement"]["move_per_phase"])
    for c in listed:
        if c.spent + len(order.path) > most:
            raise stop("E-MOVE-MP", "4.12.1", f"{c.id} cannot sail so far", "path")
    for c in listed:
        c.spent += len(order.path)
        c.hex = here
    game.emit(Sailed(side, order.ships, start, order.path))


# landing


def land_faults(game: Game, side: str, listed: Sequence[Craft], order: Land) -> list[Diagnostic]:
    """Everything against a landing."""
    world, t, hex = world_of(game), T.of(game), order.hex
    found = []
    here = listed[0].hex or ""
    if t.simulcast and t.control.get(hex) != side:
        found.append(illegal("E-SIMUL", "4.15", "no landing in a simulcast turn", "hex"))
    if not world.land(hex) or (hex != here and hex not in (world.beside(here) if here in world else ())):
        found.append(illegal("E-MOVE-PROHIBITED", "4.12.7", f"{hex} is no coast beside {here}", "hex"))
    elif units(game, world.enemy(side), hex):
        found.append(illegal("E-MOVE-ENEMY", "4.12.7", f"{hex} holds enemy combat units", "hex"))
    carried = aboard(game, listed)
    for n, id in enumerate((*order.units, *order.points)):
        if id not in carried:
            found.append(illegal("E-MOVE-ELIGIBLE", "4.12.7", f"{id} is not aboard", "units", n))
    if any(c.embarked for c in listed if c.hex == hex):
        found.append(
            illegal("E-SEA-MODE", "4.12.7", "what was loaded here in this phase stays aboard", "craft")
        )
    port = t.ports.get(hex)
    own_port = port is not None and port.owner == side
    if (order.tokens or order.points) and not own_port:
        found.append(illegal("E-TP-UNLOAD", "4.12.7", "points and supply land in ports alone", "hex"))
    if order.tokens > sum(c.load for c in listed):
        found.append(illegal("E-TP-CAP", "4.12.7", f"{sum(c.load for c in listed)} T are aboard", "tokens"))
    if not (order.units or order.points or order.tokens):
        found.append(illegal("E-SEA-MODE", "4.12.7", "nothing lands", "units"))
    if own_port and not found:
        found += _harbour_faults(game, side, listed, order)
    return found


def _harbour_faults(game: Game, side: str, listed: Sequence[Craft], order: Land) -> list[Diagnostic]:
    """A port of one's own unloads points and T as far as it handles."""
    port = T.of(game).ports[order.hex]
    carried = aboard(game, listed)
    points_ = {id: carried[id].cargo[id] for id in order.points}
    capacity = 0 if order.hex in Ground(game, side).zoc else port_capacity(game, order.hex)
    need = weight_of(game, points_) + order.tokens
    if need and need + port.used > capacity:
        return [illegal("E-PORT-CAP", "4.12.7", f"{order.hex} handles {capacity} T in a phase", "tokens")]
    return []


async def land(game: Game, side: str, order: Land) -> None:
    """Units by T-ALT, a roll for each 3 RE; points and T in a port. Units may go on."""
    listed = own_craft(game, side, order.craft)
    if faults := land_faults(game, side, listed, order):
        raise Refused(faults)
    T.of(game).landed = side
    for c in listed:
        c.done = True
    _put_ashore(game, side, listed, order)
    await come_ashore(game, side, listed, order.units, order.hex, order.facing)


def _put_ashore(game: Game, side: str, listed: Sequence[Craft], order: Land) -> None:
    """What a port unloads."""
    t = T.of(game)
    if not (order.points or order.tokens):
        return
    carried = aboard(game, listed)
    need = weight_of(game, {id: carried[id].cargo[id] for id in order.points}) + order.tokens
    port = t.ports[order.hex]
    t.ports[order.hex] = replace(port, used=port.used + need)
    for id in order.points:
        fields = _take_out(carried[id], id)
        game.position.add(id, {**fields, "hex": order.hex, "done": True, "rode": "sea"})
    left = order.tokens
    for c in listed:
        put = min(left, c.load)
        c.load, left = c.load - put, left - put
    give(game, side, order.hex, order.tokens, fresh=True)
    game.emit(Landed(side, order.points, order.tokens, order.hex))


def _take_out(c: Craft, id: str) -> dict[str, Any]:
    fields = dict(c.cargo[id])
    c.cargo = {key: value for key, value in c.cargo.items() if key != id}
    return fields


async def come_ashore(
    game: Game, side: str, listed: Sequence[Craft], ids: Sequence[str], hex: str, facing: str | None
) -> None:
    """T-ALT for each batch of at most 3 RE, in the order listed."""
    carried = aboard(game, listed)
    for batch in batches(game, side, hex, ids, carried, facing):
        await _one_roll(game, side, listed, batch, hex)


def batches(
    game: Game, side: str, hex: str, ids: Sequence[str], carried: Mapping[str, Craft], facing: str | None
) -> list[list[Unit]]:
    """Units that land, put into the hex in groups of at most 3 RE; a larger unit is a group of its own"""
    most = Fraction(world_of(game).tables["ships"]["landing"]["re_per_roll"])
    found: list[list[Unit]] = []
    for id in ids:
        fields = _take_out(carried[id], id)
        game.position.add(id, {**fields, "hex": hex})
        u = Unit(game, id)
        if facing is not None:
            u.facing = facing  # type: ignore[assignment]
        u.start, u.air_landed, u.fuel_single, u.last_trace = hex, True, True, "trace"
        if found and total_re([*found[-1], u]) <= most:
            found[-1].append(u)
        else:
            found.append([u])
    return found


async def _one_roll(game: Game, side: str, listed: Sequence[Craft], batch: list[Unit], hex: str) -> None:
    chart = world_of(game).tables["ships"]["landing"]
    need, half = (int(n) for n in chart["rows"][landing_row(game, side, hex)])
    moved = landing_modifiers(game, side, batch, hex)
    ids = tuple(u.id for u in batch)
    dice = await roll("2d6", "landing", hex)
    total = dice.total + sum(m.value for m in moved)
    result = "success" if total >= need else "craft lost" if total >= half else "craft and cargo lost"
    points_used = -(-weight(game, batch, (), 0) // world_of(game).point_T)
    gone = 0 if result == "success" else rnd(Fraction(int(points_used), 2))
    steps = rnd(Fraction(sum(u.steps for u in batch), 2)) if result == "craft and cargo lost" else 0
    _tell_landing(game, side, hex, ids, dice, moved, (total, result))
    lose_craft(game, listed, gone)
    if steps:
        wanted = await loss_order(game, side, hex, batch, steps)
        for id in by_free_rule(batch, steps, wanted):
            strike(game, Unit(game, id), "landing")
    left = [u for id in ids if (u := maybe_unit(game, id)) is not None]
    if left and (holds_enemy_things(game, side, hex) or T.of(game).control.get(hex) != side):
        await enter_hex(game, side, hex)


def _tell_landing(
    game: Game,
    side: str,
    hex: str,
    ids: tuple[str, ...],
    dice: Roll,
    moved: Sequence[Modifier],
    end: tuple[int, str],
) -> None:
    game.emit(LandingRolled(side, hex, shown(game, ids), dice, end[0], end[1], tuple(moved)))


def landing_row(game: Game, side: str, hex: str) -> str:
    """R-134 The row of T-ALT: a port first, else the worst row of the terrain."""
    chart, world = world_of(game).tables["ships"]["landing"], world_of(game)
    if hex in T.of(game).ports:
        return "port"
    kinds = [str(chart["row_of"].get(kind, kind)) for kind in hex_terrains(world, hex)]
    known = [kind for kind in kinds if kind in chart["rows"]]
    return max(known, key=lambda kind: (chart["rows"][kind], kind), default="open")


def landing_modifiers(game: Game, side: str, batch: Sequence[Unit], hex: str) -> list[Modifier]:
    """T-ALT what changes the roll."""
    world = world_of(game)
    drm, enemy = world.tables["ships"]["landing"]["drm"], world.enemy(side)
    near = [f for n in world.beside(hex) for f in units(game, enemy, n)]
    found = []
    if any(f.marker != "dg" for f in near):
        found.append(("enemy adjacent", "non_dg_enemy_adjacent"))
    elif near:
        found.append(("DG enemy adjacent", "only_dg_enemy_adjacent"))
    if hex in Ground(game, side).zoc:
        found.append(("enemy zone", "enemy_zoc"))
    if any(
        not s.dg and s.hex in world.terrains and world.distance(s.hex, hex) <= s.hull.range
        for s in ships(game, side)
    ):
        found.append(("ship support", "ship_supported"))
    if all("elite" in u.print.flags for u in batch):
        found.append(("elite", "elite"))
    guns = [
        f
        for f in units(game, enemy)
        if "coastal" in f.print.flags
        and f.hex in world.terrains
        and world.distance(f.hex, hex) <= f.print.range
    ]
    found += [("coastal artillery", "per_coastal_artillery")] * len(guns)
    return [Modifier(name, "4.12.7", int(drm[key])) for name, key in found]


def lose_craft(game: Game, listed: Sequence[Craft], count: int) -> None:
    """Points of craft that are lost, the emptiest first; what the rest cannot carry goes down with them."""
    for c in sorted((c for c in listed if c.there), key=lambda c: (load_of(game, c), c.id)):
        gone = min(count, c.points)
        count -= gone
        if gone:
            _shrink(game, c, gone)


def _shrink(game: Game, c: Craft, gone: int) -> None:
    owner, id, hex = c.owner, c.id, c.hex or ""
    c.points -= gone
    c.load = min(c.load, c.capacity)
    over = sorted(c.cargo)
    while over and load_of(game, c) > c.capacity:
        drown(game, c, over.pop())
    if not c.points:
        c.remove()
    game.emit(CraftLost(owner, id, hex, gone))


def drown(game: Game, c: Craft, id: str) -> None:
    """A unit aboard goes to the dead pile; points are gone."""
    fields = _take_out(c, id)
    if fields["kind"] != "transport":
        T.of(game).dead[id] = {k: fields[k] for k in ("owner", "kind", "type", "printed") if k in fields}


def sink_craft(game: Game, c: Craft) -> None:
    """A craft is gone with all that is aboard."""
    for id in sorted(c.cargo):
        drown(game, c, id)
    owner, id, hex, size = c.owner, c.id, c.hex or "", c.points
    c.remove()
    game.emit(CraftLost(owner, id, hex, size))


# beach assault


def assault_faults(game: Game, side: str, listed: Sequence[Craft], order: Assault) -> list[Diagnostic]:
    """Everything against a beach assault."""
    world, t = world_of(game), T.of(game)
    carried, here = aboard(game, listed), listed[0].hex or ""
    found = []
    if not world.sea(here) or order.hex not in world.beside(here) or not world.land(order.hex):
        found.append(illegal("E-CBT-ADJ", "4.12.7", f"{order.hex} is no coast beside {here}", "hex"))
    elif not units(game, world.enemy(side), order.hex):
        found.append(illegal("E-CBT-EMPTY", "4.12.7", f"no enemy combat unit in {order.hex}", "hex"))
    if order.hex in t.attacked:
        found.append(illegal("E-CBT-HEX", "4.12.7", f"{order.hex} was attacked in this segment", "hex"))
    if any(c.done for c in listed):
        found.append(illegal("E-CBT-TWICE", "4.12.7", "these craft have landed in this turn", "craft"))
    if not order.units:
        found.append(illegal("E-CBT-CAP", "4.12.7", "name at least one unit", "units"))
    for n, id in enumerate(order.units):
        if id not in carried or order.units.index(id) != n:
            found.append(illegal("E-CBT-ADJ", "4.12.7", f"{id} is not aboard, or named twice", "units", n))
            continue
        fields = carried[id].cargo[id]
        if fields["kind"] == "transport" or fields.get("facing", "combat") != "combat":
            found.append(illegal("E-CBT-CAP", "4.12.7", f"{id} is not in Combat Mode", "units", n))
    if not found:
        size = total_re(_lent(game.copy(), listed, order.units))
        if size > int(world.tables["ships"]["landing"]["re_per_roll"]):
            found.append(illegal("E-OVR-STACK", "4.12.7", f"{size} RE are too much for a beach", "units"))
        if any(not u.attack_capable for u in _lent(game.copy(), listed, order.units)):
            found.append(illegal("E-CBT-CAP", "4.12.7", "a unit cannot attack", "units"))
    if order.ar is not None and order.ar not in order.units:
        found.append(illegal("E-AR", "4.9.4", f"{order.ar} does not take part", "ar"))
    return found


def can_assault(game: Game, side: str) -> bool:
    """R-130 Is a craft with somebody aboard beside an enemy coast?"""
    world, t = world_of(game), T.of(game)
    foes = {u.hex for u in units(game, world.enemy(side)) if u.hex not in t.attacked}
    return any(
        c.cargo
        and not c.done
        and c.hex in world.terrains
        and any(n in foes for n in world.beside(c.hex or ""))
        for c in craft(game, side)
    )


def _lent(board: Any, listed: Sequence[Craft], ids: Sequence[str]) -> list[Unit]:
    """The units as if they stood in the hex of their craft."""
    carried = {id: c for c in listed for id in c.cargo}
    for id in ids:
        board.position.add(id, {**carried[id].cargo[id], "hex": listed[0].hex})
    return [Unit(board, id) for id in ids]


def pay_from_craft(
    game: Game, side: str, hex: str, listed: Sequence[Unit], may_drop: Sequence[str]
) -> Bought | None:
    """Supply from craft in the same or an adjacent hex alone, else internal stocks. T are taken now."""
    from .combat import NEXT_STOCK
    from .reach import Net

    near = [c for c in craft(game, side) if c.hex == hex or c.hex in world_of(game).beside(hex)]
    net, paid, dropped = Net(game, side, trace=False), dict[str, str](), list[str]()
    stock = {c.id: c.load for c in near}
    for u in listed:
        if sum(stock.values()) >= u.steps:
            left = u.steps
            for id in sorted(stock):
                part = min(left, stock[id])
                stock[id], left = stock[id] - part, left - part
            paid[u.id] = f"{u.steps}T {hex}"
        elif u.internal in NEXT_STOCK:
            paid[u.id] = "internal"
        elif u.id in may_drop:
            dropped.append(u.id)
        else:
            return None
    for c in near:
        c.load = stock[c.id]
    return Bought(paid, tuple(dropped), (), net)


async def assault(game: Game, side: str, order: Assault) -> Fight | None:
    """A beach assault: who fails is gone with the craft; where the beach is given up, they land by T-ALT."""
    world = world_of(game)
    listed = own_craft(game, side, order.craft)
    if faults := assault_faults(game, side, listed, order):
        raise Refused(faults)
    here, enemy = listed[0].hex or "", world.enemy(side)
    carried = aboard(game, listed)
    group = _lent(game, listed, order.units)
    for id in order.units:
        _take_out(carried[id], id)
    bought = pay_from_craft(game, side, here, group, order.drop_if_short)
    if bought is None or not bought.paid:
        raise stop("E-SUP-SHORT", "4.12.7", "the craft carry not enough supply for it", "units")
    for c in listed:
        c.done = True
    for id in bought.dropped:
        _back(game, listed[0], id)
    stance = await ask(DefenceStance(enemy, order.hex))
    if stance.beach == "yield":
        await _yielded(game, side, listed, order, bought)
        return None
    f = await fight_it_out(
        game,
        "beach",
        side,
        order.hex,
        bought,
        order.ar or best_rating(group),
        list(bought.paid),
        stance=stance,
    )
    failed = bool(units(game, enemy, order.hex))
    for id in f.attackers:
        u = maybe_unit(game, id)
        if u is not None and (failed or u.hex != order.hex):
            strike_all(game, u, "beach assault failed")
    for c in [c for c in listed if failed and c.there]:
        sink_craft(game, c)
    return f


def _back(game: Game, c: Craft, id: str) -> None:
    fields: dict[str, Any] = dict(game.position.counters[id])
    fields.pop("hex", None)
    game.position.remove(id)
    c.cargo = {**c.cargo, id: fields}


async def _yielded(game: Game, side: str, listed: Sequence[Craft], order: Assault, bought: Bought) -> None:
    """4.12.7 The defender gives the beach up before the dice: his units are destroyed, the others land."""
    enemy = world_of(game).enemy(side)
    T.of(game).attacked = (*T.of(game).attacked, order.hex)
    lost = [u.id for u in units(game, enemy, order.hex)]
    game.emit(BeachGivenUp(enemy, order.hex, tuple(lost)))
    for id in lost:
        bury(Unit(game, id))
    for id in bought.paid:
        _back(game, listed[0], id)
    await come_ashore(game, side, listed, tuple(bought.paid), order.hex, None)
    for id in bought.paid:
        u = maybe_unit(game, id)
        if u is not None:
            u.attacked = True
