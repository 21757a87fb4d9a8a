"""Events of supply and attrition (rule 4.8.6): numbers for each hex for all, blocks for their side."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import Event, HexNumber, Lost, PlayerName, UnitId, event


@event(rule="4.8.6", to="public")
class AttritionSuffered(Event):
    """A player's blocks in a hex that lost a step, and the blocks that were eliminated."""

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
    """An unsupplied block and its loss."""

    owner: PlayerName
    unit: UnitId
    hex: HexNumber
    before: int
    after: int


@event(rule="4.8.2", to="owner")
class UnitFed(Event):
    """A step that a supply unit gave up to save a block."""

    owner: PlayerName
    supply_unit: UnitId
    unit: UnitId
    before: int
    after: int


@event(rule="4.8.2", to="public")
class SupplyUnitSpent(Event):
    """Supply units that were used up by feeding."""

    owner: PlayerName
    hex: HexNumber
    blocks: int
