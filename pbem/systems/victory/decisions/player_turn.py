"""D-6 and D-10 on their own: asked in interactive games, where the order left them open (4.6.1, 4.7.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Decision, Diagnostic, Game, HexNumber, Option, decision, to_json

from ..blocks import Sim, mark, world_of
from ..moves import LOGISTIC_KINDS, Mover, illegal
from ..orders import SuMove
from ..planning import su_options


@decision("battle-order", rule="4.6.1", answer=tuple[HexNumber, ...])
class BattleOrder(Decision[tuple[str, ...]]):
    """In which order are the battles fought?"""

    player: str
    hexes: tuple[HexNumber, ...]

    def options(self, game: Game, so_far: tuple[str, ...] | None = None) -> Iterator[Option]:
        before = so_far or ()
        for hex in self.hexes:
            if hex not in before:
                longer = [*before, hex]
                text = f"battle {len(longer)} in {world_of(game).place(hex)}"
                yield Option(list(longer), text, complete=len(longer) == len(self.hexes))

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        if sorted(answer) == sorted(self.hexes):
            return []
        message = f"wanted each of {', '.join(self.hexes)} once, found {', '.join(answer) or 'nothing'}"
        return [illegal("bad-battle-order", "4.6.1", message)]

    def default(self, game: Game) -> tuple[str, ...]:
        return tuple(sorted(self.hexes))


@decision("su-moves", rule="4.7.2", answer=tuple[SuMove, ...], secrecy="sealed")
class SuMoves(Decision[tuple[SuMove, ...]]):
    """Where do the supply units that were revealed move now?"""

    player: str

    def movers(self, game: Game) -> list[str]:
        """Supply units that survived their reduction, by id; they are face up still."""
        counters = game.position.counters
        return [
            id
            for id in game.position.ids()
            if counters[id].get("revealed") and counters[id]["owner"] == self.player
        ]

    def options(self, game: Game, so_far: tuple[SuMove, ...] | None = None) -> Iterator[Option]:
        before = so_far or ()
        if so_far is None:
            yield Option([], "no supply unit moves")
        sim, mover = self._tried(game, before)
        for new in su_options(mover, sim, self.movers(game), [one.su for one in before]):
            yield Option(to_json((*before, new)), new.move.text)

    def _tried(self, game: Game, moves: tuple[SuMove, ...]) -> tuple[Sim, Mover]:
        sim = Sim.of(game)
        mover = Mover(sim, self.player)
        for one in moves:
            mark(sim, one.su, activated=True, revealed=None)
            mover.make(one.move)
        return sim, mover

    def check(self, game: Game, answer: tuple[SuMove, ...]) -> list[Diagnostic]:
        return self._examine(game, answer)[0]

    def _examine(self, game: Game, answer: tuple[SuMove, ...]) -> tuple[list[Diagnostic], tuple[SuMove, ...]]:
        sim, mover = self._tried(game, ())
        faults: list[Diagnostic] = []
        kept: list[SuMove] = []
        for i, one in enumerate(answer):
            if one.su not in self.movers(game):
                found = [illegal("E-MOV-01", "4.7.2", f"{one.su} is no revealed supply unit of yours", "su")]
            elif one.kind not in LOGISTIC_KINDS:
                found = [illegal("E-MOV-12", "4.7.2", f"a supply unit cannot move by {one.kind}", "kind")]
            else:
                mark(sim, one.su, activated=True, revealed=None)
                found = mover.faults(one.move)
            faults += [replace(f, path=(i, *f.path)) for f in found]
            if not found:
                mover.make(one.move)
                kept.append(one)
        return faults, tuple(kept)

    def default(self, game: Game) -> tuple[SuMove, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[SuMove, ...]) -> tuple[SuMove, ...]:
        return self._examine(game, answer)[1]
