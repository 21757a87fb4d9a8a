"""E.3.2: Costs and sums of a production order, in words, before it is sent (4.8.3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game, Message, dataclass

from .entries import Spending
from .pieces import PoolEntry
from .production import (
    Income,
    Purchase,
    buy,
    buyable,
    gearing_limit,
    incomes,
    price,
    rate,
    type_and_print,
    with_oil,
)
from .world import world_of


@dataclass(frozen=True)
class Budget:
    """A power's production order as E.3.3 would carry it out on the board of a draft."""

    power: str
    wish: Spending
    income: Income
    bought: Purchase
    rate: int
    pool: tuple[str, ...]
    """What is left to buy, with counts and prices."""


def budget(game: Game, power: str, wish: Spending) -> Budget:
    """E.3.3: Carry out a production order on a draft's board and return what it comes to."""
    wish = with_oil(game, power, wish)
    oil = {power: wish.oil_to_fuel}
    one = incomes(game, oil)[power]
    done = buy(game, power, wish, one.bp)
    left = tuple(offered(game, power, entry) for entry in buyable(game, power))
    return Budget(power, wish, one, done, rate(world_of(game), done.other, done.rp), left)


def offered(game: Game, power: str, entry: PoolEntry) -> str:
    """4.8.3: Return an entry of the force pool as one buys it: count, id or kind, price, gearing class."""
    kind = world_of(game).print(*type_and_print(entry.unit)).gearing
    name = f"{entry.id} {entry.unit}" if entry.id is not None else entry.unit
    count = f"{entry.count} x " if entry.count > 1 else ""
    return f"{count}{name} ({price(game, entry)}, {kind})"


def lines(game: Game, found: Budget) -> Iterator[str]:
    """E.3.1 to E.3.3: Yield what an order comes to: income, purchases, gearing, what is left."""
    one, done, power = found.income, found.bought, found.power
    yield Message(
        "wif.budget.build-points",
        power=power,
        points=one.bp,
        factories=one.factories,
        resources=one.resources,
    )
    if one.borrowed or one.lent:
        yield f"  {power} borrows {one.borrowed} and lends {one.lent}"
    if done.built:
        yield f"  {power} buys {', '.join(done.built)} for {done.other}"
    if done.rp:
        yield f"  {power} buys {done.rp} reorganization points"
    for number, refused in done.refused:
        yield f"  #{number} {refused.code} {refused.message}"
    yield f"  {power} saves {done.saved}; rate {found.rate} next turn"
    yield f"  gearing: {', '.join(gearing_left(game, found))}"
    yield f"  force pool: {', '.join(found.pool) or 'nothing'}"


def gearing_left(game: Game, found: Budget) -> Iterator[str]:
    """4.8.3: Return how many of each gearing class are bought, and of how many."""
    for kind in world_of(game).units["gearing"]:
        most = gearing_limit(game, found.power, kind)
        yield f"{kind} {found.bought.gearing.get(kind, 0)} of {most}"
