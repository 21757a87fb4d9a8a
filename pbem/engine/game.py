"""What a procedure, an option list and a map see of a game: the position and everything that does not
change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.board.position import Position
from pbem.model.codec import to_json
from pbem.model.events import Event, Told
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, audience_of
from pbem.text.canonical import Json

if TYPE_CHECKING:
    from pbem.engine.system import System


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
        self.place = ""
        self.told: list[Told] = []

    @property
    def tracks(self) -> dict[str, Any]:
        """The tracks of the position: game turn, victory points, and whatever the system keeps there."""
        return self.position.tracks

    def copy(self) -> Game:
        """The same game with a position of its own and no events; what option lists try moves out on."""
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
        twin.place = self.place
        return twin

    def friends(self, player: str) -> tuple[str, ...]:
        """The player and whoever may see what he sees (allies), sorted."""
        return self.system.friends(self, player)

    def emit(self, event: Event, to: Audience | None = None) -> None:
        """Tell an event; `to` overrides the audience that the event's class states."""
        audience = to if to is not None else self._usual(event)
        data = event.as_json()
        if self.place:
            data["at"] = self.place
        after = sum(1 for told in self.told if told.audience == PUBLIC)
        self.told.append(Told(audience, data, after))

    def _usual(self, event: Event) -> Audience:
        if event.to == "public" or (event.to is None and not self.system.hidden):
            return PUBLIC
        if event.to == "gm" or (event.to is None and not hasattr(event, "owner")):
            return GM_ONLY
        owner: Json = to_json(getattr(event, "owner", None))
        assert isinstance(owner, str), f"{event.kind} is for its owner and has no field `owner`"
        return audience_of(*self.friends(owner))
