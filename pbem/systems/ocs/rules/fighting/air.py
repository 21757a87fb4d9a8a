"""4.11: Air missions: air combat, interception, flak, the effect at the target, return."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.faults import illegal
from pbem.kit.odds import Modifier
from pbem.rules import Game, Message, Refused, dataclass, roll

from ..actions import Mission
from ..afloat.transport import rides, weight
from ..bases import bases_of, lose_plane_step, settle_plane
from ..capture import chosen_base, enter_hex, put_down
from ..decisions.flying import NOBODY, Abort, AirPick, FlakTies, Intercept, fighters
from ..drops import open_plans, plan_of
from ..events.air import (
    AirRound,
    Carried,
    DropRolled,
    FlakRolled,
    Intercepted,
    MissionEnded,
    MissionFlown,
    PlaneHit,
)
from ..events.fighting import AnswerReplaced
from ..pieces import Plane, T, Unit, maybe_plane, planes, ships, units, world_of
from ..sealing import ask
from ..supply.stores import take_from_ground
from ..walk import own_units
from .barrage import Shot, Target, at_facility, at_sea, at_troops, spotted, target_faults
from .casualties import strike_all
from .strength import hex_terrains, rnd

MOVEMENT = ("sweep", "hip_shoot", "transport", "drop", "transfer")
BARRAGE = ("barrage", "trainbusting")


def weather_lets(game: Game, side: str) -> bool:
    """4.1.1: Return True if the flight weather allows missions of this side in this phase."""
    t = T.of(game)
    return t.phase in world_of(game).tables["turn"]["flight_effect"][t.flight]


def may_fly(game: Game, side: str) -> bool:
    """R-130: Return True if any Active aircraft may fly now."""
    return weather_lets(game, side) and any(p.active and not p.flew for p in planes(game, side))


def may_bomb(game: Game, side: str, segment: str, targets: Sequence[Target]) -> bool:
    """R-130: Return True if an aircraft may fly a barrage, alone, at a target or a railroad."""
    if not may_fly(game, side):
        return False
    rails = sorted(world_of(game).on("railroad"))
    for plane in planes(game, side):
        if not plane.active or plane.flew or not plane.wing.barrage:
            continue
        missions = [Mission("barrage", (plane.id,), hex, what, id) for what, hex, id in targets]
        missions += [Mission("trainbusting", (plane.id,), hex) for hex in rails]
        if any(not faults_of(game, side, segment, mission) for mission in missions):
            return True
    return False


def in_zone(game: Game, side: str, hex: str) -> bool:
    """2.9: Return True if a hex is in this side's Patrol Zone."""
    return bool(fighters(game, side, hex))


