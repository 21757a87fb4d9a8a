"""Production (D-12, rules 4.10.2-4.10.5): resource blocks to deliver, points to spend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbem.rules import Decision, Diagnostic, Game, Name, Option, decision, fact, to_json

from ..blocks import Sim, units, world_of
from ..ledger import Fault, Ledger, Spend


@dataclass(frozen=True)
class ProductionOrder:
    """Resource blocks delivered first, then points spent, in this order."""

    deliver: tuple[Name, ...] = ()
    spend: tuple[Spend, ...] = ()


ProductionForm = ProductionOrder | tuple[Spend, ...]  # as the answer, or only the list of what to buy (D-12)


@decision(
    "production",
    rule="4.10.2",
    answer=ProductionOrder,
    secrecy="sealed",
    standing=("production", ProductionForm),
)
class Production(Decision[ProductionOrder]):
    """Which resource blocks are delivered, and what do your cities buy? Points that are not spent are
    lost.
    """

    player: str

    def ledger(self, game: Game) -> Ledger:
        """Fresh accounts on a copy of the position."""
        return Ledger(Sim.of(game), game, self.player, game.options)

    def waits(self, game: Game) -> bool:
        """Nobody waits for a player who has nothing to spend and nothing to deliver."""
        accounts = self.ledger(game)
        mine = units(game, self.player)
        return any(accounts.points.values()) or any(accounts.delivery_fault(u.id) is None for u in mine)

    def check(self, game: Game, answer: ProductionOrder) -> list[Diagnostic]:
        accounts = self.ledger(game)
        faults: list[Diagnostic] = []
        for number, id in enumerate(answer.deliver):
            fault = accounts.delivery_fault(id)
            if fault is None:
                accounts.deliver(id)
            else:
                faults.append(_diagnostic(fault, ("deliver", number), "4.10.2"))
        overdrawn: dict[str, int] = {}
        for number, one in enumerate(answer.spend):
            fault = accounts.fault(one)
            if fault is None:
                hex = accounts.spend(one)[0]
                if accounts.left(hex) < 0:
                    overdrawn.setdefault(hex, number)
            else:
                path = ("spend", number, fault.entry) if fault.entry else ("spend", number)
                faults.append(_diagnostic(fault, path, "4.10.3"))
        for hex, number in overdrawn.items():
            name = world_of(game).bases[hex].name
            words = f"{name} has {accounts.points[hex]} PP, orders cost {accounts.cost[hex]}"
            faults.append(_diagnostic(Fault("E-PRO-01", words, "city"), ("spend", number, "city"), "4.10.4"))
        return faults

    def options(self, game: Game, so_far: ProductionOrder | None = None) -> Iterator[Option]:
        given = so_far or ProductionOrder()
        if so_far is None:
            yield Option({}, "deliver and spend nothing")
        accounts = self.ledger(game)
        for id in given.deliver:
            accounts.deliver(id)
        if not given.spend:
            for block in units(game, self.player):
                if accounts.delivery_fault(block.id) is None:
                    longer = replace(given, deliver=(*given.deliver, block.id))
                    yield Option(to_json(longer), f"deliver {block.id} in {world_of(game).place(block.hex)}")
        for one in given.spend:
            accounts.spend(one)
        for one in _purchases(accounts):
            name, price = world_of(game).bases[one.city].name, accounts.price(one)
            longer = replace(given, spend=(*given.spend, one))
            yield Option(to_json(longer), f"{name}: {one.how} {one.what}, {one.steps} steps for {price} PP")

    def default(self, game: Game) -> ProductionOrder:
        return ProductionOrder()

    def repair(self, game: Game, answer: ProductionOrder) -> ProductionOrder:
        return self._affordable(game, answer, part=False)

    def from_standing(self, game: Game, orders: list[ProductionForm]) -> ProductionOrder | None:
        whole = [ProductionOrder(spend=one) if isinstance(one, tuple) else one for one in orders]
        deliver = tuple(id for order in whole for id in order.deliver)
        spend = tuple(one for order in whole for one in order.spend)
        return self._affordable(game, ProductionOrder(deliver, spend), part=True)

    def _affordable(self, game: Game, answer: ProductionOrder, *, part: bool) -> ProductionOrder:
        """The elements that are legal and can be paid, in order.

        With `part`, as many steps of one as can be.
        """
        accounts = self.ledger(game)
        deliver: list[str] = []
        for id in answer.deliver:
            if accounts.delivery_fault(id) is None:
                accounts.deliver(id)
                deliver.append(id)
        spend: list[Spend] = []
        for one in answer.spend:
            for steps in range(one.steps, 0 if part else one.steps - 1, -1):
                smaller = replace(one, steps=steps)
                if _payable(accounts, smaller):
                    accounts.spend(smaller)
                    spend.append(smaller)
                    break
        return ProductionOrder(tuple(deliver), tuple(spend))

    @fact
    def pp(self, game: Game) -> int:
        return sum(self.ledger(game).points.values())


def _payable(accounts: Ledger, one: Spend) -> bool:
    if accounts.fault(one) is not None:
        return False
    return accounts.price(one) <= accounts.left(accounts.hex_of(one.city) or "")


def _purchases(accounts: Ledger) -> Iterator[Spend]:
    """Every single purchase that is legal and can be paid now, by city."""
    world = world_of(accounts.board)
    mine = [u.id for u in units(accounts.board, accounts.player)]
    for hex in sorted(accounts.points):
        if accounts.left(hex) < 1:
            continue
        wishes = [Spend(hex, 1, add=id) for id in mine]
        wishes += [Spend(hex, 1, build=code) for code in sorted(world.types)]
        wishes += [Spend(hex, 1, front=id) for id in mine]
        for wish in wishes:
            top = len(world.types["DD"].steps)
            for steps in range(1, top + 1):
                if not _payable(accounts, replace(wish, steps=steps)):
                    break
                yield replace(wish, steps=steps)


def _diagnostic(fault: Fault, path: tuple[str | int, ...], rule: str) -> Diagnostic:
    family = "ambiguous" if fault.code == "ambiguous-purchase" else "illegal"
    return Diagnostic(fault.code, fault.words, family=family, rule=rule, path=path)  # type: ignore[arg-type]
