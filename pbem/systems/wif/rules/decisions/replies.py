"""Questions inside an impulse: patrols, interception, air combat, losses, retreats (6).

A game waits for an answer only if the player lists the point under `ask` (6.1). Otherwise standing
orders answer, or else the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder
from pbem.rules import (
    Decision,
    Diagnostic,
    Game,
    LocationId,
    Message,
    Name,
    Option,
    Range,
    dataclass,
    decision,
)

from ..conditions import BadCondition, holds
from ..entries import Condition
from ..flying import fighter_fault, fighters_of
from ..pieces import T, Unit, held_by, maybe_unit, players_of, side_units
from ..retreating import retreat_hexes
from ..world import world_of

Ids = tuple[Name, ...]
Flights = dict[str, Ids]


@dataclass(frozen=True)
class Cap:
    """Fighters over a hex, in order, at most `max` of them, by default all that can fly."""

    hex: LocationId
    fighters: Ids
    max: Annotated[int, Range(1, 99)] = 99
    if_: Condition | None = None


@dataclass(frozen=True)
class InterceptOrder:
    """Fighters against flights to one of these hexes that have few enough escorts."""

    if_target_within: tuple[LocationId, ...]
    fighters: Ids
    max: Annotated[int, Range(1, 99)] = 99
    if_escorts_at_most: Annotated[int, Range(0, 99)] = 99
    if_: Condition | None = None


@dataclass(frozen=True)
class AbortIf:
    """An order to leave an air combat, from a round on, if the own difference falls below a number."""

    d_below: Annotated[int, Range(-99, 99)]
    round: Annotated[int, Range(1, 99)] = 2


def applies(game: Game, condition: str | None) -> bool:
    """Return True if the condition of a standing order can be read and holds."""
    try:
        return holds(game, condition)
    except BadCondition:
        return False


class OfHex:
    """A question about a hex."""

    hex: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)


class Reply(Decision[Flights]):
    """Fighters by hex, the common part of patrols and interception."""

    player: str

    def _hexes(self, game: Game) -> list[str]:
        """Return the hexes that are offered."""
        raise NotImplementedError

    def _may(self, game: Game) -> Callable[[str], bool]:
        """Return a test of hexes that are allowed."""
        return self._hexes(game).__contains__

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, "none")
        for hex in self._hexes(game):
            for u in fighters_of(game, self.player):
                if fighter_fault(game, u, hex) is None:
                    yield Option(
                        {hex: [u.id]},
                        Message("wif.replies.goes-to", unit=u.id, place=world_of(game).called(hex)),
                    )

    def check(self, game: Game, answer: Flights) -> list[Diagnostic]:
        faults, flown, may = [], set[str](), self._may(game)
        for hex, ids in answer.items():
            if not may(hex):
                faults.append(
                    illegal("E-MOVE", self.rule, Message("wif.replies.no-fighters-fly-to-here", hex=hex), hex)
                )
                continue
            for n, id in enumerate(ids):
                u = maybe_unit(game, id)
                if u is None or game.seat(u.owner) != self.player:
                    faults.append(
                        illegal("E-UNIT", self.rule, Message("wif.replies.no-unit-of-yours", id=id), hex, n)
                    )
                elif id in flown:
                    faults.append(
                        illegal("E-PROVIDER", self.rule, Message("wif.replies.flies-once", id=id), hex, n)
                    )
                elif fault := fighter_fault(game, u, hex):
                    faults.append(illegal(fault.code, self.rule, fault.message, hex, n))
                flown.add(id)
        return faults

    def default(self, game: Game) -> Flights:
        return {}

    def repair(self, game: Game, answer: Flights) -> Flights:
        """Return the answer with only those fighters that may fly."""
        kept: dict[str, Ids] = {}
        flown: set[str] = set()
        may = self._may(game)
        for hex, ids in answer.items():
            own = self._able(game, hex, ids, flown, len(ids)) if may(hex) else ()
            if own:
                kept[hex] = own
        return kept

    def _able(self, game: Game, hex: str, ids: Ids, flown: set[str], most: int) -> Ids:
        """Return the first of these fighters that may fly there, at most `most`."""
        able: list[str] = []
        for id in ids:
            u = maybe_unit(game, id)
            mine = u is not None and game.seat(u.owner) == self.player and id not in flown
            if u is not None and mine and len(able) < most and fighter_fault(game, u, hex) is None:
                able.append(id)
                flown.add(id)
        return tuple(able)


@decision("combat-patrol", rule="4.6.4", answer=Flights, standing=("cap", tuple[Cap, ...]), facts=("step",))
class Patrol(Reply):
    """Which fighters fly combat air patrol, and where?"""

    player: str
    step: str
    asked: bool = False

    def _hexes(self, game: Game) -> list[str]:
        return patrol_hexes(game, self.step)

    def _may(self, game: Game) -> Callable[[str], bool]:
        """R-111: Return a test of hexes that are allowed.

        Against missions other than reorganization this is any own hex, with or without a town.
        """
        if self.step == "p":
            return super()._may(game)
        world = world_of(game)
        mine = world.enemy(T.of(game).phasing or "")
        own = {u.hex for u in side_units(game, mine)}
        return lambda hex: hex in world.index and world.land(hex) and (hex in own or held_by(game, hex, mine))

    def from_standing(self, game: Game, orders: list[tuple[Cap, ...]]) -> Flights | None:
        flights: dict[str, Ids] = {}
        flown: set[str] = set()
        may = self._may(game)
        for cap in (cap for order in orders for cap in order):
            legal = may(cap.hex) and applies(game, cap.if_)
            fighters = self._able(game, cap.hex, cap.fighters, flown, cap.max) if legal else ()
            if fighters:
                flights[cap.hex] = (*flights.get(cap.hex, ()), *fighters)
        return flights or None

    def waits(self, game: Game) -> bool:
        return self.asked


def patrol_hexes(game: Game, step: str) -> list[str]:
    """p.1.1: Return the hexes where patrols are offered: those with face-down phasing units.

    Against other missions (R-111) those where the patrol's side has units or holds a town.
    """
    world = world_of(game)
    phasing = T.of(game).phasing or ""
    mine = world.enemy(phasing)
    if step == "p":
        down = {
            u.hex
            for u in side_units(game, phasing)
            if u.down and u.hex in world.index and world.land(u.hex or "")
        }
        return sorted(h for h in down if h is not None)
    own = {u.hex for u in side_units(game, mine) if u.hex is not None and world.land(u.hex)}
    return sorted(h for h in own | {h for h in world.sites if held_by(game, h, mine)} if h is not None)


@decision(
    "interception",
    rule="4.6.4",
    answer=Flights,
    standing=("intercept", tuple[InterceptOrder, ...]),
    facts=("step",),
)
class Interception(Reply):
    """Which fighters fly against the missions to these hexes?"""

    player: str
    step: str
    targets: tuple[str, ...]
    escorts: tuple[int, ...]
    asked: bool = False

    def _hexes(self, game: Game) -> list[str]:
        return list(self.targets)

    def from_standing(self, game: Game, orders: list[tuple[InterceptOrder, ...]]) -> Flights | None:
        flights: dict[str, Ids] = {}
        flown: set[str] = set()
        for order in (order for listed in orders for order in listed if applies(game, order.if_)):
            for hex, escorts in zip(self.targets, self.escorts, strict=True):
                if hex in order.if_target_within and escorts <= order.if_escorts_at_most:
                    fighters = self._able(game, hex, order.fighters, flown, order.max)
                    if fighters:
                        flights[hex] = (*flights.get(hex, ()), *fighters)
        return flights or None

    def waits(self, game: Game) -> bool:
        return self.asked


@decision("line-up", rule="4.6.4", answer=Ids, standing=("line_up", dict[str, Ids]), facts=("hex",))
class LineUp(OfHex, ByOrder[Ids]):
    """In what order do your fighters fight?"""

    player: str
    hex: str
    units: tuple[str, ...]
    asked: bool = False

    def options(self, game: Game) -> Iterator[Option]:
        best = self.default(game)
        yield Option(list(best), ", ".join(best) or "none")
        for n in range(1, len(best)):
            turned = [*best[n:], *best[:n]]
            yield Option(list(turned), ", ".join(turned))

    def check(self, game: Game, answer: Ids) -> list[Diagnostic]:
        if sorted(answer) == sorted(self.units):
            return []
        return [illegal("E-UNIT", self.rule, Message("wif.replies.line-up-has", units=tuple(self.units)))]

    def default(self, game: Game) -> Ids:
        return tuple(sorted(self.units, key=lambda id: (-Unit(game, id).print.ata, id)))

    def from_order(self, game: Game, order: dict[str, Ids]) -> Ids | None:
        first = [id for id in order.get(self.hex, order.get("any", ())) if id in self.units]
        return (*first, *(id for id in self.default(game) if id not in first)) if first else None

    def waits(self, game: Game) -> bool:
        return self.asked and len(self.units) > 1


@decision(
    "air-abort",
    rule="4.6.4",
    answer=bool,
    standing=("abort_if", AbortIf),
    facts=("hex", "round", "difference"),
)
class AirAbort(ByOrder[bool]):
    """Do your aircraft leave this combat?"""

    player: str
    hex: str
    round: int
    difference: int
    asked: bool = False

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex, self.round)

    def options(self, game: Game) -> Iterator[Option]:
        yield Option(False, Message("wif.replies.they-stay"))
        yield Option(True, Message("wif.replies.they-all-leave"))

    def default(self, game: Game) -> bool:
        return False

    def from_order(self, game: Game, order: AbortIf) -> bool | None:
        return self.difference < order.d_below if self.round >= order.round else None

    def waits(self, game: Game) -> bool:
        return self.asked


class Choice(ByOrder[str]):
    """A choice of one counter or hex. A list of wishes answers in advance."""

    player: str
    among: tuple[str, ...]
    asked: bool

    def waits(self, game: Game) -> bool:
        return self.asked and len(self.among) > 1

    def options(self, game: Game) -> Iterator[Option]:
        for name in self.among:
            yield Option(name, name)

    def from_order(self, game: Game, order: Ids) -> str | None:
        return next((id for id in order if id in self.among), None)


class Loss(Choice):
    """A choice of the counter that is lost or turns back.

    Its owner gives the cheapest, headquarters last. An enemy who may choose takes the dearest.
    """

    @property
    def taken(self) -> bool:
        """Return True if the owner's enemy chooses."""
        return False

    def default(self, game: Game) -> str:
        sign = -1 if self.taken else 1

        def rank(id: str) -> tuple[bool, int, str]:
            printed = Unit(game, id).print
            return printed.headquarters, sign * printed.cost, id

        return min(self.among, key=rank)