def faults_of(game: Game, side: str, segment: str, m: Mission) -> list[Any]:
    """4.11.1: Return all faults of a mission."""
    world, t = world_of(game), T.of(game)
    own = {p.id: p for p in planes(game, side)}
    faults = []
    if not weather_lets(game, side):
        faults.append(
            illegal("E-WEATHER", "4.1.1", Message("ocs.air.no-missions-flight", flight=t.flight), "kind")
        )
    if m.kind not in (MOVEMENT if segment in ("movement", "reaction", "exploitation") else BARRAGE):
        faults.append(
            illegal("E-AIR-TYPE", "4.11.1", Message("ocs.air.has-no-place-in-segment", kind=m.kind), "kind")
        )
    if t.simulcast and (m.kind not in ("transport", "transfer") or in_zone(game, world.enemy(side), m.hex)):
        faults.append(
            illegal("E-SIMUL", "4.15", Message("ocs.air.no-in-simulcast-turn", kind=m.kind), "kind")
        )
    if not 1 <= len(m.aircraft) <= int(world.numbers["mission_aircraft"]):
        faults.append(
            illegal("E-AIR-FOUR", "4.11.1", Message("ocs.air.one-to-four-aircraft-fly-mission"), "aircraft")
        )
    for n, id in enumerate(m.aircraft):
        plane = own.get(id)
        if plane is None or not plane.active or plane.flew:
            faults.append(
                illegal("E-AIR-ACTIVE", "4.11.1", Message("ocs.air.not-active", id=id), "aircraft", n)
            )
            continue
        far = plane.print.range * (2 if m.kind == "transfer" or m.stay else 1)
        if world.distance(plane.hex or "", m.hex) > far:
            faults.append(
                illegal("E-AIR-RANGE", "4.11.1", Message("ocs.air.out-of-range", hex=m.hex, id=id), "hex")
            )
        if _wrong_type(plane, m):
            message = Message("ocs.air.cannot-fly", id=id, kind=m.kind)
            faults.append(illegal("E-AIR-TYPE", "4.11", message, "aircraft", n))
        nations = world.oob[side].get("hip_shoot_nations")
        able = bool(world.oob[side].get("hip_shoot")) if nations is None else plane.print.nation in nations
        if m.kind == "hip_shoot" and not able:
            message = Message("ocs.air.does-not-hip-shoot", nation=plane.print.nation)
            faults.append(illegal("E-AIR-NATION", "4.11.7", message, "kind"))
    if m.kind == "hip_shoot" and not spotted(game, side, m.hex):
        faults.append(
            illegal("E-AIR-SPOTTER", "4.11.7", Message("ocs.air.no-unit-of-yours-beside", hex=m.hex), "hex")
        )
    if m.kind in ("barrage", "hip_shoot"):
        barred = target_faults(game, side, m.hex, m.target, m.ship)
        faults += [f for f in barred if m.kind == "barrage" or f.code != "E-BRG-HEX"]
    if m.kind == "trainbusting":
        faults += target_faults(game, side, m.hex, "trainbusting", None)
    if m.kind == "sweep" and not any(p.active for p in planes(game, world.enemy(side), m.hex)):
        faults.append(
            illegal("E-AIR-TYPE", "4.11.5", Message("ocs.air.no-active-enemy-aircraft", hex=m.hex), "hex")
        )
    if not faults and m.kind in ("transport", "drop", "transfer"):
        faults += _cargo_faults(game, side, m, [own[id] for id in m.aircraft])
    return faults


def _wrong_type(plane: Plane, m: Mission) -> bool:
    if m.kind == "sweep":
        return plane.wing.paren
    if m.kind in ("transport", "drop"):
        return not plane.print.capacity[0] and not plane.is_type("F")
    if m.kind in ("barrage", "hip_shoot") and _wrong_target(plane, m.target):
        return True
    if m.kind == "hip_shoot":
        return len(m.aircraft) > 1 or plane.is_type("S") or not plane.wing.barrage
    return m.kind in BARRAGE and not plane.wing.barrage and not plane.is_type("F")


def _wrong_target(plane: Plane, target: str) -> bool:
    """4.11.6: Return True if it cannot aim here: strategic bombers at ships, torpedo planes elsewhere."""
    return plane.is_type("S") if target == "ship" else plane.print.torpedo


def lift(game: Game, listed: Sequence[Plane], start: str, hex: str) -> Fraction:
    """4.11.9: Return the T that these aircraft carry from a base to a hex, doubled within half range."""
    total = Fraction(0)
    for p in listed:
        near = 2 * world_of(game).distance(start, hex) <= p.print.range
        total += p.capacity * (2 if near else 1)
    return total


def capacity(game: Game, listed: Sequence[Plane], hex: str) -> int:
    """4.11.9: Return the whole T that these aircraft carry to a hex from their bases."""
    return int(sum((lift(game, [p], p.hex or "", hex) for p in listed), Fraction(0)))


