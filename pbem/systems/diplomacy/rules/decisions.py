"""The questions: moves with a vote, retreats, adjustments."""

from __future__ import annotations

from typing import Annotated, Any

from pbem.rules import Game, Growing, Message, Name, NoDefault, Pattern, dataclass, decision, fact

from .drafts import Adjustments, Movements, Retreats, adjusting, retreating
from .state import State, standing

OrderLine = Annotated[str, Pattern("[^\\n\\r]{1,120}", "an order such as A PAR - BUR")]


@dataclass(frozen=True)
class Moves:
    """Orders of units, one a line, and a vote: `draw`, or the power to whom you concede the game."""

    orders: tuple[OrderLine, ...] = ()
    vote: Name = "none"


class _Phase(Growing[Any]):
    """A question of one phase. Who sends nothing in time is in civil disorder, if the game plays so (6.5)."""

    player: str

    def default(self, game: Game) -> Any:
        if not game.options["civil_disorder"]:
            raise NoDefault(Message("diplomacy.decisions.game-waits"))
        return super().default(game)

    @fact
    def year(self, game: Game) -> int:
        return State.of(game).year


@decision("moves", rule="2.1", answer=Moves, secrecy="together")
class MovesAsked(_Phase):
    """What do your units do? One order a line; all orders are opened together. You may add a vote."""

    player: str
    drafts = Movements

    def waits(self, game: Game) -> bool:
        return bool(standing(game, self.player))


@decision("retreats", rule="4.2", answer=tuple[OrderLine, ...], secrecy="together")
class RetreatsAsked(_Phase):
    """Where do your dislodged units retreat to? Those without an order disband."""

    player: str
    drafts = Retreats

    def waits(self, game: Game) -> bool:
        return any(nodes for _, nodes in retreating(game, self.player).units.values())


@decision("adjustments", rule="5.1", answer=tuple[OrderLine, ...], secrecy="together")
class AdjustmentsAsked(_Phase):
    """What do you build, or disband? Builds without an order are waived."""

    player: str
    drafts = Adjustments

    def waits(self, game: Game) -> bool:
        return adjusting(game, self.player).due != 0
