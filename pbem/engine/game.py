"""The game as a procedure, an option list and a map see it: the position and the fixed data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.board.position import Position
from pbem.engine import powers
from pbem.model.codec import to_json
from pbem.model.events import Event, Told
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, audience_of
from pbem.model.typed import Counter, counter, counters, maybe
from pbem.model.whereabouts import Whereabouts
from pbem.text.canonical import Json

if TYPE_CHECKING:
    from pbem.board.map import GameMap
    from pbem.engine.cursor import Place
    from pbem.engine.system import System

C = TypeVar("C", bound=Counter)


def _nothing(name: str) -> None:
    """Return None: an observer from outside has no commitments."""
    return None


class StepLeft(BaseException):
    """Raised when a step that is played alone goes on to another one; never in a game."""


class Game:
    """A position with its world. `viewer` is None for the whole truth, else the player whose view this is.

    Rules change nothing but `position` and report through `emit`.
    """

    def __init__(
        self,
        system: System,
        scenario: Mapping[str, Any],
        options: Mapping[str, Any],
        players: tuple[str, ...],
        position: Position,
        *,
        world: Any = None,
        stage: int = 0,
        viewer: str | None = None,
    ) -> None:
        self.system = system
        self.scenario = scenario
        self.options = options
        self.players = players
        self.position = position
        self.world = world if world is not None else system.build_world(scenario, options)
        self.stage = stage
        self.viewer = viewer
        self.here: Place | None = None
        self.begin: str | None = None
        """The id of the step at which the leaf begins, where that is not its first: see `at`."""
        self.asked = ""
        """The key of the question for which this view was made, where its answer may be played forward."""
        self.budget = 0
        """The number of positions that `play_well_hook` may look at; 0 is an answer by rules of thumb."""
        self.alone = False
        self.told: list[Told] = []
        self.laid_down: Callable[[str], Json | None] = _nothing
        """A look-up of what the viewing player committed to under a name (`sealed-drop/A-1P`), for
        options and warnings. No result of the rules may depend on it."""

    @property
    def place(self) -> Whereabouts:
        """Return where the game is in the sequence of play, in words; no words before its first leaf."""
        return self.here.text if self.here is not None else Whereabouts()

    @property
    def map(self) -> GameMap:
        """Return the map.

        Raises `LookupError` if the system has no `map_hook`.
        """
        chart = self.system.map_of(self.world)
        if chart is None:
            raise LookupError(f"{self.system.name} gives no map: System(map_hook=lambda world: world.map)")
        return chart

    @property
    def tracks(self) -> dict[str, Any]:
        """Return the tracks of the position: game turn, victory points, and the system's own."""
        return self.position.tracks

    def counter(self, kind: type[C], id: str) -> C:
        """Return a typed view of one counter.

        Raises `LookupError` if there is none of this id and class.
        """
        return counter(self, kind, id)

    def maybe(self, kind: type[C], id: str | None) -> C | None:
        """Return a typed view of the counter, or None if there is no such counter."""
        return maybe(self, kind, id)

    def counters(self, kind: type[C], at: str | None = None, **wanted: Json) -> list[C]:
        """Return typed views of all counters of a class, by id.

        They can be limited to one location and to given field values.
        """
        return counters(self, kind, at, **wanted)

    def copy(self) -> Game:
        """Return this game with a position of its own and no events.

        Option lists try moves out on it.
        """
        twin = Game(
            self.system,
            self.scenario,
            self.options,
            self.players,
            self.position.copy(),
            world=self.world,
            stage=self.stage,
            viewer=self.viewer,
        )
        twin.here, twin.begin = self.here, self.begin
        twin.laid_down = self.laid_down
        return twin

    def enter(self, place: Place) -> None:
        """Enter a leaf from its beginning or from one of its steps.

        Only the engine calls this.
        """
        self.here = place
        self.begin = place.step.id if place.step else None

    def at(self, step: str) -> None:
        """Go to a step of this leaf (`6` is enough for `B.2.c.6`).

        From here on questions, events and `place` are those of the step, as if it were a leaf of its own. A
        step that the leaf lacks in the outline is a fault of the rules.
        """
        assert self.here is not None, f"at('{step}') outside a leaf"
        there = self.here.at(step)
        if self.alone and there.step is not self.here.step:
            raise StepLeft
        self.here = there

    def friends(self, player: str) -> tuple[str, ...]:
        """Return the player, or who controls this power, and all who share the view (allies), sorted."""
        return self.system.friends(self, self.seat(player))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return a copy as `copy` makes it, on a position of its own that all of the copy share."""
        twin = self.copy()
        twin.position = deepcopy(self.position, memo)
        return twin

    # ---- powers ----------------------------------------------------------------------------------------

    @property
    def powers(self) -> tuple[str, ...]:
        """Return the powers of the game in the scenario's order, or the players if it names none."""
        return tuple(powers.seats_at_start(self.scenario)) or self.players

    def seat(self, power: str) -> str:
        """Return the player who controls a power now; a player controls themselves.

        Refused for a power that the scenario does not seat.
        """
        seats = powers.seats(self.scenario, self.tracks, self.players)
        if power not in seats and power not in self.players:
            raise powers.unseated(power)
        return seats.get(power, power)

    def powers_of(self, player: str) -> tuple[str, ...]:
        """Return the powers that a player controls now."""
        return tuple(power for power in self.powers if self.seat(power) == player)

    def cooperate(self, power: str, other: str) -> bool:
        """Return True if two powers cooperate, as the scenario says; every power does with itself."""
        return powers.cooperate(self.scenario, power, other)

    def hand_over(self, power: str, player: str) -> None:
        """Give a power to this player, who gets the questions about it from now on."""
        assert power in powers.seats_at_start(self.scenario), f"the scenario has no power '{power}'"
        assert player in self.players, f"there is no player '{player}'"
        seats = powers.seats(self.scenario, self.tracks, self.players)
        self.tracks[powers.TRACK] = seats | {power: player}

    def emit(self, event: Event, to: Audience | None = None) -> None:
        """Tell an event; `to` overrides the audience that the event's class states.

        Raises TypeError if `to` is a text: "italy" would be an audience of five letters.
        """
        if isinstance(to, str):
            raise TypeError(f"emit: an audience is a tuple of players, write to=audience_of({to!r})")
        audience = to if to is not None else self._usual(event)
        data = event.as_json()
        if self.here is not None and (at := self.here.recorded(self.system.engine)):
            data["at"] = at
        last = self.told[-1] if self.told else None
        after = last.after + (last.audience == PUBLIC) if last else 0  # public events before this one
        self.told.append(Told(audience, data, after))

    def _usual(self, event: Event) -> Audience:
        if event.to == "public" or (event.to is None and not self.system.hidden):
            return PUBLIC
        if event.to == "gm" or (event.to is None and not hasattr(event, event.owned_by)):
            return GM_ONLY
        owner: Json = to_json(getattr(event, event.owned_by, None))
        assert isinstance(owner, str), f"{event.kind} is for its owner and has no field `{event.owned_by}`"
        return audience_of(*self.friends(owner))
