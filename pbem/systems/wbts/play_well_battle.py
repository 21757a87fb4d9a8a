"""The same player in battles: attacks where the odds are fair, risks leaders who are worth something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pbem.kit.odds import total
from pbem.rules import Decision, Drafting, Game, Json, Part, to_json

from .battle.advance import Advance, able_to_advance, able_to_follow
from .battle.record import Battle
from .battle.secrets import CommitLeader, Intensity
from .battle.selection import BattleOrder, Battles, Stack
from .battle.strength import attack_lines, defence_lines
from .command.forces import force
from .pieces import leader, leaders, left, unit, units, world_of
from .play_well_moves import UNSEEN
from .victory import score

Pick = Callable[[Sequence[Any]], Any]
FAIR = 70  # per cent of the defence that an attack should have
BOLD = 50  # the same for a side that loses as things stand
GOOD = 110


def play_well_battle(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """The answer of a sensible player; the rules' default where he has no opinion."""
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


@dataclass(frozen=True)
class Chance:
    """A battle that could be fought, and the odds in per cent."""

    order: BattleOrder
    odds: int


def _battles(game: Game, decision: Battles) -> Json:
    """The best battle of all leaders, then the best of what is left, as long as the odds are fair enough."""
    drafting = Drafting(decision, game)
    least, used = _fair(game, decision.player), list[str]()
    while True:
        chances = [each for each in _chances(game, decision.player, used) if each.odds >= least]
        for best in sorted(chances, key=lambda c: (-c.odds, c.order.target, str(c.order.leader))):
            if not drafting.offer(Part("battles", best.order)):
                used += best.order.named
                break
        else:
            return drafting.json()


def _fair(game: Game, side: str) -> int:
    """Whoever would lose if the game were over now has to take more risks."""
    enemy = world_of(game).enemy(side)
    return BOLD if score(game, side).total < score(game, enemy).total else FAIR


def _chances(game: Game, side: str, used: Sequence[str]) -> Iterator[Chance]:
    for who in leaders(game, side):
        if not who.active:
            continue
        stacks: dict[str, list[str]] = {}
        for each in left(game, force(who)):
            if each.can_attack and each.id not in used and not each.entrained and not each.attacked:
                stacks.setdefault(each.hex, []).append(each.id)
        for target in sorted({near for hex in stacks for near in world_of(game).neighbours(hex)}):
            yield from _against(game, side, who.id, target, stacks)


def _against(game: Game, side: str, who: str, target: str, stacks: dict[str, list[str]]) -> Iterator[Chance]:
    """Every way of attacking one hex from one or two hexes."""
    world = world_of(game)
    enemy = [each for each in units(game, world.enemy(side), target) if each.is_land]
    if not enemy:
        return
    known = [each for each in enemy if each.known and each.occupies]
    inside = [each.id for each in known if target in world.forts]
    defence = total(defence_lines(game, known, inside)) + sum(UNSEEN for each in enemy if not each.known)
    near = [h for h in stacks if world.adjacent(h, target) and not world.prohibited(h, target)]
    pairs = [pair for pair in combinations(near, 2) if world.adjacent(*pair)]
    for hexes in [*((hex,) for hex in near), *pairs]:
        fighting = [unit(game, id) for hex in hexes for id in stacks[hex]]
        attack = total(attack_lines(game, fighting, target))
        odds = 100 * attack // defence if defence else 999
        declared = tuple(each.id for each in fighting if each.type == "cavalry")[:1]
        listed = tuple(Stack(hex, tuple(stacks[hex])) for hex in hexes)
        yield Chance(BattleOrder(target, who, listed, declared), odds)


def _chit(decision: Intensity, pick: Pick) -> int:
    """Hard where the odds are good, carefully where they are not."""
    odds = decision.ratio if decision.ratio is not None else 999
    mine = odds if decision.role == "attack" else 10_000 // max(1, odds)
    wish = pick((2, 3, 4)) if mine >= GOOD else pick((1, 2))
    return int(min(decision.limit, wish))


def _commit(game: Game, decision: CommitLeader, pick: Pick) -> str:
    """The leader who is worth most in battle, two times of three."""
    able = [id for id in decision.leaders if leader(game, id).combat]
    if not able or not pick((True, True, False)):
        return "none"
    return max(able, key=lambda id: (leader(game, id).combat, id))


def standing_well(player: str) -> list[Json]:
    """Standing orders for all of a battle but its two secret choices."""
    return [
        {"rbc": {"mode": "go", "if_attack_sp_at_least": 8}},
        {"rbc": {"mode": "stay"}},
        {"defence": {}},
        {"losses": {}},
        {"supply_order": []},
        {"retreat": {"exempt": "stay"}},
        {"voluntary": {"defend": {"if_ratio_at_least": 250}, "attack": {}}},
        {"advance": "all"},
    ]