def _cargo_faults(game: Game, side: str, m: Mission, listed: list[Plane]) -> list[Any]:
    t, world = T.of(game), world_of(game)
    faults = []
    bases = bases_of(game, side)
    if m.kind != "drop" and m.hex not in bases:
        faults.append(illegal("E-AIR-TYPE", "4.11.9", Message("ocs.air.no-base-of-yours", hex=m.hex), "hex"))
    if m.kind == "transfer":
        return faults
    carriers = [p for p in listed if p.print.capacity[0]]
    start = carriers[0].hex or "" if carriers else ""
    cargo = own_units(game, side, m.units) if m.units else []
    load = weight(game, cargo, (), m.tokens)
    if load > capacity(game, carriers, m.hex) or any(p.hex != start for p in carriers):
        faults.append(
            illegal("E-AIR-TYPE", "4.11.9", Message("ocs.air.more-than-they-can-carry-from-one"), "aircraft")
        )
    if m.kind == "drop" and m.stay:
        faults.append(
            illegal("E-AIR-RANGE", "4.11.10", Message("ocs.air.no-drop-within-twice-range"), "stay")
        )
    if m.kind == "transport" and not m.stay and load + t.unloaded.get(m.hex, 0) > _unloads(game, side, m.hex):
        faults.append(
            illegal("E-AIR-TYPE", "4.11.9", Message("ocs.air.unloads-no-more-in-segment", hex=m.hex), "stay")
        )
    move = world.numbers["carry_leg_ma"]
    for n, u in enumerate(cargo):
        faults += rides(game, u, "E-AIR-TYPE", "units", n)
        if u.hex != start or u.print.move.mobility != "leg" or u.print.move.ma > int(move):
            faults.append(
                illegal(
                    "E-AIR-TYPE",
                    "4.11.9",
                    Message("ocs.air.cannot-be-carried", u=u.id, start=start),
                    "units",
                    n,
                )
            )
        plan = plan_of(game, u.id)
        planned = plan is not None and plan.hex == m.hex and plan.turn <= t.turn and t.phase == "C"
        planned = planned or (plan is None and u.id in t.sealed_plans and t.phase == "C")
        if m.kind == "drop" and ("para" not in u.print.flags or not planned):
            faults.append(
                illegal(
                    "E-PLAN", "4.2.2", Message("ocs.air.has-no-plan-for-in-turn", u=u.id, hex=m.hex), "units"
                )
            )
    dump = t.dumps.get(start)
    if m.tokens and (dump is None or dump.owner != side or dump.t < m.tokens):
        faults.append(
            illegal("E-SUP-SHORT", "4.11.9", Message("ocs.air.not-so-much-supply", start=start), "tokens")
        )
    elif m.tokens and dump is not None and dump.t - dump.fresh < m.tokens:
        message = Message("ocs.air.t-in-unloaded-in-phase", fresh=dump.fresh, start=start)
        faults.append(illegal("E-TP-FRESH", "4.4.8", message, "tokens"))
    return faults


def _unloads(game: Game, side: str, hex: str) -> int:
    """4.11.9: Return the T that a base unloads in a segment."""
    numbers, level = world_of(game).numbers, bases_of(game, side)[hex]
    return level * int(numbers["unload_per_level"]) or int(numbers["strip_unload"])


