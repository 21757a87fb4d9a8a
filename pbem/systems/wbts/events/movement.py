"""Activations and moves (4.4, 4.5)."""

from __future__ import annotations

from pbem.rules import Event, Roll, event


@event(rule="4.4.1")
class Activated(Event):
    owner: str
    who: str
    number: int
    most: int


@event(rule="4.4.1", to="public")
class ChitUsed(Event):
    player: str
    number: int
    most: int


@event(rule="4.4.2")
class Marched(Event):
    owner: str
    units: tuple[str, ...]
    way: tuple[str, ...]
    cost: int
    stopped: bool


@event(rule="4.4.3")
class Rode(Event):
    owner: str
    units: tuple[str, ...]
    way: tuple[str, ...]
    points: int
    left: int


@event(rule="4.4.1")
class Sailed(Event):
    owner: str
    units: tuple[str, ...]
    origin: str
    hex: str
    hexes: int


@event(rule="4.4.2", to="public")
class TookHex(Event):
    player: str
    hex: str
    place: str


@event(rule="4.4.4", to="public")
class RailCut(Event):
    player: str
    hex: str


@event(rule="4.4.6", to="public")
class Entrenched(Event):
    player: str
    hex: str


@event(rule="4.5", to="public")
class LeaderTried(Event):
    leader: str
    player: str
    printed: int
    initiative: int
    modifiers: tuple[str, ...]
    die: Roll
    success: bool
