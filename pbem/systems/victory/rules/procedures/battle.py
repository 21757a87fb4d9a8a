"""One battle, from turning blocks face up to turning them upright (rule 4.6)."""

from __future__ import annotations

from pbem.rules import Game, procedure

from ..blocks import Block
from ..doctrine import Role
from ..events.battle import BattleBegan, BattleRoundBegan, BlockOverrun, BlocksIdentified
from ..sides import Side
from ..state import State
from .aftermath import aftermath
from .engagement import ROLES, Battle, doctrine_of, open_battle, other
from .fire import act, can_still_fire


@procedure("battle", rule="4.6")
async def battle(game: Game, phasing: str) -> None:
    """4.6: Fight the next battle hex to its end, with its aftermath."""
    state, contested = State.of(game), Side(game, phasing).battle_hexes()
    hex, *ahead = state.battles or contested
    state.battles = tuple(ahead)
    if hex not in contested:
        return
    fight = open_battle(game, phasing, hex)
    sides = fight.players("defender"), fight.lines("attacker"), fight.lines("defender")
    game.emit(BattleBegan(hex, fight.place, phasing, *sides))
    identify(fight)
    for player in (p for role in ROLES for p in fight.players(role)):
        fight.doctrines[player] = await doctrine_of(game, player)
    over = False
    while not over:
        over = await battle_round(fight) or fight.round >= fight.world.numbers.battle_rounds
    await aftermath(fight)


def identify(fight: Battle) -> None:
    """4.6.2: Tell each owner the public names of their blocks."""
    for role in ROLES:
        for player in fight.players(role):
            mine = [u for u in fight.units(role) if u.owner == player]
            listed = tuple(sorted(f"{fight.name(u)} is {u.id}" for u in mine))
            fight.game.emit(BlocksIdentified(player, fight.hex, listed))


async def battle_round(fight: Battle) -> bool:
    """4.6.3: Play all slots once, the defenders first in each; return True if the battle is over (4.6.9)."""
    fight.new_round()
    fight.game.emit(BattleRoundBegan(fight.hex, fight.round))
    for slot in sorted({kind.slot: True for kind in fight.world.types.values()}):
        for role in ROLES:
            if await _slot(fight, slot, role):
                return True
    _overrun(fight)
    fight.show()
    return not any(can_still_fire(fight, role) for role in ROLES)


async def _slot(fight: Battle, slot: int, role: Role) -> bool:
    """4.6.9: Let every block of a side in a slot act; return True if a side has lost its last block."""
    for id in fight.in_order([u for u in fight.units(role) if u.kind.slot == slot]):
        if id not in [u.id for u in fight.units(role)]:
            continue  # eliminated, or gone with its carrier, before its turn
        fight.show(slot)
        await act(fight, Block(fight.game, id), slot)
        if any(not fight.units(side) for side in ROLES):
            return True
    return False


def _overrun(fight: Battle) -> None:
    """4.6.9 (a): Eliminate supply and resource blocks left alone with enemy ground blocks (R-26)."""
    for role in ROLES:
        blocks = fight.units(role)
        if any(u.cls != "logistic" for u in blocks) or not fight.units(other(role), "ground"):
            continue
        for block in blocks:
            fight.game.emit(BlockOverrun(fight.hex, fight.name(block), block.owner, block.type))
            block.eliminate()
