"""D-INTERCEPT, D-ABORT: what aircraft do in the other's missions; neither waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pbem.rules import Decision, Game, Name, Option, decision

from ..pieces import Plane, T, planes, world_of


@dataclass(frozen=True)
class InterceptStanding:
    """Intercept when the edge in ratings is at least so much."""

    min_edge: int = 1
    types: tuple[str, ...] = ()


@decision(
    "intercept", rule="4.11.3", answer=Name | None, standing=("intercept", InterceptStanding), facts=("hex",)
)
class Intercept(Decision[str | None]):
    """Does a fighter intercept the mission?"""

    player: str
    hex: str
    mission: str
    best: int

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        yield Option(None, "no")
        for plane in fighters(game, self.player, self.hex):
            yield Option(plane.id, f"{plane.id} intercepts")

    def default(self, game: Game) -> str | None:
        return self._with(game, 1)

    def _with(self, game: Game, edge: int) -> str | None:
        able = [p for p in fighters(game, self.player, self.hex) if p.wing.rating - self.best >= edge]
        return min(able, key=lambda p: (-p.wing.rating, p.id)).id if able else None

    def from_standing(self, game: Game, orders: list[InterceptStanding]) -> str | None:
        fits = [o for o in orders if not o.types or self.mission in o.types]
        return self._with(game, fits[0].min_edge) if fits else None

    def waits(self, game: Game) -> bool:
        return False


def fighters(game: Game, side: str, hex: str) -> list[Plane]:
    """4.11.3 Active fighters with the hex in their Patrol Zone."""
    world = world_of(game)
    far = int(world.numbers["patrol_range"])
    bases = T.of(game).bases
    return [
        p
        for p in planes(game, side)
        if p.active
        and p.is_type("F")
        and p.hex in bases
        and p.hex in world.terrains
        and world.distance(p.hex or "", hex) <= far
    ]


@decision(
    "abort",
    rule="4.11.2",
    answer=Literal["none", "reduced", "all_but_best"],
    standing=("air_abort", Literal["none", "reduced", "all_but_best"]),
)
class Abort(Decision[str]):
    """Which aircraft leave before air combat?"""

    player: str
    hex: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("none", "none")
        yield Option("reduced", "reduced ones")
        yield Option("all_but_best", "all but the best")

    def default(self, game: Game) -> str:
        return "none"

    def from_standing(self, game: Game, orders: list[str]) -> str | None:
        return orders[0] if orders else None

    def waits(self, game: Game) -> bool:
        return False
