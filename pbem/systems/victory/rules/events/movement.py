"""Events of moves (rule 4.4.14): owner, blocks and way to all; which unit to the owner's side."""

from __future__ import annotations

from pbem.rules import Count, Event, HexNumber, PlayerName, UnitId, Way, dataclass, event


@dataclass(frozen=True)
class Moved(Event):
    """A move as everybody sees it."""

    player: PlayerName
    blocks: Count
    path: Way


@event(rule="4.4.14", to="public", tells="move")
class BlocksMarched(Moved):
    """Blocks went over land."""


@event(rule="4.4.14", to="public", tells="move")
class BlocksSailed(Moved):
    """Blocks went by sea, ships or what they carry."""


@event(rule="4.4.14", to="public", tells="move")
class BlocksFlew(Moved):
    """Aircraft flew; only the ends are seen."""


@event(rule="4.4.14", to="public", tells="move")
class BlocksDropped(Moved):
    """Airborne blocks came down; only the ends are seen."""


@event(rule="4.4.14", to="owner", tells="move")
class UnitMoved(Event):
    """The identity of a unit that moved, and how it moved."""

    owner: PlayerName
    unit: UnitId
    how: str
    path: Way


@event(rule="4.4.1", to="owner")
class MoveDropped(Event):
    """An ordered move that is not legal (any more): the unit stays."""

    owner: PlayerName
    unit: UnitId
    how: str
    reason: str


@event(rule="4.4.13", to="public", tells="prelude")
class BattlesAhead(Event):
    """The hexes that hold blocks of the active player and of an enemy."""

    player: PlayerName
    hexes: tuple[HexNumber, ...]


@event(rule="4.6.1", to="public")
class BattlesOrdered(Event):
    """The order in which they are fought."""

    player: PlayerName
    hexes: tuple[HexNumber, ...]
