"""Production (D-12, rules 4.10.1-4.10.5): city points, resource blocks to deliver, purchases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from pbem.kit.faults import illegal, unknown
from pbem.rules import (
    Diagnostic,
    Draft,
    Drafting,
    Game,
    Growing,
    Message,
    Name,
    Next,
    Part,
    Pattern,
    Points,
    Range,
    dataclass,
    decision,
    fact,
)

from ..blocks import Block, own, place_new, units
from ..sides import Side, controller
from ..state import State
from ..supply import Lines, city_yield
from ..world import UnitType, world_of

How = Literal["add", "build", "front"]
City = Annotated[str, Pattern("[^\\n]{1,40}", "a city by hex number or name")]


@dataclass(frozen=True)
class Spend:
    """Points of one city to spend.

    They go to a block in it (`add`), a new block of a type (`build`), or a block elsewhere (`front`).
    """

    city: City
    steps: Annotated[int, Range(1, 4)]
    add: Name | None = None
    build: Name | None = None
    front: Name | None = None

    @property
    def how(self) -> How | None:
        """Return which of the three is given, or None unless it is exactly one."""
        names: tuple[How, ...] = ("add", "build", "front")
        given = [name for name in names if getattr(self, name) is not None]
        return given[0] if len(given) == 1 else None

    @property
    def what(self) -> str:
        """Return the block or type that gets the steps."""
        return self.add or self.build or self.front or ""


@dataclass(frozen=True)
class ProductionOrder:
    """Resource blocks to deliver, then points to spend, in order."""

    deliver: tuple[Name, ...] = ()
    spend: tuple[Spend, ...] = ()


ProductionForm = ProductionOrder | tuple[Spend, ...]  # a whole answer, or only a list of purchases


class Ledger:
    """4.10.1-4.10.3: The accounts of one player, opened in the position after Attrition."""

    def __init__(self, game: Game, player: str) -> None:
        self.game, self.player, self.world = game, player, world_of(game)
        self.new: dict[str, str] = {}
        self.cost: dict[str, int] = {}
        supply = bool(game.options["city_supply"])
        cities = [h for h in self.world.bases if self.world.is_city(h) and controller(game, h) == player]
        self.points = {hex: city_yield(game, hex, supply) for hex in cities}

    def left(self, hex: str) -> int:
        """Return the production points (PP) that the city has not spent."""
        return self.points.get(hex, 0) - self.cost.get(hex, 0)

    def hex_of(self, city: str) -> str | None:
        """Return the hex of a city, given by number or name."""
        bases = self.world.bases
        named = (h for h, base in bases.items() if base.name.casefold() == city.casefold())
        hex = city if city in bases else next(named, None)
        return hex if hex is not None and bases[hex].city else None

    def price(self, order: Spend) -> int:
        """4.10.3: Return the price of a purchase in PP; 0 if it is unknown."""
        if order.how == "build":
            kind = self.world.types.get(order.what)
            factor = self.world.numbers.cadre_cost_factor if self.game.options["building_cadres"] else 1
            return (kind.cost or 0) * order.steps * factor if kind else 0
        block = own(self.game, self.player, order.what)
        return (block.kind.cost or 0) * order.steps if block else 0

    def deliver(self, id: str) -> tuple[str, int, int]:
        """4.10.2: Turn a resource block into PP of its city; return hex, CV and PP."""
        block = Block(self.game, id)
        hex, cv = block.hex, block.cv
        pp = cv * self.world.bases[hex].pp
        self.points[hex] = self.points.get(hex, 0) + pp
        block.eliminate()
        return hex, cv, pp

    def spend(self, order: Spend) -> tuple[str, str, int, int]:
        """4.10.3: Make a purchase that has no faults; return hex, block id, CV before, CV now."""
        hex = self.hex_of(order.city)
        assert hex is not None and order.how is not None
        self.cost[hex] = self.cost.get(hex, 0) + self.price(order)
        if order.how == "build":
            cv = self.world.types[order.what].steps[-order.steps]
            id = place_new(self.game, self.player, order.what, cv, hex).id
            self.new[id] = hex
            return hex, id, 0, cv
        block = Block(self.game, order.what)
        before = block.cv
        for _ in range(order.steps):
            block.gain_step()
        return hex, order.what, before, block.cv


def cannot_build(reason: str, entry: str) -> Diagnostic:
    """4.10.4: Return the refusal to build here."""
    return illegal(
        "E-PRO-06", "4.10.3", Message("victory.production.cannot-build-here", reason=reason), entry
    )


class Purchases(Draft[Part[Any]]):
    """Deliveries and purchases so far, carried out on the board."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.accounts = Ledger(game, player)
        self.side = Side(game, player)
        self.world = self.side.world
        self.overdrawn: list[str] = []
        self._lines: dict[str, Lines] = {}

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section == "deliver":
            return list(self.delivery_faults(element.value))
        faults = list(self.spend_faults(element.value))
        return faults or list(self.price_faults(element.value))

    def purse(self) -> Iterator[tuple[str, str, int, int]]:
        """4.10.1: Yield the production points of each city that has some."""
        for hex, points in self.accounts.points.items():
            if points:
                yield hex, "PP", self.accounts.left(hex), points

    def suppose(self, element: Part[Any]) -> None:
        """Note that a city is overdrawn, so that this is reported only once."""
        if element.section == "spend" and not list(self.spend_faults(element.value)):
            self.overdrawn.append(self.accounts.hex_of(element.value.city) or "")

    def do(self, element: Part[Any]) -> None:
        if element.section == "deliver":
            self.accounts.deliver(element.value)
        else:
            self.accounts.spend(element.value)

    def delivery_faults(self, id: str) -> Iterator[Diagnostic]:
        """4.10.2: Yield the fault of a resource block that cannot be delivered from its hex."""
        block = own(self.game, self.player, id)
        if block is None or block.type != "RS":
            message = Message("victory.production.no-such-unit", player=self.player, id=id)
            yield illegal("E-GEN-01", "4.10.2", message)
        elif not self.world.is_city(block.hex) or not self.side.friendly_base(block.hex):
            place = self.world.place(block.hex)
            message = Message("victory.production.unit-not-in-city-stands", id=id, place=place)
            yield illegal("E-PRO-03", "4.10.2", message)

    def price_faults(self, order: Spend) -> Iterator[Diagnostic]:
        """4.10.4: Yield the fault of a purchase that the city cannot pay for."""
        accounts, hex = self.accounts, self.accounts.hex_of(order.city) or ""
        price = accounts.price(order)
        if price > accounts.left(hex) and hex not in self.overdrawn:
            cost = accounts.cost.get(hex, 0) + price
            message = Message(
                "victory.production.has-pp",
                base=self.world.bases[hex].name,
                points=accounts.points[hex],
                cost=cost,
            )
            yield illegal("E-PRO-01", "4.10.4", message, "city")

    def spend_faults(self, order: Spend) -> Iterator[Diagnostic]:
        """4.10.3, 4.10.4: Yield the first fault of a purchase, apart from its price."""
        hex, block = self.accounts.hex_of(order.city), own(self.game, self.player, order.what)
        if order.how is None:
            message = Message("victory.production.ambiguous-purchase")
            yield Diagnostic("ambiguous-purchase", message, family="ambiguous", rule="4.10.3")
        elif hex is None or hex not in self.accounts.points:
            known = [self.world.bases[h].name for h in self.accounts.points] if hex is None else []
            message = Message("victory.production.not-your-city", city=order.city)
            yield unknown("E-PRO-02", "4.10.3", message, "city", name=order.city, names=known)
        elif order.how == "build":
            yield from self.build_faults(order, hex)
        elif order.what in self.accounts.new:
            message = Message("victory.production.new-cadre-gets-no-more-steps-turn", what=order.what)
            yield illegal("E-PRO-09", "4.10.3", message, order.how)
        elif block is None:
            message = Message("victory.blocks.no-such-unit", player=self.player, unit=order.what)
            yield illegal("E-GEN-01", "4.10.3", message, order.how)
        elif faults := list(
            self.front_faults(block, hex) if order.how == "front" else self.add_faults(block, hex)
        ):
            yield from faults
        else:
            yield from self.strength_faults(order, block.kind, block.cv, block.id)

    def strength_faults(self, order: Spend, kind: UnitType, cv: int, name: str) -> Iterator[Diagnostic]:
        room = kind.steps.index(cv) if cv else len(kind.steps)
        if order.steps > room:
            message = Message(
                "victory.production.above-maximum-strength", name=name, room=room, steps=order.steps
            )
            yield illegal("E-PRO-05", "4.10.3", message, "steps")

    def add_faults(self, block: Block, hex: str) -> Iterator[Diagnostic]:
        if block.hex != hex:
            here, city = self.world.place(block.hex), self.world.bases[hex].name
            message = Message("victory.production.unit-not-in-city", block=block.id, here=here, city=city)
            yield illegal("E-PRO-03", "4.10.3", message, "add")
        elif block.kind.cost is None:
            yield cannot_build(Message("victory.production.resource-blocks-never-bought"), "add")

    def front_faults(self, block: Block, hex: str) -> Iterator[Diagnostic]:
        allowed, reason = self.game.options["front_line_replacements"], ""
        if allowed == "off":
            reason = Message("victory.production.not-in-use-in-game")
        elif block.kind.cost is None:
            reason = Message("victory.production.resource-blocks-never-bought")
        elif allowed == "su" and block.type != "SU":
            reason = Message("victory.production.only-su-blocks")
        elif not self.lines(hex).reach(block.hex):
            reason = Message(
                "victory.feeding.cannot-trace-supply-line", unit=block.id, source=self.world.bases[hex].name
            )
        if reason:
            yield illegal(
                "E-PRO-04",
                "4.10.3",
                Message("victory.production.front-line-replacements", reason=reason),
                "front",
            )

    def build_faults(self, order: Spend, hex: str) -> Iterator[Diagnostic]:
        base, kind = self.world.bases[hex], self.world.types.get(order.what)
        pool = State.of(self.game).pool.get(self.player, {})
        if kind is None:
            message = Message("victory.production.no-block-of-that-type-in-pool", what=order.what)
            yield illegal("E-PRO-07", "4.10.3", message, "build")
        elif kind.cost is None:
            yield cannot_build(Message("victory.production.resource-blocks-never-bought"), "build")
        elif base.home != self.player:
            yield cannot_build(
                Message("victory.production.no-home-city", base=base.name, player=self.player), "city"
            )
        elif self.side.enemy_in(hex):
            yield cannot_build(Message("victory.production.enemy-block-stands", base=base.name), "city")
        elif kind.class_ == "naval" and not base.port:
            yield cannot_build(Message("victory.production.has-no-port", base=base.name), "city")
        elif pool.get(kind.code, 0) < 1:
            yield illegal(
                "E-PRO-07",
                "4.10.3",
                Message("victory.production.no-block-of-that-type-in-the-pool", code=kind.code),
                "build",
            )
        elif not self.side.room(hex, kind.code):
            message = Message("victory.production.stack-limit", code=kind.code, base=base.name)
            yield illegal("E-PRO-08", "4.10.3", message, "build")
        elif self.game.options["building_cadres"] and order.steps > 1:
            message = Message("victory.production.new-cadre-gets-no-more-steps-turn-arrives")
            yield illegal("E-PRO-09", "4.10.3", message, "steps")
        else:
            yield from self.strength_faults(order, kind, 0, kind.code)

    def lines(self, hex: str) -> Lines:
        """4.10.5: Return the supply lines to a city; the player's own purchases do not change them."""
        if hex not in self._lines:
            self._lines[hex] = Lines(self.side, [hex])
        return self._lines[hex]

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        if not any(element.section == "spend" for element in self.elements):
            for block in units(self.game, self.player):
                part = Part("deliver", block.id)
                if self.concerns(of, block.id) and not self.faults(part):
                    yield Next(part, self.words(part), Points((block.id,)))
        for hex in self.accounts.points:
            yield from self.purchases(hex, of)

    def purchases(self, hex: str, of: str | None) -> Iterator[Next[Part[Any]]]:
        """Yield every legal purchase that a city can pay for now."""
        mine = [u.id for u in units(self.game, self.player) if of == hex or self.concerns(of, u.id)]
        wishes = [Spend(hex, 1, add=id) for id in mine]
        wishes += [Spend(hex, 1, build=code) for code in sorted(self.world.types) if of in (None, hex)]
        wishes += [Spend(hex, 1, front=id) for id in mine]
        for wish in wishes if self.accounts.left(hex) > 0 else ():
            for steps in range(1, max(len(kind.steps) for kind in self.world.types.values()) + 1):
                part = Part("spend", replace(wish, steps=steps))
                if self.faults(part):
                    break
                counters = () if wish.build else (wish.what,)
                price = (("PP", self.accounts.price(part.value)),)
                yield Next(part, self.words(part), Points(counters, hex, end=hex, cost=price))

    def words(self, element: Part[Any]) -> str:
        value = element.value
        if isinstance(value, Spend):
            hex, price = self.accounts.hex_of(value.city), self.accounts.price(value)
            name = self.world.bases[hex].name if hex else value.city
            if value.steps == 1:
                return Message(
                    "victory.production.one-step-for-pp",
                    name=name,
                    how=value.how,
                    what=value.what,
                    price=price,
                )
            return Message(
                "victory.production.steps-for-pp",
                name=name,
                how=value.how,
                what=value.what,
                steps=value.steps,
                price=price,
            )
        return Message(
            "victory.production.deliver", unit=value, place=self.world.place(Block(self.game, value).hex)
        )

    def nothing(self) -> str:
        return Message("victory.production.deliver-and-spend-nothing")


