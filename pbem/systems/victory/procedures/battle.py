"""One battle, from turning the blocks face up to turning them upright again (rule 4.6).

One leaf per battle hex.
"""

from __future__ import annotations

from typing import cast

from pbem.rules import Game, condition, procedure

from ..blocks import battle_hexes, eliminate, unit, world_of
from ..doctrine import Role
from ..events.battle import BattleBegan, BattleRoundBegan, BlockOverrun
from .aftermath import aftermath, identify
from .engagement import ROLES, Battle, consult_owners, contested, open_battle, other
from .fire import act, can_still_fire


@condition("battles_left")
def battles_left(game: Game, phasing: str) -> bool:
    """Whether a battle hex of this Player Turn is still to be fought (2.T.4)."""
    return bool(_to_fight(game, phasing))


def _to_fight(game: Game, phasing: str) -> list[str]:
    """Battle hexes in the active player's order, then any other by number (4.6.1)."""
    ordered = cast("list[str]", game.tracks.get("battles") or [])
    fields = battle_hexes(game, phasing)
    return [h for h in ordered if h in fields] + [h for h in fields if h not in ordered]


@procedure("battle", rule="4.6")
async def battle(game: Game, phasing: str) -> None:
    """4.6 Fight the next battle hex to its end, aftermath included."""
    hex = _to_fight(game, phasing)[0]
    assert contested(game, phasing, hex)
    fight = open_battle(game, phasing, hex)
    game.emit(
        BattleBegan(
            hex,
            world_of(game).place(hex),
            phasing,
            fight.players("defender"),
            tuple(fight.line(u) for u in fight.units("attacker")),
            tuple(fight.line(u) for u in fight.units("defender")),
        )
    )
    identify(fight)
    fight.show()
    await consult_owners(fight)
    over = False
    while not over:
        over = await battle_round(fight) or fight.round >= world_of(game).numbers.battle_rounds
    await aftermath(fight)
    ordered = cast("list[str]", game.tracks.get("battles") or [])
    game.tracks["battles"] = [h for h in ordered if h != hex]


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
    if any(not fight.units(role) for role in ROLES):
        return True
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
    """4.6.9 (a) Supply and resource blocks left alone on land with enemy ground blocks are eliminated."""
    if not fight.land:
        return
    for role in ROLES:
        blocks = fight.units(role)
        if any(u.cls != "logistic" for u in blocks) or not fight.units(other(role), "ground"):
            continue
        for block in blocks:
            fight.game.emit(BlockOverrun(fight.hex, fight.name(block), block.owner, block.type))
            eliminate(fight.game, block.id)
