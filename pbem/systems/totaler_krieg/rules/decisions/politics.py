"""D-23: Choices inside events (4.15.3, 5.14)."""

from __future__ import annotations

from pbem.kit.faults import illegal
from pbem.kit.picking import Picks
from pbem.rules import Diagnostic, Draft, Game, Growing, Message, Name, decision, fact

from ..pieces import T, maybe_piece


@decision(
    "mobilize",
    rule="4.15.3",
    answer=tuple[Name, ...],
    standing=("mobilize", tuple[Name, ...]),
    facts=("country",),
)
class Mobilize(Growing[tuple[str, ...]]):
    """D-23 Which units of the country are turned to their two-step side?"""

    player: str
    power: str
    country: str
    count: int
    able: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.country)

    def draft(self, game: Game) -> Draft[str]:
        return _Turned(game, self.player, self.able, self.count)

    def default(self, game: Game) -> tuple[str, ...]:
        return self.able[: self.count]

    def from_standing(self, game: Game, orders: list[tuple[str, ...]]) -> tuple[str, ...] | None:
        ids = [id for id in orders[0] if id in self.able] if orders else []
        return tuple(ids[: self.count]) or None

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


class _Turned(Picks):
    """A list of a limited number of units."""

    def __init__(self, game: Game, player: str, able: tuple[str, ...], count: int) -> None:
        super().__init__(
            game,
            player,
            able,
            rule="4.15.3",
            words=lambda id: Message("totaler-krieg.politics.gets-second-step", id=id),
        )
        self.count = count

    def faults(self, element: str) -> list[Diagnostic]:
        faults = super().faults(element)
        if not faults and len(self.elements) >= self.count:
            faults = [
                illegal(
                    "E-GEN-01", "4.15.3", Message("totaler-krieg.politics.units-turned", count=self.count)
                )
            ]
        return faults


@decision(
    "event-losses",
    rule="5.14",
    answer=tuple[Name, ...],
    standing=("losses", tuple[Name, ...]),
    facts=("country", "steps"),
)
class EventLosses(Growing[tuple[str, ...]]):
    """D-23 Which units take the steps that an event costs, one each time they are named?"""

    player: str
    power: str
    country: str
    steps: int
    able: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.country)

    def draft(self, game: Game) -> Draft[str]:
        return _Named(
            game,
            self.player,
            self.able,
            rule="5.14",
            words=lambda id: Message("totaler-krieg.defence.takes-a-step", id=id),
        )

    def from_standing(self, game: Game, orders: list[tuple[str, ...]]) -> tuple[str, ...] | None:
        """D-23: Return the first list that names one of these units, without the other units."""
        named = (tuple(id for id in order if id in self.able) for order in orders)
        return next((ids for ids in named if ids), None)

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


class _Named(Picks):
    """A list of units, each as often as it is named."""

    def faults(self, element: str) -> list[Diagnostic]:
        if element in self.able[None] or maybe_piece(self.game, element) is not None:
            return []
        return super().faults(element)
