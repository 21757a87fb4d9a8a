"""4.9 Ground combat: declaration, supply, ratings, strengths, surprise, result, retreat, advance.

`fight_it_out` is the one procedure of attacks and overruns; its steps are functions in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction

from pbem.kit.faults import illegal
from pbem.kit.odds import Line, Modifier
from pbem.rules import Diagnostic, Game, ask, dataclass, roll

from .breakdowns import fault_of, split
from .capture import enter_hex
from .decisions.fight import (
    AttackerOption,
    Course,
    DefenceStance,
    DefenderOption,
    LossChoice,
    RetreatCourse,
    Stance,
)
from .events.fighting import (
    Advanced,
    AnswerReplaced,
    BecameDisorganized,
    CombatDeclared,
    CombatEnded,
    CombatResolved,
    ExploitMarked,
    Forces,
    InternalStockUsed,
    OptionTaken,
    ReserveLost,
    Retreated,
    StepLost,
    UnitEliminated,
)
from .losses import Retreat, Way, bury, by_combat_rule, lose_step, loss_key, make_dg
from .pieces import Points, T, Unit, maybe_unit, points, total_re, units, world_of
from .reach import Net, Payment, Supply, available, drain, plan, settle, tell, why_short
from .strength import (
    Result,
    Strengths,
    crossings,
    fight,
    hedgehog,
    hex_terrains,
    read_result,
    shifted,
    surprise,
)
from .views import hides, secret, shown

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
    along: tuple[str, ...] = ()
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


@dataclass(frozen=True)
class Bought:
    """4.9.2 How an attack is paid: by unit, who drops out, what is spent where."""

    paid: dict[str, str]
    dropped: tuple[str, ...]
    payments: tuple[Payment, ...]
    net: Net


def plan_attack(
    game: Game,
    side: str,
    listed: Sequence[str],
    dumps: tuple[str, ...],
    may_drop: Sequence[str],
    others: frozenset[str] = frozenset(),
) -> Bought | None:
    """4.9.2 Pay for the attackers in the order listed, from the dumps named first; None: cancelled. Nothing
    is spent yet."""
    per_step = int(world_of(game).combat["combat_supply"]["attacker_T_per_step"])
    net = Net(game, side, trace=False, others=others)
    paid: dict[str, str] = {}
    dropped: list[str] = []
    payments: list[Payment] = []
    for id in listed:
        u = Unit(game, id)
        done = plan(net, u.hex or "", u.steps * per_step, u, dumps=dumps, strict=False)
        if done is not None:
            paid[id] = ", ".join(f"{p.t}T {p.hex}" for p in done)
            payments += done
        elif u.internal in NEXT_STOCK:
            paid[id] = "internal"
            if u.print.multi_step:
                payments += drain(net, net.usable(u.hex or "", u))
        elif id in may_drop:
            dropped.append(id)
        else:
            return None
    return Bought(paid, tuple(dropped), tuple(payments), net)


def unpayable(
    game: Game, side: str, listed: Sequence[str], dumps: tuple[str, ...], rule: str, *path: str | int
) -> Diagnostic:
    """Why an attack cannot be paid: that of its first unit that cannot."""
    net = Net(game, side, trace=False)
    found = [
        why_short(net, u.hex or "", u.steps, u, dumps, rule, *path)
        for u in alive(game, listed)
        if u.internal not in NEXT_STOCK
    ]
    return found[0] if found else illegal("E-SUP-SHORT", rule, "not enough supply for it", *path)


# 4.9.3 supply of the defender


def pay_defence(game: Game, f: Fight) -> str:
    """4.9.3 Pay 1 T or 2 T, or withhold; where the map cannot, each unit is on its own (R-16)."""
    chart = world_of(game).combat["combat_supply"]["defender_T"]
    group = alive(game, f.defenders)
    need = int(chart["re_at_most_1"] if total_re(group) <= 1 else chart["otherwise"])
    net = Net(game, f.defender, trace=False)
    organic = bool(f.stance.dumps) or f.defender in T.of(game).uses_organic
    usable = _of_all(net, group, f.stance.dumps, organic)
    reach = sum(available(net, [supply], u.formation if organic else None) for supply, u in usable)
    keep = f.stance.pay_if_T_left_at_least
    if f.stance.supply == "withhold" or (keep is not None and reach - need < keep):
        f.supplied = dict.fromkeys(f.defenders, False)
        return "withheld"
    spent: list[Payment] = []
    for supply, u in usable:
        own = u.formation if organic else None
        got = net.spend(supply.hex, need - sum(p.t for p in spent), own)
        spent += [Payment(supply.hex, got, supply.hq or "", own, to=f.hex)] if got else []
    settle(net, spent)
    tell(game, f.defender, "defence", f.hex, spent)
    if reach >= need:
        f.supplied = dict.fromkeys(f.defenders, True)
        return ", ".join(f"{p.t}T {p.hex}" for p in spent)
    for u in group:
        wish = (f.stance.internals_of or {}).get(u.id, f.stance.internals)
        able = wish == "use" and u.internal in NEXT_STOCK
        f.supplied[u.id] = able
        if able:
            f.internals.append(u.id)
    return "internal" if any(f.supplied.values()) else "none"


def _of_all(
    net: Net, group: Sequence[Unit], named: Sequence[str], organic: bool
) -> list[tuple[Supply, Unit]]:
    """Every dump that any defender can use, each once, the dumps named first."""
    best: dict[str, tuple[Supply, Unit]] = {}
    for u in group:
        for supply in net.usable(u.hex or "", u, organic=organic):
            if supply.hex not in best or supply < best[supply.hex][0]:
                best[supply.hex] = (supply, u)
    rank = {hex: n for n, hex in enumerate(named)}
    return sorted(best.values(), key=lambda one: (rank.get(one[0].hex, len(rank)), one[0]))


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
    wanted = f.stance.terrain or {}
    s: Strengths = fight(game, f.hex, attackers, defenders, f.supplied, wanted, wanted.get(f.hex))
    level = hedgehog(game, f.hex, f.defender)
    edge = Unit(game, f.ar).ar - Unit(game, against).ar
    first = await roll("2d6", "surprise", f.hex)
    die = await roll("1d6", "shift", f.hex)
    dice = await roll(world.combat["crt"]["dice"], "combat", f.hex)
    by = surprise(
        world, "overrun" if f.kind == "overrun" else "regular", first.total + edge - (1 if level else 0)
    )
    at = shifted(world, s.column, by * die.total)
    total = dice.total + edge - level
    result = read_result(world, at, total)
    heads = world.combat["odds"][s.row]
    modifiers = [Modifier("ratings", "4.9.7", edge), Modifier("hedgehog", "4.9.7", -level)]
    game.emit(
        CombatResolved(
            f.attacker, f.hex, *_lines(game, s), str(s.a), str(s.d), s.odds, heads[s.column], heads[at],
            _rating(game, f.ar), _rating(game, against), first, first.total + edge - (1 if level else 0),
            {1: "attacker", -1: "defender", 0: "nobody"}[by], die, dice, edge - level, total, result.code,
            tuple(m for m in modifiers if m.value),
        )
    )  # fmt: skip
    return result, against


def _rating(game: Game, id: str) -> str:
    """The unit whose rating counts; with fog the rating alone (7.2)."""
    return id if not hides(game) or _told(game, id) else f"AR {Unit(game, id).ar}"


def _told(game: Game, id: str) -> bool:
    return bool(shown(game, (id,)))


def _lines(game: Game, s: Strengths) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The sums of both sides; with fog by factor, without the units (7.2)."""
    if not hides(game):
        return s.attack, s.defence
    return by_factor(s.attack), by_factor(s.defence)


