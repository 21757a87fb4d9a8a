"""4.10, 10.6, 10.7: The end of the week and of the game."""

from __future__ import annotations

from pbem.rules import Event, Place, PlayerName, UnitId, dataclass, event


@event(rule="10.6", tells="arrival")
class UnitArrived(Event):
    owner: PlayerName
    unit: UnitId
    type: str
    sp: int
    hex: Place


@event(rule="10.6", tells="arrival")
class SupplyArrived(Event):
    owner: PlayerName
    unit: UnitId
    hex: Place
    points: int


@event(rule="10.6", to="public")
class ArrivalLost(Event):
    player: PlayerName
    hex: Place


@event(rule="4.10", to="public")
class CycleEnded(Event):
    rail_points: dict[PlayerName, int]


@dataclass(frozen=True)
class Held:
    """A place that counts, and its points."""

    place: str
    points: int


@event(rule="10.7", to="public", tells="score")
class PointsCounted(Event):
    player: PlayerName
    holds: tuple[Held, ...]
    always: int
    enemy_losses: int
    losses: int
    total: int


@event(rule="10.7", to="public", tells="end")
class GameOver(Event):
    winner: PlayerName
    why: str
    north: int
    south: int
