"""The end of the week and of the game (4.10, 10.6, 10.7)."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.rules import Event, event


@event(rule="10.6")
class UnitArrived(Event):
    owner: str
    unit: str
    type: str
    sp: int
    hex: str


@event(rule="10.6")
class SupplyArrived(Event):
    owner: str
    unit: str
    hex: str
    points: int


@event(rule="10.6", to="public")
class ArrivalLost(Event):
    player: str
    hex: str


@event(rule="4.10", to="public")
class CycleEnded(Event):
    rail_points: dict[str, int]


@dataclass(frozen=True)
class Held:
    """A place that counts, and its points."""

    place: str
    points: int


@event(rule="10.7", to="public")
class PointsCounted(Event):
    player: str
    holds: tuple[Held, ...]
    always: int
    enemy_losses: int
    losses: int
    total: int


@event(rule="10.7", to="public")
class GameOver(Event):
    winner: str
    why: str
    north: int
    south: int
