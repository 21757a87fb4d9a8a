"""4.9 Ground combat: declaration, supply, ratings, strengths, surprise, result, retreat, advance.

`fight_it_out` is the one procedure of attacks and overruns; its steps are functions in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.kit.odds import Modifier
from pbem.rules import Game, ask, roll

from .capture import enter_hex
from .decisions.fight import AttackerOption, DefenceStance, DefenderOption, LossChoice, RetreatCourse, Stance
from .events.fighting import (
    Advanced,
    BecameDisorganized,
    CombatDeclared,
    CombatResolved,
    ExploitMarked,
    InternalStockUsed,
    OptionTaken,
    ReserveLost,
    Retreated,
    StepLost,
    UnitEliminated,
)
from .losses import Retreat, Way, bury, by_combat_rule, lose_step, loss_key, make_dg
from .pieces import T, Unit, maybe_unit, points, total_re, units, world_of
from .reach import Net, available, pay, take
from .strength import Result, Strengths, fight, hedgehog, read_result, shifted, surprise

NEXT_STOCK = {"full": "low", "low": "exhausted"}


@dataclass
class Fight:
    """What a fight keeps from step to step."""

    kind: str
    attacker: str
    defender: str
    hex: str
    attackers: list[str]
    defenders: list[str]
    ar: str
    dumps: tuple[str, ...] = ()
    stance: Stance = field(default_factory=Stance)
    internals: list[str] = field(default_factory=list)
    paid: dict[str, str] = field(default_factory=dict)
    supplied: dict[str, bool] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    barred: tuple[str, ...] = ()
    barred_defender: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    retreated: bool = False
    short: bool = False
    earned: bool = True


def alive(game: Game, ids: Sequence[str]) -> list[Unit]:
    """Those of some units that are left."""
    return [u for id in ids if (u := maybe_unit(game, id)) is not None]


# 4.9.2 supply of the attacker


def pay_attack(
    game: Game, side: str, listed: Sequence[str], dumps: tuple[str, ...], may_drop: Sequence[str]
) -> tuple[dict[str, str], list[str]] | None:
    """4.9.2 Pay for the attackers in the order listed: how each was paid, who was dropped; None: cancelled.
    What was spent of a cancelled attack is for the caller to undo (he tries it on a copy)."""
    per_step = int(world_of(game).combat["combat_supply"]["attacker_T_per_step"])
    paid: dict[str, str] = {}
    dropped: list[str] = []
    for id in listed:
        u, net = Unit(game, id), Net(game, side, trace=False)
        done = pay(net, u.hex or "", u.steps * per_step, u, dumps=dumps)
        if done is not None:
            paid[id] = ", ".join(f"{p.t}T {p.hex}" for p in done)
        elif u.internal in NEXT_STOCK:
            paid[id] = "internal"
            if u.print.multi_step:
                for s in net.usable(u.hex or "", u):
                    take(game, side, s.hex, available(net, [s]))
        elif id in may_drop:
            dropped.append(id)
        else:
            return None
    return paid, dropped


# 4.9.3 supply of the defender


def pay_defence(game: Game, f: Fight) -> str:
    """4.9.3 Pay 1 T or 2 T, or withhold; where the map cannot, each unit is on its own (R-16)."""
    chart = world_of(game).combat["combat_supply"]["defender_T"]
    group = alive(game, f.defenders)
    need = int(chart["re_at_most_1"] if total_re(group) <= 1 else chart["otherwise"])
    net = Net(game, f.defender, trace=False)
    payer = max(group, key=lambda u: (available(net, net.usable(f.hex, u)), u.id))
    reach = available(net, net.usable(f.hex, payer))
    keep = f.stance.pay_if_T_left_at_least
    if f.stance.supply == "withhold" or (keep is not None and reach - need < keep):
        f.supplied = dict.fromkeys(f.defenders, False)
        return "withheld"
    done = pay(net, f.hex, need, payer)
    if done is not None:
        f.supplied = dict.fromkeys(f.defenders, True)
        return ", ".join(f"{p.t}T {p.hex}" for p in done)
    for s in net.usable(f.hex, payer):
        take(game, f.defender, s.hex, available(net, [s]))
    for u in group:
        able = f.stance.internals == "use" and u.internal in NEXT_STOCK
        f.supplied[u.id] = able
        if able:
            f.internals.append(u.id)
    return "internal" if any(f.supplied.values()) else "none"


def use_stocks(game: Game, f: Fight) -> None:
    """4.9.3 Markers of internal stocks, for survivors, after the combat."""
    for u in alive(game, f.internals):
        u.internal = NEXT_STOCK[u.internal]  # type: ignore[assignment]
        game.emit(InternalStockUsed(u.owner, u.id, u.internal))


# 4.9.4 to 4.9.7


def best_rating(group: Sequence[Unit]) -> str:
    """D-AR: the highest current rating, then the fewest steps, then id."""
    return min(group, key=lambda u: (-u.ar, u.steps, u.id)).id


def defending_rating(game: Game, f: Fight) -> str:
    """4.9.4 The defender's rating unit: as his stance ranks them."""
    group = alive(game, f.defenders)
    wanted = next((id for id in f.stance.ar if id in f.defenders), None)
    return wanted or best_rating(group)


