"""4.11 Air missions: air combat, interception, flak, what is done at the target, return."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.faults import illegal
from pbem.kit.odds import Modifier
from pbem.rules import Game, Refused, ask, roll

from .actions import Mission
from .barrage import Shot, at_facility, at_ship, at_troops, spotted, target_faults
from .capture import enter_hex, lose_plane_step, nearest_base
from .decisions.flying import Abort, Intercept, fighters
from .events.air import AirRound, Carried, DropRolled, FlakRolled, Intercepted, MissionFlown, PlaneHit
from .hauling import weight
from .losses import bury
from .pieces import Plane, Ship, T, Unit, planes, ships, units, world_of
from .reach import give
from .strength import hex_terrains, rnd
from .walk import own_units

MOVEMENT = ("sweep", "hip_shoot", "transport", "drop", "transfer")
BARRAGE = ("barrage", "trainbusting")


def weather_lets(game: Game, side: str) -> bool:
    """4.1.1 Does the flight state allow missions of this side in this phase?"""
    t = T.of(game)
    return t.phase in world_of(game).tables["turn"]["flight_effect"][t.flight]


def may_fly(game: Game, side: str, *, flying: bool = False) -> bool:
    """R-130 Is there an Active aircraft that may fly now?"""
    able = [p for p in planes(game, side) if p.active and not p.flew]
    if flying:
        able = [p for p in able if p.wing.barrage]
    return weather_lets(game, side) and bool(able)


def in_zone(game: Game, side: str, hex: str) -> bool:
    """2.9 Does a hex lie in this side's Patrol Zone?"""
    return bool(fighters(game, side, hex))


def faults_of(game: Game, side: str, segment: str, m: Mission) -> list[Any]:
    """Everything against a mission (4.11.1)."""
    world, t = world_of(game), T.of(game)
    every = {p.id: p for p in planes(game, side)}
    found = []
    if not weather_lets(game, side):
        found.append(illegal("E-WEATHER", "4.1.1", f"no missions: flight is {t.flight}", "kind"))
    if m.kind not in (MOVEMENT if segment in ("movement", "reaction", "exploitation") else BARRAGE):
        found.append(illegal("E-AIR-TYPE", "4.11.1", f"{m.kind} has no place in this segment", "kind"))
    if t.simulcast and (m.kind not in ("transport", "transfer") or in_zone(game, world.enemy(side), m.hex)):
        found.append(illegal("E-SIMUL", "4.15", f"no {m.kind} there in a simulcast turn", "kind"))
    if not 1 <= len(m.aircraft) <= int(world.numbers["mission_aircraft"]):
        found.append(illegal("E-AIR-FOUR", "4.11.1", "one to four aircraft fly a mission", "aircraft"))
    for n, id in enumerate(m.aircraft):
        plane = every.get(id)
        if plane is None or not plane.active or plane.flew:
            found.append(illegal("E-AIR-ACTIVE", "4.11.1", f"{id} is not Active", "aircraft", n))
            continue
        far = plane.print.range * (2 if m.kind == "transfer" or m.stay else 1)
        if world.distance(plane.hex or "", m.hex) > far:
            found.append(illegal("E-AIR-RANGE", "4.11.1", f"{m.hex} is out of range of {id}", "hex"))
        if _wrong_type(plane, m):
            found.append(illegal("E-AIR-TYPE", "4.11", f"{id} cannot fly {m.kind}", "aircraft", n))
        nations = world.oob[side].get("hip_shoot_nations")
        able = bool(world.oob[side].get("hip_shoot")) if nations is None else plane.print.nation in nations
        if m.kind == "hip_shoot" and not able:
            found.append(
                illegal("E-AIR-NATION", "4.11.7", f"{plane.print.nation} does not hip shoot", "kind")
            )
    if m.kind == "hip_shoot" and not spotted(game, side, m.hex):
        found.append(illegal("E-AIR-SPOTTER", "4.11.7", f"no unit of yours beside {m.hex}", "hex"))
    if m.kind in ("barrage", "hip_shoot"):
        barred = target_faults(game, side, m.hex, m.target, m.ship)
        found += [f for f in barred if m.kind == "barrage" or f.code != "E-BRG-HEX"]
    if m.kind == "trainbusting":
        found += target_faults(game, side, m.hex, "trainbusting", None)
    if m.kind == "sweep" and not any(p.active for p in planes(game, world.enemy(side), m.hex)):
        found.append(illegal("E-AIR-TYPE", "4.11.5", f"no Active enemy aircraft in {m.hex}", "hex"))
    if not found and m.kind in ("transport", "drop", "transfer"):
        found += _cargo_faults(game, side, m, [every[id] for id in m.aircraft])
    return found


