"""Nodes B.1.b and B.1.c: forces move by chit and by the initiative of their leaders (4.4, 4.5)."""

from __future__ import annotations

from pbem.rules import Game, ask, condition, procedure, roll

from ..command import Fault
from ..decisions.free_initiative import FreeInitiativeSegment
from ..decisions.leader_initiative import LeaderInitiativeSegment
from ..events.movement import Activated, ChitUsed, LeaderTried
from ..moves.attempts import attempt_fault, begin, lead, may_try
from ..moves.model import Activation, Attempt
from ..moves.mover import sail
from ..moves.plan import activate, allowance_left
from ..naming import label
from ..pieces import world_of
from ..telling import skipped, tell, tell_move
from .first_player import nobody_has_won
from .player_turn import decide_at_once

FREE, LEADERS = "1.b", "1.c"


@condition("free_initiative_goes_on")
def free_initiative_goes_on(game: Game, phasing: str | None) -> bool:
    """4.4 The segment is repeated until the phasing player passes; the chit limits what he may do."""
    return FREE not in game.tracks["done"] and nobody_has_won(game, phasing)


@condition("leader_initiative_goes_on")
def leader_initiative_goes_on(game: Game, phasing: str | None) -> bool:
    """4.5 Until the phasing player passes or no leader is left."""
    assert phasing is not None
    return (
        LEADERS not in game.tracks["done"] and bool(may_try(game, phasing)) and nobody_has_won(game, phasing)
    )


@procedure("free_initiative", rule="4.4.1")
async def free_initiative(game: Game, phasing: str) -> None:
    """4.4.1 Activations up to the chit, one after another, and ships."""
    order = await ask(FreeInitiativeSegment(phasing, allowance_left(game, phasing)))
    for one in order.activations:
        by_chit(game, phasing, one)
    for ships in order.ships:
        sailed = sail(game, phasing, ships)
        if isinstance(sailed, Fault):
            skipped(game, phasing, f"ships {', '.join(ships.units)}", [sailed])
        else:
            tell_move(game, phasing, sailed)
    decide_at_once(game)
    if not order.more:
        game.tracks["done"].append(FREE)


def by_chit(game: Game, phasing: str, one: Activation) -> None:
    """One activation: the chit is charged, then the force moves."""
    game_before = len(game.told)
    outcome = activate(game, phasing, one)
    if isinstance(outcome, Fault):
        skipped(game, phasing, f"activation of {one.activate}", [outcome])
        return
    assert len(game.told) == game_before
    number, most = game.tracks["free_used"][phasing], game.tracks["chit"][phasing]
    game.emit(Activated(phasing, one.activate, number, most))
    if game.system.hidden:
        game.emit(ChitUsed(phasing, number, most))
    tell(game, phasing, outcome, f"activation of {one.activate}")


@procedure("leader_initiative", rule="4.5")
async def leader_initiative(game: Game, phasing: str) -> None:
    """4.5 Leader by leader: the die against his modified initiative, and his force moves at once."""
    order = await ask(LeaderInitiativeSegment(phasing))
    for one in tuple(order.leaders):
        await attempt(game, phasing, one)
    decide_at_once(game)
    if not order.more:
        game.tracks["done"].append(LEADERS)


async def attempt(game: Game, phasing: str, one: Attempt) -> None:
    """One leader tries; a value of 0 fails, but the die is rolled."""
    order = f"attempt of {one.leader}"
    fault = attempt_fault(game, phasing, one.leader)
    if fault is not None:
        skipped(game, phasing, order, [fault])
        return
    found = begin(game, one.leader)
    die = await roll(
        world_of(game).tables.dice["activation"], *label(game, phasing, "1.c.1", "initiative", one.leader)
    )
    success = die.total <= found.values.initiative
    event = LeaderTried(
        one.leader, phasing, found.printed, found.values.initiative, found.values.reasons, die, success
    )
    game.emit(event)
    if success:
        tell(game, phasing, lead(game, phasing, one, found.values), order)
