"""Imports for the author of a rules system: decisions, events, procedures, and what they wait for.

`docs/adding-a-rules-system.md` has the steps, `tests/primer` a small system that uses everything.

Hooks are functions that a package passes to `System(...)`. Each has a default:

- `world_hook(system, scenario, options) -> Any`: what never changes in a game (map, unit types, typed
  tables), as `game.world`. It runs for every view, so keep it fast. Default: None.
- `map_hook(world) -> GameMap`: gives rules `game.map` and players `pbem map`, and has location ids
  checked. Default: no map.
- `set_up_hook(system, world, scenario, options) -> Position`: the start; `kit/set_up.py` helps. Default:
  the `counters` and `tracks` of the scenario.
- `facts_hook(game) -> Iterable[Fact]`: the position split by who may know it. Default: all public.
- `view_hook(facts, player, world) -> Position`: a position from the facts that one player may know.
  Default: all public.
- `friends_hook(game, player) -> tuple[str, ...]`: the players who share this player's knowledge, this
  player included. Default: the player.
- `odds_hook(game, place, attackers) -> Iterable[Forecast]`: forecasts of the announced battles (`place`
  is None), or of one that these units would fight there. It runs on the reader's view, for reports and
  `pbem odds`. A forecast covers the whole fight: `ends` with chances that add up to 1, and the expected
  `losses` of both sides. Default: none.
- `reach_hook(game, id) -> Reach | None`: how far a counter goes in one move of its own, also beyond what it
  has to spend (`kit.ways.how_far`). The table uses it to say what is too far and what the enemy can reach.
  It runs on the reader's view. Default: nobody can say.
- `overlays_hook(game) -> Iterable[Overlay]`: areas of the map (supply, zones) on the reader's view.
  Default: none.
- `holders_hook(game) -> {location: power}`: who holds each place now, if tracks store only changes; for
  maps, figures and headlines. Default: none.
- `points_hook(game) -> {player: points}`: points as of now, if the rules count them only at the end;
  `"*"` is a number that is nobody's. For the curve of points. Default: none.
- `titles_hook(game) -> {id: title}`: titles of cards, countries and events. Event fields of type `Title`
  and texts of type `Prose` use them. Default: none.
- `absent_hook(game) -> {id: fields}`: counters that are not in the position (gone, or yet to come), with
  owner and type, for their names. Default: their ids.
- `outlook_hook(game, events) -> Forecast | None`: the forecast of the fight that these events (as JSON)
  tell, for its card. Default: none.
- `fought_hook(game, events) -> Fought | None`: how the fight ended that these events (as JSON) tell: who
  took or held the place, the losses of both sides, and why. Needed beside an `odds_hook`. Default: none.
- `captures_hook(game, events) -> {number: [Capture]}`: places that these events (as JSON, counted from 0)
  took, if control follows from who stands where and no event tells it; for headlines. Default: none.
- `ending_hook(game) -> Ending`: of a game that is over, what was asked for victory and what was reached.
  Default: what the events say.
- `printed_hook(game) -> {id: fields}`: what counters show beside their fields (printed figures), for
  drawings, and for the sections `figures` and `states` of the wording. Default: none.
- `facilities_hook(game) -> Iterable[Facility]`: what is in places and is no counter (dumps, bases,
  damage), on the reader's view. Default: none.
- `shorthand_hook(draft, words) -> Iterable[Next]`: elements that the words of a line mean where no list
  offers them, such as orders of whole stacks. Default: none.
- `line_hook(draft, text) -> Next | None`: the element that a typed line is, in a game whose orders have a
  notation of their own; None for other lines. It may have faults. Default: none.
- `invariants_hook(game) -> list[str]`: in words, what must hold in every position and does not. Default:
  no check.
- `census_hook(game) -> list[str]`: what must hold of all counters since the start (none lost, none
  made), and does not. Default: no check.
- `example_hook(game, what) -> list[str]`: faults of the `compute:` section of an example. Default: no
  `compute:`.
- `play_well_hook(game, decision, pick) -> Json`: a sensible answer for demonstrations; `pick(options)`
  chooses. Default: any legal answer.
- `standing_well_hook(player) -> list[Json]`: standing orders that a sensible player files. Default: none.

`hidden` is True, False, or the name of a boolean option. `game.system.data("tables/limits.yaml")` returns
data of the package, loaded once.
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
    steps,
)
from pbem.engine.system import System, deferred
from pbem.model.codec import HexNumber, LocationId, Name, Pattern, Range, from_json, to_json
from pbem.model.elements import NOTHING, Entry, Part
from pbem.model.endings import Ending, Level, bands
from pbem.model.events import Event, Roll, Shuffle, event
from pbem.model.facility import Facility
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, Fact, audience_of
from pbem.model.forecasts import End, Forecast, Fought, together
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
from pbem.model.reaches import Reach
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
    "End",
    "Ending",
    "Entry",
    "Event",
    "Facility",
    "Fact",
    "Flow",
    "Forecast",
    "Fought",
    "Game",
    "Growing",
    "Headed",
    "HexNumber",
    "Json",
    "Level",
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
    "Reach",
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
    "bands",
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
    "together",
    "where_any",
]
