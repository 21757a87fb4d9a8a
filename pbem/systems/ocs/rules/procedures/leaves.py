"""Procedures of a player turn, made of nodes: a question to a side, and the effect of its answer.

They run for the phasing side. In a simulcast turn both sides answer at once, in secret; then the answers take
effect in the order in which the scenario lists the sides (4.15).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pbem.rules import Decision, Game, ask_all, dataclass, procedure

from ..phases import end_movement, end_phase, enter_phase, loop
from ..pieces import world_of
from ..sealing import ask, lodge_orders, open_for, spend

Procedure = Callable[..., Any]
Asked = tuple[Decision[Any] | None, Any]
"""A question, and data kept until its answer (dice, say). Without a question the effect is immediate."""
Asks = Callable[[Game, str], Awaitable[Asked | None]]
Does = Callable[[Game, str, Any, Any], Awaitable[None]]


@dataclass(frozen=True)
class Node:
    """A question and its effect.

    `asks` rolls any dice first and returns the question, or None if there is nothing to do. `does` gets the
    answer and the data kept. A node without `asks` asks nothing.
    """

    does: Does
    asks: Asks | None = None


def side_of(phasing: str | None) -> str:
    """Return the side whose player turn it is."""
    assert phasing is not None
    return phasing


def leaf(name: str, rule: str, letter: str, *nodes: Node, ends: bool = False) -> Procedure:
    """Return a procedure for the phasing side in a lettered phase. `ends`: it ends the phase."""

    async def run(game: Game, phasing: str | None) -> None:
        side = side_of(phasing)
        enter_phase(game, letter, side)
        for node in nodes:
            asked = await _asked(game, side, node)
            if asked is not None:
                question, kept = asked
                answer = None if question is None else await ask(game, question)
                if question is not None and question.waits(game):
                    await lodge_orders(game)
                await node.does(game, side, answer, kept)
        if ends:
            end_phase(game)

    run.__doc__ = f"{rule} The phasing side."
    return procedure(name, rule=rule)(run)


def both(name: str, rule: str, letter: str, *nodes: Node, ends: bool = False) -> Procedure:
    """Return a procedure of a simulcast turn: both sides answer at once, then each answer takes effect."""

    async def run(game: Game, phasing: str | None) -> None:
        for node in nodes:
            await _together(game, letter, node)
        if ends:
            end_phase(game)

    run.__doc__ = f"{rule} Both sides at once (4.15)."
    return procedure(name, rule=rule)(run)


async def _asked(game: Game, side: str, node: Node) -> Asked | None:
    return (None, None) if node.asks is None else await node.asks(game, side)


async def _together(game: Game, letter: str, node: Node) -> None:
    seats: Sequence[str] = list(world_of(game).seats)
    asked: dict[str, Asked] = {}
    for side in seats:
        enter_phase(game, letter, side)
        item = await _asked(game, side, node)
        if item is not None:
            asked[side] = item
    questions = {side: question for side, (question, _) in asked.items() if question is not None}
    given: dict[str, Any] = {}
    for question in list(questions.values()):
        await open_for(game, question)
    if questions:
        given = dict(zip(list(questions), await ask_all(list(questions.values())), strict=True))
        for question in list(questions.values()):
            spend(game, question)
        await lodge_orders(game)
    for side, (_, kept) in list(asked.items()):
        enter_phase(game, letter, side)
        await node.does(game, side, given.get(side), kept)


def segment(
    name: str,
    rule: str,
    letter: str,
    kind: str,
    *,
    other: bool = False,
    moved: bool = False,
    ends: bool = False,
) -> Procedure:
    """4.0.9: Return a procedure that is a loop of actions.

    `other`: for the side that is not phasing. `moved`: followed by the checks after movement and combat
    (4.4.13). `ends`: it ends the phase (4.4.15).
    """

    async def run(game: Game, phasing: str | None) -> None:
        side = side_of(phasing)
        side = world_of(game).enemy(side) if other else side
        enter_phase(game, letter, side)
        await loop(game, side, kind)
        if moved:
            await end_movement(game)
        if ends:
            end_phase(game)

    run.__doc__ = f"{rule} A loop of actions."
    return procedure(name, rule=rule)(run)
