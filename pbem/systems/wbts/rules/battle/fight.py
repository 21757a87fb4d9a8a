"""4.8.6 to 4.8.9, D-12: Intensity, supply, committed leaders, the combat die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from pbem.board.tables import Cell
from pbem.kit.filed import ByOrder
from pbem.kit.losses import in_order, ranked
from pbem.kit.odds import Modifier, net
from pbem.kit.picking import Picks
from pbem.rules import (
    Game,
    Growing,
    Message,
    Name,
    Roll,
    ask_each,
    decision,
    maybe,
    roll,
)

from ..asking import InBattle
from ..command.forces import modified
from ..events.battle import (
    ChitsRevealed,
    CombatRolled,
    LeaderFate,
    LeadersCommitted,
    SupplyPaid,
    SupplyTested,
)
from ..handling import take_off
from ..pieces import Leader, Unit, cycle, label, leader, leaders, unit, units, world_of
from ..telling import name_of
from .record import Battle, face
from .secrets import NONE, CommitLeader, Intensity, chosen
from .strength import percent

ORDER = {"supply_train": 0, "hq": 1, "depot": 2}


def chit_limit(game: Game, commander: str | None) -> int:
    """4.8.6: Return the highest intensity chit that a commander may pick, 0 without a commander."""
    who = maybe(game, Leader, commander)
    most = world_of(game).tables.numbers["intensity_most"]
    return 0 if who is None else min(most, modified(who).initiative)


async def intensity(game: Game, battle: Battle) -> None:
    """4.8.6: Ask both sides at once for a chit, at most the initiative of their commander.

    The sum of the chits is the table.
    """
    leaders = (battle.leader, battle.commander)
    limits = {side: chit_limit(game, who) for side, who in zip(battle.sides, leaders, strict=True)}
    asked = {
        side: Intensity(side, battle.number, battle.target, battle.role(side), limit, battle.ratio)
        for side, limit in limits.items()
        if limit
    }
    chits = await chosen(game, asked)
    (attacker, most), (defender, least) = limits.items()
    attack, defend = min(chits.get(attacker, 0), most), min(chits.get(defender, 0), least)
    battle.table = min(world_of(game).tables.numbers["intensity_most"], attack + defend)
    both = (attacker, attack, most, defender, defend, least)
    game.emit(ChitsRevealed(battle.number, battle.target, *both, battle.table))


@decision(
    "supply-sources",
    rule="4.8.7",
    answer=tuple[Name, ...],
    standing=("supply_order", tuple[Name, ...]),
    facts=("hex", "need"),
)
class SupplySources(InBattle, ByOrder[tuple[str, ...]], Growing[tuple[str, ...]]):
    """From which of your trains, HQs and depots come the points, the first named first?"""

    need: int
    sources: tuple[Name, ...]

    def draft(self, game: Game) -> Picks:
        usual = Message("wbts.fight.trains-then-army-hqs")
        return Picks(
            game,
            self.player,
            self.sources,
            rule=self.rule,
            words=lambda id: Message("wbts.fight.then", id=id),
            nothing=usual,
        )

    def from_order(self, game: Game, order: tuple[str, ...]) -> tuple[str, ...]:
        return self.repair(game, order)


def supply_sources(game: Game, battle: Battle, side: str) -> list[Unit]:
    """Return depots, trains and army HQs with supply in a combat hex or beside it.

    No prohibited hexside may separate them. The order is that of D-12: trains, army HQs, depots,
    each by id. Withheld ones count.
    """
    world, hexes = world_of(game), dict[str, bool]()
    for u in battle.troops(side)[0]:
        near = (to for to in world.neighbours(u.hex) if not world.prohibited(u.hex, to))
        hexes |= dict.fromkeys((u.hex, *near), True)
    stocked = [u for hex in hexes for u in units(game, side, hex) if u.carries and u.supply]
    return ranked(stocked, name=lambda u: u.id, then=lambda u: ORDER[u.type])


async def combat_supply(game: Game, battle: Battle, phasing: str) -> None:
    """4.8.7: Roll for each side's need, which it must pay if it can. Ships need nothing."""
    tables = world_of(game).tables
    rolls: dict[str, Roll] = {}
    cells: dict[str, Cell] = {}
    for side in tuple(battle.sides):
        if not battle.naval or side == battle.defender:
            rolls[side] = await roll(tables.dice["supply"], *label(game, phasing, "2.c.7", "supply", side))
            cells[side] = tables.need(face(battle.troops(side)[0]), rolls[side].total, battle.table)
    stocks = await _sources(game, battle, {side: need_of(cell) for side, cell in cells.items()})
    for side, cell in cells.items():
        _pay(game, battle, side, rolls[side], cell, stocks[side])


def need_of(cell: Cell) -> int:
    """Return the supply points in a cell of the supply chart."""
    assert isinstance(cell.value, int)
    return cell.value


