"""3, 5: Movement, and the final phase."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, Message, ask, procedure, steps

from ..decisions.moving import Final, FinalPlan, Movement
from ..events.fighting import ItemSkipped
from ..guards import holds
from ..moving import make_move
from ..orders import Move
from ..politics import conduct, count_down, diplomacy_faults
from ..stacking_check import check_stacks
from ..walk import Phase, Walker
from .faction_turn import enter_faction_turn, faction_of, refuse


def march(game: Game, power: str, phase: Phase, moves: Sequence[Move]) -> bool:
    """Carry out moves in order, and return True if a guard stopped the rest.

    A guard that fails skips its move or stops the rest.
    """
    for move in moves:
        if not holds(game, power, move.guard):
            stops = move.guard is not None and move.guard.else_ == "stop"
            game.emit(ItemSkipped(power, Message("totaler-krieg.movement.move", unit=move.unit), stops))
            if stops:
                return True
            continue
        walked = Walker(game, power, phase).judge(move)
        if not refuse(game, power, Message("totaler-krieg.movement.move", unit=move.unit), walked.faults):
            make_move(game, power, phase, move, walked)
    return False


@procedure("movement", rule="4.8")
async def movement(game: Game, phasing: str | None) -> None:
    """4.8: Move units one at a time, each once."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    moves: tuple[Move, ...] = await ask(Movement(game.seat(power), power))
    march(game, power, "op", moves)
    await check_stacks(game)


@procedure("final", rule="4.9")
async def final_phase(game: Game, phasing: str | None) -> None:
    """4.9, 4.10: Carry out reserve movement, war and peace, from one answer."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    plans: list[FinalPlan] = []

    async def plan() -> FinalPlan:
        if not plans:
            plans.append(await ask(Final(game.seat(power), power)))
        return plans[-1]

    async def reserve() -> None:
        if march(game, power, "res", (await plan()).reserve):
            plans.append(await ask(Final(game.seat(power), power)))
            march(game, power, "res", plans[-1].reserve)
        await check_stacks(game)

    async def war() -> None:
        count_down(game, power)
        declared = list((await plan()).war)
        for order in declared:
            what = Message(
                "totaler-krieg.movement.war-and-peace", declare=order.declare or order.offer or order.accept
            )
            if not refuse(game, power, what, diplomacy_faults(game, power, order)):
                await conduct(game, power, order)
        await check_stacks(game)

    await steps(game, [("5", reserve), ("6.1", war)])
