"""What is told of moves (rule 4.4.14): owner, blocks and way to all; which unit to the owner's side."""

from __future__ import annotations

from pbem.rules import Event, HexNumber, event


@event(rule="4.4.14", to="public")
class BlocksMarched(Event):
    """Blocks went over land."""

    player: str
    blocks: int
    path: tuple[HexNumber, ...]


@event(rule="4.4.14", to="public")
class BlocksSailed(Event):
    """Blocks went by sea, ships or what they carry."""

    player: str
    blocks: int
    path: tuple[HexNumber, ...]


@event(rule="4.4.14", to="public")
class BlocksFlew(Event):
    """Aircraft flew; only the ends are seen."""

    player: str
    blocks: int
    path: tuple[HexNumber, ...]


@event(rule="4.4.14", to="public")
class BlocksDropped(Event):
    """Airborne blocks came down; only the ends are seen."""

    player: str
    blocks: int
    path: tuple[HexNumber, ...]


@event(rule="4.4.14", to="owner")
class UnitMoved(Event):
    """Which unit it was, and how it moved."""

    owner: str
    unit: str
    how: str
    path: tuple[HexNumber, ...]


@event(rule="4.4.1", to="owner")
class MoveDropped(Event):
    """An ordered move that is not legal (any more): the unit stays."""

    owner: str
    unit: str
    how: str
    reason: str


@event(rule="4.4.13", to="public")
class BattlesAhead(Event):
    """Where blocks of the active player and of an enemy stand together now."""

    player: str
    hexes: tuple[HexNumber, ...]


@event(rule="4.6.1", to="public")
class BattlesOrdered(Event):
    """The order in which they are fought."""

    player: str
    hexes: tuple[HexNumber, ...]
