"""The chain of supply: from supply cities by rail without limit, else in links of a few hexes (4.11)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.supply import supply_net_over

from .pieces import Board, units, world_of
from .zones import friendly_rail, occupied_hexes, zone


def chain(board: Board, side: str) -> frozenset[str]:
    """All hexes on the chain of supply of a side."""
    world, grid = world_of(board), world_of(board).map.grid
    passable = _passable(board, side)
    closed = frozenset(grid.index(hex) for hex in world.hexes if hex not in passable)
    relays = _relays(board, side)
    link = int(world.tables.movement["supply_link"])
    origins = {hex: True for hex in _origins(board, side) if hex in passable}
    reach: frozenset[str] = frozenset()
    while True:
        lines = _by_rail(board, side, origins, passable)
        net = supply_net_over(
            world.chain_costs, [grid.index(hex) for hex in lines], limit=link, closed=closed
        )
        reach = frozenset(hex for hex in grid.numbers(sorted(net.costs)) if hex in passable)
        grown = {**origins, **dict.fromkeys(lines, True), **{hex: True for hex in relays if hex in reach}}
        if len(grown) == len(origins):
            return reach
        origins = grown


def on_chain(board: Board, hex: str, side: str) -> bool:
    """Whether a hex is on the chain of supply of a side."""
    return hex in chain(board, side)


def _passable(board: Board, side: str) -> frozenset[str]:
    """Land hexes without enemies, outside enemy zones unless a friendly combat unit is there."""
    world = world_of(board)
    enemies, zones = occupied_hexes(board, world.enemy(side)), zone(board, side)
    held = frozenset(each.hex for each in units(board, side) if each.is_combat)
    return frozenset(
        hex
        for hex, terrain in world.terrain.items()
        if terrain != "sea" and hex not in enemies and (hex not in zones or hex in held)
    )


def _origins(board: Board, side: str) -> list[str]:
    """Own supply cities, and own naval bases beside the sea."""
    world = world_of(board)
    owners = board.position.tracks["settlement_owner"]
    assert isinstance(owners, dict)
    cities = [
        hex
        for hex, place in world.settlements.items()
        if place.supply_city == side and owners.get(hex) == side
    ]
    bases = [
        each.hex for each in units(board, side) if each.type == "naval_base" and world.beside_sea(each.hex)
    ]
    return sorted({*cities, *bases})


def _relays(board: Board, side: str) -> list[str]:
    """Hexes of own depots, loaded supply trains and army HQs."""
    found = [
        each.hex
        for each in units(board, side)
        if each.type == "depot"
        or (each.type == "supply_train" and each.supply >= 1)
        or (each.is_hq and each.key == "army")
    ]
    return sorted(set(found))


def _by_rail(board: Board, side: str, origins: Iterable[str], passable: frozenset[str]) -> list[str]:
    """The origins and everything that friendly rails join to them."""
    world = world_of(board)
    found = dict.fromkeys(origins, True)
    waiting = list(found)
    while waiting:
        hex = waiting.pop()
        if not friendly_rail(board, hex, side):
            continue
        for near in world.rail_lines.get(hex, ()):
            if near not in found and near in passable and friendly_rail(board, near, side):
                found[near] = True
                waiting.append(near)
    return sorted(found)
