"""Step 2.T.5: revealed supply units are reduced and may move; the player turn ends (rule 4.7)."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import Game, Message, ask, procedure

from ..blocks import Block, units
from ..decisions.player_turn import SuMoves, su_faults
from ..events.activation import SupplyUnitReduced
from ..events.battle import BlockTrapped
from ..events.movement import MoveDropped
from ..moves import Made, Mover
from ..orders import SuMove
from ..sides import Side
from ..state import State
from ..world import world_of
from .engagement import doctrine_of
from .movement import how, settle, tell_move
from .retreat import no_airbase, touch_down

FLAGS = ("activated", "moved", "responded", "revealed", "entry_from", "entry_kind")


@procedure("su_reduction", rule="4.7")
async def su_reduction(game: Game, phasing: str) -> None:
    """4.7: Reduce supply units in the order of their reveal; survivors may move."""
    plan = State.of(game).order_of(phasing)
    for id in [order.su for order in plan.reveal if order.su in game.position.counters]:
        su = Block(game, id)
        hex, before = su.hex, su.cv
        game.emit(SupplyUnitReduced(phasing, hex, before, su.lose_step()))
    left = [order.su for order in plan.reveal if order.su in game.position.counters]
    moves = plan.su_moves or ()
    if plan.su_moves is None and left and game.options["battle_mode"] == "interactive":
        moves = await ask(SuMoves(phasing))
    for order in moves:
        if order.su in game.position.counters:
            move_supply_unit(game, phasing, order, left)
    await land_the_homeless(game, phasing)
    end_player_turn(game, phasing)


def move_supply_unit(game: Game, player: str, order: SuMove, left: list[str]) -> None:
    """4.7.2: Turn a survivor upright and move it; drop an illegal move."""
    mover, block = Mover(game, player), Block(game, order.su)
    block.revealed = False
    faults = su_faults(mover, order, left, [order.su] if block.moved else [])
    if not faults:
        tell_move(game, player, mover.make(order.move))
        return
    barred = faults[0].rule == "4.7.2" or block.moved  # whatever the path
    reason = Message("victory.su-step.may-not-make-move-now", su=order.su) if barred else faults[0].message
    game.emit(MoveDropped(player, order.su, how(order.kind), reason))


async def land_the_homeless(game: Game, active: str) -> None:
    """R-101: Rebase aircraft without an airbase as after a battle (4.6.10, step 3), or eliminate them."""
    for player in world_of(game).clockwise_from(active):
        side = Side(game, player)
        for block in units(game, player):
            if block.cls != "air" or side.based(block):
                continue
            places = side.bases_in_reach(block)
            if not places:
                name, reason = f"{player} {block.type}", no_airbase(block)
                game.emit(BlockTrapped(block.hex, name, player, block.type, reason))
                block.eliminate()
                continue
            wishes = (await doctrine_of(game, player)).rebase.get(block.id, ())
            to, start = next((hex for hex in wishes if hex in places), places[0]), block.hex
            touch_down(block, to)
            tell_move(game, player, Made(block.id, "rebase", (start, to), 1, False, ()))


def end_player_turn(game: Game, player: str) -> None:
    """4.7.4: Clear marks, update control, and count the holder's turn."""
    state = State.of(game)
    for block in units(game):
        game.position.drop(block.id, *FLAGS)
    settle(game)
    if state.initiative.holder == player:
        state.initiative = replace(state.initiative, taken=state.initiative.taken + 1)
    state.active, state.taking, state.battles = None, False, ()
    state.plan.pop(player, None)
    del state.turn_began
