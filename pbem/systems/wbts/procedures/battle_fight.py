"""The middle of a battle (4.8.6 to 4.8.10): chits, supply, committed leaders, the combat die, losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from pbem.board.tables import Cell
from pbem.rules import Game, Roll, ask_all, ask_each, condition, procedure, roll

from ..battle import combat_supply, losses
from ..battle.commanders import chit_limit, eligible_to_commit, take_off
from ..battle.state import Battle, assisting, attacking, current, defending, keep, participating
from ..battle.strength import face, percent
from ..decisions.battle_chits import NONE, CommitLeader, Intensity
from ..decisions.battle_results import Losses, LossOrder, SupplySources
from ..events.battle import (
    ChitsRevealed,
    CombatRolled,
    LeaderFate,
    LeadersCommitted,
    LossesTaken,
    Modifier,
    SupplyTested,
)
from ..handling import lose
from ..naming import label
from ..pieces import Unit, cycle, is_unit, leader, unit, world_of
from .battle_begin import battle_goes_on
from .battle_secrets import has_chit, has_leader, open_chit, open_leader
from .battle_words import name_of

Role = Literal["attack", "defend"]


@condition("chits_are_picked")
def chits_are_picked(game: Game, phasing: str | None) -> bool:
    """4.8.6 An attack on land with strength on both sides; ships fight on table 1 without chits (4.8.15)."""
    return battle_goes_on(game, phasing) and not current(game).naval


@condition("dice_decide")
def dice_decide(game: Game, phasing: str | None) -> bool:
    """4.8.6 More than contact: c.8 to c.10 are played."""
    return battle_goes_on(game, phasing) and current(game).table > 0


def role(battle: Battle, side: str) -> Role:
    """What a side does in the battle."""
    return "attack" if side == battle.attacker else "defend"


# c.6


@procedure("intensity", rule="4.8.6")
async def intensity(game: Game, phasing: str) -> None:
    """4.8.6 Both pick a chit at once, up to the initiative of their commander; the sum is the table."""
    battle = current(game)
    limits = {
        battle.attacker: chit_limit(game, battle.leader),
        battle.defender: chit_limit(game, battle.commander),
    }
    asked = [
        Intensity(side, battle.number, battle.target, role(battle, side), limit, battle.ratio)
        for side, limit in limits.items()
        if limit and not has_chit(game, side, role(battle, side))
    ]
    answers = dict(zip((d.player for d in asked), await ask_all(asked), strict=True))
    for side, limit in list(limits.items()):
        if limit and side not in answers:
            answers[side] = await open_chit(game, side, role(battle, side), battle.ratio, limit)
    attack, defend = (min(answers.get(side, 0), limits[side]) for side in battle.sides())
    battle.table = min(world_of(game).tables.numbers["intensity_most"], attack + defend)
    keep(game, battle)
    game.emit(
        ChitsRevealed(
            battle.number,
            battle.target,
            battle.attacker,
            attack,
            limits[battle.attacker],
            battle.defender,
            defend,
            limits[battle.defender],
            battle.table,
        )
    )


# c.7


@procedure("combat_supply", rule="4.8.7")
async def test_supply(game: Game, phasing: str) -> None:
    """4.8.7 Each side rolls for what it needs and must pay it if it can; ships need nothing."""
    battle = current(game)
    tables = world_of(game).tables
    rolls: dict[str, Roll] = {}
    needs: dict[str, int] = {}
    for side in battle.sides():
        if battle.naval and side == battle.attacker:
            continue
        rolls[side] = await roll(tables.dice["supply"], *label(game, phasing, "2.c.7", "supply", side))
        sp = face(combat_supply.consumers(game, battle, side))
        needs[side] = tables.need(sp, rolls[side].total, battle.table)
    orders = await _sources(game, battle, needs)
    for side, need in needs.items():
        _pay(game, battle, side, rolls[side], need, orders[side])
    keep(game, battle)


async def _sources(game: Game, battle: Battle, needs: Mapping[str, int]) -> dict[str, list[str]]:
    """The sources of each side in the order in which it uses them; asked where that makes a difference."""
    listed = {side: combat_supply.sources(game, battle, side) for side in needs}
    asked = [
        SupplySources(side, battle.number, battle.target, need, tuple(listed[side]))
        for side, need in needs.items()
        if len(listed[side]) > 1 and 0 < need < combat_supply.available(game, listed[side])
    ]
    for decision, wanted in zip(asked, await ask_each(asked), strict=True):
        listed[decision.player] = combat_supply.in_order(listed[decision.player], wanted)
    return listed


def _pay(game: Game, battle: Battle, side: str, die: Roll, need: int, sources: Sequence[str]) -> None:
    """The points are paid, or the side is unsupplied: half strength, rounded down."""
    tables = world_of(game).tables
    sp = face(combat_supply.consumers(game, battle, side))
    shift = 1 if battle.table >= tables.numbers["supply_shift_from"] else 0
    cell = tables.supply_need.at(die.total + shift, sp)
    before = battle.attack if side == battle.attacker else battle.defence
    there = combat_supply.available(game, sources)
    supplied = there >= need
    paid = combat_supply.pay(game, sources, need) if supplied else {}
    after = before
    if not supplied:
        battle.unsupplied = (*battle.unsupplied, side)
        halved = Fraction(before) * tables.works["unsupplied"].strength
        after = str(halved.numerator // halved.denominator)
        if side == battle.attacker:
            battle.attack = after
        else:
            battle.defence = after
    game.emit(
        SupplyTested(
            battle.number,
            battle.target,
            side,
            sp,
            die,
            (Modifier(f"table {battle.table}", "4.8.7", shift),) if shift else (),
            cell.row.head if cell.row else "",
            die.total + shift,
            need,
            None if game.options["limited_intelligence"] else there,
            tuple(f"{id} {points}" for id, points in paid.items()),
            supplied,
            before if before != after else None,
            after,
        )
    )


# c.8


@procedure("commit_leaders", rule="4.8.8")
async def commit_leaders(game: Game, phasing: str) -> None:
    """4.8.8 Each side may secretly commit one leader in a combat hex."""
    battle = current(game)
    able = {side: eligible_to_commit(game, battle, side) for side in battle.sides()}
    asked = [
        CommitLeader(side, battle.number, battle.target, role(battle, side), battle.table, tuple(ids))
        for side, ids in able.items()
        if ids and not has_leader(game, side, role(battle, side))
    ]
    answers = dict(zip((d.player for d in asked), await ask_all(asked), strict=True))
    for side, ids in list(able.items()):
        if ids and side not in answers:
            answers[side] = await open_leader(game, side, role(battle, side), battle.table, ids)
    battle.committed = {side: answers[side] for side in battle.sides() if answers.get(side, NONE) != NONE}
    keep(game, battle)
    names = [name_of(game, battle.committed.get(side)) for side in battle.sides()]
    game.emit(LeadersCommitted(battle.number, battle.target, *names))


# c.9


@procedure("combat_die", rule="4.8.9")
async def combat_die(game: Game, phasing: str) -> None:
    """4.8.9 One die, shifted by the committed leaders, then their fates, the attacker's first."""
    battle = current(game)
    tables = world_of(game).tables
    die = await roll(tables.dice["combat"], *label(game, phasing, "2.c.9", "combat"))
    modifiers = _modifiers(game, battle)
    row = die.total + sum(each.value for each in modifiers)
    row = max(tables.numbers["row_least"], min(tables.numbers["row_most"], row))
    ratio = percent(*battle.strengths)
    cell = tables.result(battle.table, ratio, row)
    _read(battle, cell)
    keep(game, battle)
    column = cell.column.head if cell.column else ""
    game.emit(
        CombatRolled(
            battle.number,
            battle.target,
            die,
            tuple(modifiers),
            row,
            battle.attack,
            battle.defence,
            ratio,
            battle.table,
            column,
            str(cell.value),
        )
    )
    for side in battle.sides():
        if side in battle.committed:
            await _fate(game, phasing, battle, side)


