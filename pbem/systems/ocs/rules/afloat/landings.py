"""4.12.7: Landings from craft, in ports or over beaches, with the rolls for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.kit.faults import illegal
from pbem.kit.odds import Modifier
from pbem.rules import Diagnostic, Game, Message, Refused, Roll, roll

from ..actions import Land
from ..capture import enter_hex
from ..events.moving import Landed, LandingRolled
from ..fighting.casualties import loss_order, strike
from ..fighting.losses import by_free_rule, take_out
from ..fighting.strength import hex_terrains, rnd
from ..moving import holds_enemy_things
from ..pieces import Craft, T, Unit, maybe_unit, ships, total_re, units, world_of
from ..supply.stores import give
from ..supply.trace import port_capacity
from ..views import shown
from ..zones import Ground
from .amphib import aboard, lose_craft, own_craft, weight_of
from .transport import weight


def land_faults(game: Game, side: str, listed: Sequence[Craft], order: Land) -> list[Diagnostic]:
    """Return all faults of a landing."""
    world, t, hex = world_of(game), T.of(game), order.hex
    faults = []
    here = listed[0].hex or ""
    if t.simulcast and t.control.get(hex) != side:
        faults.append(illegal("E-SIMUL", "4.15", Message("ocs.landings.no-landing-in-simulcast-turn"), "hex"))
    if not world.land(hex) or (hex != here and hex not in (world.beside(here) if here in world else ())):
        faults.append(
            illegal(
                "E-MOVE-PROHIBITED",
                "4.12.7",
                Message("ocs.beaches.no-coast-beside", hex=hex, here=here),
                "hex",
            )
        )
    elif units(game, world.enemy(side), hex):
        faults.append(
            illegal(
                "E-MOVE-ENEMY", "4.12.7", Message("ocs.landings.holds-enemy-combat-units", hex=hex), "hex"
            )
        )
    carried = aboard(game, listed)
    for n, id in enumerate((*order.units, *order.points)):
        if id not in carried:
            faults.append(
                illegal("E-MOVE-ELIGIBLE", "4.12.7", Message("ocs.landings.not-aboard", id=id), "units", n)
            )
    if any(c.embarked for c in listed if c.hex == hex):
        faults.append(
            illegal(
                "E-SEA-MODE",
                "4.12.7",
                Message("ocs.landings.what-loaded-here-in-phase-stays-aboard"),
                "craft",
            )
        )
    port = t.ports.get(hex)
    own_port = port is not None and port.owner == side
    if (order.tokens or order.points) and not own_port:
        faults.append(
            illegal(
                "E-TP-UNLOAD", "4.12.7", Message("ocs.landings.points-and-supply-land-in-ports-alone"), "hex"
            )
        )
    if order.tokens > sum(c.load for c in listed):
        faults.append(
            illegal(
                "E-TP-CAP",
                "4.12.7",
                Message("ocs.landings.supply-aboard", sum=sum(c.load for c in listed)),
                "tokens",
            )
        )
    if not (order.units or order.points or order.tokens):
        faults.append(illegal("E-SEA-MODE", "4.12.7", Message("ocs.landings.nothing-lands"), "units"))
    if own_port and not faults:
        faults += _harbour_faults(game, side, listed, order)
    return faults


def _harbour_faults(game: Game, side: str, listed: Sequence[Craft], order: Land) -> list[Diagnostic]:
    """Return the fault of unloading more points and T than a port can handle."""
    port = T.of(game).ports[order.hex]
    carried = aboard(game, listed)
    points_ = {id: carried[id].cargo[id] for id in order.points}
    capacity = 0 if order.hex in Ground(game, side).zoc else port_capacity(game, order.hex)
    need = weight_of(game, points_) + order.tokens
    if need and need + port.used > capacity:
        return [
            illegal(
                "E-PORT-CAP",
                "4.12.7",
                Message("ocs.amphib.handles-t-in-phase", hex=order.hex, capacity=capacity),
                "tokens",
            )
        ]
    return []


async def land(game: Game, side: str, order: Land) -> None:
    """Land units by T-ALT, with a roll for each 3 RE, and points and T in a port."""
    listed = own_craft(game, side, order.craft)
    if faults := land_faults(game, side, listed, order):
        raise Refused(faults)
    T.of(game).landed = side
    for c in listed:
        c.done = True
    _put_ashore(game, side, listed, order)
    await come_ashore(game, side, listed, order.units, order.hex, order.facing)


def _put_ashore(game: Game, side: str, listed: Sequence[Craft], order: Land) -> None:
    """Unload points and T in a port."""
    t = T.of(game)
    if not (order.points or order.tokens):
        return
    carried = aboard(game, listed)
    need = weight_of(game, {id: carried[id].cargo[id] for id in order.points}) + order.tokens
    port = t.ports[order.hex]
    t.ports[order.hex] = replace(port, used=port.used + need)
    for id in order.points:
        fields = take_out(carried[id], id)
        game.position.add(id, {**fields, "hex": order.hex, "done": True, "rode": "sea"})
    left = order.tokens
    for c in listed:
        put = min(left, c.load)
        c.load, left = c.load - put, left - put
    give(game, side, order.hex, order.tokens, fresh=True)
    game.emit(Landed(side, order.points, order.tokens, order.hex))


async def come_ashore(
    game: Game, side: str, listed: Sequence[Craft], ids: Sequence[str], hex: str, facing: str | None
) -> None:
    """T-ALT: Land each group of at most 3 RE, in the order listed."""
    carried = aboard(game, listed)
    for batch in batches(game, side, hex, ids, carried, facing):
        await _one_roll(game, side, listed, batch, hex)


def batches(
    game: Game, side: str, hex: str, ids: Sequence[str], carried: Mapping[str, Craft], facing: str | None
) -> list[list[Unit]]:
    """Put landing units into the hex; return them in groups of at most 3 RE, larger ones alone."""
    most = Fraction(world_of(game).tables["ships"]["landing"]["re_per_roll"])
    groups: list[list[Unit]] = []
    for id in ids:
        fields = take_out(carried[id], id)
        game.position.add(id, {**fields, "hex": hex})
        u = Unit(game, id)
        if facing is not None:
            u.facing = facing  # type: ignore[assignment]
        u.start, u.air_landed, u.fuel_single, u.last_trace = hex, True, True, "trace"
        if groups and total_re([*groups[-1], u]) <= most:
            groups[-1].append(u)
        else:
            groups.append([u])
    return groups


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
    """R-134: Return the row of T-ALT: a port's, or else the worst of the hex's terrain."""
    chart, world = world_of(game).tables["ships"]["landing"], world_of(game)
    if hex in T.of(game).ports:
        return "port"
    kinds = [str(chart["row_of"].get(kind, kind)) for kind in hex_terrains(world, hex)]
    known = [kind for kind in kinds if kind in chart["rows"]]
    return max(known, key=lambda kind: (chart["rows"][kind], kind), default="open")


def landing_modifiers(game: Game, side: str, batch: Sequence[Unit], hex: str) -> list[Modifier]:
    """T-ALT: Return the modifiers of a landing roll."""
    world = world_of(game)
    drm, enemy = world.tables["ships"]["landing"]["drm"], world.enemy(side)
    near = [f for n in world.beside(hex) for f in units(game, enemy, n)]
    modifiers: list[tuple[str, str]] = []
    if any(f.marker != "dg" for f in near):
        modifiers.append((Message("ocs.landings.enemy-adjacent"), "non_dg_enemy_adjacent"))
    elif near:
        modifiers.append((Message("ocs.landings.dg-enemy-adjacent"), "only_dg_enemy_adjacent"))
    if hex in Ground(game, side).zoc:
        modifiers.append((Message("ocs.landings.enemy-zone"), "enemy_zoc"))
    if any(
        not s.dg and s.hex in world.terrains and world.distance(s.hex, hex) <= s.hull.range
        for s in ships(game, side)
    ):
        modifiers.append((Message("ocs.landings.ship-support"), "ship_supported"))
    if all("elite" in u.print.flags for u in batch):
        modifiers.append(("elite", "elite"))
    guns = [
        f
        for f in units(game, enemy)
        if "coastal" in f.print.flags
        and f.hex in world.terrains
        and world.distance(f.hex, hex) <= f.print.range
    ]
    modifiers += [(Message("ocs.landings.coastal-artillery"), "per_coastal_artillery")] * len(guns)
    return [Modifier(name, "4.12.7", int(drm[key])) for name, key in modifiers]
