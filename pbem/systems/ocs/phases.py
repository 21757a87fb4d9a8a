"""4.0.11 What is cleared when: at the start of each lettered phase and segment, at the end of a turn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pbem.rules import Board, Game, Refused, ask

from .actions import Batch, counters_named
from .decisions.loop import Actions
from .events.fighting import ReserveLost
from .events.moving import ActionRefused, ActionSkipped, Overstacked, StratLost
from .loops import anything_to_do, carry_out, faults_of, holds
from .losses import bury
from .pieces import T, Unit, planes, points, ships, total_re, units, world_of
from .strength import printed_strength
from .trace import Tracing


def enter_phase(board: Board, letter: str, side: str) -> None:
    """The start of a lettered phase: flags of a phase fall (once, whoever comes first)."""
    t = T.of(board)
    if t.phase == letter and t.acting == side:
        return
    t.phase, t.acting = letter, side
    t.barraged = ()
    for u in units(board):
        u.done = u.committed = u.fuel_single = u.released = u.barraged = u.attacked = False
        u.air_landed = False
        u.spent, u.start, u.fuel_hex = Fraction(0), None, None
    for p in points(board):
        p.done, p.spent, p.rode, p.captured_turn = False, Fraction(0), None, False
    for plane in planes(board):
        plane.flew = False
    for ship in ships(board):
        ship.spent, ship.fired = Fraction(0), False
    for hex, dump in list(t.dumps.items()):
        t.dumps[hex] = replace(dump, fresh=0, blown=False)
    for hex, base in list(t.bases.items()):
        t.bases[hex] = replace(base, refitted=False)
    for hex, port in list(t.ports.items()):
        t.ports[hex] = replace(port, used=0)


def enter_segment(board: Board) -> None:
    """The start of a segment: who has attacked, what was attacked, which ships have fired."""
    t = T.of(board)
    t.attacked = ()
    for u in units(board):
        u.attacked = False
    for ship in ships(board):
        ship.fired = False


def end_player_turn(board: Board) -> None:
    """The end of a Player Turn: work on facilities, rail and sea capacity."""
    t = T.of(board)
    t.rail_used = t.sea_used = 0
    for hex, base in list(t.bases.items()):
        t.bases[hex] = replace(base, worked=False)
    for hex, works in list(t.hedgehogs.items()):
        t.hedgehogs[hex] = replace(works, worked=False)
    for hex, port in list(t.ports.items()):
        t.ports[hex] = replace(port, worked=False)
    for u in units(board):
        u.entrained = False


def end_movement(game: Game) -> None:
    """4.4.13 Stacking, Strat units without trace, reserves in hedgehogs."""
    check_stacks(game)
    for side in world_of(game).seats:
        strat = [u for u in units(game, side) if u.marker == "strat"]
        tracing = Tracing(game, side) if strat else None
        lost = [u for u in strat if tracing is not None and not tracing.traced(u)]
        for u in lost:
            u.marker, u.facing = "none", "move"
        if lost:
            game.emit(StratLost(side, tuple(u.id for u in lost)))
        for hex in sorted(T.of(game).hedgehogs):
            found = [u for u in units(game, side, hex) if u.marker == "reserve"]
            for u in found:
                u.marker = "none"
            if found:
                game.emit(ReserveLost(side, tuple(u.id for u in found), hex))


def check_stacks(game: Game) -> None:
    """4.0.6 (R-45) Above 10 RE the weakest for their size go, until no more than 10 are left."""
    most = int(world_of(game).numbers["stacking_re"])
    for side in world_of(game).seats:
        for hex in sorted({u.hex or "" for u in units(game, side)}):
            there = units(game, side, hex)
            while total_re(there) > most:
                weakest = min(printed_strength(u)[0] / Fraction(u.re) for u in there)
                gone = max(
                    (u for u in there if printed_strength(u)[0] / Fraction(u.re) == weakest),
                    key=lambda u: u.id,
                )
                bury(gone)
                game.emit(Overstacked(side, gone.id, hex))
                there = units(game, side, hex)


async def loop(game: Game, side: str, segment: str) -> None:
    """4.0.9 The acting side's actions, mail by mail, until it is done."""
    enter_segment(game)
    number = 0
    while anything_to_do(game, side, segment):
        number += 1
        batch: Batch = await ask(Actions(side, segment, number))
        refused = await run_batch(game, side, segment, batch)
        if batch.finish and not refused:
            return
        if not batch.actions:
            return


async def run_batch(game: Game, side: str, segment: str, batch: Batch) -> bool:
    """One answer's actions in order; True where one was refused and the rest returned."""
    for n, action in enumerate(list(batch.actions), 1):
        kind = action.kinds[0] if action.kinds else ""
        if not holds(game, action.if_):
            game.emit(ActionSkipped(side, n, kind))
            continue
        others = counters_named(batch.actions[n:])
        faults = faults_of(game.copy(), side, segment, action, others)
        if not faults:
            try:
                await carry_out(game, side, segment, action, others)
            except Refused as refused:  # after dice: what was done stands
                faults = list(refused.diagnostics)
                game.emit(ActionRefused(side, n, kind, faults[0].code, faults[0].message))
            continue
        game.emit(ActionRefused(side, n, kind, faults[0].code, faults[0].message))
        if batch.on_illegal == "stop":
            return True
    return False


__all__ = ["Unit", "check_stacks", "end_movement", "end_player_turn", "enter_phase", "loop"]
