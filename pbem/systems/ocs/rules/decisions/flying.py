"""Questions about aircraft and displaced points (D-INTERCEPT, D-ABORT, D-ACPICK, D-BASES, D-CAP)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pbem.kit.filed import OneOf, Unasked, Wish
from pbem.rules import Diagnostic, Game, LocationId, Message, Name, Option, dataclass, decision

from ..bases import bases_of
from ..pieces import Plane, T, planes, world_of

NOBODY = "nobody"
"""The answer of a standing order that sends no fighter. None means that no order answers."""


@dataclass(frozen=True)
class InterceptStanding:
    """Intercept if your rating is higher by at least `min_edge`. `types`: only these missions."""

    min_edge: int = 1
    types: tuple[str, ...] = ()
    max_per_phase: int | None = None


@decision(
    "intercept",
    rule="4.11.3",
    answer=Name | None,
    standing=("intercept", InterceptStanding),
    facts=("hex",),
    secrecy="sealed",
)
class Intercept(Unasked[str | None]):
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
            yield Option(plane.id, Message("ocs.flying.intercepts", plane=plane.id))

    def check(self, game: Game, answer: str | None) -> list[Diagnostic]:
        return [] if answer == NOBODY else super().check(game, answer)

    def default(self, game: Game) -> str | None:
        return self._with(game, 1)

    def _with(self, game: Game, edge: int) -> str | None:
        able = [p for p in fighters(game, self.player, self.hex) if p.wing.rating - self.best >= edge]
        return min(able, key=lambda p: (-p.wing.rating, p.id)).id if able else None

    def from_standing(self, game: Game, orders: list[InterceptStanding]) -> str | None:
        """Return the fighter that the standing orders send, `NOBODY`, or None without orders."""
        applying = [o for o in orders if not o.types or self.mission in o.types]
        if not applying:
            return NOBODY if orders else None
        most, flown = applying[0].max_per_phase, T.of(game).intercepts.get(self.player, 0)
        spent = most is not None and flown >= most
        return NOBODY if spent else self._with(game, applying[0].min_edge) or NOBODY


def fighters(game: Game, side: str, hex: str) -> list[Plane]:
    """4.11.3: Return the Active fighters whose Patrol Zone includes the hex."""
    world = world_of(game)
    far = int(world.numbers["patrol_range"])
    bases = bases_of(game, side)
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
    secrecy="sealed",
)
class Abort(OneOf, Unasked[str]):
    """Which aircraft leave before air combat?"""

    player: str
    hex: str
    choices = {
        "none": "none",
        "reduced": "ocs.flying.reduced-ones",
        "all_but_best": "ocs.flying.all-but-the-best",
    }

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)


Picking = Literal["best", "worst"] | tuple[Name, ...]


@decision("air-pick", rule="4.11.2", answer=Picking, standing=("air_pick", Picking), secrecy="sealed")
class AirPick(Wish[Any]):
    """Which aircraft fight, round by round?"""

    player: str
    hex: str
    wish = "best", "ocs.flying.best-rating-first"

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        yield from super().options(game)
        yield Option("worst", Message("ocs.flying.worst-rating-first"))


@decision(
    "flak-ties",
    rule="4.11.4",
    answer=tuple[Name, ...],
    standing=("flak_ties", tuple[Name, ...]),
    secrecy="sealed",
)
class FlakTies(Wish[tuple[str, ...]]):
    """If flak can hit several aircraft of a mission, which does it hit first (R-303)?"""

    player: str
    hex: str
    wish = (), "ocs.flying.lowest-id"

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)


Bases = tuple[LocationId, ...]


@decision("base", rule="4.11.1", answer=Bases, standing=("bases", Bases), secrecy="sealed")
class BaseChoice(Wish[tuple[str, ...]]):
    """Which base does an aircraft go to?"""

    player: str
    plane: str
    wish = (), "ocs.flying.its-own-else-nearest"

    def subject(self) -> tuple[str | int, ...]:
        return (self.plane,)

    def options(self, game: Game) -> Iterator[Option]:
        yield from super().options(game)
        for hex in bases_of(game, self.player):
            yield Option([hex], Message("ocs.flying.if-in-range", hex=hex))


@dataclass(frozen=True)
class Displaced:
    """Transport points to lose first, and the hex that the rest goes towards."""

    lose: tuple[Name, ...] = ()
    towards: LocationId | None = None


@decision("displace", rule="4.4.12", answer=Displaced, standing=("displace", Displaced), secrecy="sealed")
class Displace(Wish[Displaced]):
    """The enemy captures transport points: which do you lose first, and where do the others go?"""

    player: str
    hex: str
    wish = Displaced(), "ocs.flying.plain-before-organic"

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)
