"""A sensible player of wbts, for demonstrations and absent opponents: works off the player's view.

Deterministic given `pick`, which chooses one of a list where taste decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbem.rules import Decision, Game, Json, to_json

from .chain import chain
from .cleaning import Cleanup, places
from .command import Span, able, commanded_hq, modified
from .decisions.chit import ChitChoice
from .decisions.cleanup import CleanupSegment
from .decisions.command import CombatCommand, Command, CommandSegment, load_options, span_options
from .decisions.free_initiative import FreeInitiativeSegment
from .decisions.leader_initiative import LeaderInitiativeSegment
from .depots import Load
from .moves.attempts import Paper, may_try
from .moves.model import Activation, Attempt, FreeInitiative, LeaderInitiative
from .moves.plan import allowance_left, run_free
from .pieces import Sim, unit, units, world_of
from .play_well_moves import Intent, Scout

Pick = Callable[[Sequence[Any]], Any]
Spans = tuple[Span, ...]


def play_well(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """The answer of a sensible player; what battles ask is answered next door."""
    side = decision.player
    match decision:
        case ChitChoice():
            return str(pick(("parenthesised", "parenthesised", "draw")))
        case CommandSegment():
            return to_json(_command(game, side))
        case CombatCommand():
            return to_json(_spans(game, side))
        case FreeInitiativeSegment():
            return to_json(_by_chit(game, side))
        case LeaderInitiativeSegment():
            return to_json(_by_leaders(game, side))
        case CleanupSegment():
            return to_json(_militia(game, side))
    return _battle(game, decision, pick)


def _battle(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    from .play_well_battle import play_well_battle

    return play_well_battle(game, decision, pick)


# command


def _command(game: Game, side: str) -> Command:
    """Trains are filled from the depots they stand with; leaders name whom they can."""
    board = Sim.of(game)
    loads: list[Load] = []
    for one in load_options(board, side):
        train, source = unit(board, one.train), unit(board, one.source)
        filled = train.type == "supply_train" and source.type == "depot"
        if filled and one.points > 1 and all(one.train != other.train for other in loads):
            loads.append(one)
    return Command(loads=tuple(loads), spans=_spans(game, side))


def _spans(game: Game, side: str) -> Spans:
    """The ablest leaders first name leaders, then fighting units, then trains, as far as their spans go."""
    board = Sim.of(game)
    reached = chain(board, side)
    ablest = sorted(able(board, side), key=lambda who: (-modified(board, who.id, reached).initiative, who.id))
    order = {who.id: n for n, who in enumerate(ablest)}
    spans: Spans = ()
    while True:
        longer = [
            each for each, _ in span_options(board, side, spans) if not any(span.release for span in each)
        ]
        if not longer:
            return spans
        spans = min(longer, key=lambda each: _preference(board, each, order))


def _preference(board: Sim, spans: Spans, order: dict[str, int]) -> tuple[int, int, str]:
    last = spans[-1]
    name = last.leaders[-1] if last.leaders else last.units[-1]
    if last.leaders:
        return (0 if commanded_hq(board, last.leader) else 1, order[last.leader], name)
    return (1 if unit(board, name).can_attack else 2, order[last.leader], name)


# movement


def _by_chit(game: Game, side: str) -> FreeInitiative:
    """As many activations as the chit allows, each for what promises most then."""
    board = Sim.of(game)
    chosen: list[Activation] = []
    left_behind: list[str] = []
    while allowance_left(board, side) > 0:
        scout = Scout(board, side)
        intents = [each for each in scout.intents(by_chit=True) if each.who not in left_behind]
        if not intents:
            break
        best = max(intents, key=lambda each: (each.worth, each.who))
        one = Activation(best.who, best.moves, best.entrench)
        trial = Sim.of(board)
        if run_free(trial, side, FreeInitiative((one,))).faults:
            left_behind.append(best.who)
            continue
        board = trial
        chosen.append(one)
    order = FreeInitiative(tuple(chosen))
    return order if not run_free(Sim.of(game), side, order).faults else FreeInitiative()


def _by_leaders(game: Game, side: str) -> LeaderInitiative:
    """Every leader who can do something useful tries, the ablest first."""
    board = Sim.of(game)
    scout = Scout(board, side)
    wanted: dict[str, Intent] = {each.who: each for each in scout.intents(by_chit=False)}
    reached = chain(board, side)
    order = sorted(
        (who.id for who in may_try(board, side) if who.id in wanted),
        key=lambda id: (-modified(board, id, reached).initiative, id),
    )
    tried: tuple[Attempt, ...] = ()
    taken: dict[str, bool] = {}
    paper = Paper(game, side)
    for id in order:
        moves = tuple(m for m in wanted[id].moves if not any(taken.get(u) for u in m.units))
        one = Attempt(id, moves, wanted[id].entrench)
        if not paper.add(one):
            tried = (*tried, one)
            taken.update(dict.fromkeys((u for m in moves for u in m.units), True))
    return LeaderInitiative(tried)


# cleanup


def _militia(game: Game, side: str) -> Cleanup:
    """A point of each state where the enemy is nearest."""
    board = Sim.of(game)
    enemies = [each.hex for each in units(board, world_of(board).enemy(side)) if each.occupies]
    chosen = Cleanup()
    for one in places(board, side):
        if any(one.state == other.state for other in chosen.militia):
            continue
        same = [each for each in places(board, side) if each.state == one.state]
        best = min(same, key=lambda each: (_nearest(board, each.hex, enemies), each.hex))
        chosen = replace(chosen, militia=(*chosen.militia, best))
    return chosen


def _nearest(board: Sim, hex: str, enemies: Sequence[str]) -> int:
    world = world_of(board)
    return min((world.distance(hex, other) for other in enemies), default=99)