async def fly(game: Game, side: str, segment: str, m: Mission) -> bool:
    """4.11.1: Fly a mission: air combat, interception, flak, its effect, return.

    Returns True if any aircraft carried it out.
    """
    faults = faults_of(game, side, segment, m)
    if faults:
        raise Refused(faults)
    if await open_plans(game, side, m) and (faults := faults_of(game, side, segment, m)):
        raise Refused(faults)
    t, enemy = T.of(game), world_of(game).enemy(side)
    team = [Plane(game, id) for id in m.aircraft]
    for p in team:
        p.flew = True
    start = next((p.hex or "" for p in team if p.print.capacity[0]), team[0].hex or "")
    escorts = tuple(p.id for p in team if p.is_type("F")) if any(not p.is_type("F") for p in team) else ()
    note = m.target if m.kind in ("barrage", "hip_shoot") else ""
    game.emit(MissionFlown(side, m.kind, m.hex, m.aircraft, note, escorts))
    before = sum(p.steps for p in team)
    if m.kind in BARRAGE and m.target != "ship":
        t.barraged = (*t.barraged, m.hex)
    there = [p for p in planes(game, enemy, m.hex) if p.active]
    if there:
        team = await dogfight(game, side, enemy, m.hex, team, there)
    if m.kind != "sweep" and team and not t.simulcast:
        team = await _intercepted(game, enemy, m, team)
    if team and m.kind != "sweep":
        team = await flak(game, side, m, team)
    if m.kind in ("transport", "drop"):
        await _unload(game, side, m, team, start)
    elif team and m.kind in (*BARRAGE, "hip_shoot"):
        await _bomb(game, side, m, team)
    done = tuple(p.id for p in team)
    for p in [p for p in team if p.there]:
        await _home(game, p, m)
    left = [plane for id in m.aircraft if (plane := maybe_plane(game, id)) is not None]
    back = tuple(p.id for p in left if p.id not in done)
    game.emit(MissionEnded(side, m.kind, m.hex, done, back, before - sum(p.steps for p in left)))
    return bool(team)


async def _home(game: Game, p: Plane, m: Mission) -> None:
    """4.11.1 G: Move an aircraft to the base named, its own, or the nearest, as inactive.

    A fighter transferred within its range stays Active.
    """
    world = world_of(game)
    if m.kind == "transfer" or m.stay:
        near = world.distance(p.hex or "", m.hex) <= p.print.range
        settle_plane(game, p, m.hex, active=m.kind == "transfer" and p.is_type("F") and near)
        return
    wanted: str | None = (m.bases or {}).get(p.id)
    far = world.distance(wanted, m.hex) > p.print.range if wanted in world.terrains else True
    if wanted is not None and (wanted not in bases_of(game, p.owner) or far):
        game.emit(
            AnswerReplaced(p.owner, "E-AIR-RANGE", Message("ocs.air.cannot-return", p=p.id, wanted=wanted))
        )
        wanted = None
    wanted = wanted or await chosen_base(game, p, p.print.range, m.hex)
    if wanted is None:
        hit(game, p, Message("ocs.air.no-base-to-return"), whole=True)
    else:
        settle_plane(game, p, wanted)


def hit(game: Game, p: Plane, why: str, *, whole: bool = False) -> None:
    """Remove a step of an aircraft, or all of it, and report it."""
    owner, lost = p.owner, p.steps if whole else 1
    if whole:
        p.lost = 1
    lose_plane_step(p)
    game.emit(PlaneHit(owner, p.id, lost, why))


async def dogfight(
    game: Game, side: str, other: str, hex: str, first: list[Plane], second: list[Plane]
) -> list[Plane]:
    """4.11.2: Fight air combat in rounds, `side` attacking; return what is left of `first`."""
    chart = world_of(game).tables["air"]["air_combat"]
    first, second = await _leave(game, side, hex, first), await _leave(game, other, hex, second)
    attacker, defender = side, other
    groups = {side: first, other: second}
    while groups[attacker] and groups[defender]:
        able = [p for p in groups[attacker] if not p.wing.paren]
        if not able:
            if not [p for p in groups[defender] if not p.wing.paren]:
                break
            attacker, defender = defender, attacker
            continue
        a = _picked(able, await ask(game, AirPick(attacker, hex)) if len(able) > 1 else "best")
        others = groups[defender]
        d = _picked(others, await ask(game, AirPick(defender, hex)) if len(others) > 1 else "best")
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
                hit(game, p, Message("ocs.air.air-combat"))
            if p.there:
                await _abort(game, p, hex)
    return groups[side]


