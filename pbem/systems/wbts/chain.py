"""The chain of supply: from supply cities by rail without limit, else in links of a few hexes (4.11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.kit.hexsets import unpack
from pbem.kit.supply import supply_net

from .pieces import Board, units, world_of
from .zones import friendly_rail, occupied_hexes, supply_cities, zone


def chain(board: Board, side: str) -> frozenset[str]:
    """All hexes on the chain of supply of a side.

    Relays that a link reaches are origins of the next one, until nothing new is reached.
    """
    world = world_of(board)
    index = world.index
    passable = _passable(board, side)
    first = _origins(board, side, passable)
    closed = frozenset(index[hex] for hex in world.hexes if hex not in passable and hex not in first)
    relays = _relays(board, side)
    link = world.tables.movement["supply_link"]
    origins = _by_rail(board, side, first, passable)
    while True:
        sources = [index[hex] for hex in origins]
        reached = supply_net(world.chain_costs, sources, limit=link, closed=closed).reached
        new = [hex for hex in relays if hex not in origins and reached >> index[hex] & 1 and hex in passable]
        if not new:
            return passable.intersection(world.ids(unpack(reached)))
        origins = _by_rail(board, side, [*origins, *new], passable)


def _passable(board: Board, side: str) -> frozenset[str]:
    """Land hexes without enemies, outside enemy zones unless a friendly combat unit is there."""
    world = world_of(board)
    held = frozenset(each.hex for each in units(board, side) if each.is_combat)
    return world.land - occupied_hexes(board, world.enemy(side)) - (zone(board, side) - held)


def _origins(board: Board, side: str, passable: frozenset[str]) -> list[str]:
    """Own supply cities that supply can pass through, and own naval bases beside the sea, whoever is near."""
    bases = {each.hex for each in units(board, side) if each.type == "naval_base"}
    cities = {hex for hex in supply_cities(board, side) if hex in passable}
    return sorted(cities | {hex for hex in bases if world_of(board).beside_sea(hex)})


def _relays(board: Board, side: str) -> list[str]:
    """Hexes of own depots, loaded supply trains and army HQs."""

    def relays(type: str, supply: int, army: bool) -> bool:
        return type == "depot" or army or (type == "supply_train" and supply >= 1)

    return sorted({u.hex for u in units(board, side) if relays(u.type, u.supply, u.is_army)})


def _by_rail(board: Board, side: str, origins: Iterable[str], passable: Collection[str]) -> dict[str, bool]:
    """The origins and everything that friendly rails join to them."""
    lines = world_of(board).rail_lines
    found = dict.fromkeys(origins, True)
    waiting = [hex for hex in found if friendly_rail(board, hex, side)]
    while waiting:
        for near in lines.get(waiting.pop(), ()):
            if near not in found and near in passable and friendly_rail(board, near, side):
                found[near] = True
                waiting.append(near)
    return found