@decision(
    "production",
    rule="4.10.2",
    answer=ProductionOrder,
    secrecy="sealed",
    standing=("production", ProductionForm),
)
class Production(Growing[ProductionOrder]):
    """Which resource blocks do you deliver, and what do your cities buy?

    Points that you do not spend are lost.
    """

    player: str
    drafts = Purchases

    def waits(self, game: Game) -> bool:
        """Return True if the player has points to spend or a block to deliver."""
        draft = Purchases(game, self.player)
        mine = units(game, self.player)
        return any(draft.accounts.points.values()) or any(not list(draft.delivery_faults(u.id)) for u in mine)

    def from_standing(self, game: Game, orders: list[ProductionForm]) -> ProductionOrder | None:
        """Return the legal deliveries and purchases, in order and with as many steps as can be paid."""
        whole = [ProductionOrder(spend=order) if isinstance(order, tuple) else order for order in orders]
        drafting = Drafting(self, game)
        for id in (id for order in whole for id in order.deliver):
            drafting.offer(Part("deliver", id))
        for purchase in (purchase for order in whole for purchase in order.spend):
            for steps in range(purchase.steps, 0, -1):
                if not drafting.offer(Part("spend", replace(purchase, steps=steps))):
                    break
        return drafting.answer()

    @fact
    def pp(self, game: Game) -> int:
        return sum(Ledger(game, self.player).points.values())
