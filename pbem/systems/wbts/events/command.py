"""Depots, loads and command spans (4.3, 4.6)."""

from __future__ import annotations

from pbem.rules import Event, event


@event(rule="4.2")
class PlayerTurnBegan(Event):
    owner: str
    chit: int
    detrained: tuple[str, ...]


@event(rule="4.2")
class LeaderReturned(Event):
    owner: str
    leader: str
    hex: str


@event(rule="4.3.1")
class DepotCreated(Event):
    owner: str
    depot: str
    hex: str
    given: dict[str, int]


@event(rule="4.3.2")
class SupplyLoaded(Event):
    owner: str
    source: str
    train: str
    hex: str
    points: int
    source_left: int
    train_now: int


@event(rule="4.3.3")
class SpanSpecified(Event):
    owner: str
    leader: str
    units: tuple[str, ...]
    leaders: tuple[str, ...]
    released: tuple[str, ...]
    span: int
    printed: int
    modifiers: tuple[str, ...]


@event(rule="4.3.3")
class LeftRoster(Event):
    owner: str
    units: tuple[str, ...]


@event(rule="4")
class OrderSkipped(Event):
    owner: str
    order: str
    code: str
    reason: str