def _wrong_type(plane: Plane, m: Mission) -> bool:
    if m.kind == "sweep":
        return plane.wing.paren
    if m.kind in ("transport", "drop"):
        return not plane.print.capacity[0] and not plane.is_type("F")
    if m.kind == "hip_shoot":
        return len(m.aircraft) > 1 or plane.is_type("S") or not plane.wing.barrage
    return m.kind in BARRAGE and not plane.wing.barrage and not plane.is_type("F")


def capacity(game: Game, listed: Sequence[Plane], hex: str) -> int:
    """4.11.9 T that can be carried: doubled within half range, whole T of all together."""
    total = Fraction(0)
    for p in listed:
        near = 2 * world_of(game).distance(p.hex or "", hex) <= p.print.range
        total += p.capacity * (2 if near else 1)
    return int(total)


def _cargo_faults(game: Game, side: str, m: Mission, listed: list[Plane]) -> list[Any]:
    t = T.of(game)
    found = []
    base = t.bases.get(m.hex)
    if m.kind != "drop" and (base is None or base.owner != side):
        found.append(illegal("E-AIR-TYPE", "4.11.9", f"{m.hex} is no base of yours", "hex"))
    if m.kind == "transfer":
        return found
    carriers = [p for p in listed if p.print.capacity[0]]
    start = carriers[0].hex or "" if carriers else ""
    cargo = own_units(game, side, m.units) if m.units else []
    if weight(game, cargo, (), m.tokens) > capacity(game, carriers, m.hex) or any(
        p.hex != start for p in carriers
    ):
        found.append(illegal("E-AIR-TYPE", "4.11.9", "more than they can carry from one base", "aircraft"))
    for u in cargo:
        if (
            u.hex != start
            or u.marker != "none"
            or u.facing != "move"
            or u.done
            or u.print.move.mobility != "leg"
        ):
            found.append(illegal("E-AIR-TYPE", "4.11.9", f"{u.id} cannot be carried from {start}", "units"))
        plan = t.plans.get(u.id)
        if m.kind == "drop" and (
            "para" not in u.print.flags or plan is None or plan.hex != m.hex or plan.turn > t.turn
        ):
            found.append(illegal("E-PLAN", "4.2.2", f"{u.id} has no plan for {m.hex} in this turn", "units"))
    dump = t.dumps.get(start)
    if m.tokens and (dump is None or dump.owner != side or dump.t - dump.fresh < m.tokens):
        found.append(illegal("E-SUP-SHORT", "4.11.9", f"not so much supply in {start}", "tokens"))
    return found


# the mission


