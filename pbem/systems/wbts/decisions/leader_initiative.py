"""D-05: leaders who try for initiative, and what their forces do if they have it (4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Decision, Diagnostic, Game, Option, decision, fact, to_json

from ..moves.attempts import attempt_faults, attempt_options, may_try
from ..moves.model import LeaderInitiative


@decision("leader-initiative", rule="4.5", answer=LeaderInitiative, secrecy="sealed")
class LeaderInitiativeSegment(Decision[LeaderInitiative]):
    """Which leaders try for initiative, in which order, and what do they do if they have it?"""

    player: str

    def options(self, game: Game, so_far: LeaderInitiative | None = None) -> Iterator[Option]:
        """A leader more, or a move more for the last one's force."""
        now = so_far or LeaderInitiative()
        if so_far is None:
            yield Option({}, "nobody tries")
        for longer, text in attempt_options(game, self.player, now.leaders):
            yield Option(to_json(replace(now, leaders=longer)), text)

    def check(self, game: Game, answer: LeaderInitiative) -> list[Diagnostic]:
        """Moves are legal if they are so when the leaders before had initiative, or when they had not."""
        return [fault.diagnostic("4.5") for fault in attempt_faults(game, self.player, answer.leaders)]

    def default(self, game: Game) -> LeaderInitiative:
        return LeaderInitiative()

    def repair(self, game: Game, answer: LeaderInitiative) -> LeaderInitiative:
        """Everything stays: what is illegal is skipped and reported when its turn comes."""
        return answer

    @fact
    def gt(self, game: Game) -> int:
        return int(game.tracks["gt"])

    def waits(self, game: Game) -> bool:
        """Nobody is asked when no leader is left to try."""
        return bool(may_try(game, self.player))