def _picked(able: Sequence[Plane], how: str | tuple[str, ...]) -> Plane:
    """D-ACPICK: Return the aircraft to fight: the first one named, or else the best (or worst) rating."""
    ranked = sorted(able, key=lambda p: (p.wing.paren, -p.wing.rating, p.id))
    if how == "worst":
        return ranked[-1]
    named = {p.id: p for p in able}
    first = next((id for id in how if id in named), None) if not isinstance(how, str) else None
    return named[first] if first is not None else ranked[0]


async def _leave(game: Game, side: str, hex: str, listed: list[Plane]) -> list[Plane]:
    """D-ABORT: Let aircraft leave before the combat; at least one stays."""
    how = await ask(game, Abort(side, hex))
    if how == "none" or len(listed) < 2:
        return listed
    best = min(listed, key=lambda p: (p.wing.paren, -p.wing.rating, p.id))
    going = [p for p in listed if p is not best and (how == "all_but_best" or p.lost)]
    for p in going:
        await _abort(game, p, hex)
    return [p for p in listed if p not in going]


async def _abort(game: Game, p: Plane, hex: str) -> None:
    """4.11.2: Abort to a base in that hex, the aircraft's own base, or another in range; else lose it."""
    if hex in bases_of(game, p.owner):
        p.hex, p.active = hex, False
        return
    base = await chosen_base(game, p, p.print.range, hex)
    if base is None:
        hit(game, p, Message("ocs.air.no-base-to-return"), whole=True)
    else:
        p.hex, p.active = base, False


async def _intercepted(game: Game, enemy: str, m: Mission, team: list[Plane]) -> list[Plane]:
    """4.11.3: Let one enemy fighter intercept the mission; it attacks."""
    if not fighters(game, enemy, m.hex):
        return team
    chosen = await ask(game, Intercept(enemy, m.hex, m.kind, max(p.wing.rating for p in team)))
    if chosen is None or chosen == NOBODY:
        return team
    plane = Plane(game, chosen)
    game.emit(Intercepted(enemy, chosen, m.hex))
    t = T.of(game)
    t.intercepts[enemy] = t.intercepts.get(enemy, 0) + 1
    beside = [p for p in planes(game, enemy, m.hex) if p.active and p.id != chosen]
    await dogfight(game, enemy, team[0].owner, m.hex, [plane, *beside], list(team))
    return [p for p in team if p.there and p.active]


def flak_sum(game: Game, side: str, m: Mission, team: Sequence[Plane]) -> int | None:
    """4.11.4: Return the modifier of the flak dice, or None if there is no flak."""
    world, t = world_of(game), T.of(game)
    chart, enemy = world.tables["air"]["flak"], world.enemy(side)
    zone = in_zone(game, enemy, m.hex)
    if m.kind in ("transport", "drop", "transfer") and not zone:
        return None
    total = int(chart["three_or_more_mission_aircraft"]) if len(team) >= 3 else 0
    if any(u.is_hq for u in units(game, enemy, m.hex)):
        total += int(chart["hq_in_target_hex"])
    base = t.bases.get(m.hex)
    total += base.level if base is not None and base.owner == enemy else 0
    total += int(world.scenario.get("flak", {}).get(m.hex, 0)) if t.control.get(m.hex) == enemy else 0
    total += sum(s.hull.flak for s in ships(game, enemy, m.hex))
    if zone:
        escorted = any(p.is_type("F") for p in team)
        total += int(chart["in_enemy_patrol_zone"]["with_a_mission_fighter" if escorted else "without"])
        total += int(chart["trainbusting_in_enemy_patrol_zone"]) if m.kind == "trainbusting" else 0
    return total


