"""D-11: Moves of units (4.8, 4.9). D-22: War and peace (4.10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.rules import (
    Diagnostic,
    Draft,
    Game,
    Growing,
    Message,
    Next,
    Part,
    Points,
    dataclass,
    decision,
    fact,
)

from ..guards import guard_words
from ..moving import make_move
from ..orders import Diplomacy, Move
from ..pieces import T, pieces, world_of
from ..politics import diplomacy_faults
from ..stacking_check import stack_doubts
from ..walk import Phase, Walked, Walker, points


class Marching(Draft[Any]):
    """Moves one after another on a draft's board."""

    section: str | None = None

    def __init__(self, game: Game, player: str, power: str, phase: Phase) -> None:
        super().__init__(game, player)
        self.power, self.phase = power, phase
        self.walker = Walker(game, power, phase)

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        for unit in pieces(self.game, self.power, "map"):
            if unit.role == "ground" and self.concerns(of, unit.id):
                for move, walked in self.walker.reachable(unit.id):
                    yield self.offered(move, walked)

    def offered(self, move: Move, walked: Walked) -> Next[Any]:
        cost = (("MP", walked.spent // 2),)
        element = Part(self.section, move) if self.section else move
        return Next(element, self.said(move), Points((move.unit,), way=move.path, cost=cost))

    def faults(self, element: Any) -> list[Diagnostic]:
        return self.walker.judge(element).faults

    def do(self, element: Any) -> None:
        make_move(self.game, self.power, self.phase, element, self.walker.judge(element))
        self.walker = Walker(self.game, self.power, self.phase)

    def said(self, move: Move) -> str:
        to = world_of(self.game).name_of(move.path[-1]) if move.path else "nowhere"
        return Message("totaler-krieg.moving.to", unit=move.unit, place=to, by=move.by)

    def words(self, element: Any) -> str:
        walked = self.walker.judge(element)
        over = (
            Message("totaler-krieg.moving.overrunning", overrun=tuple(walked.overrun))
            if walked.overrun
            else ""
        )
        way = "-".join(element.path)
        return Message(
            "totaler-krieg.moving.by-mp",
            unit=element.unit,
            way=way,
            points=points(walked.spent),
            over=over,
            guard_words=guard_words(element.guard),
        )

    def doubts(self) -> list[Diagnostic]:
        return stack_doubts(self.game, self.power)


@decision("movement", rule="4.8", answer=tuple[Move, ...])
class Movement(Growing[tuple[Move, ...]]):
    """D-11 Which units move, and where to? Each once, in this order."""

    skips = True
    player: str
    power: str

    def draft(self, game: Game) -> Draft[Any]:
        return Marching(game, self.player, self.power, "op")

    def default(self, game: Game) -> tuple[Move, ...]:
        return ()

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


@dataclass(frozen=True)
class FinalPlan:
    """Reserve moves, then declarations of war, offers and acceptances of truces."""

    reserve: tuple[Move, ...] = ()
    war: tuple[Diplomacy, ...] = ()


@decision("final", rule="4.9", answer=FinalPlan)
class Final(Growing[FinalPlan]):
    """D-11, D-22 Which units move in reserve? Is war declared, a truce offered or accepted?"""

    skips = True
    player: str
    power: str

    def draft(self, game: Game) -> Draft[Any]:
        return _Ending(game, self.player, self.power)

    def default(self, game: Game) -> FinalPlan:
        return FinalPlan()

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


class _Ending(Marching):
    """Reserve moves, then declarations, on a draft's board."""

    section = "reserve"

    def __init__(self, game: Game, player: str, power: str) -> None:
        super().__init__(game, player, power, "res")

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        yield from super().next(of)
        if of is not None:
            return
        for order in self._acts():
            if not diplomacy_faults(self.game, self.power, order):
                part = Part("war", order)
                yield Next(part, self.words(part))

    def _acts(self) -> Iterator[Diplomacy]:
        world = world_of(self.game)
        for country in world.countries:
            yield Diplomacy(declare=country)
        for other in world.enemies(self.power):
            yield Diplomacy(offer=other, turns=1)
            yield Diplomacy(accept=other)

    def faults(self, element: Any) -> list[Diagnostic]:
        if isinstance(element.value, Move):
            return super().faults(element.value)
        return diplomacy_faults(self.game, self.power, element.value)

    def do(self, element: Any) -> None:
        if isinstance(element.value, Move):
            super().do(element.value)

    def words(self, element: Any) -> str:
        order = element.value
        if isinstance(order, Move):
            return Message("totaler-krieg.moving.reserve", words=super().words(order))
        if order.declare:
            return Message(
                "totaler-krieg.moving.war-declared", title=world_of(self.game).countries[order.declare].title
            )
        if order.offer:
            return Message(
                "totaler-krieg.moving.offered-truce-of-turns", offer=order.offer, turns=order.turns
            )
        return Message("totaler-krieg.moving.truce-of-accepted", accept=order.accept)
