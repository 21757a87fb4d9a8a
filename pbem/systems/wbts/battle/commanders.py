"""Leaders in a battle: who may command, who may be committed, what becomes of them (4.8.4, 4.8.8, 4.8.16)."""

from __future__ import annotations

from collections.abc import Sequence

from ..chain import chain
from ..command import commanded_hq, modified
from ..pieces import Board, combat_units, is_leader, leader, leaders, mark, units, world_of
from .state import Battle, attacking


def eligible_commanders(board: Board, battle: Battle) -> list[str]:
    """Who may lead the defence: land leaders in the target, army commanders beside it (R-16). Best first.

    Best is the highest modified initiative, then combat, then the lowest id (D-09).
    """
    world = world_of(board)
    reach = world.tables.numbers["commander_range"]
    found: list[str] = []
    for each in leaders(board, battle.defender):
        if each.naval:
            continue
        hq = commanded_hq(board, each.id)
        near = world.distance(each.hex, battle.target) <= reach
        if each.hex == battle.target or (near and hq is not None and hq.key == "army"):
            found.append(each.id)
    reached = chain(board, battle.defender)

    def merit(id: str) -> tuple[int, int, str]:
        return -modified(board, id, reached).initiative, -leader(board, id).combat, id

    return sorted(found, key=merit)


def chit_limit(board: Board, commander: str | None) -> int:
    """The highest intensity chit a commander may pick; 0 without one (4.8.6)."""
    if commander is None or not is_leader(board, commander):
        return 0
    most = world_of(board).tables.numbers["intensity_most"]
    return min(most, modified(board, commander).initiative)


def eligible_to_commit(board: Board, battle: Battle, side: str) -> list[str]:
    """Leaders of a side in a combat hex, by id; with attacking ships their naval leaders only (4.8.8,
    4.8.15).
    """
    if battle.naval and side == battle.attacker:
        hexes = tuple(dict.fromkeys(each.hex for each in attacking(board, battle)))
        return [each.id for hex in hexes for each in leaders(board, side, hex) if each.naval]
    found = [each.id for hex in battle.hexes(side) for each in leaders(board, side, hex)]
    return sorted(found)


def take_off(board: Board, id: str, status: str, return_cycle: int | None = None) -> None:
    """A leader leaves the map: killed, wounded until a cycle, or captured. His HQ stays without him."""
    board.position.drop(id, "hex", "hq", "moved", "attempted", "active")
    mark(board, id, status=status, return_cycle=return_cycle)


def lone(board: Board, side: str, hexes: Sequence[str]) -> list[str]:
    """Leaders of a side in hexes without a friendly land combat unit; naval ones only where no ship could
    be.
    """
    found: list[str] = []
    for hex in sorted(dict.fromkeys(hexes)):
        if combat_units(board, side, hex):
            continue
        ashore = not world_of(board).navigable(hex)
        found += [each.id for each in leaders(board, side, hex) if not each.naval or ashore]
    return found


def refuge(board: Board, id: str) -> str | None:
    """The nearest hex with a friendly combat unit within reach, the lowest id of several (R-26)."""
    who = leader(board, id)
    world = world_of(board)
    reach = world.tables.numbers["lone_leader_range"]
    held = {each.hex: True for each in units(board, who.side) if each.is_combat}
    near = [(world.distance(who.hex, hex), hex) for hex in held]
    return min(((away, hex) for away, hex in near if away <= reach), default=(0, None))[1]


def lone_headquarters(board: Board, side: str, hexes: Sequence[str]) -> list[str]:
    """HQs left in a hex without a leader of their side and without a combat unit (4.8.16)."""
    return [
        each.id
        for hex in sorted(dict.fromkeys(hexes))
        if not combat_units(board, side, hex) and not leaders(board, side, hex)
        for each in units(board, side, hex)
        if each.is_hq
    ]