async def flak(game: Game, side: str, m: Mission, team: list[Plane]) -> list[Plane]:
    """4.11.4: Roll flak against the mission; a hit costs one aircraft a step."""
    added = flak_sum(game, side, m, team)
    if added is None:
        return team
    world = world_of(game)
    chart = world.tables["air"]
    dice = await roll("2d6", "flak", m.hex)
    struck = dice.total + added >= int(chart["flak"]["loss_at_least"])
    die, plane = "", None
    if struck:
        loss = await roll("1d6", "flak-loss", m.hex)
        row = chart["mission_loss"][str(len(team))][loss.total - 1]
        plane = await _extreme(game, side, m.hex, team, row) if isinstance(row, str) else team[row - 1]
        die = str(loss.total)
    game.emit(FlakRolled(world.enemy(side), m.hex, dice, added, struck, die))
    if plane is not None:
        hit(game, plane, "flak")
    return [p for p in team if p.there]


async def _extreme(game: Game, side: str, hex: str, team: Sequence[Plane], which: str) -> Plane:
    """T-MISSION-LOSS: Return the weakest or strongest aircraft.

    Of equals, it is the first that the owner names, or else the lowest id (R-303).
    """
    barrages = [p.wing.barrage for p in team]
    wanted = {"weakest": min, "strongest": max}[which](barrages)
    equals = sorted((p for p in team if p.wing.barrage == wanted), key=lambda p: p.id)
    named = await ask(game, FlakTies(side, hex)) if len(equals) > 1 else ()
    return min(equals, key=lambda p: (named.index(p.id) if p.id in named else len(named), p.id))


def air_shot(game: Game, side: str, hex: str, team: Sequence[Plane]) -> Shot:
    """4.11.6: Return the barrage of aircraft that reach a hex, with the shifts they cause."""
    world = world_of(game)
    strength = rnd(sum((Fraction(p.wing.barrage) for p in team), Fraction(0)))
    strategic = any(p.is_type("S") for p in team)
    far = [world.distance(p.hex or "", hex) for p in team]
    chart, moved = world.tables["barrage"]["shifts"], []
    if all(d <= int(world.numbers["patrol_range"]) for d in far) and not strategic:
        moved.append(
            Modifier(
                Message("ocs.air.short-range"), "4.11.6", int(chart["all_aircraft_within_10_hexes_of_base"])
            )
        )
    if world.options.get("opt_long_range_air") and any(
        2 * d > p.print.range for d, p in zip(far, team, strict=True)
    ):
        moved.append(Modifier(Message("ocs.air.long-range"), "4.11.6", int(chart["option_long_range"])))
    return Shot(side, tuple(p.id for p in team), "air", strength, tuple(moved), strategic)


async def _bomb(game: Game, side: str, m: Mission, team: list[Plane]) -> None:
    world, shot = world_of(game), air_shot(game, side, m.hex, team)
    if shot.strength < 1:
        return
    if m.kind == "trainbusting":
        await at_facility(game, shot, m.hex, "trainbusting")
    elif m.target == "units":
        await at_troops(game, shot, m.hex)
    elif m.target == "ship":
        T.of(game).targeted = (*T.of(game).targeted, m.ship or "")
        await at_sea(game, shot, m.ship or "", int(world.tables["ships"]["fire"]["aircraft_factor"]))
    else:
        await at_facility(game, shot, m.hex, m.target)


