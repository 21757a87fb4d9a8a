"""An invented front of any size, on which a player writes one long order: recruits, moves, bombardments.

Units march with movement points over terrain, stop beside enemies, and stack no higher than three.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pbem.board.hexes import HexGrid
from pbem.board.position import Position
from pbem.rules import Diagnostic, Draft, Entry, Game, Growing, Next, Part, Points, System, decision

STACK, POINTS, MOST_RECRUITS, RANGE, TREASURY = 3, 3, 3, 2, 4


@dataclass(frozen=True)
class Recruits:
    """Steps raised in one place."""

    place: str
    steps: int


@dataclass(frozen=True)
class March:
    """One unit and the hexes that it enters."""

    unit: str
    path: tuple[str, ...]


@dataclass(frozen=True)
class FrontOrders:
    """Recruits, moves in order, and who bombards which hex."""

    recruits: tuple[Recruits, ...] = ()
    moves: tuple[March, ...] = ()
    bombard: dict[str, str] | None = None
    rest: bool = False


@dataclass(frozen=True)
class Front:
    """The map: a grid and what each hex costs to enter."""

    grid: HexGrid
    cost: dict[str, int]

    def near(self, hex: str) -> Iterator[str]:
        return (self.grid.number(one) for one in self.grid.neighbours(self.grid.index(hex)))


def front(counters: int, seed: str = "front") -> Game:
    """A game with so many counters, half of each side, four hexes to a counter."""
    rng = random.Random(seed)
    rows = max(6, round((counters * 2) ** 0.5))
    grid = HexGrid(2 * rows, rows)
    hexes = [grid.number(one) for one in range(len(grid))]
    cost = {hex: rng.choice((1, 1, 1, 2, 2, 3)) for hex in hexes}
    position = Position()
    for n in range(counters):
        owner = ("north", "south")[n % 2]
        half = [hex for hex in hexes[: len(hexes)] if (int(hex[2:]) <= rows // 2) == (owner == "north")]
        place = rng.choice(half)
        while len(position.at(place)) >= STACK:
            place = rng.choice(half)
        position.add(f"{owner[0].upper()}-{n // 2 + 1}", {"owner": owner, "hex": place, "gun": n % 10 < 2})
    system = System(name="front", package="tests.primer", edition="1", revision=1, modules=[], title="Front")
    return Game(system, {}, {}, ("north", "south"), position, world=Front(grid, cost))


def fault(code: str, message: str, *path: str | int) -> Diagnostic:
    return Diagnostic(code, message, family="illegal", rule="1", path=path)


class Staff(Draft[Part[Any]]):
    """What is worked out once: own units, hexes beside the enemy, who has moved."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.front: Front = game.world
        counters = game.position.counters
        self.mine = [id for id in sorted(counters) if counters[id]["owner"] == player]
        enemies = {str(c["hex"]) for c in counters.values() if c["owner"] != player}
        self.enemies = enemies
        self.zones = {near for hex in sorted(enemies) for near in self.front.near(hex)}
        self.moved: set[str] = set()
        self.firing: set[str] = set()
        self.raised: dict[str, int] = {}
        self.spent = 0
        self.depots = sorted({self.where(id) for id in self.mine[:: max(1, len(self.mine) // 40)]})

    def where(self, id: str) -> str:
        return str(self.game.position.counters[id]["hex"])

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        yield from self.next_recruits(of)
        yield from self.next_moves(of)
        for id in self.mine:
            if self.concerns(of, id) and id not in self.firing:
                for hex in self.targets(id):
                    points = Points((id,), end=hex, risk="1 in 6 falls short")
                    yield Next(Part("bombard", Entry(id, hex)), f"{id} bombards {hex}", points)
        yield Next(Part("rest", True), "the others rest")

    def next_recruits(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        if self.spent >= TREASURY:
            return
        last = self.elements[-1].value if self.elements else None
        for place in self.depots if of is None else [of] if of in self.depots else []:
            if place not in self.raised:
                part = Part("recruits", Recruits(place, 1))
                yield Next(part, f"1 step in {place}", Points(start=place, cost=(("step", 1),)))
            elif isinstance(last, Recruits) and last.place == place and last.steps < MOST_RECRUITS:
                longer = replace(last, steps=last.steps + 1)
                points = Points(start=place, cost=(("step", 1),))
                yield Next(Part("recruits", longer), f"{longer.steps} steps in {place}", points, instead=True)

    def next_moves(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        for id in self.mine:
            if id in self.moved or not self.concerns(of, id):
                continue
            for path, cost in self.ways(id):
                points = Points((id,), way=path, cost=(("MP", cost),))
                yield Next(Part("moves", March(id, path)), f"{id} to {path[-1]}", points)

    def ways(self, id: str) -> Iterator[tuple[tuple[str, ...], int]]:
        """The cheapest way to every hex where the unit may end, nearest first."""
        seen = {self.where(id)}
        layer: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while layer:
            layer.sort()
            cost, path = layer.pop(0)
            here = path[-1] if path else self.where(id)
            if path and here in seen:
                continue
            seen.add(here)
            if path and len(self.game.position.at(here)) < STACK:
                yield path, cost
            if path and here in self.zones:
                continue
            for near in self.front.near(here):
                there = cost + self.front.cost[near]
                if near not in seen and near not in self.enemies and there <= POINTS:
                    layer.append((there, (*path, near)))

    def targets(self, id: str) -> list[str]:
        if not self.game.position.counters[id]["gun"]:
            return []
        grid = self.front.grid
        near = (grid.number(one) for one in grid.within(grid.index(self.where(id)), RANGE))
        return [hex for hex in near if hex in self.enemies]

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        match element:
            case Part("recruits", Recruits() as one):
                return list(self.recruit_faults(one))
            case Part("moves", March() as one):
                return list(self.march_faults(one))
            case Part("bombard", Entry(id, hex)):
                if id not in self.mine:
                    return [fault("no-unit", f"{id} is not yours")]
                legal = id not in self.firing and hex in self.targets(id)
                return [] if legal else [fault("no-target", f"{id} cannot fire at {hex}")]
        return []

    def recruit_faults(self, one: Recruits) -> Iterator[Diagnostic]:
        if one.place not in self.depots or one.place in self.raised:
            yield fault("no-depot", f"nobody can be raised in {one.place}", "place")
        if not 1 <= one.steps <= MOST_RECRUITS:
            yield fault("steps", f"{one.steps} steps, at most {MOST_RECRUITS}", "steps")
        elif self.spent + one.steps > TREASURY:
            yield fault("treasury", f"{TREASURY - self.spent} steps can be paid", "steps")

    def march_faults(self, one: March) -> Iterator[Diagnostic]:
        if one.unit not in self.mine:
            yield fault("no-unit", f"{one.unit} is not yours", "unit")
            return
        if one.unit in self.moved:
            yield fault("moved", f"{one.unit} has moved already", "unit")
        here, left = self.where(one.unit), POINTS
        for n, hex in enumerate(one.path):
            left -= self.front.cost.get(hex, POINTS + 1)
            if left < 0 or hex in self.enemies or hex not in self.front.near(here):
                yield fault("way", f"{one.unit} cannot enter {hex}", "path", n)
                return
            if n and here in self.zones:
                yield fault("zone", f"{one.unit} stops in {here}", "path", n)
                return
            here = hex
        if not one.path or here == self.where(one.unit):
            yield fault("nowhere", f"{one.unit} goes nowhere", "path")
        elif len(self.game.position.at(here)) >= STACK:
            yield fault("stack", f"{here} is full", "path")

    def do(self, element: Part[Any]) -> None:
        match element.value:
            case Recruits(place, steps):
                self.raised[place] = steps
                self.spent += steps
            case March(unit, path):
                self.moved.add(unit)
                self.game.position.move(unit, path[-1])
            case Entry(id, _):
                self.firing.add(id)

    def lengthen(self, last: Part[Any], longer: Part[Any]) -> bool:
        self.raised[longer.value.place] = longer.value.steps
        self.spent += longer.value.steps - last.value.steps
        return True


@decision("front-orders", rule="1", answer=FrontOrders)
class OrdersForTheFront(Growing[FrontOrders]):
    """Who is raised, who moves, who fires?"""

    player: str

    def draft(self, game: Game) -> Staff:
        return Staff(game, self.player)

    def default(self, game: Game) -> FrontOrders:
        return FrontOrders()
