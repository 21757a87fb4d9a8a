"""What is told of production (rule 4.10.7).

Points, new blocks and resources to all, who got the steps to the owner.
"""

from __future__ import annotations

from pbem.rules import Event, HexNumber, event


@event(rule="4.10.1", to="public")
class PointsCollected(Event):
    """PP of one city."""

    player: str
    city: HexNumber
    place: str
    pp: int


@event(rule="4.10.2", to="public")
class ResourceDelivered(Event):
    """A resource block turned into PP of a city."""

    owner: str
    city: HexNumber
    place: str
    cv: int
    value: int
    pp: int


@event(rule="4.10.3", to="public")
class BlocksBuilt(Event):
    """How many new blocks a player built in a city."""

    owner: str
    city: HexNumber
    place: str
    blocks: int


@event(rule="4.10.7", to="owner")
class UnitBuilt(Event):
    """A new block and what it cost."""

    owner: str
    unit: str
    type: str
    city: HexNumber
    cv: int
    pp: int


@event(rule="4.10.7", to="owner")
class UnitReinforced(Event):
    """Steps for a block in the city, or by front line replacement."""

    owner: str
    unit: str
    city: HexNumber
    before: int
    after: int
    pp: int


@event(rule="4.10.1", to="owner")
class PointsLost(Event):
    """PP left unspent do not keep."""

    owner: str
    city: HexNumber
    place: str
    pp: int


@event(rule="4.10.6", to="public")
class ResourceGrew(Event):
    """The resource block on a site has one step more."""

    owner: str
    site: HexNumber


@event(rule="4.10.6", to="public")
class ResourceAppeared(Event):
    """A new resource block on a site."""

    owner: str
    site: HexNumber


@event(rule="4.10.6", to="owner")
class ResourceStayed(Event):
    """A site that produced nothing, and why.

    The reason may tell strengths and the pool, so it is for its side only.
    """

    owner: str
    site: HexNumber
    reason: str