@dataclass
class Cargo:
    """The cargo of a mission: ids of units, and T."""

    units: list[str]
    t: int

    def cut(self, game: Game, most: int) -> Cargo:
        """Remove the cargo above a weight, T first, then units from the last; return what was removed."""
        off = Cargo([], 0)
        while self._weight(game) > most:
            over = self._weight(game) - most
            if self.t:
                part = min(self.t, -(-over.numerator // over.denominator))
                self.t, off.t = self.t - part, off.t + part
            else:
                off.units.append(self.units.pop())
        return off

    def _weight(self, game: Game) -> Fraction:
        return weight(game, [Unit(game, id) for id in self.units], (), self.t)


async def _unload(game: Game, side: str, m: Mission, team: list[Plane], start: str) -> None:
    """4.11.4, 4.11.9, 4.11.10: Unload a mission.

    Cargo that no longer fits after losses is destroyed (rounded in its favour). Aircraft that turned back
    keep theirs. The rest lands, or rolls for its drop.
    """
    t = T.of(game)
    sent = [p for id in m.aircraft if (p := maybe_plane(game, id)) is not None and p.print.capacity[0]]
    there = [p for p in sent if any(plane.id == p.id for plane in team)]
    cargo = Cargo(list(m.units), m.tokens)
    lost = cargo.cut(game, _up(lift(game, sent, start, m.hex)))
    cargo.cut(game, _up(lift(game, there, start, m.hex)))
    if m.tokens:
        take_from_ground(game, start, lost.t + cargo.t)
    for id in lost.units:
        t.plans.pop(id, None)
        strike_all(game, Unit(game, id), Message("ocs.air.shot-down"))
    landed: list[str] = []
    for id in list(cargo.units):
        u = Unit(game, id)
        t.plans.pop(id, None)
        if m.kind == "transport" or await _drop_roll(game, side, m, id):
            _land(game, u, m)
            landed.append(id)
            if m.kind == "drop":
                await enter_hex(game, side, m.hex)
        else:
            strike_all(game, u, Message("ocs.air.drop-failed"))
    down = cargo.t
    if m.kind == "drop":
        down = sum([int(await _drop_roll(game, side, m, f"T{n + 1}")) for n in range(cargo.t)])
    else:
        load = weight(game, [Unit(game, id) for id in landed], (), down)
        t.unloaded[m.hex] = t.unloaded.get(m.hex, Fraction(0)) + (0 if m.stay else load)
    if landed or cargo.t:
        game.emit(Carried(side, tuple(landed), down, start, m.hex))
    put_down(game, side, m.hex, down, fresh=True)


def _up(value: Fraction) -> int:
    """4.11.4: Return the value rounded up to whole T, in favour of the cargo."""
    return -(-value.numerator // value.denominator)


def _land(game: Game, u: Unit, m: Mission) -> None:
    """4.11.9: Put down a carried unit, which may move on with half its allowance.

    A dropped unit is done, and in trace.
    """
    u.start = u.start or u.hex
    u.hex, u.moved = m.hex, False
    if m.kind == "drop":
        u.done, u.facing, u.dropped = True, m.facing, T.of(game).turn
    else:
        u.done, u.air_landed = False, True


def drop_needs(game: Game, side: str, hex: str) -> int:
    """T-AIR-DROP: Return the total that 2d6 must reach, by side and terrain of the hex, with modifiers."""
    world, t = world_of(game), T.of(game)
    chart = world.tables["air"]["drop"]
    friendly = any((u.start or u.hex) == hex for u in units(game, side))
    clear = hex in t.bases or any(kind in chart["clear_is"] for kind in hex_terrains(world, hex))
    row = int(chart["friendly" if friendly else "enemy"]["clear" if clear else "closed"])
    return row - drop_modifier(game, side, hex)


def drop_modifier(game: Game, side: str, hex: str) -> int:
    """T-AIR-DROP: Return the sum of the scenario's modifiers for a side in a hex."""
    world = world_of(game)
    chart = world.tables["air"]["drop"]["drm"]
    rows = {f"option_{world.combat['hex'][kind]['row']}" for kind in hex_terrains(world, hex)}
    always, by_terrain = 0, [0]
    for name in world.oob[side].get("drop_drm", ()):
        if not name.startswith("option_"):
            always += int(chart[name])
        elif name in rows:
            by_terrain.append(int(chart[name]))
    return always + min(by_terrain)


async def _drop_roll(game: Game, side: str, m: Mission, what: str) -> bool:
    needed = drop_needs(game, side, m.hex)
    dice = await roll("2d6", "drop", what, m.hex)
    landed = dice.total >= needed and not units(game, world_of(game).enemy(side), m.hex)
    game.emit(DropRolled(side, what, m.hex, dice, needed, landed))
    return landed
