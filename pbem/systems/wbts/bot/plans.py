"""Whole answers for a player of wbts to begin with, made by rules of thumb on the player's view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.kit.greedy import greedy
from pbem.rules import Decision, Drafting, Game, Json, Next, Part

from ..rules.chain import chain
from ..rules.cleanup import Burn, CleanupSegment, places
from ..rules.command.depots import Load, carriers
from ..rules.command.forces import able, commanded_hq, modified
from ..rules.command.segment import CombatCommand, CommandSegment
from ..rules.command.spans import Span
from ..rules.first_player import ChitChoice
from ..rules.moves.free import FreeInitiativeSegment, allowance_left
from ..rules.moves.initiative import LeaderInitiativeSegment, may_try
from ..rules.moves.model import Activation, Attempt
from ..rules.pieces import leader, unit, units, world_of
from ..rules.zones import occupied_hexes
from .scout import Intent, Scout

Pick = Callable[[Sequence[Any]], Any]
MANY = 1000  # more than there are leaders: the target outweighs the leader


def plans(game: Game, decision: Decision[Any], pick: Pick) -> Iterator[Json]:
    """Yield a whole answer to begin with."""
    yield _plan(game, decision, pick)


def _plan(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    match decision:
        case ChitChoice():
            return str(pick(("parenthesised", "parenthesised", "draw")))
        case CommandSegment() | CombatCommand():
            return _command(game, decision)
        case FreeInitiativeSegment():
            return _by_chit(game, decision)
        case LeaderInitiativeSegment():
            return _by_leaders(game, decision)
        case CleanupSegment():
            return _militia(game, decision)
    from .battle import plan

    return plan(game, decision, pick)


# command


def _command(game: Game, decision: CommandSegment | CombatCommand) -> Json:
    """Return the command: fill trains from their depots, then let the ablest leaders name others.

    They name leaders, then fighting units, then trains, as far as their spans go.
    """
    reached = chain(game, decision.player)
    ablest = sorted(able(game, decision.player), key=lambda who: (-modified(who, reached).initiative, who.id))
    rank = {who.id: n for n, who in enumerate(ablest)}

    def worth(board: Game, option: Next[Any]) -> int | None:
        match option.element.value if isinstance(option.element, Part) else option.element:
            case Load(train, source, points):
                filled = unit(board, train).type == "supply_train" and unit(board, source).type == "depot"
                return 4 * MANY if filled and points > 1 else None
            case Span(who, _, (), ()) as span:
                return (2 if unit(board, span.names[-1]).can_attack else 1) * MANY + MANY - rank[who]
            case Span(who, _, _, ()):
                return (3 if commanded_hq(leader(board, who)) else 2) * MANY + MANY - rank[who]
        return None

    return greedy(decision, game, worth)


# movement


def _by_chit(game: Game, decision: FreeInitiativeSegment) -> Json:
    """Return as many activations as the chit allows, each the most promising at its time."""
    drafting = Drafting(decision, game)
    left_behind: list[str] = []
    while allowance_left(drafting.draft.game, decision.player) > 0:
        scout = Scout(drafting.draft.game, decision.player)
        intents = [intent for intent in scout.intents(by_chit=True) if intent.who not in left_behind]
        if not intents:
            break
        best = max(intents, key=lambda intent: (intent.worth, intent.who))
        if drafting.offer(Part("activations", Activation(best.who, best.moves, best.entrench))):
            left_behind.append(best.who)
    return drafting.json()


def _by_leaders(game: Game, decision: LeaderInitiativeSegment) -> Json:
    """Return an attempt for every leader who can do something useful, the ablest first."""
    scout = Scout(game, decision.player)
    wanted: dict[str, Intent] = {intent.who: intent for intent in scout.intents(by_chit=False)}
    ablest = sorted(
        (who for who in may_try(game, decision.player) if who.id in wanted),
        key=lambda who: (-modified(who, scout.reached).initiative, who.id),
    )
    taken: set[str] = set()
    drafting = Drafting(decision, game)
    for who in ablest:
        moves = tuple(move for move in wanted[who.id].moves if not taken.intersection(move.units))
        if not drafting.offer(Part("leaders", Attempt(who.id, moves, wanted[who.id].entrench))):
            taken.update(id for move in moves for id in move.units)
    return drafting.json()


# cleanup


def _militia(game: Game, decision: CleanupSegment) -> Json:
    """Burn supply that the enemy can take; return a point of militia for each state at its nearest hex."""
    world, side = world_of(game), decision.player
    enemies = sorted(occupied_hexes(game, world.enemy(side)))
    drafting = Drafting(decision, game)
    for carrier in carriers(game, side):
        alone = carrier.type != "depot" and not any(u.can_attack for u in units(game, side, carrier.hex))
        if carrier.supply and alone and world.nearest(carrier.hex, enemies) == 1:
            drafting.offer(Part("burn", Burn(carrier.id, carrier.supply)))
    for place in sorted(
        places(game, side), key=lambda place: (place.state, world.nearest(place.hex, enemies), place.hex)
    ):
        drafting.offer(Part("militia", place))
    return drafting.json()
