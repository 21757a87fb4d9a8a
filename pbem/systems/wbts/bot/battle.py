"""The sensible player in battles: attacks at fair odds, and risks of valuable leaders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.kit.greedy import greedy
from pbem.kit.odds import total
from pbem.rules import Board, Decision, Game, Json, Next, Part, to_json

from ..rules.battle.advance import Advance, able_to_advance, able_to_follow
from ..rules.battle.record import Battle
from ..rules.battle.secrets import CommitLeader, Intensity
from ..rules.battle.selection import BattleOrder, Battles
from ..rules.battle.strength import attack_lines, defence_lines
from ..rules.pieces import leader, left, units, world_of
from ..rules.victory import score
from .scout import UNSEEN

Pick = Callable[[Sequence[Any]], Any]
FAIR = 70  # attack strength wanted, in percent of the defence
BOLD = 50  # the same for a side that is losing
GOOD = 110


def plan(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """Return a player's answer in a battle, or the rules' default if no rule of thumb applies."""
    match decision:
        case Battles():
            return _battles(game, decision)
        case Intensity():
            return _chit(decision, pick)
        case CommitLeader():
            return _commit(game, decision, pick)
        case Advance():
            fighting = able_to_advance(Battle.of(game))
            return [*fighting, *able_to_follow(Battle.of(game))] if fighting else []
    return to_json(decision.default(game))


def _battles(game: Game, decision: Battles) -> Json:
    """Return the battles with the best odds, as long as they are fair, with all cavalry declared."""
    least = _fair(game, decision.player)

    def worth(board: Game, option: Next[Part[Any]]) -> int | None:
        order = option.element.value
        if option.element.section != "battles":
            return None
        odds = _odds(board, order)
        return 2 * odds + bool(order.declared_cavalry) if odds >= least else None

    return greedy(decision, game, worth)


def _fair(game: Game, side: str) -> int:
    """Return the least odds to attack at: lower for the side that would lose if the game ended now."""
    enemy = world_of(game).enemy(side)
    return BOLD if score(game, side).total < score(game, enemy).total else FAIR


def _odds(board: Board, order: BattleOrder) -> int:
    """Return the odds of a battle in per cent, as far as the defenders are known."""
    attackers = left(board, order.named)
    there = units(board, world_of(board).enemy(attackers[0].side), order.target)
    known = [unit for unit in there if unit.known and unit.occupies]
    inside = [unit.id for unit in known if order.target in world_of(board).forts]
    unseen = sum(UNSEEN for unit in there if not unit.known)
    defence = total(defence_lines(board, known, inside)) + unseen
    return int(100 * total(attack_lines(board, attackers, order.target)) // defence) if defence else 999


def _chit(decision: Intensity, pick: Pick) -> int:
    """Return the chit: high at good odds, low at bad ones."""
    odds = decision.ratio if decision.ratio is not None else 999
    mine = odds if decision.role == "attack" else 10_000 // max(1, odds)
    wish = pick((2, 3, 4)) if mine >= GOOD else pick((1, 2))
    return int(min(decision.limit, wish))


def _commit(game: Game, decision: CommitLeader, pick: Pick) -> str:
    """Return the best leader for the battle, two times of three."""
    able = [id for id in decision.leaders if leader(game, id).combat]
    if not able or not pick((True, True, False)):
        return "none"
    return max(able, key=lambda id: (leader(game, id).combat, id))
