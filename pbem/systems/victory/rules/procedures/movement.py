"""Step 2.T.2, Movement, and the order of the battles that follow (rules 4.4, 4.6.1)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Capture, Game, Message, ask, condition, procedure

from ..decisions.player_turn import BattleOrder
from ..events import movement as told
from ..events.battle import BaseChangedHands
from ..moves import Made, Mover
from ..sides import recompute_control
from ..state import State
from ..world import world_of

SEEN: dict[str, type[told.Moved]] = {
    **dict.fromkeys(("march", "road_strat"), told.BlocksMarched),
    **dict.fromkeys(("sea_strat", "assault", "sail", "sail_strat"), told.BlocksSailed),
    **dict.fromkeys(("mission", "rebase"), told.BlocksFlew),
    "drop": told.BlocksDropped,
}


@condition("battles_left")
def battles_left(game: Game, phasing: str | None) -> bool:
    """4.4.13: Return True if battles are left to be fought."""
    return bool(State.of(game).battles)


@procedure("movement", rule="4.4")
async def movement(game: Game, phasing: str) -> None:
    """4.4: Make moves in the listed order, each checked at that moment; drop illegal ones."""
    state, mover = State.of(game), Mover(game, phasing)
    for move in state.order_of(phasing).moves:
        faults = mover.faults(move)
        if faults:
            game.emit(told.MoveDropped(phasing, move.unit, how(move.kind), faults[0].message))
        else:
            tell_move(game, phasing, mover.make(move))
    state.battles = mover.side.battle_hexes()
    if state.battles:
        game.emit(told.BattlesAhead(phasing, state.battles))


def how(kind: str) -> str:
    """Return a kind of move in words."""
    return {
        "road_strat": Message("victory.movement.strategic-move-by-road"),
        "sea_strat": Message("victory.movement.strategic-move-by-sea"),
        "sail_strat": Message("victory.movement.strategic-sailing"),
    }.get(kind, kind)


def tell_move(game: Game, player: str, made: Made) -> None:
    """4.4.14: Report a move: blocks and path to all, the unit to the owner's side."""
    game.emit(SEEN[made.kind](player, made.blocks, made.path))
    game.emit(told.UnitMoved(player, made.unit, how(made.kind), made.path))
    tell_control(game, made.control)


def tell_control(game: Game, changes: Iterable[Capture]) -> None:
    """2.5: Report bases and sites that changed hands."""
    for change in changes:
        place = world_of(game).place(change.place)
        game.emit(
            BaseChangedHands(change.place, place, change.before or "neutral", change.after or "neutral")
        )


def settle(game: Game, hexes: Iterable[str] | None = None) -> None:
    """2.5: Update control everywhere or in some hexes, and report changes."""
    tell_control(game, recompute_control(game, hexes))


@procedure("order_battles", rule="4.6.1")
async def order_battles(game: Game, phasing: str) -> None:
    """4.6.1: Ask for the battle order; hexes not named follow in ascending order (R-47)."""
    state = State.of(game)
    hexes, planned = state.battles, state.order_of(phasing).battle_order
    if len(hexes) < 2:
        return
    if planned is None and game.options["battle_mode"] == "interactive":
        planned = await ask(BattleOrder(phasing, hexes))
    first = tuple(h for h in planned or () if h in hexes)
    state.battles = (*first, *(h for h in hexes if h not in first))
    game.emit(told.BattlesOrdered(phasing, state.battles))