def by_factor(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines of strength put together where hex and factor are the same."""
    sums: dict[tuple[str, str, str], tuple[int, Fraction]] = {}
    for one in lines:
        key = (one.hex, one.factor, one.why)
        number, strength = sums.get(key, (0, Fraction(0)))
        sums[key] = (number + one.sp, strength + Fraction(one.strength))
    return tuple(
        Line("together", "", hex, number, factor, why, str(strength))
        for (hex, factor, why), (number, strength) in sums.items()
    )


# 4.9.8


def strike(game: Game, u: Unit, why: str) -> bool:
    """One step of a unit, told; True if it is gone."""
    hex, owner = u.hex or "", u.owner
    gone = lose_step(u)
    if gone:
        game.emit(UnitEliminated(owner, u.id, hex, 1, why))
    else:
        game.emit(StepLost(owner, u.id, hex, secret(game, u.steps, None), 1, why))
    return gone


def strike_all(game: Game, u: Unit, why: str) -> None:
    """A whole unit is lost, told."""
    owner, id, hex, steps = u.owner, u.id, u.hex or "", u.steps
    bury(u)
    game.emit(UnitEliminated(owner, id, hex, steps, why))


async def loss_order(game: Game, side: str, hex: str, pool: Sequence[Unit], n: int) -> tuple[str, ...]:
    """D-LOSS In what order a side loses steps."""
    if not pool or n <= 0:
        return ()
    wanted = (await ask(LossChoice(side, hex))).order
    kinds = {u.kind for u in pool} | set(world_of(game).numbers["loss_kinds"])
    known = {u.id for u in units(game, side)} | kinds
    for name in wanted:
        if name not in known:
            game.emit(AnswerReplaced(side, "E-LOSS", f"{name} has no part in the losses in {hex}"))
    return wanted


async def take_losses(game: Game, f: Fight, side: str, n: int, ar: str, why: str) -> int:
    """Losses by the combat rule; how many were taken."""
    if n <= 0:
        return 0
    pool = alive(game, f.attackers if side == f.attacker else f.defenders)
    wanted = await loss_order(game, side, f.hex, pool, n)
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
    if f.kind == "beach":  # no way back (4.12.7)
        k = r.a_option
    else:
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
        for hex, part in sorted(by_hex.items()):
            part += [u for u in alive(game, f.along) if u.hex == hex and u not in part]
            await fall_back(game, part, rest, f.barred)
            for u in alive(game, f.along) if f.kind == "overrun" else ():
                u.done = True
    else:
        f.short = f.short or rest > 0
        game.emit(OptionTaken(f.attacker, f.hex, r.a_option, taken, 0, False))


async def defender_part(game: Game, f: Fight, r: Result, ar: str) -> None:
    """4.9.8 steps 3 to 6."""
    if r.d_dg and alive(game, f.defenders):
        game.emit(BecameDisorganized(f.defender, shown(game, make_dg(game, f.defender, f.hex)), f.hex))
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
                drop_reserve(game, f.defender, f.hex)
                course = Course(f.stance.towards, f.stance.avoid)
                await fall_back(game, alive(game, f.defenders), rest, f.barred_defender, course)
    if r.touches_defender:
        drop_reserve(game, f.defender, f.hex)


def drop_reserve(game: Game, side: str, hex: str) -> None:
    """4.9.8 step 6: reserve markers in the hex go, also of those who leave it by the same result (R-201)."""
    found: list[Unit | Points] = [u for u in units(game, side, hex) if u.marker == "reserve"]
    found += [p for p in points(game, side, hex) if p.marker == "reserve"]
    for u in found:
        u.marker = "none"
    if found:
        game.emit(ReserveLost(side, shown(game, (u.id for u in found)), hex))


# 4.9.9


async def fall_back(
    game: Game, group: list[Unit], n: int, barred: Sequence[str], said: Course | None = None
) -> None:
    """A group of one hex retreats n hexes, together or by mobility; who cannot is eliminated. `said`: what
    the stance for the hex says of the way."""
    side, hex = group[0].owner, group[0].hex or ""
    for u in group:
        if u.is_hq or u.side.ma == 0:
            u.facing = "move"
        if u.side.ma == 0:
            strike_all(game, u, "cannot retreat")
    group = [u for u in group if u.there]
    if not group:
        return
    course = said if said not in (None, Course()) else await ask(RetreatCourse(side, hex, n))
    assert course is not None
    for id in course.detach:
        parent = next((u for u in group if u.id == id), None)
        if parent is None or fault_of(game, side, id) is not None:
            game.emit(AnswerReplaced(side, "E-BRKD", f"{id} leaves no step"))
        else:
            group.append(split(game, parent))
    everybody = Retreat(game, group, n, frozenset(barred))
    parts: list[tuple[list[Unit], Way | None]] = []
    for one in course.parties:
        apart = [u for u in group if u.id in one.units]
        if apart:
            group = [u for u in group if u not in apart]
            parts.append((apart, _walked(game, apart, n, barred, one.path)))
    paths = Retreat(game, group, n, frozenset(barred)) if group else everybody
    for part, best in paths.groups() if group else ():
        parts.append((part, _wished(game, paths, part, course) or best))
    for part, way in parts:
        if way is None:
            for u in part:
                strike_all(game, u, "no way to retreat")
        else:
            await _walk_back(game, part, way)


def _wished(game: Game, paths: Retreat, part: list[Unit], course: Course) -> Way | None:
    """The path that the owner wants, if it is legal; else that is told, the default counts (4.0.12)."""
    if course.path:
        if paths.is_legal(course.path, part):
            return paths.judged(tuple(course.path), part)
        game.emit(AnswerReplaced(paths.side, "E-RETREAT", f"no retreat by {', '.join(course.path)}"))
    if not (course.towards or course.avoid):
        return None
    legal = list(paths.paths(part))
    kept = [way for way in legal if not set(way) & set(course.avoid)] or legal
    if not kept:
        return None

    def merit(way: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
        return paths.judged(way, part).lost, paths.world.nearest(way[-1], course.towards, 0), way

    return paths.judged(min(kept, key=merit), part)


def _walked(game: Game, part: list[Unit], n: int, barred: Sequence[str], path: Sequence[str]) -> Way | None:
    """The way of units that go apart: theirs, or the default."""
    paths = Retreat(game, part, n, frozenset(barred))
    return _wished(game, paths, part, Course(path=tuple(path))) or paths.default()


async def _walk_back(game: Game, part: list[Unit], way: Way) -> None:
    """4.9.9 Hex by hex: captures; in zones Strat units die, DG ones lose a step; DG there and in hex two."""
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
            u.start = u.start or u.hex
            u.hex = hex
        entered.append(hex)
        await enter_hex(game, side, hex)
        if hex in zone:
            for u in [u for u in part if u.marker == "strat"]:
                strike_all(game, u, "retreat")
            able = [u for u in part if u.id in before]
            if able:
                wanted = await loss_order(game, side, hex, able, 1)
                strike(game, min(able, key=lambda u: loss_key(u, wanted)), "retreat")
        if hex in zone or n == 2:
            fresh = make_dg(game, side, hex)
            if fresh:
                game.emit(BecameDisorganized(side, shown(game, fresh), hex))
    left = [u for u in part if u.there]
    for p in points(game, side, origin):
        if p.organic_of is not None and left and not units(game, side, origin):
            p.hex = left[0].hex
    if entered:
        game.emit(Retreated(side, shown(game, (u.id for u in left)), origin, tuple(entered)))


# 4.9.10, 4.9.11


async def advance(game: Game, f: Fight, chosen: Sequence[str], detach: Sequence[str] = ()) -> list[str]:
    """4.9.10 Those who paid may enter a hex without enemies; not after a retreat. `detach`: divisions of
    which a step stays where they come from (4.4.15)."""
    if f.retreated or units(game, f.defender, f.hex):
        return []
    able = [u for u in alive(game, f.attackers) if u.id in chosen and u.id in f.paid]
    able = [u for u in able if u.print.combat.ma or u.print.move.ma]
    able = [u for u in able if u.attack_capable]
    if not able:
        return []
    for u in able:
        if u.id in detach and fault_of(game, u.owner, u.id) is None:
            split(game, u)
        u.hex = f.hex
    game.emit(Advanced(f.attacker, shown(game, (u.id for u in able)), f.hex))
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
        game.emit(ExploitMarked(f.attacker, shown(game, (u.id for u in found)), r.exploit))


# the whole


async def fight_it_out(
    game: Game,
    kind: str,
    side: str,
    hex: str,
    bought: Bought,
    ar: str | None = None,
    advancing: Sequence[str] = (),
    along: Sequence[str] = (),
    detach: Sequence[str] = (),
    stance: Stance | None = None,
) -> Fight:
    """4.9 One attack or overrun whose declaration has been found legal and payable. `along`: units that do
    not fight and go with a retreat (4.9.9); `detach`: those that leave a step behind if they advance."""
    enemy = world_of(game).enemy(side)
    defenders = [u.id for u in units(game, enemy, hex)]
    if kind != "overrun":
        T.of(game).attacked = (*T.of(game).attacked, hex)
    settle(bought.net, bought.payments)
    tell(game, side, "attack", hex, bought.payments)
    attackers = list(bought.paid)
    hexes = sorted({Unit(game, id).hex or "" for id in attackers})
    group = [Unit(game, id) for id in attackers]
    f = Fight(kind, side, enemy, hex, attackers, defenders, ar if ar in attackers else best_rating(group))
    f.paid, f.dropped, f.along = bought.paid, bought.dropped, tuple(along)
    f.internals = [id for id, how in bought.paid.items() if how == "internal"]
    f.barred = tuple(sorted({u.hex or "" for u in units(game, enemy)}))
    f.barred_defender = tuple(sorted({u.hex or "" for u in units(game, side)}))
    f.stance = await ask(DefenceStance(enemy, hex)) if stance is None else stance
    wrong_stance(game, f)
    supply = pay_defence(game, f)
    _declare(game, f, supply)
    for id in attackers if kind != "overrun" else ():
        Unit(game, id).attacked = True
    result, against = await resolve(game, f)
    await attacker_part(game, f, result)
    await defender_part(game, f, result, against)
    use_stocks(game, f)
    await advance(game, f, advancing, detach)
    mark_exploit(game, f, result, hexes)
    game.emit(CombatEnded(side, hex, outcome(game, f)))
    return f


def outcome(game: Game, f: Fight) -> str:
    """What became of the hex that was attacked."""
    if units(game, f.attacker, f.hex):
        return "taken"
    if not units(game, f.defender, f.hex):
        return "vacated"
    return "repulsed" if f.retreated else "held"


def _declare(game: Game, f: Fight, supply: str) -> None:
    """4.9.1 Who fights whom, and what both pay; with fog (7.2) each side is told of its own units."""
    side, enemy = f.attacker, f.defender
    attackers, defenders = tuple(f.attackers), tuple(f.defenders)
    if not hides(game):
        game.emit(CombatDeclared(side, enemy, f.hex, f.kind, attackers, defenders, f.paid, supply, f.dropped))
        return
    paid = {"T": str(amount(", ".join(f.paid.values())))}
    told = f"{amount(supply)} T"
    tops = shown(game, attackers), shown(game, defenders)
    game.emit(CombatDeclared(side, enemy, f.hex, f.kind, *tops, paid, told))
    game.emit(Forces(side, f.hex, attackers, f.paid, f.dropped))
    game.emit(Forces(enemy, f.hex, defenders, {"defence": supply}))


def amount(supply: str) -> int:
    """The T in a list of payments such as `2T 10.06, 1T 12.06`; internal stocks are none."""
    return sum(int(one.partition("T")[0]) for one in supply.split(", ") if one[:1].isdigit())


def wrong_stance(game: Game, f: Fight) -> None:
    """4.0.12 What of a stance cannot be: it is told, and the default counts."""
    world = world_of(game)
    for id in f.stance.ar:
        if id not in f.defenders:
            game.emit(AnswerReplaced(f.defender, "E-AR", f"{id} does not defend {f.hex}"))
    own = hex_terrains(world, f.hex)
    for hex, terrain in sorted((f.stance.terrain or {}).items()):
        legal = own if hex == f.hex else (*own, *crossings(world, hex, f.hex))
        if terrain not in legal:
            game.emit(AnswerReplaced(f.defender, "E-TERR", f"{terrain} is not to be had against {hex}"))