def _modifiers(game: Game, battle: Battle) -> list[Modifier]:
    """The combat ratings of committed leaders: for the attacker, against the defender."""
    found = []
    for side, sign in ((battle.attacker, 1), (battle.defender, -1)):
        if (id := battle.committed.get(side)) is not None:
            who = leader(game, id)
            found.append(Modifier(f"{who.name}, combat {who.combat}", "4.8.8", sign * who.combat))
    return found


def _read(battle: Battle, cell: Cell) -> None:
    """Percentages and required retreat of a cell; ships cannot drive anybody out of a fort (4.8.15)."""
    for outcome in cell.outcomes:
        match outcome.name:
            case "losses":
                battle.percents = (outcome["attacker"], outcome["defender"])
            case "attacker_retreats":
                battle.code = "A"
            case "defender_retreats":
                battle.code = "" if battle.naval else "D"


async def _fate(game: Game, phasing: str, battle: Battle, side: str) -> None:
    """A committed leader may be hit: killed, or wounded for some cycles (R-22)."""
    tables = world_of(game).tables
    id = battle.committed[side]
    die = await roll(tables.dice["leader_fate"], *label(game, phasing, "2.c.9", "fate", side))
    severity = recovery = None
    fate = "unhurt"
    if die.total in tables.lists["leader_hit_on"]:
        severity = await roll(tables.dice["leader_fate"], *label(game, phasing, "2.c.9", "severity", side))
        if severity.total in tables.lists["leader_killed_on"]:
            fate = "killed"
            take_off(game, id, "killed")
        else:
            recovery = await roll(
                tables.dice["wounded_cycles"], *label(game, phasing, "2.c.9", "recovery", side)
            )
            fate = f"wounded, absent for {recovery.total} cycles"
            take_off(game, id, "wounded", cycle(game) + recovery.total)
    name = leader(game, id).name
    killed = int(fate == "killed")
    game.emit(LeaderFate(battle.number, battle.target, side, name, die, severity, recovery, fate, killed))


