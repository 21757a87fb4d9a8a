"""4.7: Leaders of the combat phase."""

from __future__ import annotations

from pbem.rules import Event, Roll, Thrower, UnitId, UnitIds, dataclass, event


@dataclass(frozen=True)
class Activation:
    """A line of the table: leader, value to roll, die, and whether the leader is active."""

    leader: UnitId
    initiative: int
    die: Roll
    active: bool


@event(rule="4.7", to="public")
class LeadersActivated(Event):
    player: Thrower
    active: UnitIds
    leaders: tuple[Activation, ...]
