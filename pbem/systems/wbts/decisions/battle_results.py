"""Supply sources and losses: in which order things are used up (D-12 and D-14; 4.8.7 and 4.8.10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbem.rules import Decision, Diagnostic, Game, HexNumber, Name, Option, decision, to_json

from ..battle.losses import in_order, ships_in_order
from ..pieces import is_unit, unit


@decision(
    "supply-sources",
    rule="4.8.7",
    answer=tuple[Name, ...],
    standing=("supply_order", tuple[Name, ...]),
    facts=("hex", "need"),
)
class SupplySources(Decision[tuple[str, ...]]):
    """From which of your trains, HQs and depots come the points, the first named first?"""

    player: str
    number: int
    hex: HexNumber
    need: int
    sources: tuple[Name, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: tuple[str, ...] | None = None) -> Iterator[Option]:
        if so_far is None:
            yield Option([], "trains, then army HQs, then depots, each by id")
        for id in self.sources:
            if id not in (so_far or ()):
                yield Option([*(so_far or ()), id], f"then {id}" if so_far else f"first {id}")

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        return [
            _wrong(f"{id} is no source here, wanted of: {', '.join(self.sources)}", "4.8.7", (n,))
            for n, id in enumerate(answer)
            if id not in self.sources or id in answer[:n]
        ]

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(id for id in dict.fromkeys(answer) if id in self.sources)

    def from_standing(self, game: Game, orders: list[tuple[str, ...]]) -> tuple[str, ...] | None:
        return self.repair(game, orders[0]) if orders else None


@dataclass(frozen=True)
class LossOrder:
    """Who loses first; `cavalry`: the declared cavalry that takes the very first point."""

    land: tuple[Name, ...] = ()
    ships: tuple[Name, ...] = ()
    cavalry: Name | None = None


@dataclass(frozen=True)
class LossStanding:
    """Standing order: in which order land units and ships lose."""

    land: tuple[Name, ...] = ()
    ships: tuple[Name, ...] = ()


@decision(
    "losses",
    rule="4.8.10",
    answer=LossOrder,
    standing=("losses", LossStanding),
    facts=("hex", "on_land", "on_ships"),
)
class Losses(Decision[LossOrder]):
    """In which order do your units lose? Those left out come after, the strongest land unit and weakest
    ship first.
    """

    player: str
    number: int
    hex: HexNumber
    on_land: int
    on_ships: int
    land: tuple[Name, ...]
    ships: tuple[Name, ...]
    declared: tuple[Name, ...] = ()

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: LossOrder | None = None) -> Iterator[Option]:
        if so_far is None:
            yield Option({}, "the usual order")
            so_far = LossOrder()
        for id in self.land:
            if id not in so_far.land and self.on_land:
                yield Option(to_json(replace(so_far, land=(*so_far.land, id))), f"{id} next on land")
        for id in self.ships:
            if id not in so_far.ships and self.on_ships:
                yield Option(to_json(replace(so_far, ships=(*so_far.ships, id))), f"{id} next at sea")
        for id in self.declared if so_far.cavalry is None and self.on_land else ():
            yield Option(to_json(replace(so_far, cavalry=id)), f"the first point off {id}")

    def check(self, game: Game, answer: LossOrder) -> list[Diagnostic]:
        found = []
        for name, listed, able in (("land", answer.land, self.land), ("ships", answer.ships, self.ships)):
            found += [
                _wrong(
                    f"{id} does not take losses here, wanted of: {', '.join(able) or 'none'}",
                    "4.8.10",
                    (name, n),
                )
                for n, id in enumerate(listed)
                if id not in able or id in listed[:n]
            ]
        if answer.cavalry is not None and answer.cavalry not in self.declared:
            words = ", ".join(self.declared) or "none"
            found.append(
                _wrong(f"{answer.cavalry} was not declared, wanted of: {words}", "4.8.10", ("cavalry",))
            )
        return found

    def default(self, game: Game) -> LossOrder:
        return LossOrder()

    def repair(self, game: Game, answer: LossOrder) -> LossOrder:
        return LossOrder(
            tuple(id for id in dict.fromkeys(answer.land) if id in self.land),
            tuple(id for id in dict.fromkeys(answer.ships) if id in self.ships),
            answer.cavalry if answer.cavalry in self.declared else None,
        )

    def from_standing(self, game: Game, orders: list[LossStanding]) -> LossOrder | None:
        if not orders:
            return None
        first = next((id for id in orders[0].land if id in self.declared), None)
        return self.repair(game, LossOrder(orders[0].land, orders[0].ships, first))


def full_order(game: Game, order: LossOrder, land: tuple[str, ...], ships: tuple[str, ...]) -> LossOrder:
    """The order with everybody in it."""
    troops = [unit(game, id) for id in land if is_unit(game, id)]
    fleet = [unit(game, id) for id in ships if is_unit(game, id)]
    return LossOrder(
        tuple(u.id for u in in_order(troops, order.land)),
        tuple(u.id for u in ships_in_order(fleet, order.ships)),
        order.cavalry,
    )


def _wrong(message: str, rule: str, path: tuple[str | int, ...]) -> Diagnostic:
    return Diagnostic("illegal-answer", message, family="illegal", rule=rule, path=path)
