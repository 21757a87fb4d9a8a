"""The events of the small invented game of these tests, with what they mean."""

from __future__ import annotations

from typing import Annotated

from pbem.model.events import Event, Roll, event
from pbem.model.meaning import (
    After,
    Attacker,
    Count,
    Defender,
    Destination,
    Flow,
    Lost,
    Origin,
    Phrase,
    Place,
    Places,
    PlayerName,
    UnitIds,
    Way,
)

Block = Annotated[str, Phrase("{player} {type} {letter}")]


@event(rule="4.1", to="public", tells="move")
class Moved(Event):
    owner: PlayerName
    hex: Place
    path: Way
    blocks: Count


@event(rule="4.1", to="public", tells="move")
class Flew(Event):
    owner: PlayerName
    origin: Origin
    destination: Destination


@event(rule="4.1", to="public")
class Fed(Event):
    owner: PlayerName
    flows: tuple[Flow, ...]


@event(rule="4.2", to="public", tells="retreat")
class FellBack(Event):
    block: Block
    hex: Origin
    destination: Destination


@event(rule="4.3", to="public", tells="battle")
class Fought(Event):
    attacker: PlayerName
    hex: Place
    roll: Roll
    hits: int
    rating: int


@event(rule="4.3", to="public", tells="battle")
class FoughtDearly(Event):
    """Each hit costs the attacker a step."""

    attacker: PlayerName
    hits: Annotated[int, Lost("step")]


@event(rule="4.3", to="public", tells="battle")
class Assaulted(Event):
    """A fight that takes several events."""

    attacker: Attacker
    defender: Defender
    hex: Place


@event(rule="4.3", to="public", tells="battle")
class Stormed(Event):
    """An attack on a place: who defends it is not said."""

    attacker: Attacker
    hex: Place


@event(rule="4.1", to="public", tells="approach")
class CameUp(Event):
    player: PlayerName
    hex: Place


@event(rule="4.3", to="public", tells=("battle", "round"))
class Duelled(Event):
    """One of the rounds in which a fight is fought."""

    attacker: Attacker
    defender: Defender
    hex: Place


@event(rule="4.3", to="public", tells="result")
class Rolled(Event):
    hex: Place
    result: str


@event(rule="4.3", to="public", tells="outcome")
class Held(Event):
    hex: Place
    player: PlayerName


@event(rule="4.3", to="public", tells="outcome")
class Settled(Event):
    """A fight is over: who holds the place now."""

    hex: Place
    now: After
    against: PlayerName


@event(rule="4.1", to="public", tells="move")
class Walked(Event):
    player: PlayerName
    units: UnitIds
    way: Way


@event(rule="4.1", to="public", tells="turn")
class Begun(Event):
    player: PlayerName


@event(rule="4.3", to="public", tells="prelude")
class Planned(Event):
    player: PlayerName
    hex: Place


@event(rule="4.3", to="public", tells="prelude")
class Massed(Event):
    """Fights at several places lie ahead."""

    player: PlayerName
    hexes: Places


@event(rule="4.3", to="public", tells="forces")
class Counted(Event):
    player: PlayerName
    hex: Place
    strength: int


@event(rule="4.3", to="public", tells="left")
class Stayed(Event):
    hex: Place
    who: str


@event(rule="4.3", to="public", tells="capture")
class Taken(Event):
    hex: Place
    now: After


@event(rule="4.3", to="public", tells="loss")
class Died(Event):
    hex: Place


@event(rule="4.4", to="public")
class Hurt(Event):
    owner: PlayerName
    steps: Annotated[int, Lost("step")]
    gone: Annotated[int, Lost("block")]


@event(rule="4.5", to="public", tells="end")
class Won(Event):
    result: str


KNOWN: dict[str, type[Event]] = {one.kind: one for one in (Moved, Flew, FellBack, Fought, Died, Hurt, Won)}
KNOWN |= {one.kind: one for one in (Assaulted, Duelled, Rolled, Held, Taken, Fed)}
KNOWN |= {
    one.kind: one for one in (Stormed, CameUp, Settled, Planned, Counted, Massed, Stayed, Walked, Begun)
}