async def fly(game: Game, side: str, segment: str, m: Mission) -> None:
    """4.11.1 Declare, air combat, interception, flak, the mission, return."""
    faults = faults_of(game, side, segment, m)
    if faults:
        raise Refused(faults)
    t, enemy = T.of(game), world_of(game).enemy(side)
    team = [Plane(game, id) for id in m.aircraft]
    for p in team:
        p.flew = True
    game.emit(
        MissionFlown(side, m.kind, m.hex, m.aircraft, m.target if m.kind in ("barrage", "hip_shoot") else "")
    )
    if m.kind in BARRAGE and m.target != "ship":
        t.barraged = (*t.barraged, m.hex)
    there = [p for p in planes(game, enemy, m.hex) if p.active]
    if there:
        team = await dogfight(game, side, enemy, m.hex, team, there, bool(m.kind == "sweep"))
    if m.kind != "sweep" and team and not t.simulcast:
        team = await _intercepted(game, enemy, m, team)
    if team and m.kind != "sweep":
        team = await flak(game, side, m, team)
    if team:
        await _perform(game, side, m, team)
    for p in [p for p in team if p.there]:
        _home(game, p, m)


def _home(game: Game, p: Plane, m: Mission) -> None:
    """4.11.1 G: back to the base named, its own, or the nearest; inactive (a transferred fighter within
    range stays Active)."""
    world, t = world_of(game), T.of(game)
    if m.kind == "transfer" or m.stay:
        active = (
            m.kind == "transfer" and p.is_type("F") and world.distance(p.hex or "", m.hex) <= p.print.range
        )
        p.hex, p.active = m.hex, active
        return
    wanted = (m.bases or {}).get(p.id, p.hex or "")
    base = t.bases.get(wanted)
    if base is None or base.owner != p.owner or world.distance(wanted, m.hex) > p.print.range:
        wanted = nearest_base(game, p, p.print.range, m.hex) or ""
    if not wanted:
        hit(game, p, "no base to return to", whole=True)
        return
    p.hex, p.active = wanted, False


def hit(game: Game, p: Plane, why: str, *, whole: bool = False) -> None:
    """A step of an aircraft, or all of it, told."""
    owner = p.owner
    if whole:
        p.lost = 1
    lose_plane_step(p)
    game.emit(PlaneHit(owner, p.id, 1, why))


async def dogfight(
    game: Game, one: str, other: str, hex: str, first: list[Plane], second: list[Plane], sweep: bool = False
) -> list[Plane]:
    """4.11.2 Air combat round by round; who is left of the first group. `one` attacks."""
    chart = world_of(game).tables["air"]["air_combat"]
    first, second = await _leave(game, one, hex, first), await _leave(game, other, hex, second)
    attacker, defender = one, other
    groups = {one: first, other: second}
    while groups[attacker] and groups[defender]:
        able = [p for p in groups[attacker] if not p.wing.paren]
        if not able:
            if not [p for p in groups[defender] if not p.wing.paren]:
                break
            attacker, defender = defender, attacker
            continue
        a = min(able, key=lambda p: (-p.wing.rating, p.id))
        d = min(groups[defender], key=lambda p: (p.wing.paren, -p.wing.rating, p.id))
        dice = await roll(chart["dice"], "air", a.id, d.id)
        loss = await roll(chart["loss_die"], "loss", a.id, d.id)
        total = dice.total + a.wing.rating - d.wing.rating
        aborts = [a] if total <= chart["attacker_aborts_at_most"] else [d]
        if total == chart["both_abort"]:
            aborts = [a, d]
        game.emit(
            AirRound(attacker, defender, hex, a.id, d.id, dice, total, loss, tuple(p.id for p in aborts))
        )
        for p in aborts:
            groups[p.owner].remove(p)
            if loss.total >= chart["step_loss_at_least"]:
                hit(game, p, "air combat")
            if p.there:
                _abort(game, p, hex)
    return groups[one]


async def _leave(game: Game, side: str, hex: str, listed: list[Plane]) -> list[Plane]:
    """D-ABORT Before the combat; one must stay."""
    how = await ask(Abort(side, hex))
    if how == "none" or len(listed) < 2:
        return listed
    best = min(listed, key=lambda p: (p.wing.paren, -p.wing.rating, p.id))
    going = [p for p in listed if p is not best and (how == "all_but_best" or p.lost)]
    for p in going:
        _abort(game, p, hex)
    return [p for p in listed if p not in going]


