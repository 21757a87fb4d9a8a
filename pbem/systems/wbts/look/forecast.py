"""4.8.5 to 4.8.14: Forecasts of battles from supply dice to advance, by what a player sees."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.kit.courses import courses
from pbem.kit.fights import expect
from pbem.kit.odds import total
from pbem.rules import Decision, End, Forecast, Game, Message

from ..rules.battle.advance import Advance, able_to_advance, advance
from ..rules.battle.defence import (
    DefenceOrder,
    cavalry_may_go,
    completed,
    eligible_commanders,
    may_assist,
    riders,
)
from ..rules.battle.fight import chit_limit, eligible_to_commit, need_of, read_cell, supply_sources
from ..rules.battle.leaving import exempt_hex
from ..rules.battle.losses import apply_losses
from ..rules.battle.record import Battle, face
from ..rules.battle.retreats import may_withdraw, required_retreats, retreat_is_required, withdraw
from ..rules.battle.strength import attack_lines, attacker_loss_factor, defence_lines, percent
from ..rules.command.forces import able, force
from ..rules.pieces import Leader, Unit, is_leader, leader, left, units, world_of
from ..rules.zones import fort_of

Known = dict[tuple[Any, ...], "tuple[End, tuple[int, int]]"]
"""The shifts of the rules for a cell and for lack of supply: other tables have the same cells."""
FACES = range(1, 7)
USUAL = DefenceOrder()
"""The defence by default: supply units are withheld, no ships."""
UNSEEN, OTHERS = 8, (4, 16)
"""Strength points of infantry for which a stack is taken that the reader does not see; in the other cases."""


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield the battle that is going on, once both strengths are known, or the one that these would fight."""
    if place is not None:
        yield from _planned(game, place, attackers)
    elif Battle.begun(game):
        battle = Battle.of(game)
        thrown = any(battle.percents) or bool(battle.code)
        if not battle.over and not thrown and all(battle.odds):
            copy = game.copy()
            yield from _cases(copy, _battle_in_view(copy))


