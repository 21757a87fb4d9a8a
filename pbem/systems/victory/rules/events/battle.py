"""Events of air response and battles (rules 4.5 and 4.6).

Ids of blocks are secret. Public events name a block by owner, type and a letter for this battle ("red AR a").
`BlocksIdentified` tells each side which of its own blocks these are.
"""

from __future__ import annotations

from typing import Annotated

from pbem.rules import (
    After,
    Attacker,
    Before,
    Count,
    Defender,
    Destination,
    Event,
    HexNumber,
    Origin,
    Phrase,
    PlayerName,
    Roll,
    UnitId,
    event,
)

BlockName = Annotated[str, Phrase("{player} {type} {letter}")]
FiringBlock = Annotated[str, Phrase("{thrower} {type} {letter}")]
BlockLine = Annotated[str, Phrase("{player} {type} {letter} CV {cv}")]
BlockIs = Annotated[str, Phrase("{player} {type} {letter} is {unit}")]


@event(rule="4.5.5", to="public", tells="move")
class BlocksResponded(Event):
    """Blocks of one player that flew or marched from one hex into a battle."""

    owner: PlayerName
    origin: Origin
    hex: Destination
    blocks: Count


@event(rule="4.5.5", to="owner")
class UnitResponded(Event):
    """The id of a block that responded."""

    owner: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination


@event(rule="4.5.3", to="owner")
class ResponseTurnedBack(Event):
    """A block that stays at its base because other blocks reached the stack limit of the battle hex."""

    owner: PlayerName
    unit: UnitId
    hex: HexNumber


@event(rule="4.6.2", to="public", tells="battle")
class BattleBegan(Event):
    """The start of a battle; all blocks in the hex are turned face up."""

    hex: HexNumber
    place: str
    attacker: Attacker
    defenders: tuple[Defender, ...]
    attacking: tuple[BlockLine, ...]
    defending: tuple[BlockLine, ...]


@event(rule="4.6.2", to="owner")
class BlocksIdentified(Event):
    """The public names of a side's own blocks in this battle, with their ids."""

    owner: PlayerName
    hex: HexNumber
    blocks: tuple[BlockIs, ...]


@event(rule="4.6.3", to="public")
class BattleRoundBegan(Event):
    hex: HexNumber
    round: int


@event(rule="4.6.6", to="public")
class BlockFired(Event):
    """A volley: each die at or below the rating is a hit."""

    hex: HexNumber
    round: int
    slot: int
    side: str
    block: FiringBlock
    cv: int
    target: str
    rating: int
    roll: Roll
    hits: int


@event(rule="4.6.13", to="public")
class BlockPursued(Event):
    """A volley of the pursuit option at a side that is about to leave."""

    hex: HexNumber
    slot: int
    block: FiringBlock
    cv: int
    target: str
    rating: int
    roll: Roll
    hits: int


@event(rule="4.6.8", to="public")
class FlakFell(Event):
    """Sixes of surface fire at aircraft, which hit the firer's own aircraft."""

    hex: HexNumber
    block: BlockName
    sixes: int


@event(rule="4.6.7", to="public", costs={"step": 1})
class BlockLostStep(Event):
    hex: HexNumber
    block: BlockName
    before: int
    after: int


@event(rule="4.6.7", to="public", tells="loss", costs={"step": 1, "block": 1})
class BlockEliminated(Event):
    """A block that lost its last step."""

    hex: HexNumber
    block: BlockName
    owner: PlayerName
    type: str
    before: int


@event(rule="4.6.7", to="public")
class HitsWasted(Event):
    """Hits beyond the last target of the class."""

    hex: HexNumber
    hits: int
    target: str


@event(rule="4.6.4", to="public", tells="retreat")
class BlockRetreated(Event):
    hex: Origin
    round: int
    block: BlockName
    destination: Destination


@event(rule="4.6.4", to="owner")
class RetreatBarred(Event):
    """A block that should retreat but cannot, and fires (E-BAT-02); only the owner learns its doctrine."""

    owner: PlayerName
    hex: HexNumber
    block: BlockName
    reason: str


@event(rule="4.6.9", to="public", tells="loss", costs={"block": 1})
class BlockOverrun(Event):
    """A supply or resource block eliminated because it was alone with enemy ground blocks."""

    hex: HexNumber
    block: BlockName
    owner: PlayerName
    type: str


@event(rule="4.6.10", to="public", tells="outcome")
class HexHeld(Event):
    """The side that holds the battle hex, and its enemy, for the summaries of both."""

    hex: HexNumber
    place: str
    role: str
    players: tuple[After, ...]
    against: tuple[Before, ...]
    rounds: int


@event(rule="4.6.10", to="public", tells="retreat")
class BlockWithdrew(Event):
    """A block that had to leave a hex that its side does not hold."""

    hex: Origin
    block: BlockName
    destination: Destination


@event(rule="4.6.10", to="public", tells="loss", costs={"block": 1})
class BlockTrapped(Event):
    """A block that had to leave and could not."""

    hex: HexNumber
    block: BlockName
    owner: PlayerName
    type: str
    reason: str


@event(rule="4.6.10", to="public", tells="retreat")
class BlockRebased(Event):
    """Aircraft that land after a battle."""

    hex: Origin
    block: BlockName
    destination: Destination


@event(rule="2.5", to="public", tells="capture")
class BaseChangedHands(Event):
    """A change of control of a base or resource site."""

    hex: HexNumber
    place: str
    before: Before
    now: After


@event(rule="4.6.10", to="public", tells="left")
class BattleEnded(Event):
    """The end of a battle; surviving blocks are turned upright."""

    hex: HexNumber
    place: str
    surviving: tuple[BlockLine, ...]
