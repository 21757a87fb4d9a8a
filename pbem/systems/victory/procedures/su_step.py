"""Step 2.T.5: revealed supply units are reduced and may move; the Player Turn ends (rule 4.7)."""

from __future__ import annotations

from pbem.rules import Game, ask, procedure

from ..blocks import eliminate, lose_step, mark, on_airbase, recompute_control, unit, units, world_of
from ..decisions.player_turn import SuMoves
from ..events.activation import SupplyUnitReduced
from ..events.battle import BlockTrapped
from ..events.movement import MoveDropped
from ..moves import LOGISTIC_KINDS, Made, Mover
from ..orders import SuMove, TurnOrder
from .activation import plan_of
from .engagement import doctrine_of
from .movement import how, tell_control, tell_move
from .retreat import bases_in_reach, no_airbase, touch_down

FLAGS = ("activated", "moved", "responded", "revealed", "entry_from", "entry_kind")


@procedure("su_reduction", rule="4.7")
async def su_reduction(game: Game, phasing: str) -> None:
    """4.7 In the order in which they were revealed; a survivor may move."""
    plan = plan_of(game, phasing)
    left = [one.su for one in plan.reveal if one.su in game.position.counters]
    for id in left:
        su = unit(game, id)
        hex, before = su.hex, su.cv
        gone = lose_step(game, id)
        game.emit(SupplyUnitReduced(phasing, hex, before, 0 if gone else unit(game, id).cv))
    left = [id for id in left if id in game.position.counters]
    for one in await su_moves(game, phasing, plan, left):
        move_supply_unit(game, phasing, one, left)
    await land_the_homeless(game, phasing)
    end_player_turn(game, phasing)


async def su_moves(game: Game, player: str, plan: TurnOrder, left: list[str]) -> tuple[SuMove, ...]:
    """4.7.2 What the turn order says; in an interactive game that left it open, the owner is asked."""
    if plan.su_moves is not None:
        return plan.su_moves
    if left and game.options["battle_mode"] == "interactive":
        return await ask(SuMoves(player))
    return ()


def move_supply_unit(game: Game, player: str, one: SuMove, left: list[str]) -> None:
    """4.7.2 One move of a survivor; one that has become illegal is dropped."""
    id = one.su
    if id not in game.position.counters:
        return
    mark(game, id, revealed=None)
    mover = Mover(game, player)
    if id not in left or one.kind not in LOGISTIC_KINDS or unit(game, id).moved:
        reason = f"{id} may not make this move now"
    else:
        faults = mover.way_faults(unit(game, id), one.move)
        reason = faults[0].message if faults else ""
    if reason:
        game.emit(MoveDropped(player, id, how(one.kind), reason))
    else:
        tell_move(game, player, mover.make(one.move))


async def land_the_homeless(game: Game, active: str) -> None:
    """R-101 Aircraft left without an airbase rebase as after a battle (4.6.10, step 3), or are eliminated."""
    for player in world_of(game).clockwise_from(active):
        for block in units(game, player):
            if block.cls != "air" or on_airbase(game, block):
                continue
            places = bases_in_reach(game, block)
            if not places:
                reason = no_airbase(block)
                game.emit(BlockTrapped(block.hex, f"{player} {block.type}", player, block.type, reason))
                eliminate(game, block.id)
                continue
            wishes = (await doctrine_of(game, player)).rebase.get(block.id, ())
            to, start = next((hex for hex in wishes if hex in places), places[0]), block.hex
            touch_down(game, block, to)
            tell_move(game, player, Made(block.id, "rebase", (start, to), 1, False, ()))


def end_player_turn(game: Game, player: str) -> None:
    """4.7.4 Marks are cleared, control is brought up to date, the holder has taken one more turn."""
    for block in units(game):
        game.position.drop(block.id, *FLAGS)
    tell_control(game, tuple(recompute_control(game)))
    tracks = game.tracks
    if tracks["initiative"]["holder"] == player:
        tracks["initiative"]["taken"] += 1
    tracks["active"], tracks["taking"], tracks["battles"] = None, False, []
    tracks["plan"].pop(player, None)
    tracks.pop("turn_began", None)
