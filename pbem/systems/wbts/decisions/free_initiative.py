"""D-04: activations by chit, and the moves of ships (4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Decision, Diagnostic, Game, Option, decision, fact, to_json

from ..moves.model import FreeInitiative
from ..moves.plan import allowance_left, candidates, free_options, run_free, ship_options
from ..pieces import Sim


@decision("free-initiative", rule="4.4", answer=FreeInitiative, secrecy="sealed", facts=("left",))
class FreeInitiativeSegment(Decision[FreeInitiative]):
    """Whom does the chit activate, and where do they and the ships go?"""

    player: str
    left: int

    def options(self, game: Game, so_far: FreeInitiative | None = None) -> Iterator[Option]:
        """One move or entrenchment more: in the last activation, in a new one, or of ships."""
        now = so_far or FreeInitiative()
        if so_far is None:
            yield Option({}, "no activation")
        board = Sim.of(game)
        run_free(board, self.player, now)
        if not now.ships:
            for longer, text in free_options(game, board, self.player, now.activations):
                yield Option(to_json(replace(now, activations=longer)), text)
        for one, text in ship_options(board, self.player):
            yield Option(to_json(replace(now, ships=(*now.ships, one))), text)

    def check(self, game: Game, answer: FreeInitiative) -> list[Diagnostic]:
        """Every activation on what those before have left; all faults at once."""
        return [fault.diagnostic("4.4") for fault in run_free(Sim.of(game), self.player, answer).faults]

    def default(self, game: Game) -> FreeInitiative:
        return FreeInitiative()

    def repair(self, game: Game, answer: FreeInitiative) -> FreeInitiative:
        """Everything stays: what is illegal is skipped and reported when its turn comes."""
        return answer

    @fact
    def gt(self, game: Game) -> int:
        return int(game.tracks["gt"])

    def waits(self, game: Game) -> bool:
        """Nobody is asked when the chit is used up and no ship can move."""
        able = allowance_left(game, self.player) and next(iter(candidates(game, self.player)), None)
        return bool(able) or next(iter(ship_options(Sim.of(game), self.player)), None) is not None