def _abort(game: Game, p: Plane, hex: str) -> None:
    """4.11.2 Away: to the base in that hex, to its own, to any in range; else it is gone."""
    t, world = T.of(game), world_of(game)
    base = t.bases.get(hex)
    if base is not None and base.owner == p.owner:
        p.hex, p.active = hex, False
        return
    home = t.bases.get(p.hex or "")
    if home is not None and home.owner == p.owner and world.distance(p.hex or "", hex) <= p.print.range:
        p.active = False
        return
    found = nearest_base(game, p, p.print.range, hex)
    if found is None:
        hit(game, p, "no base to return to", whole=True)
    else:
        p.hex, p.active = found, False


async def _intercepted(game: Game, enemy: str, m: Mission, team: list[Plane]) -> list[Plane]:
    """4.11.3 One fighter, once a mission; it attacks."""
    if not fighters(game, enemy, m.hex):
        return team
    chosen = await ask(Intercept(enemy, m.hex, m.kind, max(p.wing.rating for p in team)))
    if chosen is None:
        return team
    plane = Plane(game, chosen)
    game.emit(Intercepted(enemy, chosen, m.hex))
    home = plane.hex
    one = team[0].owner
    left = [plane]
    survivors = await dogfight(game, enemy, one, m.hex, left, list(team))
    if plane.there and plane in survivors:
        plane.hex = home
    return [p for p in team if p.there and p.active]


def flak_sum(game: Game, side: str, m: Mission, team: Sequence[Plane]) -> int | None:
    """4.11.4 What is added to the flak dice; None: there is no flak."""
    world, t = world_of(game), T.of(game)
    chart, enemy = world.tables["air"]["flak"], world.enemy(side)
    zone = in_zone(game, enemy, m.hex)
    if m.kind in ("transport", "drop", "transfer") and not zone:
        return None
    total = int(chart["three_or_more_mission_aircraft"]) if len(team) >= 3 else 0
    if any(u.is_hq for u in units(game, enemy, m.hex)):
        total += int(chart["hq_in_target_hex"])
    base = t.bases.get(m.hex)
    if base is not None and base.owner == enemy:
        total += base.level
    total += int(world.scenario.get("flak", {}).get(m.hex, 0)) if t.control.get(m.hex) == enemy else 0
    total += sum(s.hull.flak for s in ships(game, enemy, m.hex))
    if zone:
        escorted = any(p.is_type("F") for p in team)
        total += int(chart["in_enemy_patrol_zone"]["with_a_mission_fighter" if escorted else "without"])
        total += int(chart["trainbusting_in_enemy_patrol_zone"]) if m.kind == "trainbusting" else 0
    return total


async def flak(game: Game, side: str, m: Mission, team: list[Plane]) -> list[Plane]:
    """4.11.4 One roll at the mission; a hit takes a step of one aircraft."""
    added = flak_sum(game, side, m, team)
    if added is None:
        return team
    world = world_of(game)
    chart = world.tables["air"]
    dice = await roll("2d6", "flak", m.hex)
    struck = dice.total + added >= int(chart["flak"]["loss_at_least"])
    die = ""
    if struck:
        one = await roll("1d6", "flak-loss", m.hex)
        row = chart["mission_loss"][str(len(team))][one.total - 1]
        order = sorted(team, key=lambda p: (p.wing.barrage, p.id))
        plane = (
            {"weakest": order[0], "strongest": order[-1]}.get(row) if isinstance(row, str) else team[row - 1]
        )
        assert plane is not None
        die = str(one.total)
        hit(game, plane, "flak")
    game.emit(FlakRolled(world.enemy(side), m.hex, dice, added, struck, die))
    return [p for p in team if p.there]


