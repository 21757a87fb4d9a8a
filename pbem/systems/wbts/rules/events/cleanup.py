"""4.9: The cleanup segment."""

from __future__ import annotations

from pbem.rules import Event, Place, PlayerName, UnitId, event


@event(rule="4.9.1")
class SupplyDestroyed(Event):
    owner: PlayerName
    unit: UnitId
    hex: Place
    points: int
    left: int


@event(rule="4.9.2", tells="loss")
class DepotDestroyed(Event):
    owner: PlayerName
    depot: UnitId
    hex: Place
    points: int
    units: dict[str, int]


@event(rule="4.9.3", tells="arrival")
class MilitiaDeployed(Event):
    owner: PlayerName
    state: str
    hex: Place
    unit: UnitId
    sp: int
    left: int
