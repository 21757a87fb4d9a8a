"""Moves of ground and logistic blocks: marches, strategic moves by road and sea, assaults (4.4.2-4.4.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from pbem.rules import Diagnostic

from ..blocks import Unit, friendly_port
from .model import RULES, Move, illegal, path_faults
from .mover import Mover
from .search import ways

#: The rules that share E-MOV-10 (R-45).
BY_ROAD, BY_SEA, ASSAULT = "4.4.4", "4.4.5", "4.4.6"


def land_faults(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """Everything wrong with a move on the ground or of ground blocks by sea."""
    if not block.kind.lands:
        message = f"{block.id} ({block.kind.name}) cannot make this move, ground and logistic blocks can"
        yield illegal("E-MOV-12", RULES[move.kind], message, "kind")
        return
    broken = path_faults(mover.world, block.id, block.hex, move)
    if broken:
        yield from broken
        return
    checks: dict[str, Callable[[Mover, Unit, Move], Iterator[Diagnostic]]] = {
        "march": _march,
        "road_strat": _road_strat,
        "sea_strat": _sea_strat,
        "assault": _assault,
    }
    yield from checks[move.kind](mover, block, move)
    if mover.full(block, move.end):
        message = f"no room for {block.id} in {mover.world.place(move.end)}"
        yield illegal("E-MOV-08", "2.6", message, "path", len(move.path) - 1)


def _march(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.2, 4.4.3."""
    world, path, spent = mover.world, move.path, 0
    for i, (one, to) in enumerate(pairwise(path), start=1):
        cost = world.march_cost(block.kind, one, to)
        if cost is None:
            message = f"{block.id} may not enter {to}, {world.terrain[to].name}"
            yield illegal("E-MOV-04", "4.4.2", message, "path", i)
            return
        spent += cost
        if not mover.enemy_in(to):
            continue
        if block.cls == "logistic":
            message = f"{block.id} may not enter {to}, where enemies are"
            yield illegal("E-MOV-09", "4.4.2", message, "path", i)
        if i < len(path) - 1:
            message = f"enemies in {to} end the move of {block.id}"
            yield illegal("E-MOV-06", "4.4.2", message, "path", i)
        elif block.cls == "ground" and mover.hexside_full(one, to):
            limit = world.hexside_limit(one, to)
            message = (
                f"{limit} ground {'block' if limit == 1 else 'blocks'} crossed from {one} to {to} already"
            )
            yield illegal("E-MOV-07", "4.4.3", message, "path", i)
    if spent > block.kind.mv and len(path) > 2:
        message = f"{block.id} needs {spent} movement points, it has {block.kind.mv}"
        yield illegal("E-MOV-05", "4.4.2", message, "path")


def _strategic(rule: str, reason: str, *path: str | int) -> Diagnostic:
    what = "assault" if rule == ASSAULT else "strategic move"
    return illegal("E-MOV-10", rule, f"{what}: {reason}", *path)