async def _perform(game: Game, side: str, m: Mission, team: list[Plane]) -> None:
    """4.11.5 to 4.11.10 What the mission does."""
    if m.kind in ("barrage", "hip_shoot", "trainbusting"):
        await _bomb(game, side, m, team)
    elif m.kind in ("transport", "drop"):
        await _unload(game, side, m, team)


async def _bomb(game: Game, side: str, m: Mission, team: list[Plane]) -> None:
    world = world_of(game)
    strength = rnd(sum((Fraction(p.wing.barrage) for p in team), Fraction(0)))
    if strength < 1:
        return
    strategic = any(p.is_type("S") for p in team)
    far = [world.distance(p.hex or "", m.hex) for p in team]
    chart, moved = world.tables["barrage"]["shifts"], []
    if all(d <= int(world.numbers["patrol_range"]) for d in far) and not strategic:
        moved.append(Modifier("short range", "4.11.6", int(chart["all_aircraft_within_10_hexes_of_base"])))
    if world.options.get("opt_long_range_air") and any(
        2 * d > p.print.range for d, p in zip(far, team, strict=True)
    ):
        moved.append(Modifier("long range", "4.11.6", int(chart["option_long_range"])))
    shot = Shot(side, tuple(p.id for p in team), "air", strength, tuple(moved), strategic)
    if m.kind == "trainbusting":
        await at_facility(game, shot, m.hex, "trainbusting")
    elif m.target == "units":
        await at_troops(game, shot, m.hex)
    elif m.target == "ship":
        await at_ship(
            game, shot, Ship(game, m.ship or ""), int(world.tables["ships"]["fire"]["aircraft_factor"])
        )
    else:
        await at_facility(game, shot, m.hex, m.target)


async def _unload(game: Game, side: str, m: Mission, team: list[Plane]) -> None:
    """4.11.9, 4.11.10 Cargo above what is left of the capacity is lost, in its favour; drops roll."""
    t, carriers = T.of(game), [p for p in team if p.print.capacity[0]]
    if not carriers:
        return
    start = carriers[0].hex or ""
    cargo = [Unit(game, id) for id in m.units]
    dump = t.dumps.get(start)
    if m.tokens and dump is not None:
        from .hauling import take_from_ground

        take_from_ground(game, start, m.tokens)
    landed: list[str] = []
    for u in cargo:
        if m.kind == "transport" or await _drop_roll(game, side, m, u.id):
            u.hex, u.done, u.facing = m.hex, True, m.facing
            landed.append(u.id)
            if m.kind == "drop":
                await enter_hex(game, side, m.hex)
        else:
            bury(u)
        t.plans.pop(u.id, None)
    if m.tokens and (m.kind == "transport" or await _drop_roll(game, side, m, "supply")):
        give(game, side, m.hex, m.tokens, fresh=True)
    game.emit(Carried(side, tuple(landed), m.tokens, start, m.hex))


def drop_needs(game: Game, side: str, hex: str) -> int:
    """T-AIR-DROP: friendly or enemy hex, clear or closed."""
    world, t = world_of(game), T.of(game)
    chart = world.tables["air"]["drop"]
    friendly = bool(units(game, side, hex))
    clear = hex in t.bases or any(kind in chart["clear_is"] for kind in hex_terrains(world, hex))
    return int(chart["friendly" if friendly else "enemy"]["clear" if clear else "closed"])


async def _drop_roll(game: Game, side: str, m: Mission, what: str) -> bool:
    needed = drop_needs(game, side, m.hex)
    dice = await roll("2d6", "drop", what, m.hex)
    chart, own = world_of(game).tables["air"]["drop"]["drm"], world_of(game).oob[side].get("drop_drm", ())
    total = dice.total + sum(int(chart[name]) for name in own)
    landed = total >= needed and not units(game, world_of(game).enemy(side), m.hex)
    game.emit(DropRolled(side, what, m.hex, dice, needed, landed))
    return landed
