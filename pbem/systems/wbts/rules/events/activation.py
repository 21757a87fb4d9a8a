"""Leaders of the combat phase (4.7)."""

from __future__ import annotations

from pbem.rules import Event, Roll, Thrower, UnitId, UnitIds, dataclass, event


@dataclass(frozen=True)
class Activation:
    """One line of the table: who, what he rolled against, the die, whether he is active."""

    leader: UnitId
    initiative: int
    die: Roll
    active: bool


@event(rule="4.7", to="public")
class LeadersActivated(Event):
    player: Thrower
    active: UnitIds
    leaders: tuple[Activation, ...]