@decision("flak-loss", rule="4.6.4", answer=str, standing=("aa_choice", Ids), facts=("hex", "firer"))
class FlakLoss(OfHex, Loss):
    """Which transport does the fire hit?"""

    player: str
    hex: str
    among: tuple[str, ...]
    firer: bool
    asked: bool = False

    @property
    def taken(self) -> bool:
        return self.firer


@decision("base", rule="4.6.4", answer=str, standing=("bases", tuple[LocationId, ...]), facts=("unit",))
class Base(Choice):
    """To which base does this aircraft return?"""

    player: str
    unit: str
    away: str
    among: tuple[str, ...]
    asked: bool = False

    def subject(self) -> tuple[str | int, ...]:
        return (self.unit,)

    def default(self, game: Game) -> str:
        """Return the base it came from, else the nearest one."""
        return self.among[0]


@decision("naval-response", rule="4.7.3", answer=Ids, standing=("naval_response", Ids))
class NavalResponse(Decision[Ids]):
    """In which sea areas do you look for a fight?"""

    player: str
    areas: tuple[str, ...]
    asked: bool = False

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], "nowhere")
        for area in self.areas:
            yield Option([area], world_of(game).called(area))

    def check(self, game: Game, answer: Ids) -> list[Diagnostic]:
        return [
            illegal("E-MOVE", self.rule, Message("wif.replies.both-sides", area=area), n)
            for n, area in enumerate(answer)
            if area not in self.areas
        ]

    def default(self, game: Game) -> Ids:
        return ()

    def from_standing(self, game: Game, orders: list[Ids]) -> Ids | None:
        areas = tuple(area for order in orders for area in order if area in self.areas)
        return tuple(dict.fromkeys(areas)) or None

    def waits(self, game: Game) -> bool:
        return self.asked and bool(self.areas)


