"""After the last battle round.

Who holds the hex, who must leave, where aircraft land (rules 4.6.10 and 4.6.13).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..blocks import (
    Unit,
    eliminate,
    mark,
    on_airbase,
    recompute_control,
    stack_limit,
    unit,
    world_of,
)
from ..doctrine import Role
from ..events.battle import (
    BattleEnded,
    BlockRebased,
    BlocksIdentified,
    BlockTrapped,
    BlockWithdrew,
    HexHeld,
)
from ..world import Class
from .engagement import ROLES, Battle, other
from .fire import pursue
from .movement import tell_control
from .retreat import air_places, choose_place, leave, naval_room, retreat_places, why_barred

DEPARTURE: tuple[Class, ...] = ("naval", "ground", "logistic", "air")


def holder_of(battle: Battle) -> Role:
    """On land the attacker needs ground blocks where the defender has none, at sea the defender no
    ship left.
    """
    if battle.land:
        won = bool(battle.units("attacker", "ground")) and not battle.units("defender", "ground")
    else:
        won = not battle.units("defender", "naval")
    return "attacker" if won else "defender"


async def aftermath(battle: Battle) -> None:
    """4.6.10 in order: holder, pursuit, departures, ships and control, aircraft, upright again."""
    rounds = battle.round
    holds = holder_of(battle)
    game, place = battle.game, world_of(battle.game).place(battle.hex)
    against = battle.players(other(holds))
    game.emit(HexHeld(battle.hex, place, holds, battle.players(holds), against, rounds))
    if game.options["pursuit"]:
        await _pursuit(battle, holds)
    battle.new_round()
    await _departures(battle, other(holds))
    if holds == "attacker" and battle.land:
        await _ships_of_the_holder(battle)
    update_control(battle, [battle.hex])
    for role in (other(holds), holds):
        await _land_aircraft(battle, role)
    turn_upright(battle)


async def _pursuit(battle: Battle, holds: Role) -> None:
    """Each block of the holder in the early slots fires once at the ground blocks about to leave (4.6.13)."""
    last = world_of(battle.game).numbers.pursuit_last_slot
    hunters = [u for u in battle.units(holds) if u.kind.slot <= last]
    for slot in sorted({u.kind.slot: True for u in hunters}):
        for id in battle.in_order([u for u in hunters if u.kind.slot == slot]):
            await pursue(battle, unit(battle.game, id))


async def _departures(battle: Battle, role: Role) -> None:
    """Every block of the side that does not hold leaves or is eliminated; ships first, aircraft last."""
    for cls in DEPARTURE:
        for id in battle.in_order(battle.units(role, cls)):
            block = unit(battle.game, id)
            await _depart(battle, block, retreat_places(battle, block))


async def _depart(battle: Battle, block: Unit, places: Sequence[str]) -> None:
    if not places:
        trap(battle, block, why_barred(battle, block))
        return
    to = await choose_place(battle, block, places, "withdrawal")
    battle.game.emit(BlockWithdrew(battle.hex, battle.name(block), to))
    leave(battle, block, to)


def trap(battle: Battle, block: Unit, reason: str) -> None:
    """Eliminate a block that must leave and cannot."""
    battle.game.emit(BlockTrapped(battle.hex, battle.name(block), block.owner, block.type, reason))
    eliminate(battle.game, block.id)


async def _ships_of_the_holder(battle: Battle) -> None:
    """The attacker's ships stay only in a port within the limit; else back to the sea (4.6.10, step 2)."""
    world = world_of(battle.game)
    room = stack_limit(battle.game, battle.hex, "naval") if world.is_port(battle.hex) else 0
    for id in battle.in_order(battle.units("attacker", "naval"))[room:]:
        block = unit(battle.game, id)
        seas = [h for h in world.neighbours(battle.hex) if world.is_sea(h) and naval_room(battle, block, h)]
        came = block.entry_from
        await _depart(battle, block, sorted(seas, key=lambda h: (h != came, h)))


async def _land_aircraft(battle: Battle, role: Role) -> None:
    """Aircraft that flew in must land; others only when their airbase is gone (4.6.10, step 3)."""
    for id in battle.in_order(battle.units(role, "air")):
        block = unit(battle.game, id)
        if block.entry_kind not in ("mission", "response") and on_airbase(battle.game, block):
            continue
        places = air_places(battle, block, stay=True)
        if not places:
            trap(battle, block, why_barred(battle, block))
            continue
        to = await choose_place(battle, block, places, "rebase")
        battle.game.emit(BlockRebased(battle.hex, battle.name(block), to))
        leave(battle, block, to)


def update_control(battle: Battle, hexes: Sequence[str]) -> None:
    """Recompute control (2.5) and tell what changed."""
    tell_control(battle.game, tuple(recompute_control(battle.game, hexes)))


def turn_upright(battle: Battle) -> None:
    """Survivors are turned upright and forget how they came.

    Control is brought up to date (4.6.10, step 4).
    """
    game = battle.game
    left = [id for id in sorted(battle.names) if id in game.position.counters]
    surviving = [battle.line(unit(game, id)) for id in left if unit(game, id).hex == battle.hex]
    game.emit(BattleEnded(battle.hex, world_of(game).place(battle.hex), tuple(sorted(surviving))))
    for id in left:
        mark(game, id, revealed=None, entry_from=None, entry_kind=None)
    world, ahead = world_of(game), game.tracks["battles"]
    update_control(battle, [h for h in (*world.bases, *world.sites) if h not in ahead])
    game.tracks["battle"] = None


def identify(battle: Battle) -> None:
    """Tell each owner which of his blocks goes by which public name."""
    for role in ROLES:
        for player in battle.players(role):
            mine = [u for u in battle.units(role) if u.owner == player]
            listed = tuple(sorted(f"{battle.name(u)} is {u.id}" for u in mine))
            battle.game.emit(BlocksIdentified(player, battle.hex, listed))