def _road_strat(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.4; whose base is whose is judged as the Player Turn began."""
    world, path = mover.world, move.path
    if path[0] not in mover.home_bases and path[0] not in mover.home_sites:
        reason = f"{world.place(path[0])} is no friendly base or resource site"
        yield _strategic(BY_ROAD, reason, "path", 0)
    for i, (one, to) in enumerate(pairwise(path), start=1):
        if not world.road(one, to):
            yield _strategic(BY_ROAD, f"no road from {one} to {to}", "path", i)
    links = len(path) - 1
    if links > world.numbers.road_strat_links:
        yield _strategic(BY_ROAD, f"{links} road links, at most {world.numbers.road_strat_links}", "path")
    for i, hex in enumerate(path[1:], start=1):
        if mover.enemy_in(hex):
            yield _strategic(BY_ROAD, f"enemies in {hex}", "path", i)
        elif hex in mover.closed_bases:
            reason = f"{world.place(hex)} was foreign, or neutral and vacant, as the Player Turn began"
            yield _strategic(BY_ROAD, reason, "path", i)
    if path[-1] not in mover.home_bases and path[-1] not in mover.closed_bases:
        yield _strategic(BY_ROAD, f"{world.place(path[-1])} is no friendly base", "path", links)


def _port(mover: Mover, hex: str) -> bool:
    return friendly_port(mover.board, mover.player, hex)


def _sea_lane(mover: Mover, move: Move, most: int, rule: str) -> Iterator[Diagnostic]:
    """Sea hexes between the ends of a path: their number, and enemy ships there."""
    between = move.path[1:-1]
    for i, hex in enumerate(between, start=1):
        if not mover.world.is_sea(hex):
            yield _strategic(rule, f"{hex} is no sea hex", "path", i)
        elif mover.enemy_in(hex):
            yield illegal("E-MOV-11", rule, f"enemy ships in sea hex {hex}", "path", i)
    if not 1 <= len(between) <= most:
        yield _strategic(rule, f"{len(between)} sea hexes, wanted 1-{most}", "path")


def _sea_strat(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.5."""
    place, last = mover.world.place, len(move.path) - 1
    if not _port(mover, move.path[0]):
        yield _strategic(BY_SEA, f"{place(move.path[0])} is no friendly port", "path", 0)
    yield from _sea_lane(mover, move, mover.world.numbers.sea_strat_hexes, BY_SEA)
    if not _port(mover, move.path[-1]):
        yield _strategic(BY_SEA, f"{place(move.path[-1])} is no friendly port", "path", last)
    elif mover.enemy_in(move.path[-1]):  # no battle is entered by a strategic move
        yield _strategic(BY_SEA, f"enemies in {place(move.path[-1])}", "path", last)


def _assault(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.6."""
    world, path = mover.world, move.path
    last, end = len(path) - 1, path[-1]
    if not block.kind.has("assault"):
        able = ", ".join(code for code, kind in world.types.items() if kind.has("assault"))
        message = f"{block.id} ({block.kind.name}) cannot make an assault, {able} can"
        yield illegal("E-MOV-12", "4.4.6", message, "kind")
        return
    if not _port(mover, path[0]):
        yield _strategic(ASSAULT, f"{world.place(path[0])} is no friendly port", "path", 0)
    yield from _sea_lane(mover, move, world.numbers.assault_sea_hexes, ASSAULT)
    if not world.coastal(end) or not world.terrain[end].landing:
        message = f"no assault into {end}, {world.terrain[end].name}"
        yield illegal("E-MOV-04", "4.4.6", message, "path", last)
    elif _port(mover, end):
        yield _strategic(ASSAULT, f"{world.place(end)} is a friendly port, use sea_strat", "path", last)
    elif mover.enemy_in(end) and mover.beach_full(block, path[-2], end):
        message = f"the beach from {path[-2]} to {end} is full"
        yield illegal("E-MOV-07", "4.4.3", message, "path", last)


# listing


def land_moves(mover: Mover, block: Unit) -> Iterator[Move]:
    """Every legal end of a land block's move; hexes with enemies once per hexside to enter by."""
    for found in (_marches, _road_marches, _sea_moves):
        for move in found(mover, block):
            if not mover.way_faults(block, move):
                yield move


def _marches(mover: Mover, block: Unit) -> Iterator[Move]:
    world, mv = mover.world, block.kind.mv

    def cost(one: str, to: str) -> int | None:
        return world.march_cost(block.kind, one, to)

    found = ways(world, block.hex, cost, mv, mover.enemy_in, minimum_move=True)
    peaceful = {hex: path for hex, path in found.items() if not mover.enemy_in(hex)}
    for _, path in sorted(peaceful.items()):
        yield Move(block.id, "march", path)
    if block.cls == "ground":
        for before in sorted({**peaceful, block.hex: (block.hex,)}):
            way = peaceful.get(before, (block.hex,))
            for hex in world.neighbours(before):
                if mover.enemy_in(hex):
                    yield Move(block.id, "march", (*way, hex))


def _road_marches(mover: Mover, block: Unit) -> Iterator[Move]:
    world = mover.world
    if block.hex not in mover.home_bases and block.hex not in mover.home_sites:
        return

    def cost(one: str, to: str) -> int | None:
        shut = to in mover.closed_bases or mover.enemy_in(to)
        return 1 if world.road(one, to) and not shut else None

    found = ways(world, block.hex, cost, world.numbers.road_strat_links)
    for hex, path in sorted(found.items()):
        if hex in mover.home_bases:
            yield Move(block.id, "road_strat", path)


def _sea_moves(mover: Mover, block: Unit) -> Iterator[Move]:
    world = mover.world
    if not _port(mover, block.hex):
        return

    def cost(one: str, to: str) -> int | None:
        return 1 if world.is_sea(to) and not mover.enemy_in(to) else None

    seas = ways(world, block.hex, cost, world.numbers.sea_strat_hexes)
    shores: dict[str, tuple[str, ...]] = {}
    for hex in sorted(seas, key=lambda h: (len(seas[h]), h)):
        for land in world.neighbours(hex):
            if _port(mover, land) and land != block.hex and land not in shores:
                shores[land] = (*seas[hex], land)
    for _, path in sorted(shores.items()):
        yield Move(block.id, "sea_strat", path)
    if not block.kind.has("assault"):
        return
    for hex, path in sorted(seas.items()):
        for land in world.neighbours(hex):
            if not world.is_sea(land) and not _port(mover, land):
                yield Move(block.id, "assault", (*path, land))
