"""A rules system as the engine sees it: registered functions and lazily loaded data.

Systems are found by the entry point `pbem.systems`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import field
from functools import cache, cached_property
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from pbem.engine import pins
from pbem.engine.decisions import Decision
from pbem.engine.installed import entry_points
from pbem.engine.outline import Node, labels_of, parse
from pbem.engine.pins import digest_of, hashes
from pbem.engine.registry import Procedure, Registry
from pbem.model.endings import Ending
from pbem.model.facility import Facility
from pbem.model.facts import Fact
from pbem.model.forecasts import Forecast, Fought
from pbem.model.headed import Headed
from pbem.model.meaning import Capture
from pbem.model.overlays import Overlay
from pbem.model.reaches import Reach
from pbem.model.whereabouts import Label
from pbem.text.canonical import Json, dumps
from pbem.text.catalogues import patterns
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, add_home
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.board.map import GameMap
    from pbem.board.position import Position
    from pbem.engine.game import Game
    from pbem.engine.growing import Draft, Next
    from pbem.engine.scenarios.whole_scenario import WholeScenario
    from pbem.text.yaml import Document

ENGINE_VERSION = "8"
"""The engine's revision: it goes up when the engine comes to decide something otherwise
(engine/changelog.yaml)."""
LOOK = "look/look.yaml"
OLD_LOOK = "look.yaml"
RULES = "rules"
BESIDE = ("bot/", "examples/", "look/", "words/", "README.md", "changelog.yaml", "rulings.yaml")
"""What lies beside the folder `rules` of a package: it decides nothing, and no game pins it (protocol
17.33)."""
TOLD_IN_EVENTS = ("board", "engine", "kit", "model", "text")
"""Rooms whose messages rules put into events, and so into reports: mostly refusals."""


def deferred(package: str, name: str) -> Callable[..., Any]:
    """Return a hook that imports its module on call: `deferred(__name__, "play_well.play_well")`.

    For hooks that only demonstrations, maps or examples need.
    """
    module, _, function = name.rpartition(".")

    def hook(*given: Any) -> Any:
        return getattr(importlib.import_module(f"{package}.{module}"), function)(*given)

    return hook


@dataclass
class System:
    """One rules system.

    The hooks are functions of the package. Without a hook the system behaves like a game that hides nothing.
    """

    name: str
    package: str
    edition: str
    revision: int
    modules: Sequence[str]
    """The modules with decisions, events and procedures. Where a name begins with a dot it is in `rules`."""
    title: str = ""
    hidden: bool | str = False
    """Whether units are hidden, or the option that says so: its name if it is yes or no, else `name=value`
    with the value that hides them. See `as_played`."""
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
    """What stands on counters beside their fields, by id: what is printed on them, for drawings and for the
    figures and states of lists (`report/figures.py`)."""
    facilities_hook: Callable[[Game], Iterable[Facility]] | None = None
    """What lies in places and is no counter: dumps, bases, works, damage."""
    holders_hook: Callable[[Game], Mapping[str, str]] | None = None
    """Who holds which place of the map now, where tracks hold only what changed."""
    sides_hook: Callable[[Game], Mapping[str, str]] | None = None
    """The side of each power and seat, where several seats share one: who fights beside whom."""
    points_hook: Callable[[Game], Mapping[str, int]] | None = None
    """Everybody's points as they would count now, where the rules count them only at the end."""
    titles_hook: Callable[[Game], Mapping[str, str]] | None = None
    """What is called by more than its id (cards, by their titles), for sentences."""
    background_hook: Callable[[Game], Iterable[Headed]] | None = None
    """What everybody may know beside the position (cards, victory conditions, turns to come), for reports."""
    absent_hook: Callable[[Game], Mapping[str, Mapping[str, Json]]] | None = None
    """Counters that are not in the position, by id, with owner and type: what sentences call them."""
    outlook_hook: Callable[[Game, Mapping[str, Any]], Forecast | None] | None = None
    """The forecast of a battle that was fought, by its event (as JSON), for its card."""
    fought_hook: Callable[[Game, Sequence[Mapping[str, Any]]], Fought | None] | None = None
    """How a fight ended, by all that was told of it (events as JSON): its card says it in a sentence."""
    captures_hook: Callable[[Game, Sequence[Mapping[str, Any]]], Mapping[int, Sequence[Capture]]] | None = (
        None
    )
    """The places that these events (as JSON) took and that no event tells, by the number of the event."""
    ending_hook: Callable[[Game], Ending] | None = None
    """What was asked for victory and what was reached, of a game that is over."""
    odds_hook: Callable[[Game, str | None, Collection[str]], Iterable[Forecast]] | None = None
    """Battles to come: those announced, or the one that these units would fight in a place."""
    reach_hook: Callable[[Game, str], Reach | None] | None = None
    """How far a counter goes in one move of its own; None for one that does not, or that the reader of a
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
    _data: dict[str, Any] = field(default_factory=dict, repr=False)
    _translations: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict, repr=False)
    _worlds: dict[str, tuple[Any, Any, Any]] = field(default_factory=dict, repr=False)
    _listed: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    own: WholeScenario | None = None
    """The scenario that a game brought along, if this is the system of such a game (`with_scenario`)."""
    engine: int = int(ENGINE_VERSION)
    """The revision of the engine in whose form results are recorded (`with_engine`)."""

    def as_played(self, options: Mapping[str, Any]) -> System:
        """Return this system in a game with these options.

        Until it is known whether an option hides units, the system counts as one that hides them.
        """
        said = self.hiding
        if said is None:
            return self
        played = copy(self)  # a copy keeps loaded data and worlds
        played.hidden = options.get(said[0]) == said[1]
        return played

    @property
    def hiding(self) -> tuple[str, bool | str] | None:
        """Return the option that hides units and its value, or None if no option does."""
        if not isinstance(self.hidden, str):
            return None
        name, equals, value = self.hidden.partition("=")
        return name, value if equals else True

    # ---- code
    # ------------------------------------------------------------------------------------------------------

    @cached_property
    def registry(self) -> Registry:
        """Import the system's modules and collect what they registered."""
        found = Registry()
        for module_name in self.module_names:
            module = importlib.import_module(module_name)
            for item in list(vars(module).values()):
                found.add(item)
        return found

    @cached_property
    def module_names(self) -> tuple[str, ...]:
        """Return the full names of the modules.

        A name that begins with a dot is in the rules; a package stands for all modules in it, by name.
        """
        names: list[str] = []
        for name in self.modules:
            module = importlib.import_module(name, self.rules_package)
            inside = iter_modules(getattr(module, "__path__", ())) if name.startswith(".") else ()
            names += [module.__name__, *sorted(f"{module.__name__}.{each.name}" for each in inside)]
        return tuple(names)

    def leaf(self, name: str) -> Procedure:
        return self.registry.leaf[name]

    def condition(self, name: str) -> Procedure:
        return self.registry.condition[name]

    def player_order(self, name: str) -> Procedure:
        return self.registry.order[name]

    def order(self, node: Node) -> Procedure:
        """Return the function that orders the players or powers of a node."""
        return (self.registry.order if node.kind == "each" else self.registry.power_order)[node.name]

    def decision(self, kind: str, player: str, fields: Mapping[str, Json]) -> Decision[Any]:
        """Make a decision again from the fields of its question."""
        from pbem.model.codec import from_json

        cls = self.registry.decisions[kind]
        made: Decision[Any] = from_json(cls, {"player": player, **fields})
        return made

    def standing_type(self, form: str) -> Any:
        """Return the type of a form of standing order, or None if there is no such form."""
        for cls in self.registry.decisions.values():
            if form in cls.standing_forms:
                return cls.standing_forms[form]
        return None

    @cached_property
    def standing_forms(self) -> dict[str, str]:
        """Form of standing order -> kind of the decision it answers."""
        return {form: kind for kind, c in self.registry.decisions.items() for form in c.standing_forms}

    # ---- data

    def __post_init__(self) -> None:
        add_home(self.name, lambda: self.folder / "words")

    @cached_property
    def folder(self) -> Path:
        """Return the folder of the package."""
        module = importlib.import_module(self.package)
        assert module.__file__ is not None
        return Path(module.__file__).parent

    @cached_property
    def rules_folder(self) -> Path:
        """Return the folder that decides results: `rules`, or the whole package if it has none."""
        rules = self.folder / RULES
        return rules if rules.is_dir() else self.folder

    @property
    def rules_package(self) -> str:
        """Return the importable name of `rules_folder`."""
        return self.package if self.rules_folder == self.folder else f"{self.package}.{RULES}"

    def path(self, name: str) -> Path:
        """Return the path of a file: beside the rules by its first part (`BESIDE`), else in the rules."""
        return (self.folder if name.startswith(BESIDE) else self.rules_folder) / name

    def data(self, name: str) -> Any:
        """Return the data of a file (`tables/limits.yaml`) in the rules or beside them; loaded once."""
        if name not in self._data:
            self._data[name] = self.document(name).data
        return self._data[name]

    def document(self, name: str) -> Document:
        """Return a data file with the places of its values, for messages; loaded anew."""
        from pbem.text.loading import load_file

        path = self.path(name)
        return load_file(path, f"{self.name}/{path.relative_to(self.folder).as_posix()}")

    def files(self, pattern: str) -> list[str]:
        """Return the names of matching data files, sorted; looked up once, as each is loaded once."""
        if pattern not in self._listed:
            folder = self.folder if pattern.startswith(BESIDE) else self.rules_folder
            found = (path.relative_to(folder).as_posix() for path in folder.glob(pattern))
            self._listed[pattern] = tuple(sorted(found))
        return list(self._listed[pattern])

    @cached_property
    def outline(self) -> Node:
        return parse(self.data("sequence.yaml"), f"{self.name}/sequence.yaml")

    @property
    def look_file(self) -> str:
        """Return the name of the file that describes maps and counters, or "" without one."""
        return next((name for name in (LOOK, OLD_LOOK) if self.files(name)), "")

    @cached_property
    def look(self) -> dict[str, Any]:
        """Return how maps and counters are drawn, or {} without such a file."""
        data: dict[str, Any] = self.data(self.look_file) if self.look_file else {}
        return data

    def wording_files(self) -> list[str]:
        """Return the files with English sentences; those of older packages are one, `wording.yaml`."""
        return self.files("words/en/*.yaml") or self.files("wording.yaml")

    @cached_property
    def wording(self) -> dict[str, dict[str, str]]:
        """Return English sentences by section (`events`, `decisions`, ...), merged from `wording_files`."""
        merged: dict[str, dict[str, str]] = {}
        for name in self.wording_files():
            for section, sentences in self.data(name).items():
                merged.setdefault(section, {}).update(sentences)
        return merged

    @cached_property
    def words_folder(self) -> Path:
        """Return the folder of the sentences, which has a folder for each language."""
        return self.folder / "words"

    def translation(self, language: str) -> dict[str, dict[str, str]]:
        """Return the sentences in a language's folder, by section; {} if there is no such folder."""
        if language not in self._translations:
            merged: dict[str, dict[str, str]] = {}
            for document in self.translation_files(language):
                for section, sentences in document.data.items():
                    merged.setdefault(section, {}).update(sentences)
            if merged:  # events hold messages as finished sentences
                for name in (self.name, *TOLD_IN_EVENTS):
                    known = patterns(name, language)
                    merged["values"] = {**known, **merged.get("values", {})}
            if self.own is not None and language in self.own.words:
                merged["values"] = {**merged.get("values", {}), **self.own.words[language]}
            self._translations[language] = merged
        return self._translations[language]

    def translation_files(self, language: str) -> list[Document]:
        """Return the files of a translation with the places of their sentences, for messages."""
        from pbem.text.loading import load_file

        paths = sorted((self.words_folder / language).glob("*.yaml"))
        return [load_file(p, f"{self.name}/words/{language}/{p.name}") for p in paths]

    def wording_in(self, language: str) -> dict[str, dict[str, str]]:
        """Return the sentences in a language, English for those without translation."""
        merged = {section: dict(texts) for section, texts in self.wording.items()}
        for section, texts in self.translation(language).items():
            merged.setdefault(section, {}).update(texts)
        return merged

    def languages(self) -> list[str]:
        """Return the languages of the translations, sorted; English is always there and not listed."""
        return sorted({path.parent.name for path in self.words_folder.glob("*/*.yaml")} - {"en"})

    def scenarios(self) -> list[str]:
        """Return the names of the scenarios, sorted; only that of the game if it brought one along."""
        if self.own is not None:
            return [self.own.id]
        return [
            name.removeprefix("scenarios/").removesuffix(".yaml") for name in self.files("scenarios/*.yaml")
        ]

    def scenario(self, name: str) -> dict[str, Any]:
        """Return the data of a scenario; Refused for an unknown name lists the known ones."""
        known = self.scenarios()
        if name not in known:
            near = did_you_mean(name, known)
            message = Message(
                "engine.system.unknown-scenario", name=self.name, name_2=name, known=tuple(known)
            )
            help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
            raise Refused([Diagnostic("unknown-scenario", message, help=help_)])
        data: dict[str, Any] = self.data(f"scenarios/{name}.yaml")
        return data

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

    def option_specs(self) -> dict[str, Any]:
        """Return the options of the system: name -> {default, values, rule, words}, from `system.yaml`."""
        specs: dict[str, Any] = self.data("system.yaml").get("options", {})
        return specs

    def options(self, scenario: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options in force: defaults, overridden by the scenario, then by `chosen`.

        An option that was `added` is left out at its default. Raises Refused for faults.
        """
        specs = self.option_specs()
        faults: list[Diagnostic] = []
        values = {name: spec["default"] for name, spec in specs.items()}
        for name, value in [*scenario.get("options", {}).items(), *chosen.items()]:
            if name not in specs:
                near = did_you_mean(name, list(specs))
                message = Message(
                    "engine.system.unknown-option", name=self.name, name_2=name, specs=tuple(specs)
                )
                meant = (Message("text.suggest.did-you-mean", near=near),) if near else ()
                more = Message("engine.system.pbem-rules-show-says-each", name=self.name)
                faults.append(Diagnostic("unknown-option", message, help=(*meant, more)))
            elif not any(value == v and type(value) is type(v) for v in specs[name]["values"]):
                words = ", ".join(str(v).lower() for v in specs[name]["values"])
                help_ = (Message("engine.system.pbem-rules-show-says-each", name=self.name),)
                message = Message("engine.system.bad-option", name=name, value=repr(value), words=words)
                faults.append(Diagnostic("bad-option", message, help=help_))
            else:
                values[name] = value
        if faults:
            raise Refused(faults)
        return {n: v for n, v in values.items() if not (specs[n].get("added") and v == specs[n]["default"])}

    def players(self, scenario: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the seats of a scenario, clockwise."""
        return tuple(scenario["seats"])

    @cached_property
    def file_hashes(self) -> list[list[str]]:
        """17.33: Return [[path, SHA-256], …] of the files that decide results, sorted, for `module.lock`."""
        return hashes(self.folder, self.rules_folder)

    @cached_property
    def files_digest(self) -> str:
        """Return the digest of the installed rules, which a new game pins."""
        return digest_of(self.file_hashes)

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

    @cached_property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """Return the labelled nodes around each leaf and step, by its id, for places in words."""
        return labels_of(self.outline)

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
        """Return what lies in places and is no counter, as far as a position (often a player's view)
        tells."""
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

    def outlook(self, game: Game, event: Mapping[str, Any]) -> Forecast | None:
        """Return the forecast of a battle that was fought, or None if no table decides it."""
        return self.outlook_hook(game, event) if self.outlook_hook else None

    def fought(self, game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
        """Return how the fight ended that these events tell; None where they tell no end."""
        return self.fought_hook(game, events) if self.fought_hook else None

    def captures(self, game: Game, events: Sequence[Mapping[str, Any]]) -> Mapping[int, Sequence[Capture]]:
        """Return the places that these events took without naming them, by number of the event from 0.

        {} where each capture is an event.
        """
        return self.captures_hook(game, events) if self.captures_hook else {}

    def ending(self, game: Game) -> Ending | None:
        """Return what was asked for victory and what was reached; None where the events tell it."""
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
    found = entry_points("pbem.systems")
    if found:
        return found
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