async def _sources(game: Game, battle: Battle, needs: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return the stocks of each side in order of use. Players are asked if the order matters."""
    listed = {side: {u.id: u.supply for u in supply_sources(game, battle, side)} for side in needs}
    asked = [
        SupplySources(side, battle.number, battle.target, need, tuple(listed[side]))
        for side, need in needs.items()
        if len(listed[side]) > 1 and 0 < need < sum(listed[side].values())
    ]
    for question, wanted in zip(asked, await ask_each(asked), strict=True):
        stocks = listed[question.player]
        listed[question.player] = {id: stocks[id] for id in dict.fromkeys((*wanted, *stocks))}
    return listed


def _pay(game: Game, battle: Battle, side: str, die: Roll, cell: Cell, stocks: dict[str, int]) -> None:
    """Pay the points, or mark the side unsupplied, which halves its strength, rounded down."""
    need, tables = need_of(cell), world_of(game).tables
    stock, before = sum(stocks.values()), battle.strength(side)
    supplied, after = stock >= need, before
    paid = in_order(stocks, need) if supplied else {}
    for id, points in paid.items():
        unit(game, id).supply -= points
    if not supplied:
        battle.unsupplied = (*battle.unsupplied, side)
        halved = Fraction(before) * tables.works["unsupplied"].strength
        after = str(halved.numerator // halved.denominator)
        if side == battle.attacker:
            battle.attack = after
        else:
            battle.defence = after
    shift = tables.shift(battle.table)
    modifiers = (Modifier(f"table {battle.table}", "4.8.7", shift),) if shift else ()
    row = cell.row.head if cell.row else ""
    limited = bool(game.options["limited_intelligence"])
    known = None if limited else stock
    texts = tuple(f"{id} {points}" for id, points in paid.items())
    asked = (face(battle.troops(side)[0]), die, modifiers, row, die.total + shift, need, known)
    result = (() if limited else texts, supplied, before if before != after else None, after)
    game.emit(SupplyTested(battle.number, battle.target, side, *asked, *result))
    if limited and texts:
        game.emit(SupplyPaid(side, battle.target, texts))


def eligible_to_commit(game: Game, battle: Battle, side: str) -> list[str]:
    """4.8.8, 4.8.15: Return a side's leaders in combat hexes, by id.

    Attacking ships have only naval ones.
    """
    if battle.naval and side == battle.attacker:
        hexes = dict.fromkeys(ship.hex for ship in battle.attacking())
        return [who.id for hex in hexes for who in leaders(game, side, hex) if who.naval]
    return sorted(who.id for hex in battle.hexes(side) for who in leaders(game, side, hex))


async def commit_leaders(game: Game, battle: Battle) -> None:
    """4.8.8: Ask each side for one secretly committed leader in a combat hex."""
    asked = {
        side: CommitLeader(side, battle.number, battle.target, battle.role(side), battle.table, tuple(ids))
        for side in battle.sides
        if (ids := eligible_to_commit(game, battle, side))
    }
    named = await chosen(game, asked)
    battle.committed = {side: named[side] for side in battle.sides if named.get(side, NONE) != NONE}
    attack, defend = (name_of(game, battle.committed.get(side)) for side in battle.sides)
    game.emit(LeadersCommitted(battle.number, battle.target, attack, defend))


async def combat_die(game: Game, battle: Battle, phasing: str) -> None:
    """4.8.9: Roll the combat die, then the fates of committed leaders, the attacker's first."""
    tables = world_of(game).tables
    die = await roll(tables.dice["combat"], *label(game, phasing, "2.c.9", "combat"))
    modifiers = tuple(_modifiers(game, battle))
    least, most = tables.numbers["row_least"], tables.numbers["row_most"]
    row = max(least, min(most, die.total + net(modifiers)))
    ratio = percent(*battle.odds)
    cell = tables.result(battle.table, ratio, row)
    read_cell(battle, cell)
    column = cell.column.head if cell.column else ""
    entered = (battle.attack, battle.defence, ratio, battle.table, column, str(cell.value))
    game.emit(CombatRolled(battle.number, battle.target, die, modifiers, row, *entered))
    for side in tuple(battle.sides):
        if side in battle.committed:
            await _fate(game, phasing, battle, side)


def _modifiers(game: Game, battle: Battle) -> Iterator[Modifier]:
    """Yield the combat ratings of committed leaders, the defender's as negative."""
    for side, sign in zip(battle.sides, (1, -1), strict=True):
        if (id := battle.committed.get(side)) is not None:
            rating = leader(game, id).combat
            yield Modifier(f"{name_of(game, id)}, combat {rating}", "4.8.8", sign * rating)


def read_cell(battle: Battle, cell: Cell) -> None:
    """4.8.15: Read losses and required retreat from a cell. Ships never drive units out of a fort."""
    for outcome in cell.outcomes:
        match outcome.name:
            case "losses":
                battle.percents = (outcome["attacker"], outcome["defender"])
            case "attacker_retreats":
                battle.code = "A"
            case "defender_retreats":
                battle.code = "" if battle.naval else "D"


async def _fate(game: Game, phasing: str, battle: Battle, side: str) -> None:
    """R-22: Roll the fate of a committed leader: unhurt, killed, or wounded for some cycles."""
    tables, id = world_of(game).tables, battle.committed[side]
    dice, fate = tables.dice["leader_fate"], "unhurt"
    die = await roll(dice, *label(game, phasing, "2.c.9", "fate", side))
    severity = recovery = None
    if die.total in tables.lists["leader_hit_on"]:
        severity = await roll(dice, *label(game, phasing, "2.c.9", "severity", side))
        if severity.total in tables.lists["leader_killed_on"]:
            fate = "killed"
            take_off(game, id, "killed")
        else:
            cycles = tables.dice["wounded_cycles"]
            recovery = await roll(cycles, *label(game, phasing, "2.c.9", "recovery", side))
            fate = Message("wbts.fight.wounded-absent-for-cycles", total=recovery.total)
            take_off(game, id, "wounded", cycle(game) + recovery.total)
    facts = (name_of(game, id), die, severity, recovery, fate, int(fate == "killed"))
    game.emit(LeaderFate(battle.number, battle.target, side, *facts))