async def resolve(game: Game, f: Fight) -> tuple[Result, str]:
    """4.9.4 to 4.9.7 Strengths, surprise, result."""
    world = world_of(game)
    attackers, defenders = alive(game, f.attackers), alive(game, f.defenders)
    against = defending_rating(game, f)
    s: Strengths = fight(game, f.hex, attackers, defenders, f.supplied, f.stance.terrain)
    level = hedgehog(game, f.hex, f.defender)
    edge = Unit(game, f.ar).ar - Unit(game, against).ar
    first = await roll("2d6", "surprise", f.hex)
    die = await roll("1d6", "shift", f.hex)
    dice = await roll(world.combat["crt"]["dice"], "combat", f.hex)
    by = surprise(world, f.kind, first.total + edge - (1 if level else 0))
    at = shifted(world, s.column, by * die.total)
    total = dice.total + edge - level
    result = read_result(world, at, total)
    heads = world.combat["odds"][s.row]
    modifiers = [Modifier("ratings", "4.9.7", edge), Modifier("hedgehog", "4.9.7", -level)]
    game.emit(
        CombatResolved(
            f.attacker, f.hex, s.attack, s.defence, str(s.a), str(s.d), s.odds, heads[s.column], heads[at],
            f.ar, against, first, first.total + edge - (1 if level else 0),
            {1: "attacker", -1: "defender", 0: "nobody"}[by], die, dice, edge - level, total, result.code,
            tuple(m for m in modifiers if m.value),
        )
    )  # fmt: skip
    return result, against


# 4.9.8


def strike(game: Game, u: Unit, why: str) -> bool:
    """One step of a unit, told; True if it is gone."""
    hex, owner = u.hex or "", u.owner
    gone = lose_step(u)
    if gone:
        game.emit(UnitEliminated(owner, u.id, hex, 1, why))
    else:
        game.emit(StepLost(owner, u.id, hex, u.steps, 1, why))
    return gone


async def take_losses(game: Game, f: Fight, side: str, n: int, ar: str, why: str) -> int:
    """Losses by the combat rule; how many were taken."""
    if n <= 0:
        return 0
    pool = alive(game, f.attackers if side == f.attacker else f.defenders)
    wanted = (await ask(LossChoice(side, f.hex))).order
    ids = by_combat_rule(pool, n, ar, f.lost, wanted)
    for id in ids:
        f.lost[id] = f.lost.get(id, 0) + 1
        strike(game, Unit(game, id), why)
    return len(ids)


async def attacker_part(game: Game, f: Fight, r: Result) -> None:
    """4.9.8 steps 1 and 2."""
    await take_losses(game, f, f.attacker, r.a_lose, f.ar, "combat")
    group = alive(game, f.attackers)
    if not r.a_option:
        return
    if not group:
        f.short = True
        f.earned = False
        return
    ids = tuple(u.id for u in group)
    k = await ask(AttackerOption(f.attacker, f.hex, r.a_option, ids, f.barred))
    taken = await take_losses(game, f, f.attacker, k, f.ar, "option")
    rest = r.a_option - k
    f.short = taken < k
    f.earned = taken == r.a_option
    if rest and alive(game, f.attackers):
        f.retreated = True
        game.emit(OptionTaken(f.attacker, f.hex, r.a_option, taken, rest, False))
        by_hex: dict[str, list[Unit]] = {}
        for u in alive(game, f.attackers):
            by_hex.setdefault(u.hex or "", []).append(u)
        for _, part in sorted(by_hex.items()):
            await fall_back(game, part, rest, f.barred)
    else:
        f.short = f.short or rest > 0
        game.emit(OptionTaken(f.attacker, f.hex, r.a_option, taken, 0, False))


