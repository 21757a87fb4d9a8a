"""A reader's knowledge of a game at the end of a stage: facts, questions, events and position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from pbem.board.position import Position
from pbem.engine.adjudicate import view_of
from pbem.engine.game import Game
from pbem.engine.resolve import Question
from pbem.engine.system import System
from pbem.model.events import Told
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, Fact
from pbem.model.state import GameState
from pbem.model.whereabouts import ENDED as OVER
from pbem.model.whereabouts import whereabouts
from pbem.stages.running import EVERYBODY
from pbem.stages.scenario_terms import parse_scenario_name
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.text.recorded import recalled
from pbem.trust import groups

_AUDIENCES: Mapping[str, Audience] = {EVERYBODY: PUBLIC, "gm": GM_ONLY}


@dataclass(frozen=True)
class PlayerView:
    """The facts one reader knows, by key.

    `player` is None for what is public; the GM reads everything.

    `told` are the events of the newest stage that the reader may know, in order.
    """

    system: System = field(repr=False)
    scenario: str
    player: str | None
    stage: int
    facts: Mapping[str, Json] = field(repr=False)
    told: tuple[Told, ...] = field(default=(), repr=False)
    laid_down: Callable[[str], Json | None] | None = field(default=None, repr=False, compare=False)
    """A look-up of what the player committed to under a name, in the player's own program."""

    @property
    def place(self) -> str:
        """Return the place of the game, in the words of the rulebook."""
        return place_in_words(self.system, self.scenario, self.facts.get("game/place"))

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return the questions this reader may see, mostly the reader's own, by party and key."""
        asked = sorted(key for key in self.facts if key.startswith("asked/"))
        return tuple(Question.from_json(narrow.mapping(self.facts[key])) for key in asked)

    @cached_property
    def game(self) -> Game:
        """Return the game as rules see it through this reader's eyes."""
        game = view_of(self.system, blank_state(self.system, self.scenario), self.facts, self.player or "")
        game.laid_down = self.laid_down or game.laid_down
        return game

    @property
    def position(self) -> Position:
        """Return the position as far as the facts show it."""
        return self.game.position

    @property
    def events(self) -> tuple[dict[str, Json], ...]:
        """Return the events without their audiences."""
        return tuple(event.event for event in self.told)


def place_in_words(system: System, scenario: str, recorded: Json) -> str:
    """Return the place of a game in words, as the fact `game/place` of this scenario has it."""
    if recorded == OVER:
        return Message("engine.adjudicate.game-over")
    name, _, _ = scenario.partition(" ")
    return whereabouts(recorded, system.labels(system.scenario(name)))


def blank_state(system: System, scenario: str) -> GameState:
    """Return a state with all fixed data and no position, the base of a view."""
    name, chosen = parse_scenario_name(system, scenario)
    data = system.scenario(name)
    rules: dict[str, Json] = {"system": system.name, "edition": system.edition, "revision": system.revision}
    options = system.options(data, chosen)
    return GameState(rules, name, options, system.players(data), [], Position())


# --- facts ----------------------------------------------------------------------------------------------


def known_to(
    facts: Iterable[groups.Fact], reader: str | None, everybody: tuple[str, ...], gm: str | None
) -> dict[str, Json]:
    """Return the facts a reader may know, by key; all of them for the GM."""
    return {
        key: value
        for key, value, audience in facts
        if (gm is not None and reader == gm)
        or audience == everybody
        or (reader is not None and reader in audience)
    }


def roster_facts(
    facts: Sequence[Fact], audience_of: Callable[[Audience], tuple[str, ...]]
) -> list[groups.Fact]:
    """Return the engine's facts with the roster's audiences.

    `audience_of` is `running.Setting.audience`.
    """
    return [groups.Fact(fact.key, fact.value, audience_of(fact.audience)) for fact in facts]


def _event_with_texts(event: Json) -> dict[str, Json]:
    """Return an event of a record with its messages as they can be told."""
    return {name: recalled(value) for name, value in narrow.mapping(event).items()}


def told_to(events: Sequence[Json], facts: Mapping[str, Json]) -> tuple[Told, ...]:
    """Return public events and the reader's private ones, in the order they happened."""
    private: dict[int, list[Told]] = {}
    for key in sorted(key for key in facts if key.startswith("event/")):
        entry: dict[str, Any] = narrow.mapping(facts[key])
        name = key.split("/")[1]
        audience = _AUDIENCES[name] if name in _AUDIENCES else tuple(name.split("."))
        private_event = Told(audience, _event_with_texts(entry["event"]), entry["after"])
        private.setdefault(private_event.after, []).append(private_event)
    all_events: list[Told] = list(private.get(0, []))
    for count, event in enumerate(events, 1):
        all_events.append(Told(PUBLIC, _event_with_texts(event), count - 1))
        all_events += private.get(count, [])
    return tuple(all_events)
