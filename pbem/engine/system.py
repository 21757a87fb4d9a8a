"""A rules system as the engine sees it: registered functions and lazily loaded data.

Systems are found by the entry point `pbem.systems`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pbem.engine import pins
from pbem.engine.installed import entry_points
from pbem.engine.package import Package
from pbem.model.endings import Ending
from pbem.model.facility import Facility
from pbem.model.facts import Fact
from pbem.model.forecasts import Forecast, Fought
from pbem.model.headed import Headed
from pbem.model.meaning import Capture
from pbem.model.overlays import Overlay
from pbem.model.reaches import Reach
from pbem.text.canonical import Json, dumps
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.board.map import GameMap
    from pbem.board.position import Position
    from pbem.engine.game import Game
    from pbem.engine.growing import Draft, Next
    from pbem.engine.scenarios.whole_scenario import WholeScenario

ENGINE_VERSION = "8"
"""The engine's revision: it goes up when the engine comes to decide something otherwise
(engine/changelog.yaml)."""


def deferred(package: str, name: str) -> Callable[..., Any]:
    """Return a hook that imports its module on call: `deferred(__name__, "play_well.play_well")`.

    For hooks that only demonstrations, maps or examples need.
    """
    module, _, function = name.rpartition(".")

    def hook(*given: Any) -> Any:
        return getattr(importlib.import_module(f"{package}.{module}"), function)(*given)

    return hook


@dataclass
class System(Package):
    """One rules system.

    The hooks are functions of the package. Without a hook the system behaves like a game that hides nothing.
    """

    world_hook: Callable[[System, Mapping[str, Any], Mapping[str, Any]], Any] | None = None
    map_hook: Callable[[Any], GameMap | None] | None = None
    """The map in a world: `lambda world: world.map`. Without it there is nothing to draw or to measure on."""
    set_up_hook: Callable[[System, Any, Mapping[str, Any], Mapping[str, Any]], Position] | None = None
    facts_hook: Callable[[Game], Iterable[Fact]] | None = None
    view_hook: Callable[[Mapping[str, Json], str, Any], Position] | None = None
    friends_hook: Callable[[Game, str], tuple[str, ...]] | None = None
    invariants_hook: Callable[[Game], list[str]] | None = None
    census_hook: Callable[[Game], list[str]] | None = None
    play_well_hook: Callable[..., Json] | None = None
    standing_well_hook: Callable[[str], list[Json]] | None = None
    overlays_hook: Callable[[Game], Iterable[Overlay]] | None = None
    printed_hook: Callable[[Game], Mapping[str, Mapping[str, Json]]] | None = None
    """Printed values of counters beside their fields, by id, for drawings and for the figures and states of
    lists (`report/figures.py`)."""
    facilities_hook: Callable[[Game], Iterable[Facility]] | None = None
    """Facilities, which are no counters: dumps, bases, works, damage."""
    holders_hook: Callable[[Game], Mapping[str, str]] | None = None
    """The holder of each place of the map, where tracks hold only changes."""
    sides_hook: Callable[[Game], Mapping[str, str]] | None = None
    """The side of each power and seat, where several seats share one: who fights beside whom."""
    points_hook: Callable[[Game], Mapping[str, int]] | None = None
    """Everybody's points as they would count now, where the rules count them only at the end."""
    titles_hook: Callable[[Game], Mapping[str, str]] | None = None
    """Titles by id, of cards for example, for sentences."""
    background_hook: Callable[[Game], Iterable[Headed]] | None = None
    """Public facts beside the position (cards, victory conditions, turns to come), for reports."""
    absent_hook: Callable[[Game], Mapping[str, Mapping[str, Json]]] | None = None
    """Counters that are not in the position, by id, with owner and type: what sentences call them."""
    outlook_hook: Callable[[Game, Sequence[Mapping[str, Any]]], Forecast | None] | None = None
    """The forecast of a fight that was fought, by its events as JSON, for its card."""
    fought_hook: Callable[[Game, Sequence[Mapping[str, Any]]], Fought | None] | None = None
    """The end of a fight, by its events as JSON: its card says it in a sentence."""
    captures_hook: Callable[[Game, Sequence[Mapping[str, Any]]], Mapping[int, Sequence[Capture]]] | None = (
        None
    )
    """The places that these events (as JSON) took and that no event tells, by the number of the event."""
    ending_hook: Callable[[Game], Ending] | None = None
    """The terms of victory and the result, of a game that is over."""
    odds_hook: Callable[[Game, str | None, Collection[str]], Iterable[Forecast]] | None = None
    """Battles to come: those announced, or the one that these units would fight in a place."""
    reach_hook: Callable[[Game, str], Reach | None] | None = None
    """The reach of a counter in one move; None for one that does not move, or that the reader of a
    view does not know."""
    shorthand_hook: Callable[[Draft[Any], Sequence[str]], Iterable[Next[Any]]] | None = None
    """Elements that the words of a line mean where no list offers them, such as orders of whole stacks. The
    words are ids, places, and the keys of the section `shorthand` of the wording."""
    line_hook: Callable[[Draft[Any], str], Next[Any] | None] | None = None
    """The element that a typed line is, in a game whose orders have a notation of their own."""
    sealed_hook: Callable[[System, Mapping[str, Json], bool], str | None] | None = None
    """In a game that hides nothing: the name of the commitment as which an entry of a player's list travels,
    None where everybody reads it; an answer sent ahead, or (False) a standing order."""
    laid_open_hook: Callable[[Game, str], list[Json]] | None = None
    """Orders of a player that were sealed and are opened by now: they answer as standing orders do."""
    example_hook: Callable[[Game, Mapping[str, Any]], list[str]] | None = None
    engine: int = int(ENGINE_VERSION)
    """The revision of the engine in whose form results are recorded (`with_engine`)."""

    def as_played(self, options: Mapping[str, Any]) -> System:
        """Return this system in a game with these options.

        Until it is known whether an option hides units, the system counts as one that hides them.
        """
        hiding = self.hiding
        if hiding is None:
            return self
        played = copy(self)  # a copy keeps loaded data and worlds
        played.hidden = options.get(hiding[0]) == hiding[1]
        return played

    @property
    def hiding(self) -> tuple[str, bool | str] | None:
        """Return the option that hides units and its value, or None if no option does."""
        if not isinstance(self.hidden, str):
            return None
        name, equals, value = self.hidden.partition("=")
        return name, value if equals else True

    def whole(self, name: str) -> WholeScenario:
        """Return a scenario as it travels with a game (protocol 17.34)."""
        if self.own is not None and self.own.id == name:
            return self.own
        from pbem.engine.scenarios.whole_scenario import pack

        return pack(self, name, self.scenario(name))

    def with_scenario(self, whole: WholeScenario) -> System:
        """Return this system for a game that brought its scenario along; Refused for another system's.

        The scenario's own charts take the place of those of the package.
        """
        from pbem.engine.scenarios.whole_scenario import overlaid

        return overlaid(self, whole)

    @cached_property
    def digest(self) -> str:
        """Return `module.sha256` of the current game: `files_digest`, or the digest set by `as_pinned`."""
        return self.files_digest

    def as_pinned(self, sha256: str) -> System:
        """Return this system under the digest that a game pins, if the changelog lists it as equivalent.

        Otherwise return the system itself. The changelog lists other files of the same revision.
        """
        if sha256 == self.digest or sha256 not in pins.same_rules(self):
            return self
        pinned = copy(self)
        pinned.digest = sha256
        return pinned

    def with_engine(self, version: str | None) -> System:
        """Return this system as the engine of a game's `module.version` runs it, if there was such a one.

        The engine of today records what later ones do otherwise in the form that the game began with.
        """
        engine = min(pins.engine_of(version) or self.engine, int(ENGINE_VERSION))
        if engine == self.engine:
            return self
        made = copy(self)
        made.engine = engine
        return made

    @property
    def version(self) -> str:
        """Return `module.version` of the roster: the system's revision and the engine's."""
        return f"{self.edition}-r{self.revision}+engine{ENGINE_VERSION}"

    # ---- hooks

    def build_world(self, scenario: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        """Return the data that never changes in a game: map, unit types, tables."""
        return self.world_hook(self, scenario, options) if self.world_hook else None

    def map_of(self, world: Any) -> GameMap | None:
        """Return the map of a world, for reports and drawings, or None without one.

        `TypeError` for a hook that gives something else: a mistake of the system's author.
        """
        from pbem.board.map import GameMap

        chart = self.map_hook(world) if self.map_hook else None
        if chart is not None and not isinstance(chart, GameMap):
            raise TypeError(
                Message(
                    "engine.system.map-hook-gave-gamemap-none", name=self.name, name_2=type(chart).__name__
                )
            )
        return chart

    def map_faults(self, scenario: Mapping[str, Any]) -> list[Diagnostic]:
        """Return why nobody gets the scenario's map; [] if all do, or if there is none."""
        if self.map_hook is not None or "map" not in scenario:
            return []
        message = Message("engine.system.no-map-hook", name=self.name)
        help_ = (Message("engine.system.give-system-hook-system-map"),)
        return [Diagnostic("no-map-hook", message, path=("map",), help=help_, on_key=True)]

    def world(self, scenario: str, options: Mapping[str, Any]) -> Any:
        """Return the world of a game of this scenario with these options.

        It is made once, as it never changes.
        """
        data, key = self.scenario(scenario), f"{scenario} {dumps(dict(options)).decode()}"
        made = self._worlds.get(key)
        if made is None or made[0] is not data or made[1] is not self.world_hook:
            made = self._worlds[key] = (data, self.world_hook, self.build_world(data, options))
        return made[2]

    def set_up(self, world: Any, scenario: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
        """Return the position at the start."""
        from pbem.board.position import Position

        if self.set_up_hook:
            return self.set_up_hook(self, world, scenario, options)
        return Position.from_json(
            {"counters": scenario.get("counters", {}), "tracks": scenario.get("tracks", {})}
        )

    def facts(self, game: Game) -> list[Fact]:
        """Return the position split by who may know it."""
        if self.facts_hook:
            return list(self.facts_hook(game))
        counters = [Fact(f"counter/{i}", dict(c)) for i, c in sorted(game.position.counters.items())]
        return counters + [Fact(f"track/{name}", value) for name, value in sorted(game.tracks.items())]

    def view_position(self, facts: Mapping[str, Json], player: str, world: Any) -> Position:
        """Return the position as far as these facts show it."""
        from pbem.board.position import Position

        if self.view_hook:
            return self.view_hook(facts, player, world)
        tables: dict[str, dict[str, Any]] = {"counter": {}, "track": {}}
        for key, value in facts.items():
            section, _, name = key.partition("/")
            if section in tables:
                tables[section][name] = value
        return Position.from_json({"counters": tables["counter"], "tracks": tables["track"]})

    def friends(self, game: Game, player: str) -> tuple[str, ...]:
        return self.friends_hook(game, player) if self.friends_hook else (player,)

    def overlays(self, game: Game) -> list[Overlay]:
        """Return areas of the map in this game (often a player's view): supply, zones."""
        return list(self.overlays_hook(game)) if self.overlays_hook else []

    def forecasts(
        self, game: Game, place: str | None = None, attackers: Collection[str] = ()
    ) -> list[Forecast]:
        """Return forecasts of the announced battles, or of one that these attackers would fight in a place.

        The game is often a player's view. [] if the system has no forecast.
        """
        return list(self.odds_hook(game, place, attackers)) if self.odds_hook else []

    def reach(self, game: Game, id: str) -> Reach | None:
        """Return how far a counter goes by itself, in this game (often a player's view), if known."""
        return self.reach_hook(game, id) if self.reach_hook else None

    def printed(self, game: Game) -> Mapping[str, Mapping[str, Json]]:
        """Return the printed values of the counters (often of a player's view) beside their fields, by id."""
        return self.printed_hook(game) if self.printed_hook else {}

    def facilities(self, game: Game) -> list[Facility]:
        """Return the facilities in places, as far as a position (often a player's view) shows
        them.
        """
        return list(self.facilities_hook(game)) if self.facilities_hook else []

    def shorthand(self, draft: Draft[Any], words: Sequence[str]) -> list[Next[Any]]:
        """Return the elements that the words of a line mean; none where the system reads no such lines."""
        return list(self.shorthand_hook(draft, words)) if self.shorthand_hook else []

    def sealed_as(self, entry: Mapping[str, Json], *, ahead: bool) -> str | None:
        """Return the commitment name under which an entry of a player's list is sent, or None.

        In a game that hides units the whole list is sealed, and no entry alone.
        """
        return self.sealed_hook(self, entry, ahead) if self.sealed_hook and self.seals else None

    @property
    def seals(self) -> bool:
        """Return True if single entries of a player's list may be sealed in this game."""
        return self.sealed_hook is not None and not self.hidden

    def laid_open(self, game: Game, player: str) -> list[Json]:
        """Return the orders of a player that were sealed and are opened by now."""
        return self.laid_open_hook(game, player) if self.laid_open_hook else []

    def holders(self, game: Game) -> Mapping[str, str]:
        """Return who holds each place, as far as the view shows; {} where tracks have that."""
        return self.holders_hook(game) if self.holders_hook else {}

    def sides(self, game: Game) -> Mapping[str, str]:
        """Return the side of each power and seat; empty where each seat is a side of its own."""
        return self.sides_hook(game) if self.sides_hook else {}

    def points(self, game: Game) -> Mapping[str, int]:
        """Return the current points of each player; {} if a track has them or the view does not suffice."""
        return self.points_hook(game) if self.points_hook else {}

    def titles(self, game: Game) -> Mapping[str, str]:
        """Return id -> title of things whose sentences use more than the id, such as cards."""
        return self.titles_hook(game) if self.titles_hook else {}

    def background(self, game: Game) -> list[Headed]:
        """Return what everybody may know beside the position, as headed lists."""
        return list(self.background_hook(game)) if self.background_hook else []

    def absent(self, game: Game) -> Mapping[str, Mapping[str, Json]]:
        """Return the counters outside the position, by id, with owner and type as if they were in it."""
        return self.absent_hook(game) if self.absent_hook else {}

    def outlook(self, game: Game, events: Sequence[Mapping[str, Any]]) -> Forecast | None:
        """Return the forecast of the fight that these events tell, or None if no table decides it."""
        return self.outlook_hook(game, events) if self.outlook_hook else None

    def fought(self, game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
        """Return how the fight ended that these events tell; None if they tell no end."""
        return self.fought_hook(game, events) if self.fought_hook else None

    def captures(self, game: Game, events: Sequence[Mapping[str, Any]]) -> Mapping[int, Sequence[Capture]]:
        """Return the places that these events took without naming them, by number of the event from 0.

        {} where each capture is an event.
        """
        return self.captures_hook(game, events) if self.captures_hook else {}

    def ending(self, game: Game) -> Ending | None:
        """Return what was asked for victory and what was reached; None if the events tell it."""
        return self.ending_hook(game) if self.ending_hook else None

    def __deepcopy__(self, memo: dict[int, object]) -> System:
        """Return the system itself: it never changes."""
        return self

    def standing_well(self, player: str) -> list[Json]:
        """Return the standing orders that a sensible player files at the start, or []."""
        return self.standing_well_hook(player) if self.standing_well_hook else []

    def invariants(self, game: Game) -> list[str]:
        """Return broken invariants in words; for tests and random play."""
        return self.invariants_hook(game) if self.invariants_hook else []

    def census(self, game: Game) -> list[str]:
        """Return violations of the census of all counters since the start of the scenario.

        Counters are made and lost only by rules. Positions put together by hand are not judged.
        """
        return self.census_hook(game) if self.census_hook else []


def installed() -> dict[str, Any]:
    """Return the entry points of the group `pbem.systems`, by name, not loaded.

    They are looked up once in a process.
    """
    return {name: point for name, point in _entry_points().items() if "@" not in name}


@cache
def _entry_points() -> dict[str, Any]:
    points = entry_points("pbem.systems")
    if points:
        return points
    from importlib import metadata

    return {point.name: point for point in metadata.entry_points(group="pbem.systems")}


def find(name: str) -> System:
    """Return the installed system of that name.

    An unknown name raises Refused, which lists the known ones.
    """
    known = installed()
    if name not in known:
        near = did_you_mean(name, sorted(known))
        message = Message("engine.system.unknown-system", name=name, known=", ".join(sorted(known)) or "none")
        raise Refused(
            [
                Diagnostic(
                    "unknown-system",
                    message,
                    help=(Message("text.suggest.did-you-mean", near=near),) if near else (),
                )
            ]
        )
    return _load(known[name])


def find_pinned(name: str, sha256: str) -> System:
    """Return the installed revision of a system whose rules have this digest, else the newest.

    A package offers an earlier revision under the name of its system, `@` and a word of its own (`ocs@1`).
    """
    newest = find(name)
    if sha256 == newest.digest or sha256 in pins.same_rules(newest):
        return newest.as_pinned(sha256)
    for other, point in sorted(_entry_points().items()):
        if other.startswith(f"{name}@"):
            earlier = _load(point)
            if sha256 == earlier.digest or sha256 in pins.same_rules(earlier):
                return earlier.as_pinned(sha256)
    return newest


def _load(point: Any) -> System:
    loaded = point.load()
    assert isinstance(loaded, System), f"the entry point {point.name} is no System"
    return loaded