def _battle_in_view(game: Game) -> Battle:
    """Return the battle that is going on, with infantry for the units that its reader does not see."""
    battle = Battle.of(game)
    for side in battle.sides:
        ids = battle.listed if side == battle.attacker else battle.defenders
        gone = [id for id in ids if id not in game.position.counters]
        if not gone or not _is_hidden(game, side):
            continue
        hexes = {id: hex for hex, stack in battle.stacks.items() for id in stack}
        strength = max(1, int(Fraction(battle.strength(side)) // len(gone)))
        for unit in [u for u in units(game, side) if not u.known and u.hex in battle.hexes(side)]:
            unit.remove()
        for id in gone:
            Unit.add(game, id, side=side, type="infantry", sp=strength, hex=hexes.get(id, battle.target))
    return battle


def _planned(game: Game, place: str, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield a battle that these would fight, set up on a copy of the position.

    The defender chooses as usual. Other cases are ships that assist, and cavalry that retreats before combat.
    Whatever is there unseen counts as infantry.
    """
    coming = left(game, sorted(attackers))
    sides = {unit.side for unit in coming}
    there = [
        unit for unit in units(game, hex=place) if unit.is_land and unit.side not in sides and not unit.is_hq
    ]
    if not there or len(sides) != 1:
        return
    named = [id for id in sorted(attackers) if id in game.position.counters and is_leader(game, id)]
    hidden, enemy = sum(1 for unit in there if not unit.known), there[0].side
    forecasts = []
    for sp in (UNSEEN, *OTHERS) if hidden else (UNSEEN,):
        copy = game.copy()
        battle = _set_up(copy, coming, place, enemy, sp, next(iter(named), None))
        forecasts += list(_cases(copy, battle)) if battle is not None else []
        if battle is not None and not hidden and forecasts:
            forecasts[0] = replace(forecasts[0], others=(*_answered(game, battle), *forecasts[0].others))
    if not hidden:
        yield from forecasts
    elif forecasts:
        cases = [Message("wbts.forecast.if-unseen", who=enemy, sp=sp) for sp in (UNSEEN, *OTHERS)]
        main, *others = [
            replace(forecast, case=case) for forecast, case in zip(forecasts, cases, strict=False)
        ]
        more = tuple(replace(other, others=()) for other in others)
        yield replace(main, others=(*more, *main.others), unknown=((enemy, hidden),))


def _set_up(
    game: Game,
    coming: Sequence[Unit],
    place: str,
    enemy: str,
    sp: int,
    led: str | None,
    order: DefenceOrder = USUAL,
) -> Battle | None:
    """Return the battle after both sides were revealed; None if ships find no fort."""
    stacks: dict[str, tuple[str, ...]] = {}
    for unit in coming:
        stacks[unit.hex] = (*stacks.get(unit.hex, ()), unit.id)
    for unit in units(game, enemy, place):
        if not unit.known:
            unit.type, unit.sp = "infantry", sp
    naval, fort = all(unit.is_naval for unit in coming), fort_of(game, place, enemy)
    battle = Battle.begin(
        game,
        number=0,
        attacker=coming[0].side,
        defender=enemy,
        target=place,
        leader=led,
        naval=naval,
        stacks=stacks,
    )
    there = [unit for unit in units(game, enemy, place) if unit.is_land and not unit.is_hq]
    battle.withheld, battle.inside = completed(battle, order)
    battle.ships = order.naval
    out = [u.id for u in there if u.id in battle.withheld or (naval and u.id not in battle.inside)]
    battle.defenders = tuple(u.id for u in there if u.id not in out)
    battle.attack = str(total(attack_lines(game, battle.attacking(), place)))
    battle.defence = str(total(defence_lines(game, battle.defending() + battle.assisting(), battle.inside)))
    battle.attacker_loss = attacker_loss_factor(game, battle.defending(), battle.inside)
    if naval:
        if fort is None:
            return None
        battle.attacker_loss, battle.table = world_of(game).tables.works[fort.kind].attacker_loss, 1
    elif not battle.odds[1]:
        battle.overrun = True
    return battle


def _answered(game: Game, battle: Battle) -> Iterator[Forecast]:
    """4.8.3, 4.8.5: Yield the fight if ships assist the defence, and if the cavalry retreats before it."""
    if ships := tuple(may_assist(battle)):
        case = Message("wbts.forecast.if-assisted", ships=ships)
        yield from _anew(game.copy(), battle, case, DefenceOrder(naval=ships))
    if cavalry_may_go(battle):
        copy, away = game.copy(), tuple(rider.id for rider in riders(battle))
        for unit in left(copy, away):
            unit.remove()
        yield from _anew(copy, battle, Message("wbts.forecast.if-evaded", units=away), USUAL)


def _anew(game: Game, before: Battle, case: Message, order: DefenceOrder) -> Iterator[Forecast]:
    """Yield a fight after the defender's answer; nothing if that leaves nobody in the target."""
    coming, place = left(game, before.listed), before.target
    if not any(unit.occupies for unit in units(game, before.defender, place)):
        ends: tuple[tuple[End, Fraction], ...] = (("taken", Fraction(1)),)
        yield Forecast(
            place, _sides(before), case, ends=ends, losses=(Fraction(0), Fraction(0)), unit="points"
        )
        return
    battle = _set_up(game, coming, place, before.defender, UNSEEN, before.leader, order)
    for forecast in _cases(game, battle) if battle is not None else ():
        yield replace(forecast, case=case, others=())


def _sides(battle: Battle) -> tuple[tuple[str, str], ...]:
    return tuple(zip(battle.sides, (battle.attack, battle.defence), strict=True))


def _cases(game: Game, battle: Battle) -> Iterator[Forecast]:
    """4.8.6: Yield the fight with the table that the attacker's highest chit makes alone.

    Other cases are the tables that chits can make as well, and a leader of either side who is committed.
    """
    if battle.overrun:
        yield _Fight(game, battle, 0, {}).forecast(Message("wbts.forecast.overrun"))
        return
    limits = _limits(game, battle)
    tables = _tables(game, battle, limits)
    first = min(limits[0], max(tables, default=0)) or min(tables, default=0)
    known: Known = {}
    fights = [_Fight(game, battle, table, known) for table in tables]
    if not fights:
        return
    main = next((fight for fight in fights if fight.table == first), fights[0])
    others = [
        fight.forecast(Message("wbts.forecast.if-table", table=fight.table))
        for fight in fights
        if fight is not main
    ]
    for side in battle.sides if not battle.committed else ():
        for who in _best_leader(game, battle, side):
            shift = who.combat if side == battle.attacker else -who.combat
            case = Message("wbts.forecast.if-committed", who=who.name or who.id)
            others.append(_Fight(game, battle, main.table, known, shift).forecast(case))
    unseen = next((side for side in battle.sides if not main.settled and _is_hidden(game, side)), "")
    table = Message("wbts.forecast.table", table=main.table, led=not battle.committed, unseen=unseen)
    reason = "" if battle.committed else Message("wbts.forecast.no-leader")
    yield replace(main.forecast(reason if main.settled else table), others=tuple(others))


def _best_leader(game: Game, battle: Battle, side: str) -> list[Leader]:
    """4.8.8: Return the leader of a side with the highest combat rating who may be committed.

    None if nobody would move the die.
    """
    could = [leader(game, id) for id in eligible_to_commit(game, battle, side)]
    best = max(could, key=lambda who: (who.combat, who.id), default=None)
    return [best] if best is not None and best.combat and not _is_hidden(game, side) else []


class _Fight:
    """A battle on one table with one shift of the die, fought on by the rules for each result of its dice."""

    def __init__(
        self, game: Game, battle: Battle, table: int, known: Known, shift: int | None = None
    ) -> None:
        self.game, self.battle, self.table, self.known = game, battle, table, known
        self.settled = bool(battle.number) and battle.table > 0
        led = sum(
            sign * leader(game, battle.committed[side]).combat
            for side, sign in zip(battle.sides, (1, -1), strict=True)
            if side in battle.committed
        )
        self.shift = led if shift is None else shift
        self.results: dict[str, Fraction] = {}

    def forecast(self, case: str) -> Forecast:
        """Return what the fight brings."""
        ratio, battle = percent(*self.battle.odds), self.battle
        ends, losses = expect(list(self._courses()))
        odds = "" if ratio is None else f"{ratio}%"
        known = (
            None if _is_hidden(self.game, side) else lost
            for side, lost in zip(battle.sides, losses, strict=True)
        )
        table = tuple(self.results.items())
        return Forecast(
            battle.target, _sides(battle), case, odds, table, ends=ends, losses=tuple(known), unit="points"
        )

    def _courses(self) -> Iterator[tuple[Fraction, End, tuple[int, int]]]:
        """4.8.7, 4.8.9: Yield each result of both supply dice and the combat die."""
        battle = self.battle
        none = {False: Fraction(1)}
        attack, defence = (
            none if battle.overrun else _lacking(self.game, battle, side, self.table) for side in battle.sides
        )
        for (short, hit), (lacks, other) in product(attack.items(), defence.items()):
            lacking = [side for side, fails in zip(battle.sides, (short, lacks), strict=True) if fails]
            for die in FACES if self.table else (0,):
                chance = hit * other * (Fraction(1, len(FACES)) if self.table else 1)
                yield chance, *self._fought(chance, lacking, die)

    def _fought(self, chance: Fraction, lacking: list[str], die: int) -> tuple[End, tuple[int, int]]:
        copy = self.game.copy()
        battle, tables = Battle.of(copy), world_of(copy).tables
        battle.table = self.table
        if not self.settled:
            battle.unsupplied = tuple(lacking)
            half = tables.works["unsupplied"].strength
            battle.attack, battle.defence = (
                str(strength * half // 1) if side in lacking else str(strength)
                for side, strength in zip(battle.sides, battle.odds, strict=True)
            )
        if die:
            row = max(tables.numbers["row_least"], min(tables.numbers["row_most"], die + self.shift))
            cell = tables.result(self.table, percent(*battle.odds), row)
            read_cell(battle, cell)
            code = _without_excused_retreat(battle, str(cell.value))
            self.results[code] = self.results.get(code, Fraction(0)) + chance
        key = battle.percents, battle.code, battle.unsupplied, self.table > 0
        if key not in self.known:
            self.known[key] = self._brought(copy, battle)
        return self.known[key]

    def _brought(self, copy: Game, battle: Battle) -> tuple[End, tuple[int, int]]:
        before = _Before(copy, battle)
        ((_, after),) = courses(copy, lambda game: _to_the_end(game), _answer)
        return before.end(after), before.lost(after)


def _without_excused_retreat(battle: Battle, code: str) -> str:
    """Return a cell without a retreat that the hex excuses (4.8.11)."""
    return code.removesuffix("D") if code.endswith("D") and _stays(battle) else code


async def _to_the_end(game: Game) -> None:
    """4.8.10 to 4.8.14: Fight on from the combat die to the advance."""
    battle = Battle.of(game)
    if battle.table > 0 and not battle.overrun:
        await apply_losses(game, battle)
    if retreat_is_required(battle):
        await required_retreats(game, battle)
    for side in (battle.defender, battle.attacker):
        if may_withdraw(battle, side):
            await withdraw(game, battle, side)
    await advance(game, battle)


def _answer(game: Game, decision: Decision[Any]) -> Any:
    """Answer by the default; all units that may advance do."""
    return (
        tuple(able_to_advance(Battle.of(game))) if isinstance(decision, Advance) else decision.default(game)
    )


class _Before:
    """Both sides as they are before losses: who may be lost, and who attacks."""

    def __init__(self, game: Game, battle: Battle) -> None:
        self.target, self.attacker, self.defender = battle.target, battle.attacker, battle.defender
        self.attacking = battle.listed
        self.hexes = {u.id: u.hex for u in battle.attacking()}
        self.points = {side: _points(game, side) for side in battle.sides}

    def lost(self, after: Game) -> tuple[int, int]:
        """Return how many strength points each side has lost."""
        mine, theirs = (self.points[side] - _points(after, side) for side in (self.attacker, self.defender))
        return mine, theirs

    def end(self, after: Game) -> End:
        """Return how the fight ended: who has combat units in the target, and where the attackers are."""
        there = units(after, hex=self.target)
        left_ = left(after, self.attacking)
        if not any(u.side == self.defender and u.is_combat for u in there):
            return "taken" if any(u.hex == self.target for u in left_) else "cleared"
        if not left_:
            return "eliminated"
        return "repelled" if any(u.hex != self.hexes[u.id] for u in left_) else "held"


def _points(game: Game, side: str) -> int:
    return sum(u.sp for u in units(game, side))


def _is_hidden(game: Game, side: str) -> bool:
    """Return True if the reader of this game does not see a side's leaders and stocks (section 7)."""
    return bool(game.options["limited_intelligence"]) and game.viewer is not None and side != game.viewer


def _limits(game: Game, battle: Battle) -> tuple[int, int]:
    """4.8.6: Return the highest chits of both sides, as far as the reader knows."""
    most = world_of(game).tables.numbers["intensity_most"]
    attack, defend = (
        most if _is_hidden(game, side) else limit(game, battle)
        for side, limit in zip(battle.sides, (_attack_limit, _defence_limit), strict=True)
    )
    return attack, defend


def _tables(game: Game, battle: Battle, limits: tuple[int, int]) -> tuple[int, ...]:
    """4.8.6: Return the tables that the intensity chits can still make, contact left out."""
    if battle.table >= 0:
        return (battle.table,) if battle.table else ()
    return tuple(range(1, min(world_of(game).tables.numbers["intensity_most"], sum(limits)) + 1))


def _attack_limit(game: Game, battle: Battle) -> int:
    """Return the highest chit of the attack.

    That of its leader, else of any leader who could lead all of it.
    """
    if battle.leader is not None:
        return chit_limit(game, battle.leader)
    could = [who for who in able(game, battle.attacker) if {*battle.listed} <= {*force(who)}]
    could = [who for who in could if who.active] or could
    return max(
        (chit_limit(game, who.id) for who in could), default=world_of(game).tables.numbers["intensity_most"]
    )


def _defence_limit(game: Game, battle: Battle) -> int:
    """Return the highest chit of the defence.

    That of its commander, else of any leader who may command it.
    """
    if battle.number:
        return chit_limit(game, battle.commander)
    return max((chit_limit(game, who.id) for who in eligible_commanders(battle)), default=0)


def _lacking(game: Game, battle: Battle, side: str, table: int) -> dict[bool, Fraction]:
    """4.8.7: Return how likely a side is to lack supply (True) or not; stocks that nobody sees suffice."""
    if battle.number and battle.table > 0:
        return {side in battle.unsupplied: Fraction(1)}
    if _is_hidden(game, side) or (battle.naval and side == battle.attacker):
        return {False: Fraction(1)}
    stock = sum(source.supply for source in supply_sources(game, battle, side))
    sp, tables = face(battle.troops(side)[0]), world_of(game).tables
    short = sum(need_of(tables.need(sp, die, table)) > stock for die in FACES)
    chances = {False: Fraction(len(FACES) - short, len(FACES)), True: Fraction(short, len(FACES))}
    return {lacks: chance for lacks, chance in chances.items() if chance}


def _stays(battle: Battle) -> bool:
    """4.8.11, 4.8.15: Return True if no result drives the defender out.

    Ships attack, the hex excuses all, or all are inside a fort.
    """
    there = [unit.id for unit in battle.in_target() if not unit.is_hq]
    inside = bool(battle.inside) and {*there} <= {*battle.inside}
    return battle.naval or inside or exempt_hex(battle.board, battle.target, battle.defender) is not None
