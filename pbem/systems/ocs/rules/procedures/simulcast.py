"""T.S: Procedures for both sides at once in a simulcast turn (4.15)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.rules import Game, ask_all, procedure

from ..actions import Action, Batch
from ..decisions.loop import Actions
from ..drops import lodge_plans
from ..phases import end_movement, end_phase, end_player_turn, enter_phase, enter_segment, run_batch
from ..pieces import T, units, world_of
from ..sealing import lodge_orders, open_for, spend
from .leaves import both
from .player_turn import (
    ARRIVALS,
    BREAKOUT,
    CONSOLIDATION,
    ORGANIC,
    PLANS,
    REBUILD,
    REFIT,
    REPLACEMENTS,
    SUPPLIES,
    clean,
    delay_drops,
)
from .supply import ATTRITION, EAT, RECOVER, STACKS, TRACE


@procedure("simulcast_movement", rule="4.15")
async def simulcast_movement(game: Game, phasing: str | None) -> None:
    """4.15: Ask both sides for secret actions; moves stop before hexes that both would enter (R-111)."""
    t = T.of(game)
    for side in game.players:
        t.entered[f"start-{side}"] = sorted({u.hex for u in units(game, side) if u.hex})
    enter_phase(game, "C", game.players[0])
    questions = [Actions(side, "movement", 1) for side in game.players]
    for question in questions:
        await open_for(game, question)
    batches = await ask_all(questions)
    await lodge_orders(game)
    for question in questions:
        spend(game, question)
    for side in list(game.players):
        await lodge_plans(game, side)
    both = set.intersection(*(entered(batch) for batch in batches))
    filed = {side: cut(batch, both) for side, batch in zip(game.players, batches, strict=True)}
    for side in game.players:
        t.entered[f"end-{side}"] = sorted(ends(filed[side]))
    for side, batch in list(filed.items()):
        t.phase, t.rail_used, t.sea_used = "", Fraction(0), Fraction(0)
        enter_phase(game, "C", side)
        enter_segment(game)
        await run_batch(game, side, "movement", replace(batch, on_illegal="skip"))
    await end_movement(game)
    for side in game.players:
        delay_drops(game, side)
    end_phase(game)


def entered(batch: Batch) -> set[str]:
    """Return the hexes that the moves of an answer enter, as filed."""
    hexes: set[str] = set()
    for action in batch.actions:
        for order in (action.move, action.haul, action.rail):
            if order is not None:
                hexes.update(order.path)
                for step in getattr(order, "steps", ()):
                    hexes.update(step.to)
    return hexes


def ends(batch: Batch) -> set[str]:
    """4.15, R-302: Return the hexes in which units end their moves, as filed.

    This includes units dropped on the way, and those that go by rail or ship.
    """
    hexes: list[str] = []
    for action in batch.actions:
        if (move := action.move) is not None:
            way = list(move.path)
            for step in move.steps:
                way += step.to
                hexes += way[-1:] if step.drop else ()
            hexes += way[-1:]
        if action.rail is not None and action.rail.units:
            hexes += action.rail.path[-1:]
        if action.ship_cargo is not None and action.ship_cargo.units:
            hexes.append(action.ship_cargo.to)
    return set(hexes)


def cut(batch: Batch, closed: set[str]) -> Batch:
    """Return an answer in which each path ends before the first closed hex."""

    def short(path: tuple[str, ...]) -> tuple[str, ...]:
        for n, hex in enumerate(path):
            if hex in closed:
                return path[:n]
        return path

    def go(order: Any) -> Any:
        """Return a move or a haul without anything after its last open hex."""
        path, steps = short(order.path), list[Any]()
        if path != order.path:
            return replace(order, path=path, steps=())
        for step in order.steps:
            to = short(step.to)
            if to != step.to:
                return replace(order, steps=(*steps, type(step)(to=to)))
            steps.append(step)
        return order

    actions: list[Action] = []
    for action in batch.actions:
        if action.move is not None:
            actions.append(replace(action, move=go(action.move)))
        elif action.haul is not None:
            actions.append(replace(action, haul=go(action.haul)))
        elif action.rail is not None:
            path = short(action.rail.path)
            if path:
                actions.append(replace(action, rail=replace(action.rail, path=path)))
        else:
            actions.append(action)
    return replace(batch, actions=tuple(actions))


@procedure("clean_up_both", rule="4.13")
async def clean_up_both(game: Game, phasing: str | None) -> None:
    """4.13: End a simulcast turn for both sides."""
    for side in list(world_of(game).seats):
        enter_phase(game, "H", side)
        await clean(game, side, steps=False)
    end_phase(game)
    end_player_turn(game)


both_drop_plans = both("both_drop_plans", "4.2.2", "A", ORGANIC, PLANS)
both_refit = both("both_refit", "4.2.1", "A", REFIT, ends=True)
both_arrivals = both("both_arrivals", "4.3.1", "B", ARRIVALS)
both_supplies = both("both_supplies", "4.3.2", "B", SUPPLIES)
both_replacements = both("both_replacements", "4.3.3", "B", REPLACEMENTS, REBUILD)
both_consolidation = both("both_consolidation", "4.3.5", "B", CONSOLIDATION, ends=True)
both_breakout = both("both_breakout", "4.4.1", "C", BREAKOUT)
both_recover = both("both_recover", "4.5.1", "D", RECOVER)
both_trace = both("both_trace", "4.5.2", "D", TRACE)
both_eat = both("both_eat", "4.5.3", "D", EAT)
both_attrition = both("both_attrition", "4.5.4", "D", ATTRITION, STACKS, ends=True)