# c.10


@procedure("apply_losses", rule="4.8.10")
async def apply_losses(game: Game, phasing: str) -> None:
    """4.8.10 Both sides lose by the cell, doubled as the rules say, spread evenly over their units."""
    battle = current(game)
    points = {side: _points(game, battle, side) for side in battle.sides()}
    split = {side: _split(game, battle, side, points[side]) for side in battle.sides()}
    asked = [
        question
        for side in battle.sides()
        if (question := _question(game, battle, side, *split[side])) is not None
    ]
    orders = dict(zip((d.player for d in asked), await ask_each(asked), strict=True))
    for side in battle.sides():
        _take(game, battle, side, *split[side], orders.get(side, LossOrder()))


def _factors(game: Game, battle: Battle, side: str) -> list[tuple[str, int]]:
    """What multiplies the losses of a side, and why (5.2)."""
    found: list[tuple[str, int]] = []
    if side == battle.attacker and battle.attacker_loss != 1:
        found.append(("works", battle.attacker_loss))
    if side in battle.unsupplied:
        found.append(("unsupplied", world_of(game).tables.works["unsupplied"].own_loss))
    return found


def _points(game: Game, battle: Battle, side: str) -> int:
    """Points that a side loses."""
    share = battle.percents[0 if side == battle.attacker else 1]
    sp = face(participating(game, battle, side))
    smallest = world_of(game).tables.numbers["smallest_hit_percent"]
    return losses.multiplied(sp, share, [times for _, times in _factors(game, battle, side)], smallest)


def _split(game: Game, battle: Battle, side: str, points: int) -> tuple[int, int]:
    """Points for land units and for ships."""
    if side == battle.attacker:
        return (0, points) if battle.naval else (points, 0)
    return losses.shares(points, face(defending(game, battle)), face(assisting(game, battle)))


def _troops(game: Game, battle: Battle, side: str) -> tuple[list[Unit], list[Unit]]:
    """Land units and ships of a side."""
    if side == battle.defender:
        return defending(game, battle), assisting(game, battle)
    here = attacking(game, battle)
    return [u for u in here if u.is_land], [u for u in here if u.is_naval]


def _question(game: Game, battle: Battle, side: str, on_land: int, on_ships: int) -> Losses | None:
    """What to ask about losses, None where every order comes to the same."""
    troops, ships = _troops(game, battle, side)
    if not losses.matters(troops, on_land) and not losses.least_ships(ships, on_ships):
        return None
    declared = battle.declared if side == battle.attacker else ()
    land = tuple(u.id for u in losses.in_order(troops, ()) if u.sp)
    fleet = tuple(u.id for u in losses.ships_in_order(ships, ()))
    return Losses(side, battle.number, battle.target, on_land, on_ships, land, fleet, declared)


def _take(game: Game, battle: Battle, side: str, on_land: int, on_ships: int, order: LossOrder) -> None:
    """Take the points off and tell."""
    troops, ships = _troops(game, battle, side)
    sp = face(troops) + face(ships)
    first = _first_point(game, battle, order) if side == battle.attacker and on_land else None
    lost = losses.spread(losses.in_order(troops, order.land), on_land, first)
    lost |= losses.on_ships(losses.ships_in_order(ships, order.ships), on_ships)
    for id, points in lost.items():
        lose(game, id, points)
    share = battle.percents[0 if side == battle.attacker else 1]
    smallest = world_of(game).tables.numbers["smallest_hit_percent"]
    texts = [f"{share}% of {sp} is {losses.loss(sp, share, smallest)}"]
    texts += [f"x {times} ({why})" for why, times in _factors(game, battle, side)]
    game.emit(
        LossesTaken(
            battle.number,
            battle.target,
            side,
            share,
            sp,
            ", ".join(texts),
            sum(lost.values()),
            losses.words(lost),
            tuple(id for id in lost if not is_unit(game, id)),
        )
    )


def _first_point(game: Game, battle: Battle, order: LossOrder) -> str | None:
    """The declared cavalry that takes the very first point: as its owner says, else the strongest."""
    if order.cavalry is not None:
        return order.cavalry
    declared = [unit(game, id) for id in battle.declared if is_unit(game, id)]
    return min(declared, key=lambda u: (-u.sp, u.id)).id if declared else None
