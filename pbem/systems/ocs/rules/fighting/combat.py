"""4.9: Ground combat: declaration, ratings, strengths, surprise, result, advance.

`fight_it_out` fights attacks and overruns alike; its steps are functions in order. `combat_supply` has the
supply, `falling_back` the retreats.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.kit.odds import Line, Modifier
from pbem.rules import Game, Message, roll

from ..breakdowns import fault_of, split
from ..capture import enter_hex
from ..decisions.fight import AttackerOption, Course, DefenceStance, DefenderOption, Stance
from ..events.fighting import (
    Advanced,
    AnswerReplaced,
    BecameDisorganized,
    CombatDeclared,
    CombatEnded,
    CombatResolved,
    ExploitMarked,
    Forces,
    OptionTaken,
    ReserveLost,
)
from ..pieces import Points, T, Unit, points, units, world_of
from ..sealing import ask, lodge_orders, note_attack
from ..supply.payments import settle, tell
from ..views import hides, shown
from .casualties import loss_order, strike
from .combat_supply import Bought, amount, pay_defence, use_stocks
from .falling_back import fall_back
from .fights import Fight, alive
from .losses import by_combat_rule, make_dg
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


def best_rating(group: Sequence[Unit]) -> str:
    """D-AR: Return the unit with the highest current rating, then the fewest steps, then the lowest id."""
    return min(group, key=lambda u: (-u.ar, u.steps, u.id)).id


def defending_rating(game: Game, f: Fight) -> str:
    """4.9.4: Return the unit whose rating the defender uses: the first named in the stance, or the best."""
    group = alive(game, f.defenders)
    wanted = next((id for id in f.stance.ar if id in f.defenders), None)
    return wanted or best_rating(group)


def weigh(game: Game, f: Fight) -> Strengths:
    """4.9.4, 4.9.5: Return the strengths of both sides, with the terrain that the defender wants."""
    wanted = f.stance.terrain or {}
    attackers, defenders = alive(game, f.attackers), alive(game, f.defenders)
    return fight(game, f.hex, attackers, defenders, f.supplied, wanted, wanted.get(f.hex))


def edge_of(game: Game, f: Fight, against: str) -> int:
    """4.9.4: Return the attackers' rating minus the defenders'."""
    return Unit(game, f.ar).ar - Unit(game, against).ar


async def resolve(game: Game, f: Fight) -> tuple[Result, str]:
    """4.9.4 to 4.9.7: Roll the result; return it, and the unit whose rating the defender uses."""
    world = world_of(game)
    against = defending_rating(game, f)
    s = weigh(game, f)
    level = hedgehog(game, f.hex, f.defender)
    edge = edge_of(game, f, against)
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
    """7.2: Return the unit whose rating counts; with fog, only its rating if the unit is not seen."""
    return id if not hides(game) or _seen(game, id) else f"AR {Unit(game, id).ar}"


def _seen(game: Game, id: str) -> bool:
    return bool(shown(game, (id,)))


def _lines(game: Game, s: Strengths) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """7.2: Return the lines of strength of both sides; with fog, summed by factor without unit names."""
    if not hides(game):
        return s.attack, s.defence
    return by_factor(s.attack), by_factor(s.defence)


def by_factor(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines of strength summed by hex and factor."""
    sums: dict[tuple[str, str, str], tuple[int, Fraction]] = {}
    for line in lines:
        key = (line.hex, line.factor, line.why)
        number, strength = sums.get(key, (0, Fraction(0)))
        sums[key] = (number + line.sp, strength + Fraction(line.strength))
    return tuple(
        Line("together", "", hex, number, factor, why, str(strength))
        for (hex, factor, why), (number, strength) in sums.items()
    )


async def take_losses(game: Game, f: Fight, side: str, n: int, ar: str, why: str) -> int:
    """Take losses by the combat rule; return their number."""
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
    """4.9.8 steps 1 and 2: Apply the attacker's losses and option."""
    await take_losses(game, f, f.attacker, r.a_lose, f.ar, "combat")
    group = alive(game, f.attackers)
    if not r.a_option:
        return
    if not group:
        f.earned = False
        return
    ids = tuple(u.id for u in group)
    if f.kind == "beach":  # no way back (4.12.7)
        k = r.a_option
    else:
        k = await ask(game, AttackerOption(f.attacker, f.hex, r.a_option, ids, f.barred))
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
        game.emit(OptionTaken(f.attacker, f.hex, r.a_option, taken, 0, False))


async def defender_part(game: Game, f: Fight, r: Result, ar: str) -> None:
    """4.9.8 steps 3 to 6: Apply the defender's losses and option."""
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
        await lodge_orders(game)  # orders sent with an answer about another fight
        k = await ask(game, asked)
        await lodge_orders(game)
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
    """4.9.8 step 6: Remove Reserve markers in the hex, also from units that leave it now (R-201)."""
    dropped: list[Unit | Points] = [u for u in units(game, side, hex) if u.marker == "reserve"]
    dropped += [p for p in points(game, side, hex) if p.marker == "reserve"]
    for u in dropped:
        u.marker = "none"
    if dropped:
        game.emit(ReserveLost(side, shown(game, (u.id for u in dropped)), hex))


