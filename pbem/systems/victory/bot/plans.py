"""Whole answers for a player of victory to begin with, made by rules of thumb on the player's view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbem.rules import Decision, Drafting, Game, Json, Part, to_json

from ..rules.activation import must_act, step_total
from ..rules.blocks import Block, supply_units, units
from ..rules.decisions.air_response import AirResponse, Response
from ..rules.decisions.bid import Bid
from ..rules.decisions.feeding import Feeding, Meal
from ..rules.decisions.production import Production, ProductionOrder, Purchases, Spend
from ..rules.decisions.turn_order import PassOrTurn
from ..rules.orders import TurnOrder
from ..rules.world import world_of
from .sense import Sense, power
from .turn import best_turn

Pick = Callable[[Sequence[Any]], Any]
WORTH_A_STEP = 3  # gain that justifies a step of a supply unit


def plans(game: Game, decision: Decision[Any], pick: Pick) -> Iterator[Json]:
    """Yield a whole answer to begin with."""
    yield _plan(game, decision, pick)


def _plan(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    match decision:
        case Bid():
            return _bid(game, decision, pick)
        case PassOrTurn():
            return to_json(_turn(game, decision))
        case AirResponse():
            return to_json(_air_response(game, decision))
        case Feeding():
            return to_json(_feed(game, decision))
        case Production():
            return to_json(_produce(game, decision))
    return to_json(decision.default(game))


def _bid(game: Game, decision: Bid, pick: Pick) -> int:
    """Return as many turns as the supply units can pay for, the first one free, with a bluff now and then."""
    numbers = world_of(game).numbers
    can_pay = 1 + step_total(game, decision.player) // 2
    return int(min(numbers.bid_max, max(numbers.bid_min, can_pay - pick((0, 1, 1, 2)))))


def _turn(game: Game, decision: PassOrTurn) -> TurnOrder:
    """Act in round 1 and when it is owed; later if the gains are worth a step of a supply unit."""
    player = decision.player
    order, promise = best_turn(game, decision)
    spare = max((u.cv for u in supply_units(game, player)), default=0)
    worth_it = decision.round <= 1 or (promise >= WORTH_A_STEP and spare >= 2)
    if not worth_it and not must_act(game, player):
        return TurnOrder("pass")
    return decision.repair(game, order)


def _air_response(game: Game, decision: AirResponse) -> tuple[Response, ...]:
    """Return the air responses: fighters fly if the defenders have a chance, bombers only for a base."""
    world, drafting = world_of(game), Drafting(decision, game)
    options = decision.legal(game)
    options.sort(key=lambda r: (-_stake(game, r.to), -Block(game, r.unit).kind.a, r.unit))
    for option in options:
        block = Block(game, option.unit)
        attackers = len(units(game, decision.attacker, option.to))
        defenders = len(units(game, hex=option.to)) - attackers
        bomber = block.kind.a < 2
        if block.cv < 2 or attackers > 2 * defenders + 2 or (bomber and option.to not in world.bases):
            continue
        drafting.offer(option)
    return drafting.answer()


def _stake(game: Game, hex: str) -> int:
    world = world_of(game)
    return 1 + world.bases[hex].pp if hex in world.bases else 0


def _feed(game: Game, decision: Feeding) -> tuple[Meal, ...]:
    """Feed fighting blocks from supply units; give the last step only to a strong block."""
    drafting = Drafting(decision, game)
    meals = sorted(decision.legal(game), key=lambda m: (-power(Block(game, m.saves)), m.saves, m.su))
    for fed in meals:
        left = Block(game, fed.su).cv - sum(1 for meal in drafting.elements if meal.su == fed.su)
        if left > 1 or power(Block(game, fed.saves)) >= 4:
            drafting.offer(fed)
    return drafting.answer()


# production


def _produce(game: Game, decision: Production) -> ProductionOrder:
    """Return the production: grown resource blocks first, then each city spends on its best wishes."""
    drafting = Drafting(decision, game)
    draft = drafting.draft
    assert isinstance(draft, Purchases)
    for block in units(game, decision.player):
        if block.type == "RS" and block.cv >= 2:
            drafting.offer(Part("deliver", block.id))
    points = draft.accounts.points
    for hex in sorted(points, key=lambda h: (points[h], h)):
        wishes = [Part("spend", wish) for wish in _wishes(game, decision.player, hex)]
        while draft.accounts.left(hex) > 0 and any(not drafting.offer(wish) for wish in wishes):
            pass
    order = drafting.answer()
    return replace(order, spend=_joined(order.spend))


def _wishes(game: Game, player: str, hex: str) -> list[Spend]:
    """Return the wishes of a city, one step each, the most valuable first."""
    sense = Sense(game, player)
    here = sorted(units(game, player, hex), key=lambda u: (u.cls != "ground", u.cv, u.id))
    ground = [u for u in here if u.cls == "ground"]
    supply = sorted(supply_units(game, player), key=lambda u: (u.cv, u.id))
    wishes: list[Spend] = []
    if hex in sense.threatened:
        wishes += [Spend(hex, 1, add=u.id) for u in ground]
        wishes += [Spend(hex, steps, build="IN") for steps in (3, 2, 1)]
    wishes += [Spend(hex, 1, front=u.id) for u in supply if u.cv < 3]
    wishes += [Spend(hex, 1, add=u.id) for u in supply if u.hex == hex and u.cv < 3]
    if len(supply) < 2:
        wishes += [Spend(hex, steps, build="SU") for steps in (2, 1)]
    wishes += [Spend(hex, 1, add=u.id) for u in here if u.type != "RS"]
    wishes += [Spend(hex, 1, front=u.id) for u in units(game, player) if u.cls == "ground" and u.cv < 3]
    wishes += [
        Spend(hex, steps, build=code) for steps in (4, 3, 2, 1) for code in ("AR", "IN", "MA", "F", "DB")
    ]
    wishes += [Spend(hex, 1, front=u.id) for u in supply]
    return wishes


def _joined(spend: tuple[Spend, ...]) -> tuple[Spend, ...]:
    """Return steps for one block from one city as one element."""
    joined: list[Spend] = []
    for spent in spend:
        same = [i for i, other in enumerate(joined) if replace(other, steps=spent.steps) == spent]
        if same and spent.build is None:
            joined[same[0]] = replace(spent, steps=spent.steps + joined[same[0]].steps)
        else:
            joined.append(spent)
    return tuple(joined)
