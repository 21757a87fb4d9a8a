"""Events of moves (rule 4.4.14): owner, blocks and path for all; the unit for the owner's side."""

from __future__ import annotations

from pbem.rules import Count, Event, HexNumber, PlayerName, UnitId, Way, dataclass, event


@dataclass(frozen=True)
class Moved(Event):
    """A move as all players see it."""

    player: PlayerName
    blocks: Count
    path: Way


@event(rule="4.4.14", to="public", tells="move")
class BlocksMarched(Moved):
    """Blocks that went over land."""


@event(rule="4.4.14", to="public", tells="move")
class BlocksSailed(Moved):
    """Blocks that went by sea: ships or their cargo."""


@event(rule="4.4.14", to="public", tells="move")
class BlocksFlew(Moved):
    """Aircraft that flew; only the ends of the path are public."""


@event(rule="4.4.14", to="public", tells="move")
class BlocksDropped(Moved):
    """Airborne blocks that dropped; only the ends of the path are public."""


@event(rule="4.4.14", to="owner", tells="move")
class UnitMoved(Event):
    """The id of a unit that moved, and the kind of move."""

    owner: PlayerName
    unit: UnitId
    how: str
    path: Way


@event(rule="4.4.1", to="owner")
class MoveDropped(Event):
    """An ordered move that is illegal, or has become so; the unit stays."""

    owner: PlayerName
    unit: UnitId
    how: str
    reason: str


@event(rule="4.4.13", to="public", tells="prelude")
class BattlesAhead(Event):
    """The hexes with blocks of the active player and of an enemy."""

    player: PlayerName
    hexes: tuple[HexNumber, ...]


@event(rule="4.6.1", to="public")
class BattlesOrdered(Event):
    """The order in which the battles are fought."""

    player: PlayerName
    hexes: tuple[HexNumber, ...]