async def advance(game: Game, f: Fight, chosen: Sequence[str], detach: Sequence[str] = ()) -> list[str]:
    """4.9.10: Advance chosen, supplied units into a vacated hex, unless the attackers retreated.

    `detach`: divisions that leave a step in their hex (4.4.15).
    """
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
    """4.9.11: Mark units for Exploitation.

    The attack came from one hex or two adjacent ones, and took its whole option as losses. The units have at
    least the rating that the result asks for.
    """
    t, world = T.of(game), world_of(game)
    if f.kind != "regular" or t.phase != "F" or not r.exploit or (r.a_option and not f.earned):
        return
    if len(hexes) > 2 or (len(hexes) == 2 and not world.adjacent(hexes[0], hexes[1])):
        return
    units_ = [u for u in alive(game, f.attackers) if u.marker == "none" and u.print.ar >= r.exploit]
    for u in units_:
        u.marker, u.min_ar = "exploit", r.exploit
    if units_:
        game.emit(ExploitMarked(f.attacker, shown(game, (u.id for u in units_)), r.exploit))


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
    """4.9: Fight an attack or overrun that is legal and can be paid.

    `along`: units that do not fight but join a retreat (4.9.9). `detach`: units that leave a step behind when
    they advance.
    """
    f = await declared(game, kind, side, hex, bought, ar, along, stance)
    result, against = await resolve(game, f)
    await conclude(game, f, result, against, advancing, detach)
    return f


async def declared(
    game: Game,
    kind: str,
    side: str,
    hex: str,
    bought: Bought,
    ar: str | None = None,
    along: Sequence[str] = (),
    stance: Stance | None = None,
) -> Fight:
    """4.9.1 to 4.9.3: Pay for an attack and for the defence, and report both."""
    enemy = world_of(game).enemy(side)
    note_attack(game, enemy)
    defenders = [u.id for u in units(game, enemy, hex)]
    if kind != "overrun":
        T.of(game).attacked = (*T.of(game).attacked, hex)
    settle(bought.net, bought.payments)
    tell(game, side, "attack", hex, bought.payments)
    attackers = list(bought.paid)
    group = [Unit(game, id) for id in attackers]
    f = Fight(kind, side, enemy, hex, attackers, defenders, ar if ar in attackers else best_rating(group))
    f.paid, f.dropped, f.along = bought.paid, bought.dropped, tuple(along)
    f.hexes = tuple(sorted({u.hex or "" for u in group}))
    f.internals = [id for id, how in bought.paid.items() if how == "internal"]
    f.barred = tuple(sorted({u.hex or "" for u in units(game, enemy)}))
    f.barred_defender = tuple(sorted({u.hex or "" for u in units(game, side)}))
    f.stance = await ask(game, DefenceStance(enemy, hex)) if stance is None else stance
    wrong_stance(game, f)
    supply = pay_defence(game, f)
    _declare(game, f, supply)
    for id in attackers if kind != "overrun" else ():
        Unit(game, id).attacked = True
    return f


async def conclude(
    game: Game,
    f: Fight,
    result: Result,
    against: str,
    advancing: Sequence[str] = (),
    detach: Sequence[str] = (),
) -> None:
    """4.9.8 to 4.9.11: Carry out the result of a fight. `against`: the defender's rating unit."""
    await attacker_part(game, f, result)
    await defender_part(game, f, result, against)
    use_stocks(game, f)
    await advance(game, f, advancing, detach)
    mark_exploit(game, f, result, f.hexes)
    game.emit(CombatEnded(f.attacker, f.hex, outcome(game, f)))


def outcome(game: Game, f: Fight) -> str:
    """Return the outcome of a fight for the attacked hex."""
    if units(game, f.attacker, f.hex):
        return "taken"
    if not units(game, f.defender, f.hex):
        return "vacated"
    return "repulsed" if f.retreated else "held"


def _declare(game: Game, f: Fight, supply: str) -> None:
    """4.9.1: Report the units of both sides and their supply.

    With fog (7.2) each side learns its own units only.
    """
    side, enemy = f.attacker, f.defender
    attackers, defenders = tuple(f.attackers), tuple(f.defenders)
    if not hides(game):
        game.emit(CombatDeclared(side, enemy, f.hex, f.kind, attackers, defenders, f.paid, supply, f.dropped))
        return
    paid = {"T": str(amount(", ".join(f.paid.values())))}
    supply_said = f"{amount(supply)} T"
    tops = shown(game, attackers), shown(game, defenders)
    game.emit(CombatDeclared(side, enemy, f.hex, f.kind, *tops, paid, supply_said))
    game.emit(Forces(side, f.hex, attackers, f.paid, f.dropped))
    game.emit(Forces(enemy, f.hex, defenders, {"defence": supply}))


def wrong_stance(game: Game, f: Fight) -> None:
    """4.0.12: Report illegal parts of a stance, which the default replaces."""
    world = world_of(game)
    for id in f.stance.ar:
        if id not in f.defenders:
            game.emit(
                AnswerReplaced(f.defender, "E-AR", Message("ocs.combat.does-not-defend", id=id, hex=f.hex))
            )
    own = hex_terrains(world, f.hex)
    for hex, terrain in sorted((f.stance.terrain or {}).items()):
        legal = own if hex == f.hex else (*own, *crossings(world, hex, f.hex))
        if terrain not in legal:
            game.emit(
                AnswerReplaced(
                    f.defender,
                    "E-TERR",
                    Message("ocs.combat.not-to-be-had-against", terrain=terrain, hex=hex),
                )
            )
