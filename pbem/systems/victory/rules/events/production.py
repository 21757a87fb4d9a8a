"""Events of production (rule 4.10.7): points and new blocks for all, steps for the owner."""

from __future__ import annotations

from pbem.rules import Count, Event, HexNumber, PlayerName, UnitId, event


@event(rule="4.10.1", to="public")
class PointsCollected(Event):
    """PP of one city."""

    player: PlayerName
    city: HexNumber
    place: str
    pp: int


@event(rule="4.10.2", to="public")
class ResourceDelivered(Event):
    """A resource block that became PP of a city."""

    owner: PlayerName
    city: HexNumber
    place: str
    cv: int
    value: int
    pp: int


@event(rule="4.10.3", to="public", tells="arrival")
class BlocksBuilt(Event):
    """The number of new blocks that a player built in a city."""

    owner: PlayerName
    city: HexNumber
    place: str
    blocks: Count


@event(rule="4.10.7", to="owner")
class UnitBuilt(Event):
    """A new block and its price."""

    owner: PlayerName
    unit: UnitId
    type: str
    city: HexNumber
    cv: int
    pp: int


@event(rule="4.10.7", to="owner")
class UnitReinforced(Event):
    """Steps for a block in the city, or by front line replacement."""

    owner: PlayerName
    unit: UnitId
    city: HexNumber
    before: int
    after: int
    pp: int


@event(rule="4.10.1", to="owner")
class PointsLost(Event):
    """PP that were not spent and are lost."""

    owner: PlayerName
    city: HexNumber
    place: str
    pp: int


@event(rule="4.10.6", to="public")
class ResourceGrew(Event):
    """A resource block on a site that gained a step."""

    owner: PlayerName
    site: HexNumber


@event(rule="4.10.6", to="public", tells="arrival")
class ResourceAppeared(Event):
    """A new resource block on a site."""

    owner: PlayerName
    site: HexNumber


@event(rule="4.10.6", to="owner")
class ResourceStayed(Event):
    """A site that produced nothing, and the reason.

    Only the owner's side reads it, because the reason may reveal strengths and the pool.
    """

    owner: PlayerName
    site: HexNumber
    reason: str
