"""4.8.1 to 4.8.10: Events of a battle from its selection to the losses, with their working.

`working` has a line of text for each unit, `lines` the numbers of the same lines for programs.
"""

from __future__ import annotations

from typing import Annotated

from pbem.kit.odds import Line, Modifier
from pbem.rules import (
    Attacker,
    Defender,
    Event,
    HexNumber,
    Lost,
    Origin,
    Phrase,
    Place,
    PlayerName,
    Roll,
    Thrower,
    UnitId,
    UnitIds,
    dataclass,
    event,
)

Left = Annotated[str, Phrase("{unit} to {to}")]


@dataclass(frozen=True)
class OfBattle(Event):
    """An event in one battle: its number in the segment, and its hex."""

    number: int
    hex: HexNumber


@event(rule="4.8.1")
class BattleSkipped(Event):
    """A battle of a list that can not or should not be fought any more."""

    owner: PlayerName
    hex: HexNumber
    reasons: tuple[str, ...]


@event(rule="4.8.1")
class SegmentPassed(Event):
    """The phasing player's pass, after which no more battles are fought."""

    owner: PlayerName


@event(rule="4.8.6", to="public")
class SecretLodged(Event):
    """A choice that a side has sealed for a later battle. Its content is secret."""

    side: PlayerName
    name: str


@event(rule="4.8.1", to="public", tells="battle")
class BattleBegan(Event):
    """The beginning of a battle: the attacker, the target, and the attacking hexes."""

    number: int
    attacker: Attacker
    defender: Defender
    hex: HexNumber
    place: str
    terrain: str
    season: str
    origins: tuple[Origin, ...]


@event(rule="4.8.2", to="public", tells="forces")
class AttackRevealed(OfBattle):
    """The attacking units and their strength."""

    side: PlayerName
    leader: str
    lines: tuple[Line, ...]
    working: tuple[str, ...]
    total: str
    declared: UnitIds


@event(rule="4.8.3", to="public", tells="forces")
class CavalryEvaded(OfBattle):
    """A retreat of cavalry before combat, or its decision to stay."""

    side: PlayerName
    units: int


@event(rule="4.8.3")
class RodeAway(Event):
    """The cavalry that rode away, and its destinations."""

    owner: PlayerName
    hex: Origin
    moves: tuple[Left, ...]


@event(rule="4.8.3", to="public")
class TargetEmptied(OfBattle):
    """The end of a fight because the target is empty. The advance comes next."""


@event(rule="4.8.4", to="public")
class DefenceCommanded(OfBattle):
    """The commander of the defence. Without one the intensity is 0."""

    side: PlayerName
    leader: str


@event(rule="4.8.5", to="public", tells="forces")
class DefenceRevealed(OfBattle):
    """The defending units, those withheld, and the strength. `ratio` is 100 x A / D.

    `attacker_loss` multiplies the attacker's losses. `doubled` repeats it if it is more than 1.
    """

    side: PlayerName
    lines: tuple[Line, ...]
    working: tuple[str, ...]
    withheld: UnitIds
    ships: UnitIds
    total: str
    attack: str
    ratio: int | None
    attacker_loss: int
    doubled: int | None


@event(rule="4.8.5", to="public", tells="result")
class Overrun(OfBattle):
    """An overrun of a hex without any strength."""


@event(rule="4.8.6", to="public", tells="result")
class ChitsRevealed(OfBattle):
    """Both intensity chits, and the table that they make. Table 0 is contact."""

    attacker: PlayerName
    attack: int
    attack_limit: int
    defender: PlayerName
    defend: int
    defend_limit: int
    table: int


@event(rule="4.8.7")
class SupplyPaid(Event):
    """R-302: The depots and trains that paid, for their own side if the other does not learn it."""

    owner: PlayerName
    hex: Place
    paid: tuple[str, ...]


@event(rule="4.8.7", to="public", tells="result")
class SupplyTested(OfBattle):
    """The supply die of a side: its need, its payment, and its strength after that.

    With limited intelligence `available` and `paid` are left out, because only owners know stocks
    (R-302).
    """

    side: Thrower
    sp: int
    roll: Roll
    modifiers: tuple[Modifier, ...]
    row: str
    column: int
    need: int
    available: int | None
    paid: tuple[str, ...]
    supplied: bool
    before: str | None
    strength: str


@event(rule="4.8.8", to="public")
class LeadersCommitted(OfBattle):
    """The committed leaders of both sides, revealed together."""

    attack: str
    defend: str


@event(rule="4.8.9", to="public", tells="result")
class CombatRolled(OfBattle):
    """The combat die: row, column and cell of the table."""

    roll: Roll
    modifiers: tuple[Modifier, ...]
    row: int
    attack: str
    defence: str
    ratio: int | None
    table: int
    column: str
    result: str


@event(rule="4.8.9", to="public", tells="result")
class LeaderFate(OfBattle):
    """The fate of a committed leader."""

    side: Thrower
    leader: UnitId
    roll: Roll
    severity: Roll | None
    recovery: Roll | None
    fate: str
    killed: Annotated[int, Lost("leader")]


@event(rule="4.8.10", to="public")
class LossesTaken(OfBattle):
    """The losses of a side: percentage of its strength, doublings, and points by unit."""

    side: PlayerName
    percent: int
    sp: int
    working: str
    points: Annotated[int, Lost("point")]
    lost: tuple[str, ...]
    destroyed: UnitIds
