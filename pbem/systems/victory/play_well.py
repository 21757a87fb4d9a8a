"""A sensible player of victory, for demonstrations and absent opponents: works off the player's view.

Deterministic given `pick`, which chooses one of a list where taste decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbem.rules import Decision, Game, Json, to_json

from .blocks import supply_units, unit, units, world_of
from .decisions.air_response import AirResponse, Response
from .decisions.bid import Bid
from .decisions.feeding import Feeding, Meal
from .decisions.production import Production, ProductionOrder
from .decisions.turn_order import PassOrTurn
from .initiative import must_act, step_total
from .ledger import Ledger, Spend
from .orders import TurnOrder
from .planning import Plan
from .play_well_sense import Sense, power
from .play_well_turn import best_turn

Pick = Callable[[Sequence[Any]], Any]
WORTH_A_STEP = 3  # what a turn must promise before a supply unit gives a step for it


def play_well(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """The answer of a sensible player; the rules' default where he has no opinion."""
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
    """As many turns as the supply units can pay for, the first one is free; a bluff now and then."""
    numbers = world_of(game).numbers
    can_pay = 1 + step_total(game, decision.player) // 2
    return int(min(numbers.bid_max, max(numbers.bid_min, can_pay - pick((0, 1, 1, 2)))))


def _turn(game: Game, decision: PassOrTurn) -> TurnOrder:
    """Act in round 1 and when it is owed; later when what can be had is worth a step of a supply unit."""
    player = decision.player
    order, promise = best_turn(game, player, decision.round)
    spare = max((u.cv for u in supply_units(game, player)), default=0)
    worth_it = decision.round <= 1 or (promise >= WORTH_A_STEP and spare >= 2)
    if not worth_it and not must_act(game, player):
        return TurnOrder("pass")
    kept = Plan(game, player, order, mend=True).kept
    return kept if not Plan(game, player, kept).faults else decision.default(game)


def _air_response(game: Game, decision: AirResponse) -> tuple[Response, ...]:
    """Fighters fly where the defenders stand a chance; bombers only for a base."""
    world = world_of(game)
    sent: tuple[Response, ...] = ()
    options = decision.legal(game)
    options.sort(key=lambda r: (-_stake(game, r.to), -unit(game, r.unit).kind.a, r.unit))
    for one in options:
        block = unit(game, one.unit)
        attackers = len(units(game, decision.attacker, one.to))
        defenders = len(units(game, hex=one.to)) - attackers
        bomber = block.kind.a < 2
        if block.cv < 2 or attackers > 2 * defenders + 2 or (bomber and one.to not in world.bases):
            continue
        if not decision.check(game, (*sent, one)):
            sent = (*sent, one)
    return sent


def _stake(game: Game, hex: str) -> int:
    world = world_of(game)
    return 1 + world.bases[hex].pp if hex in world.bases else 0


def _feed(game: Game, decision: Feeding) -> tuple[Meal, ...]:
    """Supply units feed fighting blocks; the last step only for a strong block."""
    given: tuple[Meal, ...] = ()
    meals = sorted(decision.legal(game), key=lambda m: (-power(unit(game, m.saves)), m.saves, m.su))
    for one in meals:
        left = unit(game, one.su).cv - sum(1 for meal in given if meal.su == one.su)
        if (left > 1 or power(unit(game, one.saves)) >= 4) and not decision.check(game, (*given, one)):
            given = (*given, one)
    return given


# production


def _produce(game: Game, decision: Production) -> ProductionOrder:
    """Grown resource blocks first; then each city spends point by point on its dearest wish."""
    accounts = decision.ledger(game)
    deliver: list[str] = []
    for block in units(game, decision.player):
        if block.type == "RS" and block.cv >= 2 and accounts.delivery_fault(block.id) is None:
            accounts.deliver(block.id)
            deliver.append(block.id)
    spend: list[Spend] = []
    for hex in sorted(accounts.points, key=lambda h: (accounts.points[h], h)):
        while accounts.left(hex) > 0:
            wish = next((w for w in _wishes(game, decision.player, hex) if _payable(accounts, w)), None)
            if wish is None:
                break
            accounts.spend(wish)
            spend.append(wish)
    return ProductionOrder(tuple(deliver), _joined(spend))


def _wishes(game: Game, player: str, hex: str) -> list[Spend]:
    """What a city is asked for, one step each, the dearest wish first."""
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


def _payable(accounts: Ledger, one: Spend) -> bool:
    hex = accounts.hex_of(one.city)
    return hex is not None and accounts.fault(one) is None and accounts.price(one) <= accounts.left(hex)


def _joined(spend: list[Spend]) -> tuple[Spend, ...]:
    """Steps for one block from one city in one element."""
    joined: list[Spend] = []
    for one in spend:
        same = [i for i, other in enumerate(joined) if replace(other, steps=one.steps) == one]
        if same and one.build is None:
            joined[same[0]] = replace(one, steps=one.steps + joined[same[0]].steps)
        else:
            joined.append(one)
    return tuple(joined)
