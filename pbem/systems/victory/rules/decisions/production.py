"""Production (D-12, rules 4.10.1-4.10.5): points per city, resource blocks to deliver, what is bought."""

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
    """Points of one city.

    For a block in it (`add`), a new block (`build`, a type), or one in the field (`front`).
    """

    city: City
    steps: Annotated[int, Range(1, 4)]
    add: Name | None = None
    build: Name | None = None
    front: Name | None = None

    @property
    def how(self) -> How | None:
        """Return which of the three it is; None if none or several are given."""
        ways: tuple[How, ...] = ("add", "build", "front")
        given = [way for way in ways if getattr(self, way) is not None]
        return given[0] if len(given) == 1 else None

    @property
    def what(self) -> str:
        """Return the block or type it is for."""
        return self.add or self.build or self.front or ""


@dataclass(frozen=True)
class ProductionOrder:
    """Resource blocks delivered first, then points spent, in this order."""

    deliver: tuple[Name, ...] = ()
    spend: tuple[Spend, ...] = ()


ProductionForm = ProductionOrder | tuple[Spend, ...]  # as the answer, or only the list of what to buy


class Ledger:
    """4.10.1-4.10.3 The accounts of one player, begun in the position after Attrition."""

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
        """Return the hex of a city by number or name."""
        bases = self.world.bases
        named = (h for h, base in bases.items() if base.name.casefold() == city.casefold())
        hex = city if city in bases else next(named, None)
        return hex if hex is not None and bases[hex].city else None

    def price(self, one: Spend) -> int:
        """4.10.3: Return the PP for an element; 0 if its price is unknown."""
        if one.how == "build":
            kind = self.world.types.get(one.what)
            factor = self.world.numbers.cadre_cost_factor if self.game.options["building_cadres"] else 1
            return (kind.cost or 0) * one.steps * factor if kind else 0
        block = own(self.game, self.player, one.what)
        return (block.kind.cost or 0) * one.steps if block else 0

    def deliver(self, id: str) -> tuple[str, int, int]:
        """4.10.2 Turn a resource block into PP of its city: (hex, CV, PP)."""
        block = Block(self.game, id)
        hex, cv = block.hex, block.cv
        pp = cv * self.world.bases[hex].pp
        self.points[hex] = self.points.get(hex, 0) + pp
        block.eliminate()
        return hex, cv, pp

    def spend(self, one: Spend) -> tuple[str, str, int, int]:
        """4.10.3 Buy an element that has no fault: (hex, block id, CV before, CV now)."""
        hex = self.hex_of(one.city)
        assert hex is not None and one.how is not None
        self.cost[hex] = self.cost.get(hex, 0) + self.price(one)
        if one.how == "build":
            cv = self.world.types[one.what].steps[-one.steps]
            id = place_new(self.game, self.player, one.what, cv, hex).id
            self.new[id] = hex
            return hex, id, 0, cv
        block = Block(self.game, one.what)
        before = block.cv
        for _ in range(one.steps):
            block.gain_step()
        return hex, one.what, before, block.cv


def cannot_build(reason: str, entry: str) -> Diagnostic:
    """4.10.4: Return the refusal to build there."""
    return illegal(
        "E-PRO-06", "4.10.3", Message("victory.production.cannot-build-here", reason=reason), entry
    )


