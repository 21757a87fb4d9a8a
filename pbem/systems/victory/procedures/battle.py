"""One battle, from turning the blocks face up to turning them upright again (rule 4.6).

One leaf per battle hex.
"""

from __future__ import annotations

from typing import cast

from pbem.rules import Game, procedure

from ..blocks import battle_hexes, eliminate, unit, world_of
from ..doctrine import Role
from ..events.battle import BattleBegan, BattleRoundBegan, BlockOverrun
from .aftermath import aftermath, identify
from .engagement import ROLES, Battle, consult_owners, contested, open_battle, other
from .fire import act, can_still_fire


@procedure("battle", rule="4.6")
async def battle(game: Game, phasing: str) -> None:
    """4.6 Fight the next battle hex to its end, aftermath included."""
    ahead = cast("list[str]", game.tracks["battles"]) or battle_hexes(game, phasing)
    hex, game.tracks["battles"] = ahead[0], ahead[1:]
    if not contested(game, phasing, hex):
        return
    fight = open_battle(game, phasing, hex)
    game.emit(
        BattleBegan(
            hex,
            world_of(game).place(hex),
            phasing,
            fight.players("defender"),
            fight.lines("attacker"),
            fight.lines("defender"),
        )
    )
    identify(fight)
    await consult_owners(fight)
    over = False
    while not over:
        over = await battle_round(fight) or fight.round >= world_of(game).numbers.battle_rounds
    await aftermath(fight)


async def battle_round(fight: Battle) -> bool:
    """4.6.3 All slots once, the defender before the attacker in each.

    True when the battle is over (4.6.9).
    """
    fight.new_round()
    fight.game.emit(BattleRoundBegan(fight.hex, fight.round))
    for slot in sorted({kind.slot: True for kind in world_of(fight.game).types.values()}):
        for role in ROLES:
            if await _slot(fight, slot, role):
                return True
    _overrun(fight)
    fight.show()
    return not any(can_still_fire(fight, role) for role in ROLES)


async def _slot(fight: Battle, slot: int, role: Role) -> bool:
    """Every block of one side in one slot acts; True when a side has lost its last block (4.6.9)."""
    for id in fight.in_order([u for u in fight.units(role) if u.kind.slot == slot]):
        if id not in fight.game.position.counters or unit(fight.game, id).hex != fight.hex:
            continue  # eliminated, or gone with its carrier, before its turn
        fight.show(slot)
        await act(fight, id, slot)
        if any(not fight.units(side) for side in ROLES):
            return True
    return False


def _overrun(fight: Battle) -> None:
    """4.6.9 (a) Supply and resource blocks left alone with enemy ground blocks are eliminated."""
    for role in ROLES:
        blocks = fight.units(role)
        if any(u.cls != "logistic" for u in blocks) or not fight.units(other(role), "ground"):
            continue
        for block in blocks:
            fight.game.emit(BlockOverrun(fight.hex, fight.name(block), block.owner, block.type))
            eliminate(fight.game, block.id)
