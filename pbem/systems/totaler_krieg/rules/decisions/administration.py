"""D-06 to D-10: beachheads, support units and convoys, contests, Blitz markers, organization."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pbem.kit.faults import illegal
from pbem.kit.picking import Picks
from pbem.rules import (
    NOTHING,
    Decision,
    Diagnostic,
    Draft,
    Game,
    Growing,
    Message,
    Name,
    Next,
    Option,
    Part,
    Points,
    dataclass,
    decision,
    fact,
)

from ..administering import default_convoys, end_maintenance, removable, remove_beachhead
from ..orders import BlitzMarker, Breakdown, Combine, Convert, Detach, Eliminate, Placement
from ..organizing import (
    break_down,
    breakdown_faults,
    breakdowns_of,
    combinations_of,
    combine,
    combine_faults,
    convert,
    convert_faults,
    detach,
    detach_faults,
    eliminate,
    eliminate_faults,
    mine,
)
from ..pieces import T, maybe_piece, pieces, pool, put, world_of
from ..placing import Placer
from ..printed import FIXED
from ..stacking_check import stack_doubts
from ..supply import Supply


@dataclass(frozen=True)
class AdministrationPlan:
    """The orders of 2.2 and 2.3 in the order of play.

    Without `place` the convoys go back to their zones.
    """

    remove: tuple[Name, ...] = ()
    place: tuple[Placement, ...] | None = None
    blitz: tuple[BlitzMarker, ...] = ()
    combine: tuple[Combine, ...] = ()
    convert: tuple[Convert, ...] = ()
    eliminate: tuple[Eliminate, ...] = ()
    breakdown: tuple[Breakdown, ...] = ()
    detach: tuple[Detach, ...] = ()


@decision("administration", rule="4.6", answer=AdministrationPlan)
class Administration(Growing[AdministrationPlan]):
    """D-06, D-07, D-09, D-10 Support units, convoys, Blitz markers, organization."""

    skips = True
    player: str
    power: str

    def draft(self, game: Game) -> Draft[Any]:
        return Administering(game, self.player, self.power)

    def default(self, game: Game) -> AdministrationPlan:
        return AdministrationPlan()

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


class Administering(Draft[Any]):
    """The phase on a draft's board.

    Maintenance ends before the first placement. Without a placement the convoys go back.
    """

    def __init__(self, game: Game, player: str, power: str) -> None:
        super().__init__(game, player)
        self.power = power
        self.before = {
            convoy.id: (convoy.hex, convoy.side)
            for convoy in pieces(game, power, "map")
            if convoy.role == "convoy"
        }
        self.maintained = False

    def _maintain(self, board: Game) -> None:
        end_maintenance(board, self.power, ())

    def _reach(self, section: str) -> None:
        """Play on to a section of the answer."""
        if section != "remove" and not self.maintained:
            self.maintained = True
            self._maintain(self.game)
        if section not in ("remove", "place") and not any(
            isinstance(element, Part) and element.section == "place" for element in self.elements
        ):
            for order in default_convoys(self.game, self.power, self.before):
                Placer(self.game, self.power).make(order)
                self.before.pop(order.counter)

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        board = self.game
        if not self.maintained:
            for marker in removable(board, self.power):
                if self.concerns(of, marker.id):
                    yield self._one("remove", marker.id, marker.id)
            board = self.aside()
            self._maintain(board)
        placer = Placer(board, self.power)
        if all(element.section == "remove" for element in self.elements):
            yield Next(
                Part("place", NOTHING),
                Message("totaler-krieg.administration.nothing-placed-convoys-stay-in-pool"),
            )
        for counter in pool(board, self.power):
            if self.concerns(of, counter.id):
                for order in placer.options(counter):
                    yield self._one("place", order, counter.id, order.at)
        for counter in pool(board, self.power):
            if counter.type == "blitz" and self.concerns(of, counter.id):
                for hex in placer.blitz_hexes():
                    yield self._one("blitz", BlitzMarker(counter.id, hex), counter.id, hex)
        yield from self._organizing(board, of)

    def _organizing(self, board: Game, of: str | None) -> Iterator[Next[Any]]:
        wanted = partial(self.concerns, of)
        for order in combinations_of(board, self.power, wanted):
            yield self._one("combine", order, order.units[0])
        for change in _conversions(board, self.power, wanted):
            yield self._one("convert", change, change.unit)
        for id in board.position.ids():
            if self.concerns(of, id) and mine(board, self.power, id) is not None:
                yield self._one("eliminate", Eliminate(id), id)
        for broken in breakdowns_of(board, self.power):
            if self.concerns(of, broken.unit):
                yield self._one("breakdown", broken, broken.unit)
        for id in board.position.ids():
            if self.concerns(of, id) and not detach_faults(board, self.power, Detach(id)):
                yield self._one("detach", Detach(id), id)

    def _one(self, section: str, value: Any, id: str, end: str | None = None) -> Next[Any]:
        part = Part(section, value)
        return Next(part, self.words(part), Points((id,), end=end))

    def faults(self, element: Any) -> list[Diagnostic]:
        order, board = element.value, self.game
        if element.section == "remove":
            if order in {marker.id for marker in removable(board, self.power)}:
                return []
            return [
                illegal(
                    "E-GEN-01",
                    "4.6.2",
                    Message("totaler-krieg.administration.no-beachhead-of-yours", given=order),
                )
            ]
        if order is NOTHING:
            return []
        if not self.maintained or self.before:
            board = self.aside()
            self._as_reached(board, element.section)
        return self._judge(board, order)

    def _as_reached(self, board: Game, section: str) -> None:
        if not self.maintained:
            self._maintain(board)
        placed = any(isinstance(element, Part) and element.section == "place" for element in self.elements)
        if section != "place" and not placed:
            for order in default_convoys(board, self.power, self.before):
                Placer(board, self.power).make(order)

    def _judge(self, board: Game, order: Any) -> list[Diagnostic]:
        power = self.power
        match order:
            case Placement():
                return Placer(board, power).faults(order)
            case BlitzMarker():
                return Placer(board, power).blitz_faults(order)
            case Combine():
                return combine_faults(board, power, order)
            case Convert():
                return convert_faults(board, power, order)
            case Eliminate():
                return eliminate_faults(board, power, order)
            case Breakdown():
                return breakdown_faults(board, power, order)
            case Detach():
                return detach_faults(board, power, order)
        return []

    def do(self, element: Any) -> None:
        order, board = element.value, self.game
        if element.section == "remove":
            remove_beachhead(board, self.power, order, "removed")
            return
        self._reach(element.section)
        if element.section == "place":
            self.before = {}
        if order is not NOTHING:
            perform(board, self.power, order)

    def words(self, element: Any) -> str:
        order, name_of = element.value, world_of(self.game).name_of
        match order:
            case Placement():
                return Message(
                    "totaler-krieg.administration.to",
                    counter=order.counter,
                    place=name_of(order.at),
                    facing=order.facing,
                    side="" if order.facing else order.side,
                )
            case BlitzMarker():
                return Message(
                    "totaler-krieg.administration.marker-in", marker=order.marker, place=name_of(order.hex)
                )
            case Combine():
                return Message(
                    "totaler-krieg.administration.become", units=" and ".join(order.units), into=order.into
                )
            case Convert():
                return Message("totaler-krieg.administration.exchanged", unit=order.unit, into=order.into)
            case Eliminate():
                return Message("totaler-krieg.administration.gives-up", unit=order.unit, steps=order.steps)
            case Breakdown():
                into = ", ".join(f"{id} {steps}" for id, steps in sorted(order.into.items()))
                return Message("totaler-krieg.administration.becomes", unit=order.unit, into=into)
            case Detach():
                return Message("totaler-krieg.administration.unit-detachment", unit=order.unit)
        return (
            Message("totaler-krieg.administration.nothing-placed")
            if order is NOTHING
            else Message("totaler-krieg.administration.beachhead-removed", given=order)
        )

    def nothing(self) -> str:
        return Message("totaler-krieg.administration.convoys-go-back-to-zones")

    def doubts(self) -> list[Diagnostic]:
        return stack_doubts(self.game, self.power)


def perform(board: Any, power: str, order: Any) -> Any:
    """Apply one order of 2.2.3 to 2.3.5 to the board, without contests."""
    match order:
        case Placement():
            Placer(board, power).make(order)
        case BlitzMarker():
            marker = maybe_piece(board, order.marker)
            assert marker is not None
            put(marker, order.hex)
        case Combine():
            combine(board, order)
        case Convert():
            convert(board, order)
        case Eliminate():
            return eliminate(board, order)
        case Breakdown():
            break_down(board, order)
        case Detach():
            return detach(board, order)
    return None


def _conversions(board: Game, power: str, wanted: Callable[[str], bool]) -> Iterator[Convert]:
    world = world_of(board)
    others = [counter for counter in pool(board, power) if counter.type in (*FIXED, "infantry")]
    if not others:
        return
    supply = Supply(board)
    for unit in pieces(board, power, "map"):
        fits = unit.role == "ground" and unit.type in (*FIXED, "infantry")
        if fits and wanted(unit.id) and world.city(unit.hex or ""):
            for other in others:
                order = Convert(unit.id, other.id)
                if supply.supplied(unit) and not convert_faults(board, power, order, supply):
                    yield order


@dataclass(frozen=True)
class ContestOrder:
    """An order to contest placements of these types, in these hexes or zones, with these counters.

    Empty `types` or `in_` mean all. `keep` counters stay in the pool.
    """

    types: tuple[Name, ...] = ()
    in_: tuple[Name, ...] = ()
    with_: tuple[Name, ...] = ()
    keep: int = 0


Contests = dict[str, str]


@decision("contest", rule="4.6.3", answer=Contests, standing=("contest", ContestOrder))
class Contest(Decision[Contests]):
    """D-08 Which of these placements are contested, each with one counter of the Force Pool?"""

    player: str
    power: str
    by: str
    placed: tuple[str, ...]
    types: tuple[str, ...]
    where: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.by)

    def able(self, game: Game) -> dict[str, list[str]]:
        """Return the counters that may contest each placement."""
        placer = Placer(game, self.power)
        return {
            id: [counter.id for counter in placer.contesters(at)]
            for id, at in zip(self.placed, self.where, strict=True)
        }

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, Message("totaler-krieg.administration.nothing-contested"))
        for id, ids in self.able(game).items():
            for contester in ids:
                yield Option(
                    {id: contester}, Message("totaler-krieg.administration.contests", one=contester, id=id)
                )

    def check(self, game: Game, answer: Contests) -> list[Diagnostic]:
        able, faults, used = self.able(game), [], list[str]()
        for id, contester in sorted(answer.items()):
            if id not in able:
                faults.append(
                    illegal(
                        "E-GEN-01",
                        "4.6.3",
                        Message("totaler-krieg.administration.not-among-placements", id=id),
                        id,
                    )
                )
            elif contester not in able[id] or contester in used:
                faults.append(
                    illegal(
                        "E-SUP-04",
                        "4.6.3",
                        Message("totaler-krieg.administration.may-not-contest", one=contester, id=id),
                        id,
                    )
                )
            used.append(contester)
        return faults

    def words(self, game: Game, answer: Contests) -> list[str]:
        return [
            Message("totaler-krieg.administration.contests", one=contester, id=id)
            for id, contester in sorted(answer.items())
        ] or [Message("totaler-krieg.administration.nothing-contested")]

    def default(self, game: Game) -> Contests:
        return {}

    def repair(self, game: Game, answer: Contests) -> Contests:
        able = self.able(game)
        return {id: contester for id, contester in sorted(answer.items()) if contester in able.get(id, ())}

    def from_standing(self, game: Game, orders: list[ContestOrder]) -> Contests | None:
        """4.28: Return the contest of each placement by the first order that fits.

        With an order filed, a placement that fits none is not contested.
        """
        if not orders:
            return None
        able, contests = self.able(game), Contests()
        for id, kind, at in zip(self.placed, self.types, self.where, strict=True):
            for order in orders:
                contester = self._chosen(game, order, kind, at, able[id], set(contests.values()))
                if contester is not None:
                    contests[id] = contester
                    break
        return contests

    def _chosen(
        self, game: Game, order: ContestOrder, kind: str, at: str, able: list[str], used: set[str]
    ) -> str | None:
        zones = {at, at.partition(".")[0], *world_of(game).zones_of(at)}
        if (order.types and kind not in order.types) or (order.in_ and not zones & {*order.in_}):
            return None
        left = [
            counter.id
            for counter in pool(game, self.power)
            if counter.id in order.with_ and counter.id not in used
        ]
        if len(left) <= order.keep:
            return None
        return next((id for id in order.with_ if id in able and id not in used), None)

    def waits(self, game: Game) -> bool:
        """Return True if there is something to contest."""
        return any(self.able(game).values())

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


__all__ = ["Administration", "Contest", "Picks", "perform"]
