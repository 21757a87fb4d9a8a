"""A battle up to the strengths of both sides (4.8.1 to 4.8.5): selection, evasion, leader, who takes part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pbem.rules import Game, ask, ask_each, condition, from_json, procedure, to_json

from ..battle.commanders import eligible_commanders
from ..battle.occupation import displace
from ..battle.selection import BattleOrder, candidates, condition_fails, faults
from ..battle.state import (
    Battle,
    assisting,
    attacking,
    current,
    defending,
    in_target,
    keep,
    terrain_words,
)
from ..battle.strength import (
    Line,
    attack_lines,
    attacker_loss_factor,
    defence_lines,
    percent,
    total,
)
from ..command import commanded_hq
from ..decisions.battle_defence import (
    NONE,
    Defence,
    DefenceOrder,
    DefendingLeader,
    Evasion,
    RetreatBeforeCombat,
    completed,
    open_choices,
    riders,
)
from ..decisions.battle_list import BattleOrders, Battles
from ..events.battle import (
    AttackRevealed,
    BattleBegan,
    BattleSkipped,
    CavalryEvaded,
    DefenceCommanded,
    DefenceRevealed,
    Overrun,
    RodeAway,
    SegmentPassed,
    TargetEmptied,
)
from ..events.command import LeftRoster
from ..handling import move, settle_rosters
from ..pieces import mark, unit, winter, world_of
from ..zones import fort_of
from .battle_secrets import count_battle, lodge_secrets
from .battle_words import name_of, tell_arrivals, tell_displaced

DONE = "2.c"


# conditions of the outline


@condition("battles_go_on")
def battles_go_on(game: Game, phasing: str | None) -> bool:
    """The phasing player has not passed, and has battles listed or somebody who may attack."""
    assert phasing is not None
    if DONE in game.tracks["done"] or game.tracks["result"] is not None:
        return False
    return bool(game.tracks["battle_list"]) or any(True for _ in candidates(game, phasing))


@condition("battle_begun")
def battle_begun(game: Game, phasing: str | None) -> bool:
    """A battle was selected."""
    return game.tracks.get("battle") is not None


@condition("cavalry_may_go")
def cavalry_may_go(game: Game, phasing: str | None) -> bool:
    """4.8.3 No cavalry was declared, and the defender has mounted units that could leave."""
    if not battle_begun(game, phasing):
        return False
    battle = current(game)
    return not battle.naval and not battle.declared and bool(riders(game, battle))


@condition("defence_is_commanded")
def defence_is_commanded(game: Game, phasing: str | None) -> bool:
    """4.8.4 An attack on land goes on."""
    return battle_begun(game, phasing) and not current(game).over and not current(game).naval


@condition("battle_goes_on")
def battle_goes_on(game: Game, phasing: str | None) -> bool:
    """The target was neither emptied nor overrun."""
    return battle_begun(game, phasing) and not current(game).over


# c.1


@procedure("select_battle", rule="4.8.1")
async def select_battle(game: Game, phasing: str) -> None:
    """4.8.1 The next battle of the list, or a new list; a battle that cannot be fought any more is
    skipped.
    """
    game.tracks["battle"] = None
    listed = cast("dict[str, Any] | None", game.tracks["battle_list"].get(phasing))
    listed = listed or await _new_list(game, phasing, 0)
    while listed is not None:
        number, orders = int(listed["number"]), cast(BattleOrders, from_json(BattleOrders, listed["orders"]))
        if orders.battles:
            order, rest = orders.battles[0], BattleOrders(orders.battles[1:], orders.more)
            fought = _is_fought(game, phasing, order)
            listed = {"number": number + int(fought), "orders": to_json(rest)}
            game.tracks["battle_list"] = {phasing: listed}
            if fought:
                _begin(game, phasing, order, number + 1)
                return
        elif orders.more and any(True for _ in candidates(game, phasing)):
            listed = await _new_list(game, phasing, number)
        else:
            listed = None
    game.tracks["battle_list"] = {}
    game.tracks["done"] = [*game.tracks["done"], DONE]
    game.emit(SegmentPassed(phasing))


async def _new_list(game: Game, phasing: str, number: int) -> dict[str, Any] | None:
    """Ask for battles; None is to pass."""
    await lodge_secrets(game, phasing)
    answer = await ask(Battles(phasing))
    return {"number": number, "orders": to_json(answer)} if answer.battles else None


def _is_fought(game: Game, phasing: str, order: BattleOrder) -> bool:
    """Whether a battle can and shall be fought now; if not, that is reported."""
    reasons = [f"{fault.code}: {fault.message}" for fault in faults(game, phasing, order)]
    if not reasons and (why := condition_fails(game, phasing, order)) is not None:
        reasons = [why]
    if reasons:
        game.emit(BattleSkipped(phasing, order.target, tuple(reasons)))
    return not reasons


def _begin(game: Game, phasing: str, order: BattleOrder, number: int) -> None:
    """All units listed have attacked (4.8.1)."""
    world = world_of(game)
    stacks = {stack.hex: stack.units for stack in order.stacks}
    for id in order.naval:
        stacks[unit(game, id).hex] = (*stacks.get(unit(game, id).hex, ()), id)
    battle = Battle(
        number,
        phasing,
        world.enemy(phasing),
        order.target,
        order.leader,
        naval=bool(order.naval),
        stacks=stacks,
        declared=order.declared_cavalry,
    )
    for id in order.named:
        mark(game, id, attacked=True)
    keep(game, battle)
    count_battle(game, battle)
    season = "winter" if winter(game) else "not winter"
    terrain = terrain_words(game, battle.target)
    place = world.place(battle.target)
    game.emit(
        BattleBegan(number, phasing, battle.defender, battle.target, place, terrain, season, tuple(stacks))
    )


# c.2


@procedure("reveal_attackers", rule="4.8.2")
async def reveal_attackers(game: Game, phasing: str) -> None:
    """4.8.2 The attackers are revealed; those across a river count half, bridge or ferry or not."""
    battle = current(game)
    lines = attack_lines(game, attacking(game, battle), battle.target)
    battle.attack = str(total(lines))
    keep(game, battle)
    game.emit(
        AttackRevealed(
            battle.number,
            battle.target,
            battle.attacker,
            name_of(game, battle.leader),
            tuple(lines),
            working(lines),
            battle.attack,
            battle.declared,
        )
    )


def working(lines: Sequence[Line]) -> tuple[str, ...]:
    """The sum as a reader follows it, a line for each unit."""
    texts = []
    for line in lines:
        why = f" ({line.why})" if line.why else ""
        factor = f" x {line.factor}{why} = {line.strength}" if line.factor != "1" or line.why else ""
        texts.append(f"{line.unit} {line.type} {line.sp} in {line.hex}{factor}")
    return tuple(texts)


# c.3


@procedure("retreat_before_combat", rule="4.8.3")
async def retreat_before_combat(game: Game, phasing: str) -> None:
    """4.8.3 Mounted defenders may go one hex, a cavalry leader and his HQ with one of them."""
    battle = current(game)
    answer = await ask(RetreatBeforeCombat(battle.defender, battle.number, battle.target, battle.attack))
    game.emit(CavalryEvaded(battle.number, battle.target, battle.defender, len(answer.moves)))
    if answer.moves:
        _ride_away(game, battle, answer)
    left = in_target(game, battle)
    if answer.moves and not any(each.occupies for each in left):
        battle.cut = True
        keep(game, battle)
        game.emit(TargetEmptied(battle.number, battle.target))
        tell_displaced(game, battle.defender, *displace(game, battle.defender, [battle.target]))


def _ride_away(game: Game, battle: Battle, answer: Evasion) -> None:
    """Everybody at once; who is away from his HQ then is on its roster no longer."""
    by_goal: dict[str, list[str]] = {}
    for id, to in answer.moves.items():
        along = [who for who, mount in answer.with_.items() if mount == id]
        hqs = [hq.id for who in along if (hq := commanded_hq(game, who)) is not None]
        by_goal.setdefault(to, []).extend([id, *along, *hqs])
    came = [move(game, ids, to, settle=False) for to, ids in by_goal.items()]
    dropped = tuple(settle_rosters(game, battle.defender))
    moves = tuple(f"{id} to {to}" for to, ids in by_goal.items() for id in ids)
    game.emit(RodeAway(battle.defender, battle.target, moves))
    if dropped:
        game.emit(LeftRoster(battle.defender, dropped))
    tell_arrivals(game, battle.defender, came)


# c.4


@procedure("defending_leader", rule="4.8.4")
async def defending_leader(game: Game, phasing: str) -> None:
    """4.8.4 The defender names a leader or nobody, and at the same time decides who takes part (4.8.5)."""
    battle = current(game)
    able = eligible_commanders(game, battle)
    asked: list[Any] = []
    if able:
        asked.append(DefendingLeader(battle.defender, battle.number, battle.target, tuple(able)))
    if open_choices(game, battle):
        asked.append(Defence(battle.defender, battle.number, battle.target))
    if asked:
        await lodge_secrets(game, battle.defender)
    answers = dict(zip((d.kind for d in asked), await ask_each(asked), strict=True))
    named = answers.get("defending-leader", NONE)
    battle.commander = None if named == NONE else named
    keep(game, battle)
    game.emit(
        DefenceCommanded(battle.number, battle.target, battle.defender, name_of(game, battle.commander))
    )
    if "defence" in answers:
        game.tracks["defence"] = to_json(answers["defence"])


# c.5


@procedure("reveal_defenders", rule="4.8.5")
async def reveal_defenders(game: Game, phasing: str) -> None:
    """4.8.5 Who defends, with which factors; without any strength the hex is overrun (R-19)."""
    battle = current(game)
    order = completed(game, battle, await _who_defends(game, battle))
    _take_part(game, battle, order)
    lines = defence_lines(game, defending(game, battle) + assisting(game, battle), battle.inside)
    battle.defence = str(total(lines))
    battle.ratio = percent(*battle.strengths)
    fort = fort_of(game, battle.target, battle.defender)
    battle.attacker_loss = attacker_loss_factor(game, defending(game, battle), battle.inside)
    if battle.naval and fort is not None:
        battle.attacker_loss = world_of(game).tables.works[fort.kind].attacker_loss
        battle.table = 1
    keep(game, battle)
    _tell_defence(game, battle, lines)
    if not total(lines) and not battle.naval:
        battle.overrun = True
        keep(game, battle)
        game.emit(Overrun(battle.number, battle.target))


async def _who_defends(game: Game, battle: Battle) -> DefenceOrder:
    """The answer that came with the leader's name, else asked now: ships attack a fort without c.4."""
    given = game.tracks.pop("defence", None)
    if given is not None:
        return cast(DefenceOrder, from_json(DefenceOrder, given))
    if not battle.naval or not open_choices(game, battle):
        return DefenceOrder()
    return await ask(Defence(battle.defender, battle.number, battle.target))


def _take_part(game: Game, battle: Battle, order: DefenceOrder) -> None:
    """Note who participates: against ships only what is inside the fort (4.8.15)."""
    assert order.withhold is not None and order.inside is not None
    there = [each for each in in_target(game, battle) if not each.is_hq]
    battle.entrained = tuple(each.id for each in there if each.entrained)
    battle.inside = order.inside
    battle.ships = order.naval
    battle.withheld = order.withhold
    battle.defenders = tuple(
        each.id
        for each in there
        if each.id not in order.withhold and (not battle.naval or each.id in order.inside)
    )


def _tell_defence(game: Game, battle: Battle, lines: Sequence[Line]) -> None:
    game.emit(
        DefenceRevealed(
            battle.number,
            battle.target,
            battle.defender,
            tuple(lines),
            working(lines),
            battle.withheld,
            battle.ships,
            battle.defence,
            battle.attack,
            battle.ratio,
            battle.attacker_loss,
            battle.attacker_loss if battle.attacker_loss != 1 else None,
        )
    )
