"""D-19: the cleanup segment in one answer (4.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Decision, Diagnostic, Game, HexNumber, Option, decision, fact, to_json

from ..cleaning import (
    BreakUp,
    Burn,
    Cleanup,
    Deploy,
    Part,
    break_faults,
    break_up,
    burn,
    burn_faults,
    deploy,
    deploy_faults,
    places,
)
from ..command import Fault
from ..depots import stocks
from ..pieces import Board, Sim, unit, units

Standing = dict[str, HexNumber]


@decision("cleanup", rule="4.9", answer=Cleanup, secrecy="sealed", standing=("militia", Standing))
class CleanupSegment(Decision[Cleanup]):
    """Which supply and depots are destroyed, and where does militia gather?"""

    player: str

    def options(self, game: Game, so_far: Cleanup | None = None) -> Iterator[Option]:
        """One thing more: supply, then depots, then militia."""
        now = so_far or Cleanup()
        if so_far is None:
            yield Option({}, "nothing")
        board = Sim.of(game)
        run_cleanup(board, self.player, now)
        for place in places(board, self.player):
            text = f"a militia point of {place.state} in {place.hex}"
            yield _option(replace(now, militia=(*now.militia, place)), text)
        if now.militia:
            return
        for one in break_options(board, self.player):
            how = "its constituents" if one.constituents else "garrison points"
            text = f"destroy {one.depot}, {how} take its place"
            yield _option(replace(now, depots=(*now.depots, one)), text)
        if not now.depots:
            for each in burn_options(board, self.player):
                text = f"destroy {each.points} supply points of {each.unit}"
                yield _option(replace(now, burn=(*now.burn, each)), text)

    def check(self, game: Game, answer: Cleanup) -> list[Diagnostic]:
        """Each action on what those before have left; all faults at once."""
        return [_ruled(fault) for fault in run_cleanup(Sim.of(game), self.player, answer)[1]]

    def default(self, game: Game) -> Cleanup:
        return Cleanup()

    def repair(self, game: Game, answer: Cleanup) -> Cleanup:
        return run_cleanup(Sim.of(game), self.player, answer)[0]

    def from_standing(self, game: Game, orders: list[Standing]) -> Cleanup | None:
        """The first order: each state's point to its hex, as far as that is legal."""
        if not orders:
            return None
        wanted = tuple(Deploy(state, hex) for state, hex in sorted(orders[0].items()))
        return self.repair(game, Cleanup(militia=wanted))

    @fact
    def gt(self, game: Game) -> int:
        return int(game.tracks["gt"])

    def waits(self, game: Game) -> bool:
        """Nobody is asked who has neither supply nor depots nor a place for militia."""
        held = any(
            unit(game, id).supply or unit(game, id).type == "depot" for id in stocks(game, self.player)
        )
        return held or next(iter(places(game, self.player)), None) is not None


def run_cleanup(board: Board, side: str, answer: Cleanup) -> tuple[Cleanup, list[Fault]]:
    """Carry out what is legal; gives that, and the faults of the rest with paths."""
    faults: list[Fault] = []
    kept = Cleanup()
    for n, one in enumerate(answer.burn):
        found = burn_faults(board, side, one)
        if not found:
            burn(board, one)
            kept = replace(kept, burn=(*kept.burn, one))
        faults += [Fault(f.code, f.message, ("burn", n, *f.path)) for f in found]
    for n, each in enumerate(answer.depots):
        wrong = break_faults(board, side, each)
        if not wrong:
            break_up(board, side, each)
            kept = replace(kept, depots=(*kept.depots, each))
        faults += [Fault(f.code, f.message, ("depots", n, *f.path)) for f in wrong]
    for n, place in enumerate(answer.militia):
        bad = deploy_faults(board, side, place)
        if not bad:
            deploy(board, side, place)
            kept = replace(kept, militia=(*kept.militia, place))
        faults += [Fault(f.code, f.message, ("militia", n, *f.path)) for f in bad]
    return kept, faults


def _ruled(fault: Fault) -> Diagnostic:
    rule = {"burn": "4.9.1", "depots": "4.9.2", "militia": "4.9.3"}[str(fault.path[0])]
    return fault.diagnostic(rule)


def _option(answer: Cleanup, text: str) -> Option:
    return Option(to_json(answer), text)


def burn_options(board: Board, side: str) -> Iterator[Burn]:
    """All of each stock, or one point."""
    for id in stocks(board, side):
        held = unit(board, id).supply
        for points in sorted({held, 1}, reverse=True) if held else ():
            yield Burn(id, points)


def break_options(board: Board, side: str) -> Iterator[BreakUp]:
    """Each depot, for garrison points or for its constituents as units of their own."""
    for each in units(board, side):
        if each.type == "depot":
            yield BreakUp(each.id)
            parts = tuple(Part(p["type"], p["sp"], p.get("state")) for p in each.constituents)
            if parts:
                yield BreakUp(each.id, parts)