@decision("naval-loss", rule="4.7.3", answer=str, standing=("naval_losses", Ids), facts=("area", "hit"))
class NavalLoss(Loss):
    """Which ship is hit, or aborted?"""

    player: str
    area: str
    hit: bool
    among: tuple[str, ...]
    asked: bool = False

    def subject(self) -> tuple[str | int, ...]:
        return (self.area,)

    @property
    def taken(self) -> bool:
        return self.hit


@decision("losses", rule="4.7.7", answer=str, standing=("losses", Ids), facts=("hex", "attacker"))
class Losses(OfHex, Loss):
    """Which unit is lost?"""

    player: str
    hex: str
    attacker: bool
    among: tuple[str, ...]
    asked: bool = False


@decision(
    "retreat", rule="4.7.7", answer=str, standing=("retreat", tuple[LocationId, ...]), facts=("unit", "hex")
)
class Retreat(ByOrder[str]):
    """Where does this unit retreat?"""

    player: str
    unit: str
    hex: str
    asked: bool = False

    def subject(self) -> tuple[str | int, ...]:
        return (self.unit,)

    def options(self, game: Game) -> Iterator[Option]:
        for hex in retreat_hexes(game, Unit(game, self.unit), self.hex):
            yield Option(
                hex, Message("wif.replies.goes-to", unit=self.unit, place=world_of(game).called(hex))
            )

    def default(self, game: Game) -> str:
        return retreat_hexes(game, Unit(game, self.unit), self.hex)[0]

    def from_order(self, game: Game, order: tuple[str, ...]) -> str | None:
        legal = retreat_hexes(game, Unit(game, self.unit), self.hex)
        return next((hex for hex in order if hex in legal), None)

    def waits(self, game: Game) -> bool:
        return self.asked


@decision(
    "advance", rule="4.7.7", answer=str, standing=("advance", Literal["strongest", "none"]), facts=("hex",)
)
class Advance(OfHex, ByOrder[str]):
    """Who advances into the empty hex?"""

    player: str
    hex: str
    units: tuple[str, ...]
    asked: bool = False

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("none", "nobody")
        for id in self.units:
            yield Option(id, id)

    def default(self, game: Game) -> str:
        """Return the strongest surviving attacker."""
        return min(self.units, key=lambda id: (-Unit(game, id).print.strength, id), default="none")

    def from_order(self, game: Game, order: str) -> str:
        return "none" if order == "none" else self.default(game)

    def waits(self, game: Game) -> bool:
        return self.asked and bool(self.units)


def opponents(game: Game) -> list[str]:
    """Return the players of the side that is not phasing."""
    return players_of(game, world_of(game).enemy(T.of(game).phasing or ""))
