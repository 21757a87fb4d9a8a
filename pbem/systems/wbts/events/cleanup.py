"""The cleanup segment (4.9)."""

from __future__ import annotations

from pbem.rules import Event, event


@event(rule="4.9.1")
class SupplyDestroyed(Event):
    owner: str
    unit: str
    hex: str
    points: int
    left: int


@event(rule="4.9.2")
class DepotDestroyed(Event):
    owner: str
    depot: str
    hex: str
    points: int
    units: dict[str, int]


@event(rule="4.9.3")
class MilitiaDeployed(Event):
    owner: str
    state: str
    hex: str
    unit: str
    sp: int
    left: int