async def defender_part(game: Game, f: Fight, r: Result, ar: str) -> None:
    """4.9.8 steps 3 to 6."""
    if r.d_dg and alive(game, f.defenders):
        game.emit(BecameDisorganized(f.defender, tuple(make_dg(game, f.defender, f.hex)), f.hex))
    await take_losses(game, f, f.defender, r.d_lose, ar, "combat")
    group = alive(game, f.defenders)
    if r.d_option and group:
        ids = tuple(u.id for u in group)
        ignore = f.retreated or f.short or not alive(game, f.attackers)
        stance = f.stance.option or ""
        until = -1 if f.stance.hold_until_steps is None else f.stance.hold_until_steps
        asked = DefenderOption(f.defender, f.hex, r.d_option, ids, f.barred_defender, ignore, stance, until)
        k = await ask(asked)
        if k < 0:
            game.emit(OptionTaken(f.defender, f.hex, r.d_option, 0, 0, True))
        else:
            taken = await take_losses(game, f, f.defender, k, ar, "option")
            rest = r.d_option - k if alive(game, f.defenders) else 0
            game.emit(OptionTaken(f.defender, f.hex, r.d_option, taken, rest, False))
            if rest:
                await fall_back(game, alive(game, f.defenders), rest, f.barred_defender)
    if r.touches_defender:
        drop_reserve(game, f.defender, f.hex)


def drop_reserve(game: Game, side: str, hex: str) -> None:
    """4.9.8 step 6: reserve markers in the hex go."""
    found = [u for u in units(game, side, hex) if u.marker == "reserve"]
    for u in found:
        u.marker = "none"
    if found:
        game.emit(ReserveLost(side, tuple(u.id for u in found), hex))


# 4.9.9


async def fall_back(game: Game, group: list[Unit], n: int, barred: Sequence[str]) -> None:
    """A group of one hex retreats n hexes, together or by mobility; who cannot is eliminated."""
    side, hex = group[0].owner, group[0].hex or ""
    for u in group:
        if u.is_hq or u.side.ma == 0:
            u.facing = "move"
        if u.side.ma == 0:
            bury(u)
            game.emit(UnitEliminated(side, u.id, hex, u.print.steps if u.there else 1, "cannot retreat"))
    group = [u for u in group if u.there]
    if not group:
        return
    course = await ask(RetreatCourse(side, hex, n))
    paths = Retreat(game, group, n, frozenset(barred))
    for part, way in paths.groups():
        way = _wished(paths, part, course.path, course.towards, course.avoid) or way
        if way is None:
            for u in part:
                bury(u)
                game.emit(UnitEliminated(side, u.id, hex, 1, "no way to retreat"))
        else:
            await _walk_back(game, part, way)


def _wished(
    paths: Retreat, part: list[Unit], path: Sequence[str], towards: Sequence[str], avoid: Sequence[str]
) -> Way | None:
    """The path that the owner wants, where it is legal (4.0.12)."""
    if not (path or towards or avoid):
        return None
    legal = list(paths.paths(part))
    if tuple(path) in legal:
        return paths.judged(tuple(path), part)
    kept = [way for way in legal if not set(way) & set(avoid)] or legal
    if not kept:
        return None
    best = min(
        kept, key=lambda way: (paths.judged(way, part).lost, paths.world.nearest(way[-1], towards, 0), way)
    )
    return paths.judged(best, part)


