"""What is told of supply and attrition (rule 4.8.6): counts per hex to all, the blocks to their side."""

from __future__ import annotations

from pbem.rules import Event, HexNumber, event


@event(rule="4.8.6", to="public")
class AttritionSuffered(Event):
    """How many blocks of a player in a hex lost a step, and how many of these died."""

    owner: str
    hex: HexNumber
    reduced: int
    eliminated: int
    types: tuple[str, ...]


@event(rule="4.8.6", to="public")
class NobodySuffered(Event):
    """No block lost a step to attrition."""


@event(rule="4.8.6", to="owner")
class UnitStarved(Event):
    """A block out of supply and its loss."""

    owner: str
    unit: str
    hex: HexNumber
    before: int
    after: int


@event(rule="4.8.2", to="owner")
class UnitFed(Event):
    """A supply unit gave up a step and saved a block."""

    owner: str
    supply_unit: str
    unit: str
    before: int
    after: int


@event(rule="4.8.2", to="public")
class SupplyUnitSpent(Event):
    """Supply units that were used up by feeding have left the map."""

    owner: str
    hex: HexNumber
    blocks: int
