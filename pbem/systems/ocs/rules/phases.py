"""4.0.11: Marks cleared at the start of each lettered phase and segment, and at the end of a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.rules import Board, Game, Refused

from .actions import Batch, counters_named
from .breakdowns import absorb
from .decisions.loop import Actions, Blowing, Overstack
from .drops import lodge_plans
from .events.fighting import ReserveLost
from .events.moving import ActionRefused, ActionSkipped, LoopStopped, Overstacked, StratLost
from .fighting.losses import bury
from .fighting.strength import base_strength, state_factors
from .loops import anything_to_do, carry_out, faults_of, holds
from .pieces import T, Unit, craft, extenders, planes, points, ships, total_re, units, world_of
from .sealing import ask, end_plans, lodge_orders
from .supply.trace import Tracing
from .views import note_sightings, shown
from .works import blow, threatened

OF_A_PHASE = (
    "done", "committed", "fuel_single", "released", "barraged", "attacked", "air_landed", "moved",
    "converted", "spent", "start", "fuel_hex",
)  # fmt: skip
"""Fields of a unit that last for one phase."""


def enter_phase(board: Board, letter: str, side: str) -> None:
    """Begin a lettered phase of a side and clear its flags, unless it has begun already."""
    t = T.of(board)
    if t.phase == letter and t.acting == side:
        return
    t.phase, t.acting = letter, side
    t.barraged = ()
    for u in units(board):
        board.position.drop(u.id, *OF_A_PHASE)
    for p in points(board):
        p.done, p.spent, p.rode, p.captured_turn, p.released = False, Fraction(0), None, False, False
    for e in extenders(board):
        e.done, e.spent = False, Fraction(0)
    for c in craft(board):
        c.spent, c.embarked = Fraction(0), False
        c.done = c.done and letter == "F"  # craft that have landed cannot attack in phase F
    for plane in planes(board):
        plane.flew = False
    for ship in ships(board):
        ship.spent, ship.fired = Fraction(0), False
    for hex, dump in list(t.dumps.items()):
        t.dumps[hex] = replace(dump, fresh=0)
    for hex, base in list(t.bases.items()):
        t.bases[hex] = replace(base, refitted=False)
    for hex, port in list(t.ports.items()):
        t.ports[hex] = replace(port, used=Fraction(0))
    t.blown, t.targeted, t.converted, t.landed = (), (), (), None
    t.intercepts, t.unloaded = {}, {}


def enter_segment(board: Board) -> None:
    """Begin a segment: clear attackers, targets and ships that fired."""
    t = T.of(board)
    t.attacked = ()
    t.unloaded = {}
    for u in units(board):
        u.attacked = False
    for ship in ships(board):
        ship.fired = False


def end_player_turn(board: Board) -> None:
    """End a player turn: clear work on facilities, rail and sea capacity, and unused plans."""
    t = T.of(board)
    end_plans(board, t.acting or "")
    t.rail_used = t.sea_used = Fraction(0)
    t.arrived, t.razed = {}, ()
    for hex, base in list(t.bases.items()):
        t.bases[hex] = replace(base, worked=False)
    for hex, works in list(t.hedgehogs.items()):
        t.hedgehogs[hex] = replace(works, worked=False)
    for hex, port in list(t.ports.items()):
        t.ports[hex] = replace(port, worked=False)
    for u in units(board):
        u.entrained = False


async def end_movement(game: Game) -> None:
    """4.4.13: End movement: check stacking, Strat units without trace, and reserves in hedgehogs."""
    await check_stacks(game)
    for side in world_of(game).seats:
        strat = [u for u in units(game, side) if u.marker == "strat"]
        tracing = Tracing(game, side) if strat else None
        lost = [u for u in strat if tracing is not None and not tracing.traced(u)]
        for u in lost:
            u.marker, u.facing = "none", "move"
        if lost:
            game.emit(StratLost(side, tuple(u.id for u in lost)))
        for hex in sorted(T.of(game).hedgehogs):
            units_ = [u for u in units(game, side, hex) if u.marker == "reserve"]
            for u in units_:
                u.marker = "none"
            if units_:
                game.emit(ReserveLost(side, shown(game, (u.id for u in units_)), hex))


async def check_stacks(game: Game) -> None:
    """4.0.6 (D-STACK, R-45): Remove units above 10 RE by their owner's ranking, or else the weakest."""
    most = int(world_of(game).numbers["stacking_re"])
    for side in list(world_of(game).seats):
        for hex in sorted({u.hex or "" for u in units(game, side)}):
            there = units(game, side, hex)
            if hex not in world_of(game).terrains or total_re(there) <= most:
                continue
            wanted = await ask(game, Overstack(side, hex))
            while total_re(there) > most:
                gone = min(there, key=lambda u: (_rank(u, wanted), strength_per_re(u), _late(u)))
                bury(gone)
                game.emit(Overstacked(side, gone.id, hex))
                there = units(game, side, hex)


