"""E.3.2: Costs and sums of a production order, in sentences, before it is sent (4.8.3)."""

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
    """A power's production order, carried out on the board of a draft as E.3.3 would."""

    power: str
    wish: Spending
    income: Income
    bought: Purchase
    rate: int
    pool: tuple[str, ...]
    """The units left to buy, with counts and prices."""


def budget(game: Game, power: str, wish: Spending) -> Budget:
    """E.3.3: Carry out a production order on a draft's board, and return costs and sums."""
    wish = with_oil(game, power, wish)
    oil = {power: wish.oil_to_fuel}
    income = incomes(game, oil)[power]
    bought = buy(game, power, wish, income.bp)
    pool = tuple(offered(game, power, entry) for entry in buyable(game, power))
    return Budget(power, wish, income, bought, rate(world_of(game), bought.other, bought.rp), pool)


def offered(game: Game, power: str, entry: PoolEntry) -> str:
    """4.8.3: Return an entry of the force pool in words: count, id or kind, price, gearing class."""
    kind = world_of(game).print(*type_and_print(entry.unit)).gearing
    name = f"{entry.id} {entry.unit}" if entry.id is not None else entry.unit
    count = f"{entry.count} x " if entry.count > 1 else ""
    return f"{count}{name} ({price(game, entry)}, {kind})"


def lines(game: Game, sums: Budget) -> Iterator[str]:
    """E.3.1 to E.3.3: Yield the lines of a budget: income, purchases, gearing, rest of the pool."""
    income, bought, power = sums.income, sums.bought, sums.power
    yield Message(
        "wif.budget.build-points",
        power=power,
        points=income.bp,
        factories=income.factories,
        resources=income.resources,
    )
    if income.borrowed or income.lent:
        yield f"  {power} borrows {income.borrowed} and lends {income.lent}"
    if bought.built:
        yield f"  {power} buys {', '.join(bought.built)} for {bought.other}"
    if bought.rp:
        yield f"  {power} buys {bought.rp} reorganization points"
    for number, refused in bought.refused:
        yield f"  #{number} {refused.code} {refused.message}"
    yield f"  {power} saves {bought.saved}; rate {sums.rate} next turn"
    yield f"  gearing: {', '.join(gearing_left(game, sums))}"
    yield f"  force pool: {', '.join(sums.pool) or 'nothing'}"


def gearing_left(game: Game, sums: Budget) -> Iterator[str]:
    """4.8.3: Yield the number bought of each gearing class, and the limit."""
    for kind in world_of(game).units["gearing"]:
        limit = gearing_limit(game, sums.power, kind)
        yield f"{kind} {sums.bought.gearing.get(kind, 0)} of {limit}"