async def _walk_back(game: Game, part: list[Unit], way: Way) -> None:
    """4.9.9 Hex by hex: captures, steps of DG units in zones, DG in zones and in the second hex."""
    from .zones import Ground

    side, origin = part[0].owner, part[0].hex or ""
    zone = Ground(game, side).zoc
    entered: list[str] = []
    for n, hex in enumerate(list(way.path), 1):
        part = [u for u in part if u.there]
        if not part:
            break
        before = [u.id for u in part if u.marker == "dg"]
        for u in part:
            u.hex = hex
        entered.append(hex)
        await enter_hex(game, side, hex)
        if hex in zone:
            able = [u for u in part if u.id in before]
            if able:
                strike(game, min(able, key=lambda u: loss_key(u)), "retreat")
        if hex in zone or n == 2:
            fresh = make_dg(game, side, hex)
            if fresh:
                game.emit(BecameDisorganized(side, tuple(fresh), hex))
    left = [u for u in part if u.there]
    for p in points(game, side, origin):
        if p.organic_of is not None and left and not units(game, side, origin):
            p.hex = left[0].hex
    if entered:
        game.emit(Retreated(side, tuple(u.id for u in left), origin, tuple(entered)))


# 4.9.10, 4.9.11


async def advance(game: Game, f: Fight, chosen: Sequence[str]) -> list[str]:
    """4.9.10 Those who paid may enter a hex without enemies; not after a retreat."""
    if f.retreated or units(game, f.defender, f.hex):
        return []
    able = [u for u in alive(game, f.attackers) if u.id in chosen and u.id in f.paid]
    able = [u for u in able if u.print.combat.ma or u.print.move.ma]
    able = [u for u in able if u.attack_capable]
    if not able:
        return []
    for u in able:
        u.hex = f.hex
    game.emit(Advanced(f.attacker, tuple(u.id for u in able), f.hex))
    await enter_hex(game, f.attacker, f.hex, advance=True)
    return [u.id for u in able]


def mark_exploit(game: Game, f: Fight, r: Result, hexes: Sequence[str]) -> None:
    """4.9.11 Exploit markers: from one hex, or two that touch; the e-number; all of the option as losses."""
    t, world = T.of(game), world_of(game)
    if f.kind != "regular" or t.phase != "F" or not r.exploit or (r.a_option and not f.earned):
        return
    if len(hexes) > 2 or (len(hexes) == 2 and not world.adjacent(hexes[0], hexes[1])):
        return
    found = [u for u in alive(game, f.attackers) if u.marker == "none" and u.print.ar >= r.exploit]
    for u in found:
        u.marker, u.min_ar = "exploit", r.exploit
    if found:
        game.emit(ExploitMarked(f.attacker, tuple(u.id for u in found), r.exploit))


# the whole


async def fight_it_out(
    game: Game,
    kind: str,
    side: str,
    hex: str,
    listed: Sequence[str],
    ar: str | None = None,
    dumps: tuple[str, ...] = (),
    may_drop: Sequence[str] = (),
    advancing: Sequence[str] = (),
) -> Fight:
    """4.9 One attack or overrun whose declaration has been found legal and payable."""
    enemy = world_of(game).enemy(side)
    defenders = [u.id for u in units(game, enemy, hex)]
    if kind == "regular":
        T.of(game).attacked = (*T.of(game).attacked, hex)
    bought = pay_attack(game, side, listed, dumps, may_drop)
    assert bought is not None, "an attack was not tried on a copy before"
    paid, dropped = bought
    attackers = [id for id in listed if id in paid]
    hexes = sorted({Unit(game, id).hex or "" for id in attackers})
    group = [Unit(game, id) for id in attackers]
    f = Fight(
        kind, side, enemy, hex, attackers, defenders, ar if ar in attackers else best_rating(group), dumps
    )
    f.paid, f.dropped = paid, tuple(dropped)
    f.internals = [id for id, how in paid.items() if how == "internal"]
    f.barred = tuple(sorted({u.hex or "" for u in units(game, enemy)}))
    f.barred_defender = tuple(sorted({u.hex or "" for u in units(game, side)}))
    f.stance = await ask(DefenceStance(enemy, hex))
    supply = pay_defence(game, f)
    game.emit(
        CombatDeclared(side, enemy, hex, kind, tuple(attackers), tuple(defenders), paid, supply, f.dropped)
    )
    for id in attackers if kind == "regular" else ():
        Unit(game, id).attacked = True
    result, against = await resolve(game, f)
    await attacker_part(game, f, result)
    await defender_part(game, f, result, against)
    use_stocks(game, f)
    await advance(game, f, advancing)
    mark_exploit(game, f, result, hexes)
    return f
