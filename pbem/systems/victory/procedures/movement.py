"""Step 2.T.2, Movement, and the order of the battles it leads to (rules 4.4, 4.6.1)."""

from __future__ import annotations

from pbem.rules import Event, Game, ask, condition, procedure

from ..blocks import battle_hexes, world_of
from ..decisions.player_turn import BattleOrder
from ..events.battle import BaseChangedHands
from ..events.movement import (
    BattlesAhead,
    BattlesOrdered,
    BlocksDropped,
    BlocksFlew,
    BlocksMarched,
    BlocksSailed,
    MoveDropped,
    UnitMoved,
)
from ..moves import Made, Mover
from .activation import plan_of

SEEN = {
    "march": BlocksMarched,
    "road_strat": BlocksMarched,
    "sea_strat": BlocksSailed,
    "assault": BlocksSailed,
    "sail": BlocksSailed,
    "sail_strat": BlocksSailed,
    "mission": BlocksFlew,
    "rebase": BlocksFlew,
    "drop": BlocksDropped,
}


@condition("battles_left")
def battles_left(game: Game, phasing: str | None) -> bool:
    """4.4.13: battle hexes still to be fought."""
    return bool(game.tracks["battles"])


@procedure("movement", rule="4.4")
async def movement(game: Game, phasing: str) -> None:
    """4.4 Moves are made in the listed order, each checked at that moment; illegal ones are dropped."""
    mover = Mover(game, phasing)
    for move in plan_of(game, phasing).moves:
        faults = mover.faults(move)
        if faults:
            game.emit(MoveDropped(phasing, move.unit, how(move.kind), faults[0].message))
        else:
            tell_move(game, phasing, mover.make(move))
    game.tracks["battles"] = list(battle_hexes(game, phasing))
    if game.tracks["battles"]:
        game.emit(BattlesAhead(phasing, tuple(game.tracks["battles"])))


def how(kind: str) -> str:
    """A kind of move in words."""
    return {"road_strat": "strategic move by road", "sea_strat": "strategic move by sea"}.get(
        kind, kind.replace("sail_strat", "strategic sailing")
    )


def tell_move(game: Game, player: str, made: Made) -> None:
    """4.4.14 All see blocks and their way, never which; the owner's side reads the unit."""
    seen: type[Event] = SEEN[made.kind]
    game.emit(seen(player, made.blocks, made.path))  # type: ignore[call-arg]
    game.emit(UnitMoved(player, made.unit, how(made.kind), made.path))
    tell_control(game, made.control)


def tell_control(game: Game, changes: tuple[tuple[str, str | None, str | None], ...]) -> None:
    """2.5 Bases and sites that changed hands."""
    for hex, before, now in changes:
        place = world_of(game).place(hex)
        game.emit(BaseChangedHands(hex, place, before or "neutral", now or "neutral"))


@procedure("order_battles", rule="4.6.1")
async def order_battles(game: Game, phasing: str) -> None:
    """4.6.1 The active player's order; what he does not name follows in ascending order."""
    hexes, planned = list(game.tracks["battles"]), plan_of(game, phasing).battle_order
    if len(hexes) < 2:
        return
    if planned is None and game.options["battle_mode"] == "interactive":
        planned = await ask(BattleOrder(phasing, tuple(hexes)))
    first = [h for h in planned or () if h in hexes]
    ordered = [*first, *(h for h in hexes if h not in first)]
    game.tracks["battles"] = list(ordered)
    game.emit(BattlesOrdered(phasing, tuple(ordered)))
