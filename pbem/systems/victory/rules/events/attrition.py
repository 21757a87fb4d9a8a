"""Events of supply and attrition (rule 4.8.6): counts per hex to all, the blocks to their side."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import Event, HexNumber, Lost, PlayerName, UnitId, event


@event(rule="4.8.6", to="public")
class AttritionSuffered(Event):
    """The blocks of a player in a hex that lost a step, and those of them eliminated."""

    owner: PlayerName
    hex: HexNumber
    reduced: Annotated[int, Lost("step")]
    eliminated: Annotated[int, Lost("block")]
    types: tuple[str, ...]


@event(rule="4.8.6", to="public")
class NobodySuffered(Event):
    """No block lost a step to attrition."""


@event(rule="4.8.6", to="owner")
class UnitStarved(Event):
    """A block out of supply and its loss."""

    owner: PlayerName
    unit: UnitId
    hex: HexNumber
    before: int
    after: int


@event(rule="4.8.2", to="owner")
class UnitFed(Event):
    """A supply unit gave up a step and saved a block."""

    owner: PlayerName
    supply_unit: UnitId
    unit: UnitId
    before: int
    after: int


@event(rule="4.8.2", to="public")
class SupplyUnitSpent(Event):
    """Supply units that were used up by feeding have left the map."""

    owner: PlayerName
    hex: HexNumber
    blocks: int
