"""What is told of the end of a battle: retreats, the advance, lone leaders (4.8.11 to 4.8.16)."""

from __future__ import annotations

from pbem.rules import Event, HexNumber, Name, event


@event(rule="4.8.11", to="public")
class RetreatNotRequired(Event):
    """Defenders that would have to retreat need not, and stay."""

    number: int
    hex: HexNumber
    side: str
    reason: str


@event(rule="4.8.11", to="public")
class UnitsRetreated(Event):
    """Who left a combat hex, and where to; `why`: required, overrun or voluntary."""

    number: int
    hex: HexNumber
    side: str
    why: str
    moves: tuple[str, ...]
    sheltered: tuple[Name, ...]


@event(rule="4.8.11")
class WentAlong(Event):
    """Leaders, HQs and trains that left or advanced with revealed units: their owner's business."""

    owner: str
    hex: HexNumber
    moves: tuple[str, ...]


@event(rule="4.8.11", to="public")
class UnitTrapped(Event):
    """A unit had to retreat, could not, and was destroyed: why not into each hex beside it."""

    number: int
    hex: HexNumber
    side: str
    unit: Name
    sp: int
    supply: int
    barred: tuple[str, ...]


@event(rule="4.8.12", to="public")
class NobodyWithdrew(Event):
    """A side might have retreated and stayed."""

    number: int
    hex: HexNumber
    side: str


@event(rule="4.8.14", to="public")
class Advanced(Event):
    """Who entered the hex."""

    number: int
    hex: HexNumber
    place: str
    side: str
    units: tuple[Name, ...]


@event(rule="4.8.14", to="public")
class NoAdvance(Event):
    """Nobody advances, and why not."""

    number: int
    hex: HexNumber
    side: str
    reason: str


@event(rule="4.8.14", to="public")
class LeftBehind(Event):
    """Logistic units and HQs without a leader fell into the enemy's hands and are destroyed with their
    supply.
    """

    hex: HexNumber
    side: str
    units: tuple[str, ...]
    sp: int


@event(rule="4.8.14", to="public")
class HexTaken(Event):
    """Settlement, fort or rails changed owner."""

    hex: HexNumber
    place: str
    side: str
    taken: tuple[str, ...]


@event(rule="4.8.16", to="public")
class LeaderDisplaced(Event):
    """A leader without troops joined the nearest ones."""

    side: str
    leader: str
    origin: HexNumber
    destination: HexNumber


@event(rule="4.8.16", to="public")
class LeaderCaptured(Event):
    """A leader without troops had nobody to go to."""

    side: str
    leader: str
    hex: HexNumber


@event(rule="4.8.16", to="public")
class HeadquartersLost(Event):
    """An HQ alone was removed."""

    side: str
    unit: Name


@event(rule="4.4.5", to="public")
class UnitsDetrained(Event):
    """Units that were attacked on their trains have left them."""

    hex: HexNumber
    units: tuple[Name, ...]


@event(rule="4.8", to="public")
class BattleEnded(Event):
    """The battle is over: who holds the hex, and losses of both sides to date."""

    number: int
    hex: HexNumber
    place: str
    holder: str
    losses_sp: dict[str, int]