def _rank(u: Unit, wanted: Sequence[str]) -> int:
    return min((n for n, name in enumerate(wanted) if name in (u.id, u.kind)), default=len(wanted))


def _late(u: Unit) -> tuple[int, ...]:
    """Return a sort key that puts the highest id first."""
    return tuple(-ord(letter) for letter in u.id)


def strength_per_re(u: Unit) -> Fraction:
    """R-45: Return a unit's current defence strength for each RE of its size."""
    value = Fraction(base_strength(u, attack=False))
    for factor, _ in state_factors(u, attack=False):
        value *= factor
    return value / u.re


async def loop(game: Game, side: str, segment: str) -> None:
    """4.0.9: Ask the acting side for actions, one answer at a time, until it finishes."""
    enter_segment(game)
    number = 0
    await lodge_orders(game)
    while anything_to_do(game, side, segment):
        number += 1
        batch: Batch = await ask(game, Actions(side, segment, number))
        await lodge_plans(game, side)
        await lodge_orders(game)
        stopped = await run_batch(game, side, segment, batch)
        if (batch.finish and not stopped) or not batch.actions:
            break
    if segment in ("movement", "reaction", "exploitation") and threatened(game, side):
        for order in await ask(game, Blowing(side)):
            try:
                await blow(game, side, order)
            except Refused as refused:
                fault = refused.diagnostics[0]
                game.emit(ActionRefused(side, 0, "blow", fault.code, fault.message))


async def run_batch(game: Game, side: str, segment: str, batch: Batch) -> bool:
    """Carry out the actions of an answer in order; return True if the loop stops and returns the rest."""
    later = _named_later(batch)
    for n, action in enumerate(list(batch.actions), 1):
        kind = action.kinds[0] if action.kinds else ""
        if not holds(game, side, action.if_):
            game.emit(ActionSkipped(side, n, kind))
            continue
        others = later[n]
        faults = faults_of(game.copy(), side, segment, action, others)
        happened: frozenset[str] = frozenset({"path_blocked"})
        if not faults:
            try:
                happened = await carry_out(game, side, segment, action, others)
            except Refused as refused:  # after dice: the part that was done is not taken back
                faults = list(refused.diagnostics)
        if faults:
            game.emit(ActionRefused(side, n, kind, faults[0].code, faults[0].message))
            if batch.on_illegal == "stop" or "path_blocked" in action.stop_if:
                return _returned(game, side, batch, n, faults[0].code)
        elif hit := sorted(happened & frozenset(action.stop_if)):
            return _returned(game, side, batch, n, hit[0])
    lay_on_top(game, side, batch.top or {})
    return False


def lay_on_top(game: Game, side: str, wanted: Mapping[str, str]) -> None:
    """7.1: Put the unit that the owner names on top of its stack, if it is there."""
    for hex, id in sorted(wanted.items()):
        there = units(game, side, hex)
        if any(u.id == id for u in there):
            for u in there:
                u.top = u.id == id


def _named_later(batch: Batch) -> list[frozenset[str]]:
    """R-106: Return, for each number of actions done, the counters that the later actions name."""
    later = [frozenset[str]()]
    for action in reversed(batch.actions):
        later.append(later[-1] | counters_named((action,)))
    return later[::-1]


def _returned(game: Game, side: str, batch: Batch, n: int, why: str) -> bool:
    """4.0.9: Report that the rest of the actions is returned, if any is left; return True."""
    if len(batch.actions) > n:
        game.emit(LoopStopped(side, n, len(batch.actions) - n, why))
    return True


def end_phase(game: Game) -> None:
    """4.4.15: Do what ends every phase: absorb Breakdowns, note sightings."""
    absorb(game)
    note_sightings(game)


__all__ = [
    "Unit", "check_stacks", "end_movement", "end_phase", "end_player_turn", "enter_phase", "loop",
]  # fmt: skip
