"""Aftermath of a battle: holder of the hex, departures, landing of aircraft (4.6.10, 4.6.13)."""

from __future__ import annotations

from collections.abc import Sequence

from ..blocks import Block
from ..decisions.battle import Why
from ..doctrine import Role
from ..events.battle import BattleEnded, BlockRebased, BlockTrapped, BlockWithdrew, HexHeld
from ..sides import stack_limit
from ..state import State
from ..world import Class
from .engagement import Battle, other
from .fire import pursue
from .movement import settle
from .retreat import air_places, choose_place, leave, naval_room, retreat_places, why_barred

DEPARTURE: tuple[Class, ...] = ("naval", "ground", "logistic", "air")


def holder_of(battle: Battle) -> Role:
    """4.6.10: Return the side that holds the hex.

    On land the attackers need ground blocks, and the defenders must have none. At sea the defenders must have
    no ship left.
    """
    if battle.land:
        won = bool(battle.units("attacker", "ground")) and not battle.units("defender", "ground")
    else:
        won = not battle.units("defender", "naval")
    return "attacker" if won else "defender"


async def aftermath(battle: Battle) -> None:
    """4.6.10: Settle the aftermath of a battle, and turn blocks upright.

    The order is holder, pursuit, departures, ships and control, aircraft.
    """
    holds = holder_of(battle)
    sides = battle.players(holds), battle.players(other(holds))
    battle.game.emit(HexHeld(battle.hex, battle.place, holds, *sides, battle.round))
    if battle.game.options["pursuit"]:
        await _pursuit(battle, holds)
    battle.new_round()
    for cls in DEPARTURE:  # step 1: ships first, aircraft last
        for id in battle.in_order(battle.units(other(holds), cls)):
            block = Block(battle.game, id)
            await _depart(battle, block, retreat_places(battle, block), "withdrawal")
    if holds == "attacker" and battle.land:
        await _ships_of_the_holder(battle)
    settle(battle.game, [battle.hex])
    for role in (other(holds), holds):
        await _land_aircraft(battle, role)
    turn_upright(battle)


async def _pursuit(battle: Battle, holds: Role) -> None:
    """4.6.13: Fire once with the holder's early slots at ground blocks about to leave (R-61)."""
    last = battle.world.numbers.pursuit_last_slot
    hunters = [u for u in battle.units(holds) if u.kind.slot <= last]
    for slot in sorted({u.kind.slot: True for u in hunters}):
        for id in battle.in_order([u for u in hunters if u.kind.slot == slot]):
            await pursue(battle, Block(battle.game, id))


async def _depart(battle: Battle, block: Block, places: Sequence[str], why: Why) -> None:
    """Move a block that must leave, or eliminate it if it cannot."""
    name, hex = battle.name(block), battle.hex
    if not places:
        battle.game.emit(BlockTrapped(hex, name, block.owner, block.type, why_barred(block)))
        block.eliminate()
        return
    to = await choose_place(battle, block, places, why)
    gone = BlockRebased(hex, name, to) if why == "rebase" else BlockWithdrew(hex, name, to)
    battle.game.emit(gone)
    leave(battle, block, to)


async def _ships_of_the_holder(battle: Battle) -> None:
    """4.6.10, step 2: Move the attackers' ships back to sea; in a port those within the limit stay."""
    world = battle.world
    room = stack_limit(battle.game, battle.hex, "naval") if world.is_port(battle.hex) else 0
    for id in battle.in_order(battle.units("attacker", "naval"))[room:]:
        block = Block(battle.game, id)
        side, came = battle.side(block), block.entry_from
        seas = [h for h in world.neighbours(battle.hex) if world.is_sea(h) and naval_room(side, block, h)]
        await _depart(battle, block, sorted(seas, key=lambda h: (h != came, h)), "withdrawal")


async def _land_aircraft(battle: Battle, role: Role) -> None:
    """4.6.10, step 3 (R-27): Land aircraft that flew in, and others whose airbase is gone."""
    for id in battle.in_order(battle.units(role, "air")):
        block = Block(battle.game, id)
        if block.entry_kind in ("mission", "response") or not battle.side(block).based(block):
            await _depart(battle, block, air_places(battle, block, stay=True), "rebase")


def turn_upright(battle: Battle) -> None:
    """4.6.10, step 4: Turn survivors upright, clear where they came from, and update control."""
    game, state = battle.game, State.of(battle.game)
    left = [Block(game, id) for id in sorted(battle.names) if id in game.position.counters]
    surviving = sorted(battle.line(block) for block in left if block.hex == battle.hex)
    game.emit(BattleEnded(battle.hex, battle.place, tuple(surviving)))
    for block in left:
        block.revealed, block.entry_from, block.entry_kind = False, None, None
    world, ahead = battle.world, state.battles
    settle(game, [h for h in (*world.bases, *world.sites) if h not in ahead])
    state.battle = None
