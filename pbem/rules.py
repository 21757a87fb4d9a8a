"""What the author of a rules system imports, and all of it: decisions, events, procedures, and what they
may wait for.

See docs/adding-a-rules-system.md for the steps and `tests/primer` for a small system that uses everything.
"""

from pbem.board.position import Position
from pbem.engine.decisions import Decision, NoDefault, Option, decision
from pbem.engine.drafting import Drafting
from pbem.engine.game import Game
from pbem.engine.growing import Draft, Growing, Next
from pbem.engine.knowing import fact
from pbem.engine.points import Points
from pbem.engine.registry import condition, player_order, power_order, procedure
from pbem.engine.requests import (
    Sealed,
    ask,
    ask_all,
    ask_each,
    ask_how,
    consult,
    lodge,
    opened,
    roll,
    seal,
    shuffle,
)
from pbem.engine.steps import steps
from pbem.engine.system import System, deferred
from pbem.model.codec import HexNumber, LocationId, Name, Pattern, Range, from_json, to_json
from pbem.model.elements import NOTHING, Entry, Part
from pbem.model.events import Event, Roll, Shuffle, event
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, Fact, audience_of
from pbem.model.forecasts import Forecast
from pbem.model.headed import Headed
from pbem.model.meaning import (
    STOPPED,
    After,
    Attacker,
    AttackingUnit,
    AttackingUnits,
    Before,
    Capture,
    Count,
    Defender,
    DefendingUnit,
    DefendingUnits,
    Destination,
    Flow,
    Loser,
    Losses,
    Lost,
    MaybeUnit,
    Origin,
    Phrase,
    Place,
    Places,
    PlayerName,
    Prose,
    Proses,
    Thrower,
    ThrowingAttacker,
    Title,
    Titles,
    UnitId,
    UnitIds,
    Way,
)
from pbem.model.overlays import Overlay
from pbem.model.typed import Board, Counter, Record, Tracks, counter, counters, maybe, where_any
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

__all__ = [
    "GM_ONLY",
    "NOTHING",
    "PUBLIC",
    "STOPPED",
    "After",
    "Attacker",
    "AttackingUnit",
    "AttackingUnits",
    "Audience",
    "Before",
    "Board",
    "Capture",
    "Count",
    "Counter",
    "Decision",
    "Defender",
    "DefendingUnit",
    "DefendingUnits",
    "Destination",
    "Diagnostic",
    "Draft",
    "Drafting",
    "Entry",
    "Event",
    "Fact",
    "Flow",
    "Forecast",
    "Game",
    "Growing",
    "Headed",
    "HexNumber",
    "Json",
    "LocationId",
    "Loser",
    "Losses",
    "Lost",
    "MaybeUnit",
    "Message",
    "Name",
    "Next",
    "NoDefault",
    "Option",
    "Origin",
    "Overlay",
    "Part",
    "Pattern",
    "Phrase",
    "Place",
    "Places",
    "PlayerName",
    "Points",
    "Position",
    "Prose",
    "Proses",
    "Range",
    "Record",
    "Refused",
    "Roll",
    "Sealed",
    "Shuffle",
    "System",
    "Thrower",
    "ThrowingAttacker",
    "Title",
    "Titles",
    "Tracks",
    "UnitId",
    "UnitIds",
    "Way",
    "ask",
    "ask_all",
    "ask_each",
    "ask_how",
    "audience_of",
    "condition",
    "consult",
    "counter",
    "counters",
    "dataclass",
    "decision",
    "deferred",
    "did_you_mean",
    "event",
    "fact",
    "from_json",
    "lodge",
    "maybe",
    "opened",
    "player_order",
    "power_order",
    "procedure",
    "roll",
    "seal",
    "shuffle",
    "steps",
    "to_json",
    "where_any",
]
