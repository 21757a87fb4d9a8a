"""After the fight: who may advance, what is found in the hex, what becomes of lone leaders (4.8.14,
4.8.16).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..handling import move, remove
from ..pieces import Board, is_leader, leader, leaders, mark, unit, units, world_of
from ..zones import left_alone
from .commanders import lone, lone_headquarters, refuge, take_off
from .leaving import wipe_out
from .retreats import HARD
from .state import Battle, attacking, held


@dataclass(frozen=True)
class Displaced:
    """A lone leader and where he went; `to` None: captured."""

    leader: str
    side: str
    start: str
    to: str | None
    hq: str | None


def able_to_advance(board: Board, battle: Battle) -> list[str]:
    """Attacking units that may enter the target, hex by hex; nobody if it is held or the attack was
    unsupplied.
    """
    if battle.naval or battle.attacker in battle.unsupplied or held(board, battle):
        return []
    return [u.id for u in attacking(board, battle) if u.id not in battle.retreated]


def able_to_follow(board: Board, battle: Battle) -> list[str]:
    """Leaders, HQs and supply trains in the hexes of units that may advance, by hex."""
    world = world_of(board)
    found: list[str] = []
    for hex in dict.fromkeys(unit(board, id).hex for id in able_to_advance(board, battle)):
        rough = world.terrain[battle.target] in HARD and not world.road(hex, battle.target)
        for each in units(board, battle.attacker, hex):
            if each.is_hq or (each.type == "supply_train" and not rough):
                found.append(each.id)
        found += [each.id for each in leaders(board, battle.attacker, hex) if not each.naval]
    return found


def sweep(board: Board, battle: Battle) -> dict[str, int]:
    """Enemy logistic units and HQs without a leader are destroyed with their supply; gives their points."""
    lost: dict[str, int] = {}
    for each in units(board, battle.defender, battle.target):
        commanded = each.is_hq and any(
            who.hq == each.id for who in leaders(board, battle.defender, battle.target)
        )
        if each.is_logistic or (each.is_hq and not commanded):
            lost[each.id] = each.sp
            wipe_out(board, each.id)
    marker = f"ENT-{battle.target}"
    fields = board.position.counters.get(marker)
    if fields is not None and fields["side"] == battle.defender:
        board.position.remove(marker)
    return lost


def owners(board: Board, hex: str) -> dict[str, str]:
    """Who owns what in a hex: settlement, fort, rail."""
    found: dict[str, str] = {}
    for what in ("settlement", "fort", "rail"):
        listed = board.position.tracks[f"{what}_owner"]
        assert isinstance(listed, dict)
        if hex in listed:
            found[what] = str(listed[hex])
    return found


def displace(board: Board, side: str, hexes: Sequence[str]) -> tuple[list[Displaced], list[str]]:
    """4.8.16 for some hexes: lone leaders go or are captured, HQs left alone are removed; both are given."""
    gone: list[Displaced] = []
    for id in lone(board, side, hexes):
        gone.append(_displace_one(board, id))
    alone = lone_headquarters(board, side, hexes)
    for hq in alone:
        remove(board, hq)
    return gone, alone


def drive_off(board: Board, side: str, hexes: Sequence[str]) -> tuple[tuple[Displaced, ...], tuple[str, ...]]:
    """4.8.16 Enemy leaders and HQs without troops give way where combat units have come (R-57, R-103)."""
    enemy = world_of(board).enemy(side)
    gone, alone = displace(board, enemy, [hex for hex in hexes if left_alone(board, enemy, hex)])
    return tuple(gone), tuple(alone)


def _displace_one(board: Board, id: str) -> Displaced:
    who = leader(board, id)
    start, side = who.hex, who.side
    hq = who.hq if who.hq and who.hq in board.position.counters and unit(board, who.hq).hex == start else None
    to = refuge(board, id)
    if to is None:
        if hq is not None:
            remove(board, hq)
        take_off(board, id, "captured")
    else:
        move(board, [id, *([hq] if hq else [])], to)
    return Displaced(id, side, start, to, hq)


def detrain(board: Board, ids: Sequence[str]) -> list[str]:
    """Units that were attacked while entrained are so no longer (4.4.5); gives those that are left."""
    left = [id for id in ids if id in board.position.counters and not is_leader(board, id)]
    for id in left:
        mark(board, id, entrained=None)
    return left
