"""D-RELEASE: Reserves released by standing orders in Reaction and Exploitation (4.6, 4.8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pbem.rules import Game

from .actions import Action, Move, Overrun, Release, Step
from .allowances import movement_allowance
from .fighting.combat import best_rating
from .fighting.strength import base_strength
from .loops import faults_of
from .moving import fuelled, unit_ways
from .pieces import Unit, maybe_unit, units, world_of

if TYPE_CHECKING:
    from .decisions.loop import ReleaseWhen


def released(game: Game, side: str, segment: str, orders: Sequence[ReleaseWhen]) -> tuple[Action, ...]:
    """Return the actions of the orders whose conditions hold now, stack by stack."""
    board, actions = game.copy(), list[Action]()
    for order in orders:
        every = order.units or world_of(game).formations.get(order.formation or "", ())
        mine = [u for id in every if (u := maybe_unit(board, id)) is not None]
        mine = [
            u for u in mine if u.owner == side and u.marker == "reserve" and u.hex in world_of(game).terrains
        ]
        for hex in sorted({u.hex or "" for u in mine}):
            stack = [u for u in mine if u.hex == hex]
            if not _near(board, side, order.of or hex, order.within):
                continue
            actions += _go(board, side, segment, stack, order)
    return tuple(actions)


def _near(game: Game, side: str, hex: str, far: int) -> list[str]:
    """Return the hexes with enemy combat units within `far` hexes of `hex`, the weakest first."""
    world = world_of(game)
    foes = {u.hex or "" for u in units(game, world.enemy(side)) if u.hex in world.terrains}
    return sorted((f for f in foes if world.distance(hex, f) <= far), key=lambda f: (_weight(game, f), f))


def _weight(game: Game, hex: str) -> Fraction:
    return sum((Fraction(base_strength(u, attack=False)) for u in units(game, at=hex)), Fraction(0))


def _go(game: Game, side: str, segment: str, stack: list[Unit], order: ReleaseWhen) -> list[Action]:
    """Return the first legal action for a stack: an overrun, a move towards the enemy, a release alone."""
    ids = tuple(u.id for u in stack)
    targets = _near(game, side, order.of or stack[0].hex or "", order.within)
    tries = []
    slow = min(stack, key=lambda u: (movement_allowance(u), u.id))
    ways = [path for path, _ in unit_ways(game, slow, released=True)]
    fuel = None if all(fuelled(game, u) for u in stack) else "single"
    if order.then == "overrun":
        best = best_rating(stack)
        for target in targets:
            for way in sorted([(), *ways], key=lambda way: (len(way), way)):
                if world_of(game).adjacent(way[-1] if way else slow.hex or "", target):
                    step = Step(to=way, overrun=Overrun(target, ar=best))
                    tries.append(Move(ids, steps=(step,), fuel=fuel, release=True))  # type: ignore[arg-type]
                    break
    if order.then != "stay":
        goal = [order.of] if order.of else targets
        ranked = sorted(ways, key=lambda way: (world_of(game).nearest(way[-1], goal), len(way), way))
        tries += [Move(ids, path=way, fuel=fuel, release=True) for way in ranked[:3]]  # type: ignore[arg-type]
    for move in tries:
        action = Action(move=move)
        if not faults_of(game.copy(), side, segment, action, frozenset()):
            return [action]
    return [Action(release=Release(ids))]