class Purchases(Draft[Part[Any]]):
    """Deliveries and purchases so far, carried out."""

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
        found = list(self.spend_faults(element.value))
        return found or list(self.price_faults(element.value))

    def purse(self) -> Iterator[tuple[str, str, int, int]]:
        """4.10.1: Yield the production points of each city that has some."""
        for hex, points in self.accounts.points.items():
            if points:
                yield hex, "PP", self.accounts.left(hex), points

    def suppose(self, element: Part[Any]) -> None:
        """Note that a city is overdrawn, so that it is reported once."""
        if element.section == "spend" and not list(self.spend_faults(element.value)):
            self.overdrawn.append(self.accounts.hex_of(element.value.city) or "")

    def do(self, element: Part[Any]) -> None:
        if element.section == "deliver":
            self.accounts.deliver(element.value)
        else:
            self.accounts.spend(element.value)

    def delivery_faults(self, id: str) -> Iterator[Diagnostic]:
        """4.10.2: Yield why a resource block cannot be delivered from its hex."""
        block = own(self.game, self.player, id)
        if block is None or block.type != "RS":
            message = Message("victory.production.no-such-unit", player=self.player, id=id)
            yield illegal("E-GEN-01", "4.10.2", message)
        elif not self.world.is_city(block.hex) or not self.side.friendly_base(block.hex):
            place = self.world.place(block.hex)
            message = Message("victory.production.unit-not-in-city-stands", id=id, place=place)
            yield illegal("E-PRO-03", "4.10.2", message)

    def price_faults(self, one: Spend) -> Iterator[Diagnostic]:
        """4.10.4: Yield what the city cannot pay."""
        accounts, hex = self.accounts, self.accounts.hex_of(one.city) or ""
        price = accounts.price(one)
        if price > accounts.left(hex) and hex not in self.overdrawn:
            cost = accounts.cost.get(hex, 0) + price
            message = Message(
                "victory.production.has-pp",
                base=self.world.bases[hex].name,
                points=accounts.points[hex],
                cost=cost,
            )
            yield illegal("E-PRO-01", "4.10.4", message, "city")

    def spend_faults(self, one: Spend) -> Iterator[Diagnostic]:
        """4.10.3, 4.10.4: Yield the first fault of an element, apart from points."""
        hex, block = self.accounts.hex_of(one.city), own(self.game, self.player, one.what)
        if one.how is None:
            message = Message("victory.production.ambiguous-purchase")
            yield Diagnostic("ambiguous-purchase", message, family="ambiguous", rule="4.10.3")
        elif hex is None or hex not in self.accounts.points:
            known = [self.world.bases[h].name for h in self.accounts.points] if hex is None else []
            message = Message("victory.production.not-your-city", city=one.city)
            yield unknown("E-PRO-02", "4.10.3", message, "city", name=one.city, names=known)
        elif one.how == "build":
            yield from self.build_faults(one, hex)
        elif one.what in self.accounts.new:
            message = Message("victory.production.new-cadre-gets-no-more-steps-turn", what=one.what)
            yield illegal("E-PRO-09", "4.10.3", message, one.how)
        elif block is None:
            message = Message("victory.blocks.no-such-unit", player=self.player, unit=one.what)
            yield illegal("E-GEN-01", "4.10.3", message, one.how)
        elif found := list(
            self.front_faults(block, hex) if one.how == "front" else self.add_faults(block, hex)
        ):
            yield from found
        else:
            yield from self.strength_faults(one, block.kind, block.cv, block.id)

    def strength_faults(self, one: Spend, kind: UnitType, cv: int, name: str) -> Iterator[Diagnostic]:
        room = kind.steps.index(cv) if cv else len(kind.steps)
        if one.steps > room:
            message = Message(
                "victory.production.above-maximum-strength", name=name, room=room, steps=one.steps
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

    def build_faults(self, one: Spend, hex: str) -> Iterator[Diagnostic]:
        base, kind = self.world.bases[hex], self.world.types.get(one.what)
        pool = State.of(self.game).pool.get(self.player, {})
        if kind is None:
            message = Message("victory.production.no-block-of-that-type-in-pool", what=one.what)
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
        elif self.game.options["building_cadres"] and one.steps > 1:
            message = Message("victory.production.new-cadre-gets-no-more-steps-turn-arrives")
            yield illegal("E-PRO-09", "4.10.3", message, "steps")
        else:
            yield from self.strength_faults(one, kind, 0, kind.code)

    def lines(self, hex: str) -> Lines:
        """4.10.5 Supply lines to a city; what one buys oneself does not change them."""
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
        """Yield every purchase of a city that is legal and can be paid now."""
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
        one = element.value
        if isinstance(one, Spend):
            hex, price = self.accounts.hex_of(one.city), self.accounts.price(one)
            name = self.world.bases[hex].name if hex else one.city
            if one.steps == 1:
                return Message(
                    "victory.production.one-step-for-pp", name=name, how=one.how, what=one.what, price=price
                )
            return Message(
                "victory.production.steps-for-pp",
                name=name,
                how=one.how,
                what=one.what,
                steps=one.steps,
                price=price,
            )
        return Message(
            "victory.production.deliver", unit=one, place=self.world.place(Block(self.game, one).hex)
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
    """Which resource blocks are delivered, and what do your cities buy? Points that are not spent are
    lost.
    """

    player: str
    drafts = Purchases

    def waits(self, game: Game) -> bool:
        """Return True if the player has points to spend or a block to deliver."""
        draft = Purchases(game, self.player)
        mine = units(game, self.player)
        return any(draft.accounts.points.values()) or any(not list(draft.delivery_faults(u.id)) for u in mine)

    def from_standing(self, game: Game, orders: list[ProductionForm]) -> ProductionOrder | None:
        """Return what is legal and can be paid, in order, each purchase with as many steps as possible."""
        whole = [ProductionOrder(spend=one) if isinstance(one, tuple) else one for one in orders]
        drafting = Drafting(self, game)
        for id in (id for order in whole for id in order.deliver):
            drafting.offer(Part("deliver", id))
        for one in (one for order in whole for one in order.spend):
            for steps in range(one.steps, 0, -1):
                if not drafting.offer(Part("spend", replace(one, steps=steps))):
                    break
        return drafting.answer()

    @fact
    def pp(self, game: Game) -> int:
        return sum(Ledger(game, self.player).points.values())
